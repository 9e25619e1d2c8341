"""Processes that serve: whichever dies is back, new code comes without a gap, and none outlives the program."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from attention_ui.server import workers
from tests.browser.serving import ROOT, free_port

pytestmark = pytest.mark.skipif(not workers.POSSIBLE, reason="no processes are forked here")
SECONDS = 20


class Echo(NamedTuple):
    """The running program, its ports, and the file that stands for its code."""

    process: subprocess.Popen[str]
    ports: list[int]
    code: Path

    def answer(self, place: int = 0) -> tuple[int, int, str]:
        """Who answers there: the process, its parent, and the version of its code."""
        with socket.create_connection(("127.0.0.1", self.ports[place]), timeout=SECONDS) as connection:
            pid, parent, version = connection.makefile().read().split() or (0, 0, "")  # it died meanwhile
        return int(pid), int(parent), version


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether this process runs; one that has ended and waits for its parent does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Echo]:
    code, ports = tmp_path / "code", [free_port(), free_port()]
    code.write_text("first")
    command = [sys.executable, "-m", "tests.attention_ui.server.echo", ",".join(map(str, ports)), str(code)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    made = Echo(process, ports, code)
    try:
        until(lambda: process.poll() is None and answers(made))
        yield made
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def answers(echo: Echo) -> bool:
    with suppress(OSError):
        return bool(echo.answer())
    return False


def test_each_socket_has_a_process_and_one_that_is_killed_is_back(echo: Echo) -> None:
    (first, parent, _), (second, *_) = echo.answer(0), echo.answer(1)
    assert first != second
    assert parent == echo.process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: not alive(first))
    successor, parent, _ = echo.answer(0)  # nobody is turned away: the connection waits for it
    assert successor not in (first, second)
    assert parent == echo.process.pid
    assert echo.answer(1)[0] == second


def test_new_code_comes_without_a_gap(echo: Echo) -> None:
    old = [echo.answer(place)[0] for place in (0, 1)]
    echo.code.write_text("second")
    echo.process.send_signal(signal.SIGHUP)
    until(lambda: echo.answer(0)[2] == echo.answer(1)[2] == "second")  # and none is turned away
    until(lambda: not any(map(alive, old)))
    assert echo.answer(0)[1] == echo.process.pid, "it is still the same program to whoever watches it"


def test_all_stop_together(echo: Echo) -> None:
    running = [echo.answer(place)[0] for place in (0, 1)]
    echo.process.terminate()
    printed, _ = echo.process.communicate(timeout=SECONDS)
    assert printed == "stopped\n"
    assert not any(map(alive, running))


def test_no_process_outlives_the_program(echo: Echo) -> None:
    running = [echo.answer(place)[0] for place in (0, 1)]
    echo.process.kill()
    until(lambda: not any(map(alive, running)))


def test_what_cannot_serve_is_tried_once_a_second_and_says_why(echo: Echo) -> None:
    pid = echo.answer()[0]
    echo.code.write_text("broken")
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))
    time.sleep(workers.LIVED * 2.5)
    echo.code.write_text("mended")
    assert echo.answer()[0] != pid
    echo.process.terminate()
    printed, _ = echo.process.communicate(timeout=SECONDS)
    assert 1 <= printed.count("ValueError: broken code") <= 4
