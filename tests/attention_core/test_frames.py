"""Frames hold what one call per width would give, and grouping loses no weight."""

import pytest
import torch

from attention_core import frames
from attention_core.data import generate, query_grid
from attention_core.frames import MOST_COLUMNS, key_groups, width_frames
from attention_core.local_linear import local_linear
from attention_core.pooling import kernel_pool

queries, fine = query_grid(), torch.linspace(0, 5, 61, dtype=torch.float64)
widths = torch.tensor([0.02, 0.3, 4.0], dtype=torch.float64)


@pytest.mark.parametrize(("linear", "pool"), [(False, kernel_pool), (True, local_linear)])
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar"])
@pytest.mark.parametrize("chunk", [1, 2**20])
def test_every_frame_equals_a_call_of_its_own(monkeypatch, linear, pool, kernel, chunk):
    monkeypatch.setattr(frames, "CHUNK", chunk)
    samples = generate(n=70)
    made = width_frames(samples, (fine, queries), widths, kernel, linear)
    assert made.curves.shape == (3, 61)
    assert made.weights.shape == (3, 50, 70)
    for i, width in enumerate(widths.tolist()):
        curve = pool(fine, *samples, width, kernel).output
        assert torch.allclose(made.curves[i], curve, atol=1e-12, equal_nan=True)
        assert torch.allclose(made.weights[i], pool(queries, *samples, width, kernel).weights, atol=1e-12)


def test_many_keys_share_columns_and_no_weight_is_lost():
    samples = generate(n=437)
    made = width_frames(samples, (fine, queries), widths)
    whole = kernel_pool(queries, *samples, 0.3).weights
    assert made.weights.shape == (3, 50, MOST_COLUMNS)
    assert torch.allclose(made.weights.sum(-1), torch.ones(3, 50, dtype=torch.float64))
    for group in (0, 41, MOST_COLUMNS - 1):
        assert torch.allclose(made.weights[1, :, group], whole[:, made.groups == group].sum(-1), atol=1e-14)


@pytest.mark.parametrize("n", [3, 99, 100, 101, 437, 50_000])
def test_groups_are_neighbours_of_nearly_equal_number(n):
    groups = key_groups(n)
    sizes = groups.bincount()
    assert (groups.diff() >= 0).all()
    assert len(sizes) == min(n, MOST_COLUMNS)
    assert sizes.max() - sizes.min() <= 1
