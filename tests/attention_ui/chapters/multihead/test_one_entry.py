"""A data function is one entry: heads are mixed on it, and both scripts of the download run."""

import torch

from attention_core.data import FUNCTIONS, Function
from tests.pages.opening import opened


def ramp(x):
    """Flat, then a slope."""
    return torch.relu(x - 2)


def test_a_data_function_is_one_entry(monkeypatch, agree):
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    monkeypatch.setitem(FUNCTIONS, "ramp", Function("Ramp", r"\max(0, x - 2)", ramp))
    app = opened("multihead", multihead_function="ramp", multihead_share="1.2")
    export = agree(packed[-1])
    assert "torch.relu(queries - 2)" in export.alone().text
    assert export.title.startswith("Ramp")
    assert "true error" in "\n".join(text.value for text in app.markdown)
