"""Scripts taken home from a question make the numbers of the screen again."""

import math

import pytest

from attention_ui.chapters.qkv.export import exported, script
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked

LINE, PLANE = SPACES.values()
BETWEEN = Asked(LINE, (1.1,), 0.0), (7, 3)


@pytest.mark.parametrize(
    ("asked", "looks"),
    [
        (Asked(LINE, LINE.start, 1.0), None),
        (Asked(LINE, (0.025,), math.inf), None),
        BETWEEN,
        (Asked(PLANE, (8.0, 0.0), TEMPERATURES[-2]), None),
        (Asked(PLANE, PLANE.start, 4.64), (2000, 2**31 - 1)),
    ],
)
def test_both_scripts_make_the_numbers_on_the_screen_again(agree, asked, looks):
    export = agree(exported(asked, looks))
    assert export.with_core().text == script(asked, looks)
    shown, pairs = export.ran.shown, export.tables["pairs"]
    assert pairs["score"].tolist() == shown["scores"][0].tolist()
    assert pairs["weight"].tolist() == shown["weights"][0].tolist()
    assert set(export.tables) == ({"pairs", "looks"} if looks else {"pairs"})
    if looks:
        columns = {"value": "heard", "average so far": "averages", "standard error": "errors"}
        for column, name in columns.items():
            assert export.tables["looks"][column].tolist() == shown[name].tolist()


def test_a_query_on_the_line_meets_its_output_and_below_it_the_looks():
    export = exported(*BETWEEN)
    shown = export.ran.shown
    assert shown["weights"].tolist() == [[0.5, 0.5, 0, 0, 0, 0]]
    keys, query, output, bars, *looks = export.figure.data
    assert list(keys.customdata) == list(bars.y) == shown["weights"][0].tolist()
    assert set(query.x) == set(output.x) == {1.1}
    assert list(output.y) == shown["output"].tolist() == [40.0]
    assert list(looks[-1].y) == shown["averages"].tolist()
