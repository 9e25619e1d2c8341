"""What travels to the stage is what torch computed."""

import json
import struct

import pytest
import torch

from attention_core.data import generate
from attention_core.pooling import average, kernel_pool, predict
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures.scenes import queries_for, width_scene
from attention_ui.pictures.stage.scene import LEVELS, MOST_POINTS, Player, pack

WIDTHS = (5.0, 1.0, 0.3, 0.05)


def unpacked(content):
    """Read the bytes back the way the browser does."""
    (length,) = struct.unpack_from("<I", content)
    header = json.loads(content[4 : 4 + length])
    frames, fine, rows, columns = header["shape"]
    body = bytearray(content[4 + length :])
    curves = torch.frombuffer(body, dtype=torch.float32, count=frames * fine).view(frames, fine)
    shades = torch.frombuffer(body, dtype=torch.uint8, offset=4 * frames * fine).view(frames, rows, columns)
    return header, curves, shades


def test_curves_and_weights_arrive_as_computed():
    scene = width_scene(Dataset(), "gaussian", False, WIDTHS, slider="kr_width")
    header, curves, shades = unpacked(pack(scene))
    samples, (fine, queries) = generate(), scene.queries
    for i, width in enumerate(WIDTHS):
        weights = kernel_pool(queries, *samples, width).weights
        assert torch.equal(curves[i], predict(fine, *samples, width).float())
        assert header["high"][i] == pytest.approx(weights.max().item(), rel=1e-12)
        assert header["low"][i] == 0
        assert (shades[i] / LEVELS * header["high"][i] - weights).abs().max() <= 0.5001 / LEVELS * header["high"][i]
    assert header["slider"] == "kr_width"
    assert header["captions"] == ["σ 5 · w 0.2", "σ 1 · w 1", "σ 0.3 · w 3.33", "σ 0.05 · w 20"]


def test_the_header_starts_the_numbers_on_a_multiple_of_four():
    content = pack(width_scene(Dataset(), "gaussian", False, WIDTHS))
    assert struct.unpack_from("<I", content)[0] % 4 == 0


def test_a_gap_is_nan_in_curves_and_null_in_lines():
    header, curves, shades = unpacked(pack(width_scene(Dataset(n=5), "boxcar", False, (0.01,))))
    assert curves.isnan().any()
    assert shades.sum() >= 0
    assert "NaN" not in json.dumps(header)


def test_the_lines_to_compare_with():
    scene = width_scene(Dataset(seed=3), "epanechnikov", False, WIDTHS)
    fine, samples = scene.queries[0], generate(seed=3)
    assert [line.name for line in scene.lines] == ["Truth", "Average pooling", "σ = 1"]
    assert torch.allclose(scene.lines[1].values, average(fine, *samples).output)
    assert torch.allclose(scene.lines[2].values, predict(fine, *samples, 1.0))


def test_measured_data_have_no_truth_line_and_their_own_range():
    dataset = Dataset.measured("engel")
    scene = width_scene(dataset, "gaussian", False, (500.0,))
    assert [line.role for line in scene.lines] == ["average", "reference"]
    assert scene.x.low < dataset.samples().x.min()
    assert scene.y.high > dataset.samples().y.max()
    assert len(queries_for(dataset)) == 50


def test_many_points_are_thinned_evenly_and_keys_share_columns():
    samples = generate(n=3000)
    dataset = Dataset.own(samples, "x", "y", "a file")
    header, _, shades = unpacked(pack(width_scene(dataset, "gaussian", False, (0.5,))))
    assert len(header["points"]) == MOST_POINTS
    assert header["keys"] == 3000
    assert shades.shape == (1, 50, 100)
    assert header["points"][0][:2] == pytest.approx([samples.x[0].item(), samples.y[0].item()], rel=1e-6)
    assert header["points"][-1][2] == 99


def test_negative_weights_keep_their_range():
    header, _, shades = unpacked(pack(width_scene(Dataset(), "gaussian", True, (1.0,))))
    assert header["low"][0] < 0
    assert shades.min() == 0
    assert shades.max() == LEVELS


def test_a_player_travels_by_name():
    scene = width_scene(Dataset(), "gaussian", False, WIDTHS)
    header, _, _ = unpacked(pack(scene))
    assert header["player"] is None
    played = scene.__class__(**{**scene.__dict__, "player": Player(6, "epoch")})
    sent = {"frames_per_second": 6, "unit": "epoch", "label": "Play", "autoplay": False}
    assert unpacked(pack(played))[0]["player"] == sent
