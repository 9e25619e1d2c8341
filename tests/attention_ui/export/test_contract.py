"""One contract for every view of every chapter: it gets one thing, what was chosen above it, and returns a View."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import attention_ui.chapters
from attention_ui.export.view import View

CHAPTERS = sorted(path.parent.name for path in Path(attention_ui.chapters.__path__[0]).glob("*/views.py"))
MODULES = {name: import_module(f"attention_ui.chapters.{name}.views") for name in CHAPTERS}
VIEWS = {
    f"{chapter}: {view}": function
    for chapter, module in MODULES.items()
    for view, function in getattr(module, "VIEWS", {}).items()
}


@pytest.mark.parametrize("function", VIEWS.values(), ids=VIEWS)
def test_a_view_gets_what_was_chosen_and_returns_a_view(function):
    signature = inspect.signature(function, eval_str=True)
    assert len(signature.parameters) == 1
    assert signature.return_annotation is View
