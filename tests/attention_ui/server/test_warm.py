"""The warm-up runs the work that opening pages needs, and an error in it leaves the server cold."""

import logging
import threading

import pytest

from attention_ui.server import warm


def test_a_failed_warm_up_is_logged_and_leaves_the_server_cold(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ImportError("no torch today")

    monkeypatch.setattr(warm, "_use_torch", fail)
    monkeypatch.setattr(warm, "log", logging.getLogger("test.warm"))  # Streamlit keeps uvicorn's from caplog
    done = threading.Event()
    warm.warm_up(done)
    assert not done.is_set()
    assert "no torch today" in caplog.text


def test_the_warm_up_uses_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm.gc, "freeze", lambda: None)  # the tests' own garbage shall be collected
    done = threading.Event()
    warm.warm_up(done)
    assert done.is_set()
