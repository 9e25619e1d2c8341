"""Frames hold what one call per width would give, and grouping loses no weight."""

import math
from itertools import pairwise

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import Samples, generate, query_grid
from attention_core.kernels import KERNELS
from attention_core.learning.model import NWKernelRegression
from attention_core.pooling import kernel_pool
from attention_core.regression.frames import MOST_COLUMNS, key_groups, shown_epochs, summed, w_frames, width_frames
from attention_core.regression.local_linear import local_linear
from attention_core.regression.sums import pairs
from tests.attention_core.learning.left_out import others

queries, fine = query_grid(), torch.linspace(0, 5, 61, dtype=torch.float64)
widths = torch.tensor([0.02, 0.3, 4.0], dtype=torch.float64)


@pytest.mark.parametrize(("linear", "pool"), [(False, kernel_pool), (True, local_linear)])
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar"])
@pytest.mark.parametrize("chunk", [1, 2**20])
def test_every_frame_equals_a_call_of_its_own(monkeypatch, linear, pool, kernel, chunk):
    monkeypatch.setattr(pairs, "BLOCK", chunk)
    samples = generate(n=70)
    made = width_frames(samples, (fine, queries), widths, kernel, linear)
    assert made.curves.shape == (3, 61)
    assert made.weights.shape == (3, 50, 70)
    for i, width in enumerate(widths.tolist()):
        curve = pool(fine, *samples, width, kernel).output
        assert torch.allclose(made.curves[i], curve, atol=1e-12, equal_nan=True)
        assert torch.allclose(made.weights[i], pool(queries, *samples, width, kernel).weights, atol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-25, 1e25])
@pytest.mark.parametrize("kernel", KERNELS)
def test_averages_of_a_picture_may_be_float32(kernel, scale):
    """Beyond both ends too, with the gaps of exact ones, and for keys whose distances squared are no float32."""
    keys, values = generate(n=70)
    samples, asked = Samples(keys * scale, values), torch.linspace(-1, 6, 61, dtype=torch.float64) * scale
    made = width_frames(samples, (asked, asked), widths * scale, kernel, dtype=torch.float32)
    exact = width_frames(samples, (asked, asked), widths * scale, kernel)
    assert torch.allclose(made.curves, exact.curves, atol=1e-5, equal_nan=True)
    assert torch.allclose(made.weights.double(), exact.weights, atol=1e-6)


def test_many_keys_share_columns_and_no_weight_is_lost():
    samples = generate(n=437)
    made = width_frames(samples, (fine, queries), widths)
    whole = kernel_pool(queries, *samples, 0.3).weights
    assert made.weights.shape == (3, 50, 88), "five keys share a column"
    assert torch.allclose(made.weights.sum(-1), torch.ones(3, 50, dtype=torch.float64))
    for group in (0, 41, 87):
        assert torch.allclose(made.weights[1, :, group], whole[:, made.groups == group].sum(-1), atol=1e-14)


@pytest.mark.parametrize(("linear", "pool"), [(False, kernel_pool), (True, local_linear)])
@pytest.mark.parametrize("kernel", KERNELS)
def test_very_many_keys_share_columns_as_well(kernel, linear, pool):
    """More keys than are looked at pair by pair; queries beyond both ends too, in any order."""
    samples = generate(n=2_345)
    asked = torch.cat([queries.flip(0), torch.tensor([-1.0, 5.5], dtype=torch.float64)])
    made = width_frames(samples, (fine, asked), widths, kernel, linear)
    for i, width in enumerate(widths.tolist()):
        curve, weights = pool(fine, *samples, width, kernel).output, pool(asked, *samples, width, kernel).weights
        assert torch.allclose(made.curves[i], curve, rtol=1e-9, atol=1e-9, equal_nan=True)
        assert torch.allclose(made.weights[i], summed(weights, made.groups), rtol=1e-9, atol=1e-9)


def test_very_many_keys_can_show_what_training_sees():
    samples, at = generate(n=2_345), torch.arange(0, 2_345, 100)
    made = w_frames(samples, (fine, samples.x[at]), torch.tensor([0.0, 3.0, 200.0]), left_out=at)
    scores = -0.5 * ((samples.x[at, None] - samples.x) * torch.tensor([[[0.0]], [[3.0]], [[200.0]]])).square()
    scores[:, torch.arange(len(at)), at] = -math.inf
    assert torch.allclose(made.weights, summed(scores.softmax(-1), made.groups), atol=1e-12)


@pytest.mark.parametrize("n", [3, 99, 100, 101, 437, 50_000])
def test_groups_are_neighbours_of_equal_number_but_for_the_last(n):
    groups = key_groups(n)
    *sizes, last = groups.bincount().tolist()
    assert (groups.diff() >= 0).all()
    assert len(sizes) + 1 == n if n <= MOST_COLUMNS else MOST_COLUMNS / 2 < len(sizes) + 1 <= MOST_COLUMNS
    assert len(set(sizes)) == 1
    assert 1 <= last <= sizes[0]


@pytest.mark.parametrize("chunk", [1, 2**20])
def test_every_frame_of_a_run_is_the_model_at_that_w(monkeypatch, chunk):
    monkeypatch.setattr(pairs, "BLOCK", chunk)
    samples, w = generate(n=70), [-2.0, 0.0, 0.3, 4.0, 1e6]
    made = w_frames(samples, (fine, queries), torch.tensor(w))
    assert made.curves.shape == (5, 61)
    assert made.weights.shape == (5, 50, 70)
    for i, one in enumerate(w):
        net = NWKernelRegression(one)
        assert torch.allclose(made.curves[i], net(fine, *samples).output, atol=1e-12)
        assert torch.allclose(made.weights[i], net(queries, *samples).weights, atol=1e-12)
    assert torch.allclose(made.curves[1], samples.y.mean())


def test_frames_of_w_are_frames_of_the_widths():
    samples = generate(n=230)
    by_w, by_width = (
        w_frames(samples, (fine, queries), 1 / widths), width_frames(samples, (fine, queries), widths)
    )  # fmt: skip
    for one, other in zip(by_w, by_width, strict=True):
        torch.testing.assert_close(one, other)


def test_frames_can_show_what_training_sees():
    samples = generate(n=30)
    at = torch.arange(0, 30, 3)
    made = w_frames(samples, (fine, samples.x[at]), torch.tensor([0.0, 3.0]), left_out=at)
    keys, values = others(samples)
    expected = NWKernelRegression(3.0)(samples.x, keys, values).weights[at]  # (10, 29)
    for row, left in enumerate(at.tolist()):
        assert made.weights[1, row, left] == 0
        rest = torch.arange(30) != left
        assert torch.allclose(made.weights[1, row, rest], expected[row], atol=1e-13)
    assert made.weights[0].max().item() == pytest.approx(1 / 29)


@pytest.mark.parametrize("w", [[], [math.nan], [math.inf], [1e51]])
def test_w_must_be_numbers(w):
    with pytest.raises(InputError, match="w must be numbers"):
        w_frames(generate(), (fine, queries), torch.tensor(w, dtype=torch.float64))


@pytest.mark.parametrize(("count", "most"), [(1, 120), (2, 120), (120, 120), (121, 120), (5001, 120), (400, 3)])
def test_shown_epochs_are_even_and_hold_both_ends(count, most):
    shown = shown_epochs(count, most)
    assert len(shown) == len(set(shown)) == min(count, most)
    assert (shown[0], shown[-1]) == (0, count - 1)
    gaps = [after - before for before, after in pairwise(shown)]
    assert not gaps or max(gaps) - min(gaps) <= 1
