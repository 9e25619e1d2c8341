"""A server for the bare page, secured and warmed as the app's own: python -m benchmarks.bare_server PORT."""

import sys
import threading

import streamlit as st
import uvicorn

from attention_ui.server.security import Secured
from attention_ui.server.warm import warm_up

if __name__ == "__main__":
    warm_up(threading.Event())
    uvicorn.run(Secured(st.App("benchmarks/bare_page.py")), host="127.0.0.1", port=int(sys.argv[1]))
