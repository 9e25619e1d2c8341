"""Figures hold the very numbers they were given."""

import math

import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.figures.curves import STYLES, Axis, curves
from attention_ui.figures.heatmaps import show_heatmaps

samples, queries = generate(), query_grid()


def test_curves_draw_the_samples_as_circles_and_every_line_by_name():
    lines = {name: torch.full((50,), float(i)) for i, name in enumerate(STYLES)}
    figure = curves(samples, queries, lines, Axis("x", 0, 5), Axis("y", -1, 6))
    points, *rest = figure.data
    assert points.mode == "markers"
    assert points.marker.symbol == "circle-open"
    assert list(points.x) == samples.x.tolist()
    assert list(points.y) == samples.y.tolist()
    assert [trace.name for trace in rest] == list(STYLES)
    for i, trace in enumerate(rest):
        assert list(trace.x) == queries.tolist()
        assert set(trace.y) == {float(i)}
    assert list(figure.layout.xaxis.range) == [0, 5]
    assert list(figure.layout.yaxis.range) == [-1, 6]


def test_lines_differ_by_dash_as_well_as_colour():
    assert len({dash for _, dash, _ in STYLES.values()}) == len(STYLES)


def test_a_query_without_keys_leaves_a_gap():
    line = torch.tensor([1.0, math.nan, 3.0])
    figure = curves(samples, queries[:3], {"Prediction": line}, Axis(), Axis())
    assert math.isnan(figure.data[1].y[1])
    assert figure.data[1].connectgaps in (None, False)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (2, 2)])
def test_heatmaps_share_one_colour_bar_with_the_true_range(rows, columns):
    widths = torch.linspace(0.2, 2, rows * columns, dtype=torch.float64)
    matrices = kernel_pool(queries, samples.x, samples.y, widths[:, None, None]).weights.view(rows, columns, 50, 50)
    figure = show_heatmaps(matrices)
    assert len(figure.data) == rows * columns
    for trace, matrix in zip(figure.data, matrices.flatten(0, 1), strict=True):
        assert torch.equal(torch.tensor(trace.z, dtype=torch.float64), matrix)
        assert trace.coloraxis == "coloraxis"
    assert figure.layout.coloraxis.cmin == 0
    assert figure.layout.coloraxis.cmax == matrices.max().item()


def test_queries_run_downwards_and_both_axes_are_named():
    figure = show_heatmaps(torch.eye(3)[None, None], x_label="keys here", y_label="queries there")
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.xaxis.title.text == "keys here"
    assert figure.layout.yaxis.title.text == "queries there"


def test_a_grid_names_its_outer_axes_only_and_titles_each_picture():
    figure = show_heatmaps(torch.rand(2, 2, 3, 3), titles=["a", "b", "c", "d"])
    assert [note.text for note in figure.layout.annotations] == ["a", "b", "c", "d"]
    titles = [figure.layout[name].title.text for name in ("xaxis", "xaxis2", "xaxis3", "xaxis4")]
    assert titles == [None, None, "Keys", "Keys"]


def test_nothing_but_zeros_still_has_a_range():
    assert show_heatmaps(torch.zeros(1, 1, 2, 2)).layout.coloraxis.cmax > 0


def test_a_users_axis_title_is_shown_literally():
    figure = curves(samples, queries, {}, Axis('<a href="x">dose</a> & more'), Axis())
    assert figure.layout.xaxis.title.text == '&lt;a href="x">dose&lt;/a> &amp; more'
