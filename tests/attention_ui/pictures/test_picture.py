"""A picture arrives in the browser as torch made it."""

import pytest
import torch

from attention_ui.pictures.heatmap import TWO_BYTES, Heatmap
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.plane import Plane, Points
from attention_ui.pictures.table import Table
from tests.attention_ui.pictures.reading import heatmaps, opened, panels


def labels(count, letter="k"):
    return tuple(f"{letter}{i}" for i in range(count))


def test_moving_still_and_masked_panels_and_points_make_the_round_trip():
    weights = torch.rand(3, 2, 4, dtype=torch.float64).softmax(-1)
    still, mask = torch.rand(2, 4), torch.rand(3, 2, 4) > 0.5
    places = torch.randn(3, 5, 2)
    plane = Plane("plane", (Points("keys", "reference", places, labels(5)),))
    picture = Picture(
        (
            plane,
            Heatmap("moving", weights, labels(2, "q"), labels(4), mask, ("a", "b", "c")),
            Heatmap("still", still, labels(2), labels(4)),
        ),
        ("one", "two", "three"),
        slider="s",
    )
    header, (moving, kept), (masked, none) = heatmaps(pack(picture))
    ((_, (points,)),) = panels(pack(picture), "plane")[1]
    torch.testing.assert_close(moving, weights.float(), rtol=0, atol=0)
    torch.testing.assert_close(kept, still[None], rtol=0, atol=0)
    assert masked.bool().equal(mask)
    assert none is None
    torch.testing.assert_close(points, places, rtol=0, atol=0)
    assert (header["frames"], header["slider"], header["captions"]) == (3, "s", ["one", "two", "three"])
    assert header["panels"][1]["notes"] == ["a", "b", "c"]


def test_a_long_picture_keeps_four_decimals_of_every_weight():
    shown = tuple(
        Heatmap(f"head {i}", torch.rand(12, 64, 64).softmax(-1) * 8, labels(64), labels(64)) for i in range(12)
    )
    picture = Picture(shown, labels(12), low=0.0, high=1.0)
    header, cells, _ = heatmaps(pack(picture))
    assert header["panels"][0]["levels"] == TWO_BYTES
    for part, panel in zip(cells, shown, strict=True):
        torch.testing.assert_close(part.double() / TWO_BYTES, panel.frames.double().clamp(0, 1), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (torch.tensor([[0.2, 0.7]]), (0.0, 0.7)),
        (torch.tensor([[-2.0, 1.0]]), (-2.0, 2.0)),
        (torch.tensor([[0.0, 0.0]]), (0.0, 1.0)),
    ],
)
def test_the_scale_has_the_true_range_or_equal_ends_around_0_and_is_never_empty(cells, expected):
    assert Picture((Heatmap("p", cells, ("q",), ("a", "b")),)).scale()[:2] == pytest.approx(expected)


def test_the_scale_is_shared_by_all_panels():
    shown = (
        Heatmap("p", torch.tensor([[0.25]]), ("q",), ("k",)),
        Heatmap("r", torch.tensor([[0.75]]), ("q",), ("k",)),
    )
    header, _ = opened(pack(Picture(shown)))
    assert [(panel["low"], panel["high"]) for panel in header["panels"]] == [(0.0, 0.75)] * 2


@pytest.mark.parametrize(
    "panel",
    [
        Heatmap("labels", torch.rand(2, 3), labels(3), labels(3)),
        Heatmap("frames", torch.rand(5, 2, 3), labels(2), labels(3)),
        Heatmap("mask", torch.rand(2, 3), labels(2), labels(3), torch.ones(3, 2, dtype=torch.bool)),
        Heatmap("notes", torch.rand(2, 3), labels(2), labels(3), notes=("a", "b", "c")),
    ],
    ids=lambda panel: panel.title,
)
def test_what_does_not_fit_together_is_refused(panel):
    with pytest.raises(ValueError, match=panel.title):
        Picture((panel,), ("first", "second"))


def test_another_picture_has_another_name():
    names = {opened(pack(Picture((Heatmap("p", torch.tensor([[x]]), ("q",), ("k",)),))))[0]["name"] for x in (0.1, 0.2)}
    assert len(names) == 2


def test_a_table_travels_in_words_alone():
    table = Table(("Estimator", "Error"), (("Average", "2"),), ((("Now", "1"),), (("Now", "0"),)), "{} keys", (("1",),))
    header, tensors = opened(pack(Picture((table,), ("a", "b"), follows="kr_stage")))
    assert tensors == []
    assert header["follows"] == "kr_stage"
    assert header["panels"][0]["live"] == [[["Now", "1"]], [["Now", "0"]]]
