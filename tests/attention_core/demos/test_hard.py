"""Looks at one key at a time, against torch's multinomial and the law of large numbers."""

import pytest
import torch

from attention_core.demos.hard import MOST_SAMPLES, drawn_keys, hard_attention
from attention_core.demos.qkv import LINE, attention, average_pooling

QUERY = torch.tensor([[3.4]], dtype=torch.float64)
ANSWER = attention(QUERY, LINE.keys, LINE.values, 1.0)
WEIGHTS = ANSWER["weights"][0]


def frequencies(seen):
    return torch.bincount(seen, minlength=6) / len(seen)


def test_keys_are_looked_at_as_often_as_they_weigh():
    """Over 50 seeds, the frequencies agree with the weights as closely as torch.multinomial's own do."""
    seen = torch.cat([drawn_keys(WEIGHTS, MOST_SAMPLES, seed) for seed in range(50)])
    torchs = torch.multinomial(WEIGHTS, len(seen), replacement=True, generator=torch.Generator().manual_seed(0))
    spread = (WEIGHTS * (1 - WEIGHTS) / len(seen)).sqrt()
    for found in (seen, torchs):
        assert ((frequencies(found) - WEIGHTS).abs() <= 4 * spread + 1e-12).all()


def test_a_key_without_weight_is_never_looked_at():
    weights = torch.tensor([0.0, 0.5, 0.0, 0.5, 0.0])
    assert set(drawn_keys(weights, MOST_SAMPLES, 0).tolist()) == {1, 3}
    assert set(drawn_keys(torch.tensor([0.0, 0.0, 1.0, 0.0]), MOST_SAMPLES, 0).tolist()) == {2}


def test_the_same_seed_picks_the_same_keys_and_more_samples_begin_alike():
    assert torch.equal(drawn_keys(WEIGHTS, 100, 7), drawn_keys(WEIGHTS, 2000, 7)[:100])
    assert not torch.equal(drawn_keys(WEIGHTS, 100, 7), drawn_keys(WEIGHTS, 100, 8))


def test_the_generator_is_its_own():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    drawn_keys(WEIGHTS, 10, 5)
    assert torch.equal(torch.rand(3), expected)


def test_running_averages_are_means_of_the_samples_so_far():
    shown = hard_attention(ANSWER, 300, 1)
    seen, averages = shown["picked"], shown["averages"]
    assert shown["samples"].tolist() == list(range(1, 301))
    assert torch.equal(shown["sampled"], LINE.values[seen])
    for n in (1, 2, 17, 300):
        assert averages[n - 1].item() == pytest.approx(LINE.values[seen[:n]].mean().item())


def test_the_average_converges_to_the_soft_output_at_the_stated_rate():
    soft = WEIGHTS @ LINE.values
    ends = torch.stack([hard_attention(ANSWER, MOST_SAMPLES, seed)["averages"] for seed in range(200)])
    errors = hard_attention(ANSWER, MOST_SAMPLES, 0)["errors"]
    for n in (10, 100, MOST_SAMPLES):
        assert ends[:, n - 1].std().item() == pytest.approx(errors[n - 1].item(), rel=0.2)
        assert abs(ends[:, n - 1].mean() - soft) < 4 * errors[n - 1] / 200**0.5


def test_the_standard_error_of_one_sample_is_the_spread_of_the_values():
    even = average_pooling(QUERY, LINE.keys, LINE.values)
    assert hard_attention(even, 1, 0)["errors"].item() == pytest.approx(LINE.values.std(correction=0).item())


def test_the_soft_answer_stays_beside_the_samples():
    assert ANSWER.items() <= hard_attention(ANSWER, 5, 0).items()
