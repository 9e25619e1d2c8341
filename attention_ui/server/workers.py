"""Processes that serve: whichever dies is back at once, as warm as the first, and new code comes without a gap.

The program itself loads nothing. It begins a generation: a process that warms up, forks one process for each socket,
and replaces whichever dies. SIGHUP begins another generation, new code included; the one before it is let go once its
successor serves, and stays where that fails. A listening socket is never closed meanwhile, so nobody is turned away.
"""

import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

POSSIBLE = sys.platform == "linux"  # elsewhere a fork may not survive what torch and the system's libraries begin
PASSED_ON = "ATTENTION_LAB_PASSED_ON"  # to a generation: its program, whether another one serves, and the sockets
LIVED = 1.0  # seconds; a process that dies sooner is not replaced before they are over
STOP = {signal.SIGTERM, signal.SIGINT}
HEARD = {*STOP, signal.SIGCHLD}  # by a generation
HEARD_BY_THE_PROGRAM = {*HEARD, signal.SIGHUP, signal.SIGUSR1}  # by which a generation says that it serves


Task = tuple[Callable[[socket.socket], None], socket.socket]  # what a process does, and what it hears


class Passed(NamedTuple):
    """What the program passes on to a generation."""

    program: int
    is_first: bool
    sockets: list[socket.socket]


def passed_on() -> Passed | None:
    """What was passed on to this generation; None in the program itself."""
    if not (words := os.environ.pop(PASSED_ON, "").split()):
        return None
    program, is_first, *sockets = map(int, words)
    return Passed(program, bool(is_first), [socket.socket(fileno=number) for number in sockets])


# The program.


class Program:
    """Keeps a generation at work: `serving`, and beside it the one that is `starting`; 0 where there is none.

    Calls `announce` once the first one serves.
    """

    def __init__(self, sockets: list[socket.socket], announce: Callable[[], None]) -> None:
        self.sockets, self.announce = sockets, announce
        self.serving = self.starting = 0

    def run(self) -> int:
        """Serve until this process is asked to stop, or a generation fails and no other serves; the exit code."""
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD_BY_THE_PROGRAM)
        self.begin()
        while (heard := signal.sigwaitinfo(HEARD_BY_THE_PROGRAM)).si_signo not in STOP:
            if heard.si_signo == signal.SIGHUP:
                _ask_to_go(self.starting)  # its code is not the newest any more
                self.begin()
            elif heard.si_signo == signal.SIGUSR1 and heard.si_pid == self.starting:
                self.let_it_serve()
            for ended, code in _ended():
                if self.fails_with(ended):
                    return code if code > 0 else 1
        _wait_until_gone(self.serving, self.starting)
        return 0

    def begin(self) -> None:
        """Begin a generation, with the code of today."""
        for place in self.sockets:
            place.set_inheritable(True)
        numbers = (os.getpid(), int(not self.serving), *(place.fileno() for place in self.sockets))
        told = os.environ | {PASSED_ON: " ".join(map(str, numbers))}
        command = [sys.executable, *sys.orig_argv[1:]]
        self.starting = os.posix_spawn(sys.executable, command, told, setsigmask=[])

    def let_it_serve(self) -> None:
        """Let the generation go that served so far; the one that was starting serves now."""
        _ask_to_go(self.serving)
        self.serving, self.starting = self.starting, 0
        tell_systemd()
        self.announce()
        self.announce = lambda: None

    def fails_with(self, ended: int) -> bool:
        """Whether nobody serves any more since this generation has ended; one that has served is replaced."""
        if ended == self.serving:
            self.serving = 0
            if not self.starting:
                self.begin()
        elif ended == self.starting:
            self.starting = 0
            if self.serving:
                print("The new code does not serve, as said above: the old one goes on.", file=sys.stderr, flush=True)
            return not self.serving
        return False


def tell_systemd() -> None:
    """Say that visitors may come, where systemd has begun the program and wants to know (sd_notify)."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
            way.sendto(b"READY=1", "\0" + address[1:] if address.startswith("@") else address)


# A generation.


def keep_serving(tasks: Sequence[Task], passed: Passed) -> None:
    """Do each task in a process of its own, and replace whichever dies.

    Returns when this process is asked to stop, or its program is gone, and the others have ended.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal that closes tells the whole group, the program as well
    running = {_begin(*task): (task, time.monotonic()) for task in tasks}
    if os.getppid() == passed.program:
        os.kill(passed.program, signal.SIGUSR1)
    while os.getppid() == passed.program:
        heard = signal.sigtimedwait(HEARD, 1.0)
        if heard and heard.si_signo in STOP:
            break
        for ended, _ in _ended():
            if ended in running:
                task, begun = running.pop(ended)
                time.sleep(max(0.0, begun + LIVED - time.monotonic()))
                running[_begin(*task)] = task, time.monotonic()
    _wait_until_gone(*running)


def _begin(serve: Callable[[socket.socket], None], place: socket.socket) -> int:
    """Fork a process that does this for a socket, and ends with this one; its id."""
    parent = os.getpid()
    if pid := os.fork():
        return pid
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    threading.Thread(target=_end_with, args=(parent,), name="parent", daemon=True).start()
    try:
        serve(place)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)  # what follows in the program is its parent's


def _end_with(parent: int) -> None:
    """Ask this process to stop once its parent is gone, be it killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


# Both.


def _ended() -> Iterator[tuple[int, int]]:
    """The processes of this one that have ended, each with its exit code."""
    with suppress(ChildProcessError):  # none is left
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def _ask_to_go(*processes: int) -> None:
    for pid in filter(None, processes):
        os.kill(pid, signal.SIGTERM)


def _wait_until_gone(*processes: int) -> None:
    _ask_to_go(*processes)
    for pid in filter(None, processes):
        os.waitpid(pid, 0)
