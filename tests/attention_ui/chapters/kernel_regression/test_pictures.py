"""What moves in the lab's tabs: every frame holds the numbers of its width."""

import math

import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.regression.bias_variance import bias_variance
from attention_core.regression.estimator import Estimator
from attention_core.regression.more_data import RULES as CORE_RULES
from attention_core.regression.more_data import Point
from attention_core.regression.one_query import explain
from attention_core.regression.redraw import Recipe
from attention_core.regression.selection import loo_losses
from attention_ui.chapters.kernel_regression.pictures import (
    GROWING,
    MOST_BARS,
    bias_variance_picture,
    drawn_text,
    error_over_n,
    one_query_picture,
    which_width_picture,
)
from attention_ui.controls.dataset import Dataset

widths = torch.tensor([20.0, 1.0, 0.3, 0.02], dtype=torch.float64)
losses = loo_losses(generate(), widths)


def test_the_ball_stands_on_the_curve_of_errors_and_the_rules_beside_it():
    chosen = {"leave_one_out": (0.25, 0.3), "scott": (0.6, 0.5)}
    picture = which_width_picture(widths, losses, chosen, "kr")
    (graph,) = picture.graphs
    assert graph.chooses
    assert graph.ball is not None
    assert graph.ball[0].equal(widths)
    assert graph.ball[1].equal(graph.traces[0].y)
    assert [(mark.name, mark.x, mark.y) for mark in graph.marks] == [
        ("Leave-one-out 0.25", 0.25, 0.3),
        ("Scott 0.6", 0.6, 0.5),
    ]
    assert len({mark.sign for mark in graph.marks}) == 2, "they are not told by their places alone"
    assert (picture.slider, picture.follows) == ("kr_width", "kr_stage")
    assert len(picture.captions) == 4


def test_a_rule_beyond_the_slider_stands_where_it_is():
    (graph,) = which_width_picture(widths, losses, {"leave_one_out": (0.004, 0.3)}, "kr").graphs
    assert (graph.x.low, graph.x.high) == (20.0, 0.004)


def test_errors_over_many_decades_get_a_log_axis_and_equal_ones_a_range():
    steep, even, flat = (
        which_width_picture(widths, found, {}, "kr").graphs[0].y for found in (losses**9, losses, losses * 0)
    )
    assert (steep.log, even.log) == (True, False)
    assert steep.low < (losses**9).min() < (losses**9).max() < steep.high
    assert flat.low <= 0 < flat.high


@pytest.mark.parametrize("linear", [False, True])
def test_bars_are_the_weights_and_what_they_add_at_every_width(linear):
    picture = one_query_picture(Dataset(), 1.5, "gaussian", linear, widths, "kr")
    for frame, width in enumerate(widths.tolist()):
        seen = explain(1.5, generate(), Estimator(width, linear=linear))
        for graph, heights in zip(picture.graphs, (seen.weights, seen.contributions), strict=True):
            bars, strongest = graph.moving
            torch.testing.assert_close(bars.y[frame], heights)
            assert strongest.x[frame].item() == seen.samples.x[seen.strongest]
            assert strongest.y[frame].item() == pytest.approx(heights[seen.strongest].item())
            assert graph.heights is not None
            low, high = graph.heights[frame].tolist()
            assert low <= heights.min() <= heights.max() <= high <= 5 * max(heights.max().item(), -low)
        assert float(picture.readouts[0].texts[frame]) == pytest.approx(seen.prediction, rel=1e-3)


def test_a_query_without_a_key_in_reach_has_no_prediction_and_no_bars():
    picture = one_query_picture(Dataset(n=3), 1.0, "boxcar", False, widths, "kr")
    assert [readout.texts[-1] for readout in picture.readouts] == ["none", "0", "0"]
    assert picture.graphs[0].heights[-1].tolist() == [0, 1]


def test_of_many_points_some_are_drawn_and_all_are_counted():
    picture = one_query_picture(Dataset(n=2_000), 1.5, "gaussian", False, widths, "kr")
    bars = picture.graphs[0].moving[0]
    assert len(bars.x) == bars.y.shape[1] == MOST_BARS
    assert picture.readouts[2].texts[0] == "2000"
    assert f"{MOST_BARS} of 2,000" in drawn_text(2_000)
    assert drawn_text(MOST_BARS) == ""


def test_band_and_totals_are_those_of_the_redraws():
    queries = query_grid()
    found = bias_variance(Recipe(), widths, queries, count=5)
    picture = bias_variance_picture(Dataset(), queries, widths, found, "kr")
    band, tradeoff = picture.graphs
    assert band.moving[0].y.equal(found.mean)
    assert band.moving[1].y[2].equal(torch.stack([found.low[2], found.high[2]]))
    bias, variance, both = (trace.y for trace in tradeoff.traces)
    assert bias.equal(found.total_squared_bias)
    assert both.equal(bias + variance)
    assert [float(readout.texts[1]) for readout in picture.readouts] == pytest.approx(
        [number.item() for number in (bias[1], variance[1], both[1])], rel=1e-3
    )


def test_widths_that_reach_no_key_leave_gaps():
    queries = query_grid()
    found = bias_variance(Recipe(n=3), widths[-1:], queries, "boxcar", count=1)
    assert bool(found.mean.isnan().any())
    (_, tradeoff) = bias_variance_picture(Dataset(n=3), queries, widths[-1:], found, "kr").graphs
    assert math.isfinite(tradeoff.y.high)


def test_errors_over_n_are_drawn_rule_by_rule_on_log_axes_with_their_widths():
    points = [Point(rule, n, 1 / n, i + 1 / n) for n in (10, 100, 5000) for i, rule in enumerate(CORE_RULES)]
    (graph,) = error_over_n(points).graphs
    assert list(CORE_RULES) == list(GROWING)
    for i, (trace, name) in enumerate(zip(graph.traces, GROWING.values(), strict=True)):
        assert trace.name == name
        assert trace.x.tolist() == [10, 100, 5000]
        assert trace.y.tolist() == pytest.approx([i + 1 / n for n in (10, 100, 5000)])
        assert trace.texts == ("σ = 0.1", "σ = 0.01", "σ = 0.0002")
    assert graph.x.log
    assert graph.y.log
    assert [text for _, text in graph.x.ticks] == ["10", "100", "5,000"]
    assert len({(trace.role, trace.sign) for trace in graph.traces}) == 3
