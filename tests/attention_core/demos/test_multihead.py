"""What several heads compute: mixed kernels against the lab's own, and heads on vectors against torch's own layer."""

import pytest
import torch
from torch import nn

from attention_core.data import generate, query_grid, wave
from attention_core.demos.multihead import (
    best_shares,
    drawn_layer,
    mixture,
    mixture_judged,
    mixture_left_out,
    multihead,
)
from attention_core.pooling import kernel_pool
from attention_core.regression.selection import loo_losses
from attention_core.transformer.multihead import from_torch


def one_head(mixed, **truth):
    widths, shares = (torch.tensor([number], dtype=torch.float64) for number in (0.4, 1.0))
    return mixed(generate(n=60, seed=2), query_grid(), widths, shares, **truth)


def test_one_head_alone_is_the_labs_estimator():
    shown, samples = one_head(mixture_judged, truth=wave), generate(n=60, seed=2)
    output, weights = kernel_pool(query_grid(), *samples, 0.4)
    torch.testing.assert_close(shown["output"], output)
    torch.testing.assert_close(shown["weights"], weights)
    torch.testing.assert_close(shown["loo_error"], loo_losses(samples, [0.4])[0])
    torch.testing.assert_close(shown["test_error"], (output - wave(query_grid())).square().mean())


def test_what_takes_long_or_is_unknown_is_left_out():
    some, all_of_it = one_head(mixture_left_out), one_head(mixture_judged, truth=wave)
    assert {"test_error", "loo_error"} & one_head(mixture).keys() == set()
    assert all_of_it.keys() - some.keys() == {"test_error"}
    for mixed in (one_head(mixture), some):
        torch.testing.assert_close(mixed, {name: all_of_it[name] for name in mixed}, rtol=0, atol=0)


def test_a_mixture_is_the_sum_of_its_shares():
    samples, widths = generate(n=30), torch.tensor([0.2, 0.9, 3.0], dtype=torch.float64)
    shares = torch.tensor([1.8, -1.0, 0.2], dtype=torch.float64)
    shown = mixture(samples, query_grid(), widths, shares)
    heads = [kernel_pool(query_grid(), *samples, width) for width in widths.tolist()]
    torch.testing.assert_close(shown["heads"], torch.stack([head.weights for head in heads]))
    expected = sum(share * head.output for share, head in zip(shares, heads, strict=True))
    torch.testing.assert_close(shown["output"], expected)
    torch.testing.assert_close(shown["weights"].sum(1), torch.ones(50, dtype=torch.float64))


@pytest.mark.parametrize("heads", [2, 3, 4])
@pytest.mark.parametrize("ends", [(-1.0, 2.0), (-50.0, 50.0), (0.0, 0.1)])
def test_the_best_shares_are_those_of_a_search(heads, ends):
    generator = torch.Generator().manual_seed(heads)
    predictions, values = torch.randn(5, 20, dtype=torch.float64, generator=generator).split([4, 1])
    predictions, values = predictions[:heads], values[0] + predictions[0]

    def error(shares):  # (..., heads)
        return (shares @ predictions - values).square().mean(-1)

    found = best_shares(predictions, values, *ends)
    bounded = found[[place for place in range(heads) if place != 1]]
    torch.testing.assert_close(found.sum(), torch.ones((), dtype=torch.float64))
    assert ends[0] <= bounded.min()
    assert bounded.max() <= ends[1]
    near = (bounded + 0.05 * torch.randn(2_000, heads - 1, dtype=torch.float64, generator=generator)).clamp(*ends)
    anywhere = ends[0] + (ends[1] - ends[0]) * torch.rand(2_000, heads - 1, dtype=torch.float64, generator=generator)
    tried = torch.cat([near, anywhere])
    tried = torch.cat([tried[:, :1], 1 - tried.sum(1, keepdim=True), tried[:, 1:]], 1)
    assert error(found) <= error(tried).min() + 1e-12


def test_equal_heads_have_best_shares_too():
    predictions = torch.linspace(0, 1, 9, dtype=torch.float64).expand(4, -1)
    found = best_shares(predictions, torch.ones(9, dtype=torch.float64), -1.0, 2.0)
    assert found.isfinite().all()
    torch.testing.assert_close(found.sum(), torch.ones((), dtype=torch.float64))


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_the_heads_are_those_of_torchs_layer_and_of_ours(heads):
    tokens, *maps = layer = drawn_layer(8, 16, 3)
    shown = multihead(layer, torch.ones(heads, dtype=torch.bool))
    theirs = nn.MultiheadAttention(16, heads, batch_first=True, dtype=torch.float64).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat(maps[:3]))
    theirs.out_proj.weight.copy_(maps[3])
    expected, weights = theirs(tokens, tokens, tokens, average_attn_weights=False)
    torch.testing.assert_close(shown["output"], expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(shown["weights"], weights, rtol=0, atol=1e-12)
    ours = from_torch(theirs)(tokens, tokens, tokens)
    torch.testing.assert_close(shown["heads"], ours.heads, rtol=0, atol=1e-12)
    assert shown["gap"] < 1e-12
    assert shown["remainder"] < 1e-12
    assert shown["damage"] == 0


def test_the_damage_of_one_head_is_the_size_of_its_part():
    shown = multihead(drawn_layer(8, 16, 0), torch.tensor([True, False, True, True]))
    torch.testing.assert_close(shown["output"], shown["full"] - shown["whole"][:, 1], rtol=0, atol=1e-12)
    torch.testing.assert_close(shown["damage"], shown["whole"][:, 1].norm() / shown["full"].norm())
    assert not shown["parts"][:, 1].any()


def test_the_same_numbers_are_cut_for_any_count_of_heads():
    first, second = drawn_layer(8, 16, 5), drawn_layer(8, 16, 5)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert not torch.equal(first[0], drawn_layer(8, 16, 6)[0])
