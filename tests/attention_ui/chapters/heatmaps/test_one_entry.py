"""A pattern is one entry: its page opens, and both scripts of the download run."""

import pytest

from attention_core.demos.patterns import PATTERNS, Pattern
from tests.pages.opening import opened


def mirrored(q, k, band):
    """Each prefers the one as far from the end as itself from the beginning."""
    return -(q + k - (len(q) - 1)).double().square()


@pytest.mark.parametrize("link", [{}, {"heatmaps_patterns": "mirrored", "heatmaps_n": "5"}])
def test_a_pattern_is_one_entry(monkeypatch, agree, link):
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    monkeypatch.setitem(PATTERNS, "mirrored", Pattern("Mirrored", "its mirror image", mirrored))
    app = opened("heatmaps", **link)
    assert any("| Mirrored |" in text.value for text in app.markdown)
    export = agree(packed[-1])
    assert "(q + k - (len(q) - 1))" in export.with_core().text
    chosen = export.computation.shown["weights"]
    assert list(chosen) == (["mirrored"] if link else list(PATTERNS))
    weights = chosen["mirrored"]
    assert weights.argmax(-1).tolist() == list(reversed(range(len(weights))))
