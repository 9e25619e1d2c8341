"""A program for test_workers: its processes answer every connection with their id and the version of a file."""

import os
import socket
import sys
import time
from pathlib import Path

from attention_ui.server import workers

SLOW = 2.0  # seconds until this version is warm


def serve(place: socket.socket) -> None:
    """Answer one connection after the other."""
    if CODE.read_text() == "broken":
        raise ValueError("broken code")
    while True:
        connection, _ = place.accept()
        with connection:
            connection.sendall(f"{os.getpid()} {os.getppid()} {VERSION}".encode())


if __name__ == "__main__":
    CODE = Path(sys.argv[2])
    VERSION = CODE.read_text()
    passed = workers.passed_on()
    if not passed:
        sockets = [socket.create_server(("127.0.0.1", int(port))) for port in sys.argv[1].split(",")]
        sys.exit(workers.Program(sockets, lambda: print("it serves", flush=True)).run())
    if VERSION == "does not load":
        raise ImportError(VERSION)
    if VERSION == "slow":
        time.sleep(SLOW)
    workers.keep_serving([(serve, place) for place in passed.sockets], passed)
