"""Own points in a link: exact to the last digit, and nothing that a stranger writes there does harm."""

import base64
import json
import struct
import zlib

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.data import Samples
from attention_ui.link.points import LONGEST, MOST_LINKED, packed_points, unpacked_points

NUMBERS = st.floats(-1e100, 1e100, allow_nan=False)
COLUMNS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=MOST_LINKED, unique_by=lambda pair: pair[0])


def packed(pairs: list[tuple[float, float]], x_label: str = "x", y_label: str = "y") -> str | None:
    numbers = [x for x, _ in pairs] + [y for _, y in pairs]
    return packed_points(struct.pack(f"<{len(numbers)}d", *numbers), x_label, y_label)


def written(content: object) -> str:
    """Anything at all, packed as points are."""
    text = content if isinstance(content, str) else json.dumps(content)
    return base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def bits(samples: Samples) -> list[bytes]:
    return [column.numpy().tobytes() for column in samples]


@settings(max_examples=40)
@given(COLUMNS, st.text(max_size=30), st.text(max_size=30))
def test_points_come_back_to_the_last_bit(pairs: list[tuple[float, float]], x_label: str, y_label: str) -> None:
    pairs = sorted(pairs)
    text = packed(pairs, x_label, y_label)
    assert text is not None
    assert len(text) <= LONGEST * MOST_LINKED
    expected = Samples(*(torch.tensor(column, dtype=torch.float64) for column in zip(*pairs, strict=True)))
    assert bits(unpacked_points(text).samples) == bits(expected)


def test_the_names_of_the_axes_come_along_as_one_printable_line() -> None:
    text = packed([(1, 2), (2, 3), (3, 5)], "time\n\x00(s)", "<b>" * 30)
    assert text is not None
    linked = unpacked_points(text)
    assert linked.x_label == "time (s)"
    assert len(linked.y_label) == 40


def test_the_curve_behind_edited_points_comes_along() -> None:
    points = struct.pack("<6d", 1, 2, 3, 4, 5, 6)
    for curve in ("", "wave"):
        text = packed_points(points, "x", "y", curve)
        assert text is not None
        assert unpacked_points(text).curve == curve


def test_200_points_travel_and_201_do_not() -> None:
    pairs = [(i + 1 / 3, -i / 7) for i in range(MOST_LINKED + 1)]
    assert packed(pairs) is None
    assert packed(pairs[:-1])


def test_what_people_type_stays_short() -> None:
    text = packed([(i, i * 0.5) for i in range(50)])
    assert text is not None
    assert len(text) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!",
        "abc",
        "A" * (LONGEST * MOST_LINKED + 1),
        "é" * 8,
        packed([(1, 2), (2, 3), (3, 5)])[:-6],  # type: ignore[index]
        written('["x","y",[1,2,3],[1,2,3]' + " " * 5_000_000 + "]"),  # a few kB that unpack to megabytes
        written("[" * 5_000),
        written("{}"),
        written("null"),
        written("1" * 5_000),
        written(["x", "y", [1, 2, 3]]),
        written(["x", "y", [1, 2, 3], [1, 2]]),
        written(["x", "y", [1, 2], [1, 2]]),
        written(["x", "y", [1, 1, 1], [1, 2, 3]]),
        written('["x","y",[1,2,NaN],[1,2,3]]'),
        written('["x","y",[1,2,3],[1,2,1e999]]'),
        written(["x", "y", [1, 2, None], [1, 2, 3]]),
        written(["x", "y", [[1], [2], [3]], [[1], [2], [3]]]),
        written(["x", "y", 1, 2]),
        written(["x", "y", "123", "456"]),
        written([1, "y", [1, 2, 3], [1, 2, 3]]),
        written(["x", "y", list(range(201)), list(range(201))]),
        written(["x", "y", [1, 2, 3], [1, 2, 3], "nobody's"]),
        written(["x", "y", [1, 2, 3], [1, 2, 3], ["wave"]]),
        written(["x", "y", [1, 2, 3], [1, 2, 3], 1]),
        written(["x", "y", [1, 2, 3], [1, 2, 3], "wave", "more"]),
        written(["x", "y", [1, 2, 3], [1, 2, 3], [1, 2, 3]]),
    ],
    ids=range(28),
)
def test_what_is_no_points_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        unpacked_points(text)


@settings(max_examples=100)
@given(st.text("ABCDEFGHIJabcdefghij0123456789-_=", max_size=60) | st.text(max_size=20).map(written))
def test_any_text_gives_points_or_one_kind_of_error(text: str) -> None:
    with pytest.raises(InputError):
        unpacked_points(text)
