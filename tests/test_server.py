"""The entry: its readiness, its limit of open files, and the configuration it runs with."""

import asyncio
import json
import threading
import tomllib
from pathlib import Path

import pytest
from streamlit import config

import server
from attention_ui.process import boot

ROOT = Path(__file__).parents[1]
THEME = "theme"  # nested tables, with a check of their own


def test_readiness_follows_the_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "warm", threading.Event())
    cold = asyncio.run(server.ready(None))
    assert (cold.status_code, json.loads(cold.body)) == (503, {"warm": False, "boot": boot()})
    server.warm.set()
    ready = asyncio.run(server.ready(None))
    assert (ready.status_code, json.loads(ready.body)) == (200, {"warm": True, "boot": boot()})


@pytest.mark.skipif("sys.platform == 'win32'", reason="no such limit there")
@pytest.mark.parametrize(
    ("soft", "hard", "expected"), [(1024, 20_000, 8192), (1024, 4096, 4096), (9000, 20_000, None), (256, -1, 8192)]
)
def test_the_open_file_limit_is_raised_where_it_may(
    soft: int, hard: int, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: limits.append(wanted))
    server.raise_open_file_limit()
    assert limits == ([] if expected is None else [(expected, hard)])


def test_streamlit_knows_every_option_that_we_set() -> None:
    tables = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    options = [f"{table}.{name}" for table in tables if table != THEME for name in tables[table]]
    assert len(options) > 10
    for option in options:
        config.get_option(option)
