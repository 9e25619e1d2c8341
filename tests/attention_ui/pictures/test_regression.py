"""What travels to the browser is what torch computed."""

import json
from dataclasses import replace

import pytest
import torch

from attention_core.data import Samples, generate
from attention_core.kernels import KERNELS
from attention_core.pooling import average, kernel_pool
from attention_core.regression.local_linear import local_linear
from attention_core.regression.prediction import predict
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures.curve import MOST_POINTS
from attention_ui.pictures.heatmap import BYTE, HALF_BYTE
from attention_ui.pictures.picture import Player, pack
from attention_ui.pictures.regression import queries_for, width_picture
from tests.attention_ui.pictures.reading import panels

WIDTHS = (5.0, 1.0, 0.3, 0.05)


def unpacked(content):
    """The header, the headers of curve and heatmap, and their numbers."""
    header, ((curve, (curves,)),) = panels(content, "curve")
    _, ((heatmap, (shades,)),) = panels(content, "heatmap")
    return header, curve, heatmap, curves, shades


def test_curves_and_weights_arrive_as_computed():
    picture = width_picture(Dataset(), "gaussian", False, WIDTHS, slider="kr_width")
    header, _, heatmap, curves, shades = unpacked(pack(picture))
    samples, fine, queries = generate(), picture.curve.fine, picture.curve.queries
    for i, width in enumerate(WIDTHS):
        weights = kernel_pool(queries, *samples, width).weights
        assert torch.equal(curves[i], predict(fine, *samples, width).float())
        assert heatmap["tops"][i] == pytest.approx(weights.max().item(), rel=1e-12)
        roots = (weights / heatmap["tops"][i]).sqrt()
        assert (shades[i] / BYTE - roots).abs().max() <= 0.5001 / BYTE
    assert (heatmap["low"], heatmap["high"], heatmap["zero"], heatmap["levels"]) == (0, 1, 0, BYTE)
    assert header["slider"] == "kr_width"
    assert header["captions"] == ["σ 5 · w 0.2", "σ 1 · w 1", "σ 0.3 · w 3.33", "σ 0.05 · w 20"]


def test_a_gap_is_nan_in_curves_and_null_in_lines():
    header, curve, _, curves, shades = unpacked(pack(width_picture(Dataset(n=5), "boxcar", False, (0.01,))))
    assert curves.isnan().any()
    assert shades.sum() >= 0
    assert "NaN" not in json.dumps([header, curve])


def test_the_lines_to_compare_with():
    picture = width_picture(Dataset(seed=3), "epanechnikov", False, WIDTHS)
    fine, samples = picture.curve.fine, generate(seed=3)
    assert [line.name for line in picture.curve.lines] == ["Truth", "Average pooling", "σ = 1"]
    assert torch.allclose(picture.curve.lines[1].values, average(fine, *samples).output)
    assert torch.allclose(picture.curve.lines[2].values, predict(fine, *samples, 1.0))


def test_measured_data_have_no_truth_line_and_their_own_range():
    dataset = Dataset.measured("engel")
    picture = width_picture(dataset, "gaussian", False, (500.0,))
    assert [line.role for line in picture.curve.lines] == ["average", "reference"]
    assert picture.curve.x.low < dataset.samples().x.min()
    assert picture.curve.y.high > dataset.samples().y.max()
    assert len(queries_for(dataset)) == 50


def test_moved_points_keep_the_queries_of_the_curve_behind_them():
    x, y = generate()
    moved = Dataset.own(Samples(x, y.index_fill(0, torch.tensor([20]), -3.0)), "x", "y", "", curve="wave")
    assert torch.equal(queries_for(moved), queries_for(Dataset()))


def test_many_points_are_thinned_evenly_and_keys_share_columns():
    samples = generate(n=3000)
    dataset = Dataset.own(samples, "x", "y", "a file")
    _, curve, heatmap, _, shades = unpacked(pack(width_picture(dataset, "gaussian", False, (0.5,))))
    assert len(curve["points"]) == MOST_POINTS
    assert heatmap["keys"] == 3000
    assert shades.shape == (1, 50, 100)
    assert curve["points"][0][:2] == pytest.approx([samples.x[0].item(), samples.y[0].item()], rel=1e-6)
    assert curve["points"][-1][2] == 99


def test_negative_weights_have_a_range_with_equal_ends_around_0():
    _, _, heatmap, _, shades = unpacked(pack(width_picture(Dataset(), "gaussian", True, (1.0,))))
    weights = local_linear(queries_for(Dataset()), *generate(), 1.0).weights
    assert (heatmap["low"], heatmap["high"], heatmap["zero"], heatmap["levels"]) == (-1, 1, HALF_BYTE, 2 * HALF_BYTE)
    read = (shades[0].double() - HALF_BYTE) / HALF_BYTE
    assert (read.sign() * read.square() * heatmap["tops"][0] - weights).abs().max() <= heatmap["tops"][0] / HALF_BYTE


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_bell_is_the_kernel_itself_at_every_width(kernel):
    _, curve, *_ = unpacked(pack(width_picture(Dataset(), kernel, False, WIDTHS)))
    u, values = (torch.tensor(curve["bell"][name], dtype=torch.float64) for name in ("u", "values"))
    assert curve["bell"]["widths"] == list(WIDTHS)
    torch.testing.assert_close(values, KERNELS[kernel](u.clone()).exp(), rtol=1e-5, atol=1e-6)
    assert values.max() == values[len(u) // 2] == 1
    assert kernel == "constant" or max(values[0], values[-1]) < 0.01, "its ends are on the ground"


def test_a_player_travels_by_name():
    picture = width_picture(Dataset(), "gaussian", False, WIDTHS)
    header, *_ = unpacked(pack(picture))
    assert header["player"] is None
    played = replace(picture, player=Player(6, "epoch"))
    sent = {"frames_per_second": 6, "unit": "epoch", "label": "Play", "autoplay": False, "first": 0}
    assert unpacked(pack(played))[0]["player"] == sent
