"""Charts that stand still: what they are given stands in them, for the eyes, in words and in what is downloaded."""

import pytest
import torch

from attention_ui.export.still import still
from attention_ui.pictures.charts import bars, curves, dots, lines, maps
from attention_ui.pictures.picture import pack
from tests.attention_ui.pictures.reading import opened


def test_lines_have_levels_a_place_and_a_tick_for_each_of_a_few_places():
    x = torch.tensor([4.0, 2.0, 1.0])
    picture = lines(x, {"a": torch.tensor([3.0, 4.0, 5.0])}, ("x", "y"), "x", {"level": 3.5}, ("at", 1.5))
    (graph,) = opened(pack(picture))[0]["graphs"]
    assert [(trace["name"], trace["sign"], trace["y"]) for trace in graph["traces"]] == [
        ("a", "circle", [3, 4, 5]),
        ("level 3.5", "", [3.5, 3.5]),
    ]
    assert graph["x"]["low"] > 4 > 1 > graph["x"]["high"], "it runs as the places do"
    assert graph["x"]["ticks"] == [[4, "4"], [2, "2"], [1, "1"]]
    assert (graph["upright"]["name"], graph["upright"]["x"]) == ("at 1.5", 1.5)
    assert graph["text"] == "a: 3 at 4, 5 at 1. level 3.5: 3.5 at 4, 3.5 at 1."
    figure = still(picture)
    assert list(figure.layout.xaxis.ticktext) == ["4", "2", "1"]
    assert figure.layout.xaxis.range[0] > figure.layout.xaxis.range[1]


@pytest.mark.parametrize("log", ["", "xy"])
def test_an_axis_holds_every_number(log):
    y = torch.tensor([0.5, 20.0])
    (graph,) = lines(torch.tensor([1.0, 2.0]), {"a": y}, ("x", "y"), log).graphs
    assert graph.y.low < y.min()
    assert graph.y.high > y.max()
    assert graph.y.log is bool(log)


def test_bars_stand_side_by_side_with_their_numbers_and_hatches():
    groups = {"a": torch.tensor([0.0, 1e-9]), "b": torch.tensor([torch.nan, 2.0])}
    picture = bars(["p", "q"], groups, "y", level=1.0)
    first, second, level = picture.graphs[0].traces
    assert [first.texts, second.texts] == [("0", "≈ 0"), ("", "2")]
    assert (second.x - first.x).tolist() == pytest.approx([0.4, 0.4])
    assert level.y.tolist() == [1, 1]
    assert picture.graphs[0].text == "a: p 0, q 1e-09. b: q 2. 1: 1 at -0.5, 1 at 1.5."
    drawn = still(picture).data
    assert [bar.marker.pattern.shape for bar in drawn[:2]] == ["", "/"]


def test_dots_have_their_median_below_the_name():
    runs = torch.tensor([[1.0, 2.0, 9.0], [4.0, 5.0, 6.0]])
    (graph,) = dots(["p", "q"], runs, "y").graphs
    assert graph.traces[1].y.tolist() == [2, 5]
    assert [text for _, text in graph.x.ticks] == ["p\n2", "q\n5"]
    assert graph.text == "one data set: 6 of them. median: p 2, q 5."


def test_curves_and_maps_hold_what_they_are_given():
    x = torch.tensor([0.0, 1.0, 2.0])
    (graph,) = curves((x, -x), x, x, {"a": 2 * x}).graphs
    assert [trace.role for trace in graph.traces] == ["points", "truth", "prediction"]
    assert (graph.y.low, graph.y.high) == pytest.approx((-2.3, 4.3))
    picture = maps([torch.eye(2), torch.ones(3, 1)], ["a", "b"])
    assert [(panel.rows, panel.columns) for panel in picture.heatmaps] == [(("1", "2"),) * 2, (("1", "2", "3"), ("1",))]
