"""Looks at one key at a time, against torch's multinomial and the law of large numbers."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.demos.hard import MOST_LOOKS, looks, running_averages, standard_errors
from attention_core.demos.qkv import LINE, pooled

WEIGHTS = pooled(torch.tensor([3.4])).weights[0]


def frequencies(seen):
    return torch.bincount(seen, minlength=6) / len(seen)


def test_keys_are_looked_at_as_often_as_they_weigh():
    """Over 50 seeds, the frequencies agree with the weights as closely as torch.multinomial's own do."""
    seen = torch.cat([looks(WEIGHTS, MOST_LOOKS, seed) for seed in range(50)])
    torchs = torch.multinomial(WEIGHTS, len(seen), replacement=True, generator=torch.Generator().manual_seed(0))
    spread = (WEIGHTS * (1 - WEIGHTS) / len(seen)).sqrt()
    for found in (seen, torchs):
        assert ((frequencies(found) - WEIGHTS).abs() <= 4 * spread + 1e-12).all()


def test_a_key_without_weight_is_never_looked_at():
    weights = torch.tensor([0.0, 0.5, 0.0, 0.5, 0.0])
    assert set(looks(weights, MOST_LOOKS).tolist()) == {1, 3}
    assert set(looks(torch.tensor([0.0, 0.0, 1.0, 0.0]), MOST_LOOKS).tolist()) == {2}


def test_the_same_seed_looks_the_same_way_and_more_looks_begin_alike():
    assert torch.equal(looks(WEIGHTS, 100, 7), looks(WEIGHTS, 2000, 7)[:100])
    assert not torch.equal(looks(WEIGHTS, 100, 7), looks(WEIGHTS, 100, 8))


def test_the_generator_is_its_own():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    looks(WEIGHTS, 10, 5)
    assert torch.equal(torch.rand(3), expected)


def test_running_averages_are_means_of_the_looks_so_far():
    seen = looks(WEIGHTS, 300, 1)
    averages = running_averages(LINE.values, seen)
    for n in (1, 2, 17, 300):
        assert averages[n - 1].item() == pytest.approx(LINE.values[seen[:n]].mean().item())


def test_the_average_converges_to_the_soft_output_at_the_stated_rate():
    soft = WEIGHTS @ LINE.values
    ends = torch.stack([running_averages(LINE.values, looks(WEIGHTS, MOST_LOOKS, seed)) for seed in range(200)])
    errors = standard_errors(WEIGHTS, LINE.values, MOST_LOOKS)
    for n in (10, 100, MOST_LOOKS):
        assert ends[:, n - 1].std().item() == pytest.approx(errors[n - 1].item(), rel=0.2)
        assert abs(ends[:, n - 1].mean() - soft) < 4 * errors[n - 1] / 200**0.5


def test_the_standard_error_of_one_look_is_the_spread_of_the_values():
    even = torch.full((6,), 1 / 6, dtype=torch.float64)
    assert standard_errors(even, LINE.values, 1).item() == pytest.approx(LINE.values.std(correction=0).item())


@pytest.mark.parametrize("weights", [[0.5, 0.6], [-0.5, 1.5], [float("nan"), 1.0], [[1.0]]])
def test_what_is_no_probability_is_refused(weights):
    with pytest.raises(InputError, match="sum to 1"):
        looks(torch.tensor(weights), 1)


@pytest.mark.parametrize(("count", "seed"), [(0, 0), (2001, 0), (5, -1)])
def test_counts_and_seeds_out_of_range_are_refused(count, seed):
    with pytest.raises(InputError, match="must be a whole number"):
        looks(WEIGHTS, count, seed)
