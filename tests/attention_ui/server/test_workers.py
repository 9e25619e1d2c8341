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
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What systemd hears of the program."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "systemd"))
        heard.settimeout(SECONDS)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "systemd"))
        yield heard


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.fixture
def echo(tmp_path: Path, systemd: socket.socket) -> Iterator[Echo]:
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
    assert parent_of(parent) == echo.process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: not alive(first))
    successor, same, _ = echo.answer(0)  # nobody is turned away: the connection waits for it
    assert successor not in (first, second)
    assert same == parent
    assert echo.answer(1)[0] == second


def test_new_code_comes_without_a_gap(echo: Echo) -> None:
    old = [echo.answer(place)[0] for place in (0, 1)]
    echo.code.write_text("second")
    echo.process.send_signal(signal.SIGHUP)
    until(lambda: echo.answer(0)[2] == echo.answer(1)[2] == "second")  # and none is turned away
    until(lambda: not any(map(alive, old)))
    assert parent_of(echo.answer(0)[1]) == echo.process.pid, "it is still the same program to whoever watches it"


def printed_at_the_end(echo: Echo) -> str:
    """What the program has printed until it was asked to stop."""
    echo.process.terminate()
    printed, _ = echo.process.communicate(timeout=SECONDS)
    assert echo.process.returncode == 0
    return printed


def test_new_code_that_does_not_load_harms_nobody_and_the_log_says_why(echo: Echo) -> None:
    old = [echo.answer(place)[0] for place in (0, 1)]
    echo.code.write_text("does not load")
    failed = parent_of(old[0])
    echo.process.send_signal(signal.SIGHUP)
    generations = Path(f"/proc/{echo.process.pid}/task/{echo.process.pid}/children")
    until(lambda: len(generations.read_text().split()) == 2)
    until(lambda: generations.read_text().split() == [str(failed)])
    assert [echo.answer(place)[0] for place in (0, 1)] == old, "they go on"
    echo.code.write_text("third")
    echo.process.send_signal(signal.SIGHUP)
    until(lambda: echo.answer()[2] == "third")
    printed = printed_at_the_end(echo)
    assert "ImportError: does not load" in printed
    assert "The new code does not serve, as said above: the old one goes on." in printed


def test_who_dies_while_new_code_becomes_warm_is_replaced_at_once(echo: Echo) -> None:
    pid, generation, _ = echo.answer()
    echo.code.write_text("slow")
    echo.process.send_signal(signal.SIGHUP)
    time.sleep(workers.LIVED)  # a process that has just begun waits for as long
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))
    successor, parent, version = echo.answer()
    assert successor != pid
    assert (parent, version) == (generation, "first")
    until(lambda: echo.answer()[2] == "slow")


def test_newer_code_takes_the_place_of_code_that_becomes_warm(echo: Echo) -> None:
    for version in ("slow", "newest"):
        echo.code.write_text(version)
        echo.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
    until(lambda: echo.answer()[2] == "newest")


def test_a_generation_that_is_killed_is_replaced(echo: Echo) -> None:
    old, generation, _ = echo.answer()
    os.kill(generation, signal.SIGKILL)
    until(lambda: not alive(old))
    assert echo.answer()[1] not in (generation, 1)


def test_systemd_hears_once_visitors_may_come(systemd: socket.socket, echo: Echo) -> None:
    assert systemd.recv(99) == b"READY=1"


def test_a_program_that_never_serves_ends_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "code").write_text("does not load")
    command = [sys.executable, "-m", "tests.attention_ui.server.echo", str(free_port()), str(tmp_path / "code")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1
    assert "ImportError: does not load" in done.stderr


def test_all_stop_together(echo: Echo) -> None:
    running = [echo.answer(place)[0] for place in (0, 1)]
    assert printed_at_the_end(echo) == "it serves\n"
    assert not any(map(alive, running))


def test_no_process_outlives_the_program(echo: Echo) -> None:
    running = [echo.answer(place)[0] for place in (0, 1)]
    echo.process.kill()
    until(lambda: not any(map(alive, running)))


def test_what_cannot_serve_is_tried_once_a_second_and_says_why(echo: Echo) -> None:
    pid = echo.answer()[0]
    echo.code.write_text("broken")
    begun = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))
    time.sleep(workers.LIVED * 2.5)
    echo.code.write_text("mended")
    assert echo.answer()[0] != pid
    seconds = time.monotonic() - begun  # more than asked for, on a busy machine
    assert 1 <= printed_at_the_end(echo).count("ValueError: broken code") <= seconds / workers.LIVED + 2
