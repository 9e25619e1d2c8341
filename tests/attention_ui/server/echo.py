"""A program for test_workers: its processes answer every connection with their id and the version of a file."""

import os
import signal
import socket
import sys
from pathlib import Path

from attention_ui.server import workers


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
    sockets, before = workers.passed_on()
    sockets = sockets or [socket.create_server(("127.0.0.1", int(port))) for port in sys.argv[1].split(",")]
    workers.keep_serving(serve, sockets, before)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    print("stopped", flush=True)
