"""The bars of one query: at their keys, as high as their weights."""

from xml.etree import ElementTree

import pytest
import torch

from attention_ui.chapters.home.weight_bars import weight_bars

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_stand_at_their_keys_as_high_as_their_weights() -> None:
    keys = torch.tensor([0.0, 2.5, 5.0])
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.25, 0.25]])
    bars = list(ElementTree.fromstring(weight_bars("bars", 1.0, keys, weights, 0.7)).iter(f"{SVG}rect"))
    assert [float(bar.attrib["height"]) for bar in bars] == pytest.approx(
        (weights / 0.7 * 100).flatten().tolist(), rel=1e-3
    )
    assert [float(bar.attrib["x"]) + 5.5 for bar in bars] == pytest.approx([10, 110, 210] * 2)
    feet = [float(bar.attrib["y"]) + float(bar.attrib["height"]) for bar in bars]
    assert feet == pytest.approx([112] * 3 + [62] * 3, abs=0.1)


def test_words_are_escaped() -> None:
    svg = weight_bars('<a> & "b"', 1.0, torch.zeros(1), torch.ones(1, 1), 1.0)
    assert ElementTree.fromstring(svg).get("aria-label") == '<a> & "b"'
