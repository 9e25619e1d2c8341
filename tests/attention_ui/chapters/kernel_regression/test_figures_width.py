"""Pictures for choosing a width: the numbers inside, and that nothing is told by colour alone."""

import itertools
import math

import pytest
import torch

from attention_core.data import generate, query_grid, truth
from attention_core.regression.bias_variance import BiasVariance, bias_variance
from attention_core.regression.estimator import Estimator
from attention_core.regression.loo_curve import LooCurve, Mark, loo_curve
from attention_core.regression.more_data import RULES as CORE_RULES
from attention_core.regression.more_data import Point
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression.figures_width import (
    MARKS,
    RULES,
    bias_variance_band,
    error_over_n,
    loo_figure,
)
from attention_ui.figures.style import Axis

found = loo_curve(generate(), Estimator(0.5))
queries = query_grid()
redrawn = bias_variance(Recipe(), Estimator(0.5), queries, 20)


def test_the_curve_is_the_error_over_widths_on_a_log_axis():
    figure = loo_figure(found)
    curve = figure.data[0]
    assert list(curve.x) == found.widths.tolist()
    assert list(curve.y) == found.losses.tolist()
    assert figure.layout.xaxis.type == "log"


def test_every_choice_is_marked_on_the_curve_with_a_symbol_of_its_own():
    _, *marks = loo_figure(found).data
    assert [trace.name for trace in marks] == ["Leave-one-out", "Silverman", "Scott", "Current"]
    for name, trace in zip(found.marks, marks, strict=True):
        assert (trace.x[0], trace.y[0]) == found.marks[name]
        assert (trace.x[0], trace.y[0]) in set(zip(found.widths.tolist(), found.losses.tolist(), strict=True))
    assert len({trace.marker.symbol for trace in marks}) == 4
    assert set(MARKS) == set(found.marks)


def test_every_mark_has_its_name_and_width_written_above_it():
    figure = loo_figure(found)
    notes = {note.text.rsplit(" ", 1)[0]: note for note in figure.layout.annotations}
    assert set(notes) == {"Leave-one-out", "Silverman", "Scott", "Current"}
    for name, mark in found.marks.items():
        note = notes[MARKS[name][0]]
        assert note.text == f"{MARKS[name][0]} {mark.width:.3g}"
        assert note.x == note.ax == pytest.approx(math.log10(mark.width))
        assert note.y == pytest.approx(mark.loss)
        assert max(found.losses) <= note.ay <= figure.layout.yaxis.range[1]


def placed(widths):
    marks = {name: Mark(width, 1.0) for name, width in zip(MARKS, widths, strict=True)}
    grid = torch.tensor([0.01, *sorted(widths), 100.0])
    return loo_figure(LooCurve(grid, torch.linspace(1, 2, 6), marks)).layout.annotations


@pytest.mark.parametrize("widths", [(0.02, 0.03, 0.035, 0.02), (20, 50, 60, 90), (0.02, 3, 3.5, 80), (1, 1, 1, 1)])
def test_labels_stand_at_different_heights_and_reach_inwards(widths):
    notes = placed(widths)
    heights = sorted(note.ay for note in notes)
    assert min(b - a for a, b in itertools.pairwise(heights)) > 0.1
    for note in notes:
        if abs(note.x) > 0.65 * 2:  # near an end of the axis, which runs from -2 to 2
            assert note.xanchor == ("left" if note.x < 0 else "right")


@pytest.mark.parametrize("widths", [(0.02, 0.03, 0.035, 0.021), (20, 50, 60, 90)])
def test_no_line_runs_through_the_label_of_another_mark(widths):
    for note, other in itertools.permutations(placed(widths), 2):
        beside = other.x > note.x if note.xanchor == "left" else other.x < note.x
        if beside:
            assert other.ay < note.ay


def test_errors_over_many_decades_get_a_log_axis():
    steep = found._replace(losses=found.losses ** torch.linspace(1, 9, len(found.losses)))
    lowest = {name: Mark(mark.width, steep.losses.min().item()) for name, mark in found.marks.items()}
    figure = loo_figure(steep._replace(marks=lowest))
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.annotations[0].y == pytest.approx(math.log10(steep.losses.min().item()))
    assert loo_figure(found).layout.yaxis.type in (None, "linear")
    assert 10 ** figure.layout.yaxis.range[1] > steep.losses.max()


def test_equal_errors_everywhere_still_have_a_range():
    flat = found._replace(losses=torch.zeros(52), marks={name: Mark(m.width, 0.0) for name, m in found.marks.items()})
    low, high = loo_figure(flat).layout.yaxis.range
    assert low < 0 < high


def test_truth_mean_and_band_are_the_given_curves():
    curve = truth("wave", queries)
    band, true, mean = bias_variance_band(queries, curve, redrawn, Axis("x", 0, 5), Axis("y", -1, 6)).data
    assert list(true.y) == curve.tolist()
    assert list(mean.y) == redrawn.mean.tolist()
    assert list(mean.x) == list(true.x) == queries.tolist()
    assert list(band.x) == queries.tolist() + queries.flip(0).tolist()
    assert list(band.y) == redrawn.low.tolist() + redrawn.high.flip(0).tolist()
    assert (band.fill, band.fillcolor, band.opacity) == ("toself", mean.line.color, 0.2)
    assert true.line.dash == "dash"
    assert mean.line.dash is None
    assert mean.customdata[7] == [
        getattr(redrawn, name)[7].item() for name in ("low", "high", "squared_bias", "variance")
    ]


def test_a_gap_in_the_predictions_is_a_gap_in_the_band():
    mean = torch.tensor([1.0, 2.0, math.nan, math.nan, 5.0, 6.0, math.nan])
    gapped = BiasVariance(mean, mean - 1, mean + 1, mean, mean)
    band, _, line = bias_variance_band(torch.arange(7.0), torch.zeros(7), gapped).data
    assert list(band.x) == [0, 1, 1, 0, None, 4, 5, 5, 4]
    assert list(band.y) == [0, 1, 3, 2, None, 4, 5, 7, 6]
    assert math.isnan(line.y[2])
    nothing = BiasVariance(*(torch.full((7,), math.nan) for _ in range(5)))
    assert len(bias_variance_band(torch.arange(7.0), torch.zeros(7), nothing).data[0].x) == 0


def test_errors_over_n_are_drawn_rule_by_rule_on_log_axes():
    points = [Point(rule, n, 1 / n, i + 1 / n) for n in (10, 100, 5000) for i, rule in enumerate(CORE_RULES)]
    figure = error_over_n(points)
    assert [trace.name for trace in figure.data] == ["Fixed width", "Rule of thumb", "Leave-one-out"]
    assert list(CORE_RULES) == list(RULES)
    for i, trace in enumerate(figure.data):
        assert list(trace.x) == [10, 100, 5000]
        assert list(trace.y) == [i + 1 / n for n in (10, 100, 5000)]
        assert list(trace.customdata) == [1 / n for n in (10, 100, 5000)]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["10", "100", "5,000"]
    assert len({trace.line.dash for trace in figure.data}) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 3


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_picture_that_has_just_begun_can_be_drawn(count):
    points = [Point(rule, 10, 0.5, 0.0) for rule in list(CORE_RULES)[:count]]
    assert sum(len(trace.x) for trace in error_over_n(points).data) == count
