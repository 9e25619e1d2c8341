"""The data: d2l's very points, the registry of functions, the measured sets, and a user's columns."""

import math

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, MEASURED, generate, has_truth, measured, query_grid, samples_from, truth


def d2l_points():
    """The chapter's own lines, on torch's global generator."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        x, _ = torch.sort(torch.rand(50) * 5)
        y = 2 * torch.sin(x) + x**0.8 + torch.normal(0.0, 0.5, (50,))
        return x, y, torch.rand((1,))


def test_seed_0_gives_exactly_the_points_of_the_d2l_chapter():
    x, y, w0 = d2l_points()
    samples = generate()
    assert torch.equal(samples.x, x.double())
    assert torch.equal(samples.y, y.double())
    assert w0.item() == pytest.approx(0.375558, abs=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n", [3, 50, 5000])
def test_every_function_gives_sorted_inputs_in_range_around_its_truth(function, n):
    samples = generate(function, n, noise=0.5, seed=7)
    assert samples.x.dtype == samples.y.dtype == torch.float64
    assert samples.x.shape == samples.y.shape == (n,)
    assert (samples.x.diff() >= 0).all()
    assert samples.x.min() >= 0
    assert samples.x.max() <= 5
    residual = samples.y - truth(function, samples.x)
    if n == 5000:
        assert residual.std().item() == pytest.approx(0.5, rel=0.05)
        assert abs(residual.mean().item()) < 4 * 0.5 / math.sqrt(n)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_without_noise_the_points_lie_on_the_truth(function):
    samples = generate(function, 200, noise=0.0)
    assert torch.allclose(samples.y, truth(function, samples.x), atol=5e-5)  # drawn in float32


def test_the_same_seed_gives_the_same_points_and_another_gives_others():
    assert torch.equal(generate(seed=5).y, generate(seed=5).y)
    assert not torch.equal(generate(seed=5).x, generate(seed=6).x)


def test_drawing_leaves_torchs_global_generator_alone():
    before = torch.random.get_rng_state()
    generate(seed=3)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_the_gap_has_no_inputs_between_2_and_3():
    x = generate("gap", 5000).x
    assert not ((x > 2) & (x < 3)).any()
    assert (x <= 2).sum() > 2000
    assert (x >= 3).sum() > 2000


def test_the_queries_are_d2ls_test_grid():
    grid = query_grid()
    assert len(grid) == 50
    assert torch.allclose(grid, torch.arange(50, dtype=torch.float64) / 10, atol=1e-14)


@pytest.mark.parametrize(
    ("name", "rows", "first", "mean_y"),
    [
        ("motorcycle", 133, (2.4, 0.0), -25.5459),
        ("engel", 235, (377.058, 276.561), 624.150),
        ("faithful", 272, (1.6, 52.0), 70.8971),  # 70.8971 is R's mean(faithful$waiting)
    ],
)
def test_the_measured_sets_are_whole_and_sorted(name, rows, first, mean_y):
    samples = measured(name)
    assert len(samples.x) == rows
    assert (samples.x.diff() >= 0).all()
    assert samples.y.mean().item() == pytest.approx(mean_y, rel=1e-4)
    assert samples.x[0].item() == pytest.approx(first[0], abs=1e-3)
    assert first[1] in samples.y[samples.x == samples.x[0]].round(decimals=3).tolist()


@pytest.mark.parametrize("name", MEASURED)
def test_measured_data_say_that_they_have_no_truth(name):
    assert not has_truth(name)
    with pytest.raises(InputError, match="its true curve is unknown"):
        truth(name, torch.zeros(3))
    grid = query_grid(measured(name))
    assert len(grid) == 50
    assert grid[0] == measured(name).x.min()
    assert grid[-1] == measured(name).x.max()


def test_a_users_columns_are_sorted_in_pairs():
    samples = samples_from(torch.tensor([3.0, 1.0, 2.0]), torch.tensor([30.0, 10.0, 20.0]))
    assert samples.x.tolist() == [1, 2, 3]
    assert samples.y.tolist() == [10, 20, 30]


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        ([1.0, 2.0], [1.0, 2.0], "must have 3 to 1,000,000 rows; there are 2"),
        ([1.0], [1.0], "there is 1"),
        ([2.0, 2.0, 2.0], [1.0, 2.0, 3.0], "dose is 2 in every row"),
        ([1.0, math.nan, 3.0], [1.0, 2.0, 3.0], "dose must be finite numbers"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, math.inf], "effect must be finite numbers"),
        ([1.0, 2.0, 3.0], [1.0, 2.0], "there are 3 dose and 2 effect"),
        ([float(i) for i in range(1_000_001)], [0.0] * 1_000_001, "there are 1,000,001"),
    ],
)
def test_what_is_wrong_with_a_users_columns_is_said_in_one_sentence(x, y, sentence):
    with pytest.raises(InputError, match=sentence):
        samples_from(torch.tensor(x), torch.tensor(y), "dose", "effect")
