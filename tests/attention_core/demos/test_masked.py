"""Two masked sentences and d2l's example against our checked attention and torch's own."""

import pytest
import torch

from attention_core.demos.masked import equal_keys, masks, seen_by_length, seen_so_far
from attention_core.masks import allowed, masked_attend
from attention_core.scores import AdditiveAttention, scaled_dot


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("lengths", [((4,) * 6, (2,) * 6), ((1, 0, 3, 4, 6, 2), (0,) * 6)])
def test_it_is_masked_attention(lengths, causal):
    found = masks((seen_so_far if causal else seen_by_length)(lengths), (2, 6), seed=0)
    tokens = torch.randn(2, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    scores, values = scaled_dot(tokens, tokens), torch.arange(1, 7, dtype=torch.float64)
    output, weights = masked_attend(scores, values, torch.tensor(lengths), causal)
    assert torch.equal(found["seen"], allowed((2, 6, 6), torch.tensor(lengths), causal))
    assert torch.equal(found["weights"], weights)
    assert torch.allclose(found["output"], output, atol=1e-14)
    assert torch.allclose(found["torchs"], weights, atol=1e-15)


def test_the_usual_tricks_leak_where_nothing_is_seen():
    found = masks(seen_by_length(((6,) * 6, (0,) * 6)), (2, 6), seed=0)
    assert torch.allclose(found["leaked"][0], found["weights"][0], atol=1e-15)
    assert torch.allclose(found["leaked"][1], torch.full((6, 6), 1 / 6, dtype=torch.float64))
    assert torch.allclose(found["added"][1], torch.full((6, 6), 1 / 6))
    assert torch.allclose(found["leaked_output"][1], torch.full((6,), 3.5, dtype=torch.float64))


def test_d2ls_example_is_additive_attention():
    generator = torch.Generator().manual_seed(0)
    queries, keys = torch.randn(2, 1, 20, generator=generator), torch.ones(2, 10, 2)
    values = torch.arange(40.0).view(1, 10, 4).expand(2, -1, -1)
    with torch.no_grad():
        output, weights = AdditiveAttention(20, 2, 8, generator)(queries, keys, values, [2, 6])
    found = masks(seen_by_length(((6,) * 6, (0,) * 6)), (2, 6), seed=0)
    assert torch.equal(found["example_weights"], equal_keys((2, 6), seed=0))
    assert torch.allclose(found["example_output"], output[:, 0], atol=1e-5)
    assert torch.allclose(found["example_weights"], weights[:, 0], atol=1e-6)
    assert torch.allclose(found["example_output"], torch.tensor([[2.0, 3, 4, 5], [10, 11, 12, 13]]), atol=1e-5)
