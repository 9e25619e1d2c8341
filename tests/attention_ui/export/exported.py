"""Run what a page gives away, and hold its numbers against those on the screen."""

import ast
import contextlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
import torch

from attention_ui.export import file_formats
from attention_ui.export.computation import Script
from attention_ui.export.view import Export

LONGEST_LINE = 120
FLOATS = {torch.float64: 1e-9, torch.float32: 1e-5}
mpl.use("agg")


def executed(script: str) -> dict[str, object]:
    """All names that a script leaves behind."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(script, "exported", "exec"), names)  # our own text, built from our own values
    assert printed.getvalue()
    return names


def shown_by(script: str) -> dict[str, torch.Tensor]:
    """The named numbers that a script makes."""
    shown = executed(script)["shown"]
    plt.close("all")
    assert isinstance(shown, dict)
    return shown


def alone(script: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The same where nobody has our packages, nor pandas."""
    with monkeypatch.context() as nobody:
        for name in list(sys.modules):
            if name.partition(".")[0] in ("attention_core", "attention_ui", "pandas", "streamlit"):
                nobody.setitem(sys.modules, name, None)
        return executed(script)


def compare(export: Export, monkeypatch: pytest.MonkeyPatch, folder: Path | None = None) -> list[dict[str, object]]:
    """Both scripts make the numbers on the screen again, draw them, and can be read; gives the names they leave."""
    left = []
    assert all(len(table) for table in export.tables.values())
    assert len(export.figure.data)
    assert export.name == export.name.lower()
    for suffix, script in {"": export.with_core(), "-torch": export.alone()}.items():
        names = _ran_where_its_numbers_are(export.name + suffix, script, bool(suffix), monkeypatch, folder)
        same(names["shown"], export.computation.shown, "shown")
        ast.parse(script.text)
        assert max(map(len, script.text.splitlines())) <= LONGEST_LINE, max(script.text.splitlines(), key=len)
        left.append(names)
    return left


def _ran_where_its_numbers_are(
    name: str, script: Script, by_itself: bool, monkeypatch: pytest.MonkeyPatch, folder: Path | None
) -> dict[str, object]:
    with monkeypatch.context() as moved:
        if script.numbers:
            assert folder, "this script reads numbers from a file: give a folder for it"
            (folder / f"{name}.npz").write_bytes(file_formats.npz(script.numbers))
            moved.chdir(folder)
        names = alone(script.text, moved) if by_itself else executed(script.text)
    assert bool(plt.get_fignums()) == ("plt.show()" in script.text)
    plt.close("all")
    return names


def same(actual: object, expected: object, name: str) -> None:
    """Both are the same, to the digits that they have; whole numbers and texts exactly."""
    if isinstance(expected, Mapping):
        assert isinstance(actual, Mapping)
        for each, value in expected.items():
            same(actual[each], value, f"{name}.{each}")
    elif isinstance(expected, torch.Tensor):
        near = FLOATS.get(expected.dtype, 0)
        actual = torch.as_tensor(actual, dtype=expected.dtype)
        torch.testing.assert_close(actual, expected, atol=near, rtol=near, equal_nan=True, msg=f"{name} differs")
    else:
        assert actual == expected, name


def said(script: str) -> str:
    """The script, and below it every value that it gives a name, as name=value: in one line it may name several."""
    pairs = [
        (target.id, value)
        for each in ast.parse(script).body
        if isinstance(each, ast.Assign)
        for target, value in _paired(each.targets[0], each.value)
    ]
    return script + ", ".join(f"{name}={ast.get_source_segment(script, value)}" for name, value in pairs) + ","


def _paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.Name, ast.expr]]:
    """The names in `a, b = 1, 2` with their values."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return [(name, each) for name, each in pairs if isinstance(name, ast.Name)]
    return [(target, value)] if isinstance(target, ast.Name) else []


def cells(table, count: int) -> torch.Tensor:
    """The last columns of a table."""
    return torch.tensor(table.iloc[:, -count:].to_numpy(float))


def drawn(figure, kind, place=0):
    """One trace of this kind in a figure."""
    return [trace for trace in figure.data if trace.type == kind][place]
