"""Figures hold the very numbers they were given."""

import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.figures.style import axis

samples, queries = generate(), query_grid()


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
    assert axis('<a href="x">dose</a> & more')["title"]["text"] == '&lt;a href="x">dose&lt;/a> &amp; more'
