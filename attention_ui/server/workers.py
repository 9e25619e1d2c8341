"""Processes that serve, forked from one that is warm: whichever dies is back at once, and as warm as the first.

SIGHUP starts the program anew beside them, new code included, and lets them go once their successors serve. A listening
socket is never closed meanwhile, so nobody is turned away.
"""

import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable

POSSIBLE = sys.platform == "linux"  # elsewhere a fork may not survive what torch and the system's libraries begin
PASSED_ON = "ATTENTION_LAB_PASSED_ON"  # to the program that follows: its sockets, and the processes that serve them
LIVED = 1.0  # seconds; a process that dies sooner is not replaced before they are over


def passed_on() -> tuple[list[socket.socket], list[int]]:
    """The sockets and the processes of the program before this one, if there was one."""
    sockets, _, running = os.environ.pop(PASSED_ON, "").partition(";")
    return [socket.socket(fileno=int(number)) for number in sockets.split()], [int(pid) for pid in running.split()]


def keep_serving(serve: Callable[[socket.socket], None], sockets: list[socket.socket], before: list[int]) -> None:
    """Serve each socket in a process of its own, let those before them go, and replace whichever dies.

    Returns when this process is asked to stop and the others have gone.
    """
    running: dict[int, socket.socket] = {}
    for request in (signal.SIGTERM, signal.SIGINT):
        signal.signal(request, signal.default_int_handler)
    signal.signal(signal.SIGHUP, lambda *_: _begin_anew(sockets, list(running)))
    try:
        for place in sockets:
            running[_begin(serve, place)] = place
        _ask_to_go(before)
        while True:
            begun = time.monotonic()
            ended, _ = os.wait()
            if ended in running:
                place = running.pop(ended)
                time.sleep(max(0.0, LIVED - (time.monotonic() - begun)))
                running[_begin(serve, place)] = place
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _ask_to_go(list(running))
        for pid in running:
            os.waitpid(pid, 0)


def _begin(serve: Callable[[socket.socket], None], place: socket.socket) -> int:
    """Fork a process that serves this socket, and ends with this one; its id."""
    parent = os.getpid()
    if pid := os.fork():
        return pid
    for request in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(request, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), name="parent", daemon=True).start()
    try:
        serve(place)
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(1)  # what follows in the program is its parent's


def _end_with(parent: int) -> None:
    """Ask this process to stop once its parent is gone, be it killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _ask_to_go(processes: list[int]) -> None:
    for pid in processes:
        os.kill(pid, signal.SIGTERM)


def _begin_anew(sockets: list[socket.socket], running: list[int]) -> None:
    """Become the program that was started, with the code of today; the processes go on until it is warm."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until it keeps serving, too
    for place in sockets:
        place.set_inheritable(True)
    numbers = " ".join(str(place.fileno()) for place in sockets)
    os.environ[PASSED_ON] = f"{numbers};{' '.join(map(str, running))}"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
