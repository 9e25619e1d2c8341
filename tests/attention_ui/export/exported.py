"""Run what a page gives away, and hold its numbers against those on the screen."""

import ast
import contextlib
import io
import sys

import pytest
import torch

from attention_ui.export import Export

LONGEST_LINE = 120
FLOATS = {torch.float64: 1e-9, torch.float32: 1e-5, torch.int64: 0}


def ran(script: str) -> dict[str, object]:
    """All names that a script leaves behind."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(script, "exported", "exec"), names)  # our own text, built from our own values
    assert printed.getvalue()
    return names


def alone(script: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The same where nobody has our packages, nor pandas."""
    with monkeypatch.context() as nobody:
        for name in list(sys.modules):
            if name.partition(".")[0] in ("attention_core", "attention_ui", "pandas", "streamlit"):
                nobody.setitem(sys.modules, name, None)
        return ran(script)


def compare(export: Export, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, object], dict[str, object]]:
    """Both scripts make the numbers on the screen again, and can be read; gives back the names that they leave."""
    assert export.results
    both = ran(export.script), alone(export.plain, monkeypatch)
    for names in both:
        for name, expected in export.results.items():
            near = FLOATS[expected.dtype]
            torch.testing.assert_close(
                names[name], expected, atol=near, rtol=near, equal_nan=True, msg=f"{name} differs"
            )
    for script in (export.script, export.plain):
        ast.parse(script)
        assert max(map(len, script.splitlines())) <= LONGEST_LINE
    assert all(len(table) for table in export.tables.values())
    assert len(export.figure.data)
    assert export.name == export.name.lower()
    return both


def cells(table, count: int) -> torch.Tensor:
    """The last columns of a table."""
    return torch.tensor(table.iloc[:, -count:].to_numpy(float))
