"""What a word attends to, and a layer whose cost is told, are one entry each: pages open, and both scripts run."""

import pytest
import torch

from attention_core.demos.self_attention import PROJECTIONS, WIDTH, Projection
from attention_core.transformer.cost import LAYERS, Layer
from tests.pages.opening import opened


def opposite():
    """A word attends to what is least like itself."""
    same = torch.eye(WIDTH, dtype=torch.float64)
    return -same, same, same


def mixer_counts(n, d, k):
    """One linear map over the positions."""
    return n * n * d, n * n * d, 1, 1


@pytest.fixture
def taken(monkeypatch):
    """A function that opens the page and gives what Download would pack."""
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))

    def take(**link):
        opened("self_attention", **link)
        return packed[-1]

    return take


def test_what_a_word_attends_to_is_one_entry(monkeypatch, taken, agree):
    monkeypatch.setitem(PROJECTIONS, "opposite", Projection("Opposite", "Opposites attract.", opposite))
    for order in ("", "1.0"):
        export = agree(taken(sa_look="opposite", sa_text="yes no", sa_order=order))
        assert "-same, same, same" in export.alone().text
        assert export.computation.shown["weights"].diagonal().max() < 0.5


def test_a_layer_is_one_entry(monkeypatch, taken, agree):
    monkeypatch.setitem(
        LAYERS, "mixer", Layer("Mixer", r"n^2 d", mixer_counts, lambda width, kernel: lambda rows: rows)
    )
    export = agree(taken(sa_tab="cost", sa_length="16", sa_cost_width="16"))
    assert export.tables["table"].operations.tolist()[-1] == 16**3
    assert export.figure.data[-1].name == "Mixer"
