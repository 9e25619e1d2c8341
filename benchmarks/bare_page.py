"""The least that a page with a slider can be: what the lab's reruns are measured against."""

import streamlit as st

width = st.slider("Width", 0, 100, 50, key="bare_width")
st.write(width)  # shown as code
