"""What travels to the browser is what torch computed."""

from dataclasses import replace

import pytest
import torch

from attention_core.data import Samples, generate
from attention_core.kernels import KERNELS
from attention_core.pooling import average, kernel_pool
from attention_core.regression.local_linear import local_linear
from attention_core.regression.prediction import predict
from attention_ui.chapters.kernel_regression.cache import packed_numbers
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import width_options
from attention_ui.pictures.cache import packed_widths
from attention_ui.pictures.curve import MOST_POINTS
from attention_ui.pictures.heatmap import BYTE, TWO_BYTES
from attention_ui.pictures.picture import Player, pack
from attention_ui.pictures.regression import fine_grid, queries_for, width_picture
from tests.attention_ui.pictures.reading import curve, panels

WIDTHS = (5.0, 1.0, 0.3, 0.05)
HALF_A_LEVEL = 5e-4  # of 65,534 from three heights below the picture to three above it


def unpacked(content):
    """The header, the headers of curve and heatmap, and their numbers."""
    header, ((heatmap, (shades,)),) = panels(content, "heatmap")
    return header, *curve(content)[:1], heatmap, curve(content)[1], shades


def test_curves_and_weights_arrive_as_computed():
    picture = width_picture(Dataset(), "gaussian", False, WIDTHS, slider="kr_width")
    header, _, heatmap, curves, shades = unpacked(pack(picture))
    samples, fine, queries = generate(), picture.curve.fine, picture.curve.queries
    for i, width in enumerate(WIDTHS):
        weights = kernel_pool(queries, *samples, width).weights
        torch.testing.assert_close(curves[i], predict(fine, *samples, width), rtol=0, atol=HALF_A_LEVEL)
        assert heatmap["tops"][i] == pytest.approx(weights.max().item(), rel=1e-6)  # a picture is float32
        roots = (weights / heatmap["tops"][i]).sqrt()
        assert (shades[i] / BYTE - roots).abs().max() <= 0.5001 / BYTE
    assert (heatmap["low"], heatmap["high"], heatmap["zero"], heatmap["levels"]) == (0, 1, 0, BYTE)
    assert header["slider"] == "kr_width"
    assert header["captions"] == ["σ 5 · w 0.2", "σ 1 · w 1", "σ 0.3 · w 3.33", "σ 0.05 · w 20"]


def test_a_gap_stays_a_gap():
    dataset = Dataset(n=5)
    _, _, _, curves, shades = unpacked(pack(width_picture(dataset, "boxcar", False, (0.01,))))
    assert curves[0].isnan().equal(predict(fine_grid(dataset), *dataset.samples(), 0.01, "boxcar").isnan())
    assert curves.isnan().any()
    assert shades.sum() >= 0


def test_a_line_that_leaves_the_picture_leaves_it_at_the_same_place():
    dataset = Dataset(n=20, seed=5)
    _, header, _, (drawn,), _ = unpacked(pack(width_picture(dataset, "gaussian", True, (0.05,))))
    (line,) = predict(fine_grid(dataset), *dataset.samples(), 0.05, linear=True)[None]
    inside = (line >= header["y"]["low"]) & (line <= header["y"]["high"])
    assert 0 < inside.sum() < len(line)
    torch.testing.assert_close(drawn[inside], line[inside], rtol=0, atol=HALF_A_LEVEL)
    assert ((drawn > header["y"]["high"]) == (line > header["y"]["high"])).all()


@pytest.mark.parametrize("kernel", ["gaussian", "laplace", "cauchy"])
def test_of_many_widths_every_second_one_travels_and_the_others_lie_between(kernel):
    """Half a pixel of a curve, and two of 255 shades, is what interpolation may cost before release."""
    widths, dataset = tuple(width_options(5.0, current=0.777)), Dataset()
    picture = width_picture(dataset, kernel, False, widths)
    content = pack(picture)
    header, _, heatmap, curves, shades = unpacked(content)
    assert len(header["places"]) == header["frames"] == len(widths)
    assert len(curves) == len(shades) == len(heatmap["tops"]) == header["places"][-1] + 1 == len(widths) // 2 + 1
    pixel = (picture.curve.y.high - picture.curve.y.low) / 400
    for width, place in zip(widths, header["places"], strict=True):
        before, share = min(int(place), len(curves) - 2), place - min(int(place), len(curves) - 2)
        between = curves[before] * (1 - share) + curves[before + 1] * share
        assert (between - predict(picture.curve.fine, *dataset.samples(), width, kernel)).abs().max() < pixel / 2
        top = heatmap["tops"][before] * (1 - share) + heatmap["tops"][before + 1] * share
        shade = (shades[before] * (1 - share) + shades[before + 1] * share) * top**0.5
        weights = kernel_pool(picture.curve.queries, *dataset.samples(), width, kernel).weights
        assert (shade - weights.sqrt() * BYTE).abs().max() < 2


@pytest.mark.parametrize(("n", "most"), [(50, 250_000), (500, 400_000)])
def test_a_new_picture_of_the_lab_is_a_small_message(n, most):
    asked = Dataset(n=n), "gaussian", False, tuple(width_options(5.0))
    assert len(packed_widths(*asked, "kr_width")) + len(packed_numbers(*asked, "kr")) < most


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
    _, drawn, heatmap, _, shades = unpacked(pack(width_picture(dataset, "gaussian", False, (0.5,))))
    assert (len(drawn["points"]), drawn["samples"]) == (MOST_POINTS, 3000)
    assert heatmap["keys"] == 3000
    assert shades.shape == (1, 50, 100)
    assert drawn["points"][0][:2] == pytest.approx([samples.x[0].item(), samples.y[0].item()], rel=1e-6)
    assert drawn["points"][-1][2] == 99


def test_negative_weights_have_a_range_with_equal_ends_around_0():
    _, _, heatmap, _, shades = unpacked(pack(width_picture(Dataset(), "gaussian", True, (1.0,))))
    weights, half = local_linear(queries_for(Dataset()), *generate(), 1.0).weights, TWO_BYTES // 2
    assert (heatmap["low"], heatmap["high"], heatmap["zero"], heatmap["levels"]) == (-1, 1, half, 2 * half)
    read = (shades[0].double() - half) / half
    assert (read.sign() * read.square() * heatmap["tops"][0] - weights).abs().max() <= heatmap["tops"][0] / half


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_bell_is_the_kernel_itself_at_every_width(kernel):
    _, drawn, *_ = unpacked(pack(width_picture(Dataset(), kernel, False, WIDTHS)))
    u, values = (drawn["bell"][name].double() for name in ("u", "values"))
    assert drawn["bell"]["widths"].tolist() == pytest.approx(WIDTHS)
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
