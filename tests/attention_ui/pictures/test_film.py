"""A film arrives in the browser as torch made it."""

import json
import struct

import pytest
import torch

from attention_ui.pictures.film import Film, Panel, Plane, Points, pack
from attention_ui.pictures.film.film import LEVELS


def unpacked(data):
    """The header and the parts behind it, read as the browser reads them: points, cells, masks."""
    (length,) = struct.unpack_from("<I", data)
    header, body, at = json.loads(data[4 : 4 + length]), bytearray(data[4 + length :]), 0

    def take(dtype, *shape):
        nonlocal at
        count = torch.Size(shape).numel()
        if not count:
            return None
        part = torch.frombuffer(body, dtype=dtype, count=count, offset=at).view(shape)
        at += count * part.element_size()
        return part

    groups = header["plane"]["groups"] if header["plane"] else []
    places = [take(torch.float32, group["kept"], len(group["labels"]), 2) for group in groups]
    sides = [(len(panel["rows"]), len(panel["columns"])) for panel in header["panels"]]
    kind = torch.uint16 if header["levels"] else torch.float32
    cells = [take(kind, panel["kept"], *side) for panel, side in zip(header["panels"], sides, strict=True)]
    masks = [take(torch.uint8, panel["masks"], *side) for panel, side in zip(header["panels"], sides, strict=True)]
    assert at == len(body), "nothing is left over"
    return header, places, cells, masks


def labels(count, letter="k"):
    return tuple(f"{letter}{i}" for i in range(count))


def test_moving_still_and_masked_panels_and_points_make_the_round_trip():
    weights = torch.rand(3, 2, 4, dtype=torch.float64).softmax(-1)
    still, mask = torch.rand(2, 4), torch.rand(3, 2, 4) > 0.5
    places = torch.randn(3, 5, 2)
    film = Film(
        (
            Panel("moving", weights, labels(2, "q"), labels(4), mask, ("a", "b", "c")),
            Panel("still", still, labels(2), labels(4)),
        ),
        ("one", "two", "three"),
        plane=Plane("plane", (Points("keys", "reference", places, labels(5)),)),
        slider="s",
    )
    header, (points,), (moving, kept), (masked, none) = unpacked(pack(film))
    torch.testing.assert_close(moving, weights.float(), rtol=0, atol=0)
    torch.testing.assert_close(kept, still[None], rtol=0, atol=0)
    assert masked.bool().equal(mask)
    assert none is None
    torch.testing.assert_close(points, places, rtol=0, atol=0)
    assert (header["frames"], header["slider"], header["captions"]) == (3, "s", ["one", "two", "three"])
    assert header["panels"][0]["notes"] == ["a", "b", "c"]


def test_a_long_film_keeps_four_decimals_of_every_weight():
    panels = tuple(
        Panel(f"head {i}", torch.rand(12, 64, 64).softmax(-1) * 8, labels(64), labels(64)) for i in range(12)
    )
    film = Film(panels, labels(12), low=0.0, high=1.0)
    header, _, cells, _ = unpacked(pack(film))
    assert header["levels"] == LEVELS
    for part, panel in zip(cells, panels, strict=True):
        torch.testing.assert_close(part.double() / LEVELS, panel.frames.double().clamp(0, 1), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (torch.tensor([[0.2, 0.7]]), (0.0, 0.7)),
        (torch.tensor([[-2.0, -1.0]]), (-2.0, 0.0)),
        (torch.tensor([[0.0, 0.0]]), (0.0, 1.0)),
    ],
)
def test_the_scale_has_the_true_range_and_is_never_empty(cells, expected):
    assert Film((Panel("p", cells, ("q",), ("a", "b")),)).range() == pytest.approx(expected)


def test_the_scale_is_shared_by_all_panels():
    panels = (Panel("p", torch.tensor([[0.25]]), ("q",), ("k",)), Panel("r", torch.tensor([[0.75]]), ("q",), ("k",)))
    header = unpacked(pack(Film(panels)))[0]
    assert (header["low"], header["high"]) == (0.0, 0.75)


@pytest.mark.parametrize(
    "panel",
    [
        Panel("labels", torch.rand(2, 3), labels(3), labels(3)),
        Panel("frames", torch.rand(5, 2, 3), labels(2), labels(3)),
        Panel("mask", torch.rand(2, 3), labels(2), labels(3), torch.ones(3, 2, dtype=torch.bool)),
        Panel("notes", torch.rand(2, 3), labels(2), labels(3), notes=("a", "b", "c")),
    ],
    ids=lambda panel: panel.title,
)
def test_what_does_not_fit_together_is_refused(panel):
    with pytest.raises(ValueError, match=panel.title):
        Film((panel,), ("first", "second"))


def test_another_film_has_another_name():
    names = {unpacked(pack(Film((Panel("p", torch.tensor([[x]]), ("q",), ("k",)),))))[0]["name"] for x in (0.1, 0.2)}
    assert len(names) == 2
