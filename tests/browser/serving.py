"""Start a server as its own process, wait until it answers, and end exactly that process."""

import os
import random
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
STOP_SECONDS = 10


class Answer(NamedTuple):
    """What a server says to one request."""

    status: int
    headers: Message
    body: bytes


class Serving(NamedTuple):
    """A running server: its process, its address, and what it has printed so far."""

    process: subprocess.Popen[bytes]
    address: str
    printed: Path


def free_port() -> int:
    """A port of this machine that nobody uses right now, below those that are given to whoever opens a connection."""
    for port in random.sample(range(20_000, 32_000), k=100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


def fetch(address: str) -> Answer:
    """One GET; an answer that says no is an answer too."""
    try:
        with urllib.request.urlopen(address, timeout=10) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as response:
        with response:
            return Answer(response.code, response.headers, response.read())


@contextmanager
def serving(command: list[str], port: int, ready: str, status: int = 200) -> Iterator[Serving]:
    """Run the command in a process group of its own until the block is left; it has begun once `ready` has a status."""
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder) / "log"
        with printed.open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        server = Serving(process, f"http://127.0.0.1:{port}", printed)
        try:
            _wait_until_it_answers(server, ready, status)
            yield server
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask the group that the process leads to go, and insist if it stays."""
    for request in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        os.killpg(process.pid, request)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue


def _wait_until_it_answers(server: Serving, ready: str, status: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while server.process.poll() is None and time.monotonic() < deadline:
        try:
            if fetch(server.address + ready).status == status:
                return
        except OSError:
            pass  # not listening yet
        time.sleep(0.1)
    raise RuntimeError(f"The server did not start; it printed:\n{server.printed.read_text(errors='replace')}")
