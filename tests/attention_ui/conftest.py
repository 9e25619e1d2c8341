"""For the tests of what is taken home."""

from collections.abc import Callable
from pathlib import Path

import pytest

from attention_ui.export.view import Export
from tests.attention_ui.export.exported import compare


@pytest.fixture
def agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Export], Export]:
    """A function that runs both scripts of an export, one of them without our packages, and compares their numbers."""

    def compared(export: Export) -> Export:
        compare(export, monkeypatch, tmp_path)
        return export

    return compared
