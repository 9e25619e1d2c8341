"""The fast way in: `uvicorn server:app` serves app.py warm, guarded, and ready for a classroom."""

import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from attention_ui.process import boot
from attention_ui.seams import keep_theme, send_together, tell_failed_downloads
from attention_ui.server.addresses import Addressed
from attention_ui.server.compressed import Compressed
from attention_ui.server.limits import Limited, Limits
from attention_ui.server.logs import Logged, Told, tell_error, words_on
from attention_ui.server.metrics import Measured, metrics
from attention_ui.server.security import Secured, for_hosts
from attention_ui.server.warm import warm_up

OPEN_FILES = 8192  # a session takes about 4, so 300 students outgrow the usual 1024


def raise_open_file_limit() -> None:
    """Allow as many open files as a classroom needs, where the system lets us."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def prepare() -> None:
    """Warm up and compress before anybody comes."""
    compressed.prepare()
    warm_up(warm)


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Where nothing is prepared, prepare it beside the server, so that it answers from the first second."""
    raise_open_file_limit()
    if not warm.is_set():
        threading.Thread(target=prepare, name="warm-up", daemon=True).start()
    yield


async def ready(_: Request) -> JSONResponse:
    """Say whether the first visitor would be served fast, 200 once warm and 503 before, and which process says so."""
    return JSONResponse({"warm": warm.is_set(), "boot": boot()}, 200 if warm.is_set() else 503)


send_together()
keep_theme()
tell_failed_downloads(words_on)
warm = threading.Event()
streamlit_app = st.App(
    Path(__file__).parent / "app.py",
    lifespan=lifespan,
    routes=[Route("/readyz", ready), Route("/metrics", metrics)],
    on_script_error=tell_error,
)
compressed = Compressed(Addressed(Measured(streamlit_app)))
embed, hosts = (os.environ.get(f"ATTENTION_LAB_{name}", "").split() for name in ("EMBED", "HOSTS"))
guarded = Secured(Told(for_hosts(Limited(compressed, Limits.from_environment()), hosts)), embed)
app = Logged(guarded) if os.environ.get("ATTENTION_LAB_LOG") else guarded
