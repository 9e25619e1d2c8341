"""Scripts taken home from a question make the numbers of the screen again."""

import math

import pytest

from attention_ui.chapters.qkv.export import exported, script
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked

LINE, PLANE = SPACES.values()
BETWEEN = Asked(LINE, (1.1,), 0.0), (7, 3)


@pytest.mark.parametrize(
    ("asked", "samples"),
    [
        (Asked(LINE, LINE.start, 1.0), None),
        (Asked(LINE, (0.025,), math.inf), None),
        BETWEEN,
        (Asked(PLANE, (8.0, 0.0), TEMPERATURES[-2]), None),
        (Asked(PLANE, PLANE.start, 4.64), (2000, 2**31 - 1)),
    ],
)
def test_both_scripts_make_the_numbers_on_the_screen_again(agree, asked, samples):
    export = agree(exported(asked, samples))
    assert export.with_core().text == script(asked, samples)
    shown, pairs = export.computation.shown, export.tables["pairs"]
    assert pairs["score"].tolist() == shown["scores"][0].tolist()
    assert pairs["weight"].tolist() == shown["weights"][0].tolist()
    assert set(export.tables) == ({"pairs", "samples"} if samples else {"pairs"})
    if samples:
        columns = {"value": "sampled", "average so far": "averages", "standard error": "errors"}
        for column, name in columns.items():
            assert export.tables["samples"][column].tolist() == shown[name].tolist()


def test_a_query_on_the_line_stands_on_the_curve_and_beside_it_the_samples():
    export = exported(*BETWEEN)
    shown = export.computation.shown
    assert shown["weights"].tolist() == [[0.5, 0.5, 0, 0, 0, 0]]
    weights, curve, query, keys, *samples = export.figure.data
    assert [list(row) for row in weights.z] == shown["weights"].tolist()
    assert (
        (list(query.x), list(query.y))
        == ([pytest.approx(1.1)], shown["output"].tolist())
        == ([pytest.approx(1.1)], [40.0])
    )
    assert curve.y[44] == 40.0, "at 1.1"
    assert list(keys.text) == ["A 62", "B 18", "C 85", "D 34", "E 71", "F 9"]
    assert list(samples[-2].y) == shown["averages"].tolist()


def test_a_query_in_the_plane_stands_among_the_keys():
    _, query, keys = exported(Asked(PLANE, PLANE.start, 1.0)).figure.data
    assert (*query.x, *query.y) == PLANE.start
    assert list(zip(keys.x, keys.y, strict=True)) == [tuple(key) for key in PLANE.pairs.keys.tolist()]
