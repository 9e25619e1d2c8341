"""The small pictures: sound SVG for every chapter, and torch's numbers where they show any."""

import re
from xml.etree import ElementTree

import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.learning.training import TrainingConfig, train
from attention_core.pooling import kernel_pool, predict
from attention_ui.chapters.home.thumbnails import THUMBNAILS, thumbnail, weight_bars
from attention_ui.chapters.home.thumbnails.drawing import cells, drawing
from attention_ui.contents import CHAPTERS

SVG = "{http://www.w3.org/2000/svg}"
ROLES = {"prediction", "reference", "truth", "average", "points", "query", *(f"shade-{i}" for i in range(10))}


def parsed(drawn):
    return ElementTree.fromstring(drawn.svg)


def fills(root, shade):
    """How many cells have this shade."""
    return sum(
        path.get("d").count("M") for path in root.iter(f"{SVG}path") if path.get("fill") == f"var(--shade-{shade})"
    )


@pytest.mark.parametrize("name", [*THUMBNAILS, "unknown"])
def test_every_chapter_has_a_picture_in_theme_colours_with_words(name):
    drawn = thumbnail(name)
    root = parsed(drawn)
    assert root.get("viewBox") == "0 0 220 120"
    assert root.get("role") == "img"
    assert root.get("aria-label") == drawn.alt
    assert drawn.alt.endswith(".")
    assert len(list(root)) >= 3
    assert "#" not in drawn.svg, "a fixed colour would not follow the theme"
    assert "nan" not in drawn.svg
    assert set(re.findall(r"var\(--([\w-]+)\)", drawn.svg)) <= ROLES


def test_the_chapters_have_pictures_of_their_own():
    assert {chapter.name for chapter in CHAPTERS} <= set(THUMBNAILS)
    assert len({thumbnail(name).svg for name in THUMBNAILS}) == len(THUMBNAILS)
    assert thumbnail("a chapter to come") == thumbnail("another one")


def test_words_are_escaped():
    drawn = drawing('<a> & "b"')
    assert ElementTree.fromstring(drawn.svg).get("aria-label") == '<a> & "b"'


def test_cells_have_the_shade_of_their_weight():
    weights = torch.rand(5, 7, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    root = parsed(drawing("cells", cells(weights, 10, 20, 4)))
    levels = (weights / weights.max() * 9).round()
    for shade in range(10):
        assert fills(root, shade) == int((levels == shade).sum())
    darkest = next(path for path in root.iter(f"{SVG}path") if path.get("fill") == "var(--shade-9)")
    i, j = divmod(int(weights.argmax()), 7)
    assert f"M{10 + 4 * j},{20 + 4 * i}h4" in darkest.get("d")


def test_the_labs_picture_is_its_curve_and_its_weights():
    samples = generate()
    root = parsed(thumbnail("kernel_regression"))
    (curve,) = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "var(--prediction)"]
    drawn = [tuple(map(float, pair.split(","))) for pair in curve.get("d")[1:].split("L")]
    expected = predict(torch.linspace(0, 5, 60, dtype=torch.float64), *samples, 0.3)
    heights = torch.tensor([y for _, y in drawn], dtype=torch.float64)
    assert torch.corrcoef(torch.stack([heights, -expected]))[0, 1] > 0.9999
    assert len(list(root.iter(f"{SVG}circle"))) == 50
    weights = kernel_pool(query_grid()[::4], samples.x[::4], samples.y[::4], 0.3).weights
    assert fills(root, 9) == int((weights / weights.max() * 9).round().eq(9).sum())


def test_the_query_picture_has_lines_as_thick_as_its_weights():
    keys = torch.arange(4, dtype=torch.float64)
    expected = torch.softmax(-((1.2 - keys) ** 2), 0)
    root = parsed(thumbnail("qkv"))
    thick = [float(line.get("stroke-width")) for line in root.iter(f"{SVG}line") if line.get("class") == "weight"]
    assert [(width - 0.8) / 12 for width in thick] == pytest.approx(expected.tolist(), abs=1e-3)
    assert all(f"{weight:.2f}" in thumbnail("qkv").alt for weight in expected.tolist())


def test_the_steps_downhill_are_those_of_training():
    config = TrainingConfig(epochs=24, learning_rate=0.02)
    expected = [1.0, *(step.w for step in train(generate(), config))]
    root = parsed(thumbnail("learned_w"))
    steps = [float(dot.get("cx")) for dot in root.iter(f"{SVG}circle") if dot.get("class") == "step"]
    assert [0.6 + (x - 14) / 192 * 5.4 for x in steps] == pytest.approx(expected, abs=0.01)
    assert f"w = {expected[-1]:.2f}" in thumbnail("learned_w").alt


def test_bars_stand_at_their_keys_as_high_as_their_weights():
    keys = torch.tensor([0.0, 2.5, 5.0])
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.25, 0.25]])
    bars = list(parsed(weight_bars("bars", 1.0, keys, weights, 0.7)).iter(f"{SVG}rect"))
    assert [float(bar.get("height")) for bar in bars] == pytest.approx(
        (weights / 0.7 * 100).flatten().tolist(), rel=1e-3
    )
    assert [float(bar.get("x")) + 5.5 for bar in bars] == pytest.approx([10, 110, 210] * 2)
    feet = [float(bar.get("y")) + float(bar.get("height")) for bar in bars]
    assert feet == pytest.approx([112] * 3 + [62] * 3, abs=0.1)
