"""deploy/serve.sh and its nginx, before a program that serves nobody: what visitors read, and what ends whom."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from attention_ui.server.limits import Limits
from tests.attention_ui.server.test_workers import until
from tests.browser import nginx
from tests.browser.serving import ROOT, Serving, fetch, free_port, serving
from tests.browser.test_leaving import family

pytestmark = pytest.mark.skipif(nginx.find() is None or not Path("/proc").exists(), reason=nginx.HOW_TO_GET_ONE)
NOBODY = "#!/bin/sh\ncase $* in *ready*) exit 0 ;; esac\nexec sleep 60\n"  # ready at once, and it serves nobody
LIVED = 5  # seconds; who dies sooner would die again


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """What starts serve.sh; the last argument is the configuration, on free ports."""
    program = tmp_path / "python"
    program.write_text(NOBODY)
    program.chmod(0o755)
    for name in ("nginx.conf", "app.conf"):
        text = (ROOT / "deploy" / name).read_text()
        for port in ("8501", "8511", "8512"):
            text = text.replace(port, str(free_port()))
        (tmp_path / name).write_text(text.replace("listen ", "listen 127.0.0.1:"))
    return ["env", f"PYTHON={program}", "sh", "deploy/serve.sh", str(tmp_path / "nginx.conf")]


def entrance(command: list[str]) -> int:
    (port,) = re.findall(r"listen 127\.0\.0\.1:(\d+)", Path(command[-1]).read_text())
    return int(port)


@pytest.fixture
def started(command: list[str]) -> Iterator[Serving]:
    with serving(command, entrance(command), ready="/metrics", status=404) as started:
        yield started


def named(started: Serving, words: str) -> list[int]:
    """The processes of serve.sh whose command holds these words."""
    found = []
    for pid in family(started.process.pid):
        with suppress(OSError):  # it has gone meanwhile
            found += [pid] * (words in Path(f"/proc/{pid}/cmdline").read_text())
    return found


def test_a_visitor_who_meets_no_process_reads_so_and_a_dead_nginx_is_back(started: Serving) -> None:
    begun = time.monotonic()
    answer = fetch(f"{started.address}/kernel_regression?kr_width=0.5")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Content-Type"].startswith("text/html")
    assert b"Attention Lab is starting" in answer.body
    assert b"http-equiv=refresh" in answer.body
    (master,) = named(started, "nginx: master")
    time.sleep(max(0.0, begun + LIVED + 1 - time.monotonic()))
    os.kill(master, signal.SIGKILL)
    until(lambda: bool(named(started, "nginx: master")) and master not in named(started, "nginx: master"))
    until(lambda: answers(started.address))
    assert "nginx has ended and begins again" in started.printed.read_text()


def answers(address: str) -> bool:
    with socket.socket() as connection:
        place = urlsplit(address)
        return connection.connect_ex((place.hostname, place.port)) == 0


def test_an_nginx_that_cannot_begin_ends_all_and_says_so(command: list[str]) -> None:
    with socket.create_server(("127.0.0.1", entrance(command))):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert "nginx does not go on, for the reason above" in done.stderr
    assert "in use" in done.stderr


def test_a_program_that_ends_takes_nginx_along_and_says_so(started: Serving) -> None:
    (program,) = named(started, "sleep\x0060")
    os.kill(program, signal.SIGKILL)
    assert started.process.wait(10) == 1
    assert "Attention Lab has ended, and nginx with it" in started.printed.read_text()
    assert not answers(started.address)


def test_all_end_when_they_are_asked_to(started: Serving) -> None:
    running = family(started.process.pid)
    os.kill(started.process.pid, signal.SIGTERM)
    assert started.process.wait(10) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in running)


def test_a_file_of_the_largest_size_passes_every_gate(tmp_path: Path) -> None:
    allowed = re.findall(r"maxUploadSize = (\d+)", (ROOT / ".streamlit/config.toml").read_text())
    assert re.findall(r"rows, up to (\d+) MB", (ROOT / "README.md").read_text()) == allowed
    for file, words in {"app.conf": "client_max_body_size ", "kubernetes.yaml": "proxy-body-size: "}.items():
        (bodies,) = re.findall(rf"{words}(\d+)m", (ROOT / "deploy" / file).read_text())
        assert int(bodies) == int(allowed[0]) + 1, f"{file}: a form adds a little to its file"


def test_uploads_under_way_find_room() -> None:
    for file, words in {"kubernetes.yaml": "sizeLimit: ", "compose.yaml": "/tmp:size="}.items():
        (room,) = re.findall(rf"{words}(\d+)m", (ROOT / "deploy" / file).read_text(), re.IGNORECASE)
        assert int(room) >= Limits().upload_megabytes_in_all, file


def test_a_school_behind_one_address_is_within_what_nginx_allows() -> None:
    texts = [(ROOT / "deploy" / name).read_text() for name in ("app.conf", "nginx.conf", "attention-lab-nginx.service")]
    text = "\n".join(texts)

    def number(words: str) -> int:
        (found,) = re.findall(rf"{words}(\d+)", text)
        return int(found)

    processes = len(re.findall(r"^ *server 127\.0\.0\.1", text, re.MULTILINE))
    pages = Limits().sessions_per_address * processes
    assert number("limit_conn connections ") >= pages * 7, "six for files and a websocket"
    assert number("limit_req zone=requests burst=") >= pages * 40, "all in one second"
    assert number("worker_connections ") >= 2 * number("limit_conn connections ")
    assert number("worker_rlimit_nofile ") == number("LimitNOFILE=") >= number("worker_connections ") + 100
