"""What `make run` says before and after it opens its port."""

import socket

import pytest

from attention_ui.server import launch


@pytest.mark.parametrize(
    ("host", "line"),
    [
        ("127.0.0.1", "Attention Lab is at http://localhost:8501 (Ctrl-C stops it)"),
        ("10.0.0.7", "Attention Lab is at http://10.0.0.7:8501 (Ctrl-C stops it)"),
        ("fe80::7", "Attention Lab is at http://[fe80::7]:8501 (Ctrl-C stops it)"),
        (
            "0.0.0.0",
            "Attention Lab is at http://localhost:8501 and, for others on this network, "
            "at http://10.0.0.7:8501 (Ctrl-C stops it)",
        ),
    ],
)
def test_the_address_is_one_clear_line(host: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "network_address", lambda: "10.0.0.7")
    assert launch.announcement(host, 8501) == line


def test_without_a_network_only_this_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "network_address", lambda: None)
    assert launch.announcement("0.0.0.0", 80) == "Attention Lab is at http://localhost:80 (Ctrl-C stops it)"


def test_a_busy_port_is_one_sentence_that_names_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        says = f"Port {port} is in use by another program: try another, as in make run PORT={port + 1}"
        with pytest.raises(SystemExit, match=says):
            launch.bound("127.0.0.1", port)
    launch.bound("127.0.0.1", port).close()


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        ("192.0.2.77", 8501, "Cannot serve on HOST=192.0.2.77 PORT=8501: "),
        ("127.0.0.1", 70_000, "PORT=70000 is not a port: choose a number from 1 to 65535"),
    ],
)
def test_an_address_of_another_machine_or_no_port_at_all_is_one_sentence(host: str, port: int, says: str) -> None:
    with pytest.raises(SystemExit, match=says):
        launch.bound(host, port)


def test_nobody_can_connect_before_it_listens_and_no_answer_is_held_up() -> None:
    with launch.bound("127.0.0.1", 0) as place:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(place.getsockname(), timeout=5)
        assert place.proto == socket.IPPROTO_TCP, "asyncio leaves Nagle's algorithm on else"


def test_a_busy_port_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        monkeypatch.setattr("sys.argv", ["launch", "--port", str(busy.getsockname()[1])])
        with pytest.raises(SystemExit, match=r"in use by another program.*PORT="):
            launch.main()
