"""The masked softmax against torch's own attention and softmax, rows that see nothing included."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck
from torch.nn.functional import scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.masks import allowed, attended, masked_attend, masked_softmax

sizes = st.integers(1, 6)
shapes = st.tuples(st.integers(1, 3), sizes, sizes)
few = settings(max_examples=40)


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def bits(*shape, seed=0):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < 0.6


def torchs_weights(scores, mask=None, causal=False):
    """What torch's attention weighs, read from its output: scores as queries, the unit matrix as keys and values."""
    identity = torch.eye(scores.shape[-1], dtype=scores.dtype).expand(*scores.shape[:-2], -1, -1)
    return scaled_dot_product_attention(scores, identity, identity, mask, is_causal=causal, scale=1.0)


@few
@given(shapes, st.integers(0, 99))
def test_any_mask_is_torchs_own_attention(shape, seed):
    scores, mask = random(*shape, seed=seed), bits(*shape, seed=seed)
    weights = masked_softmax(scores, mask=mask)
    assert torch.allclose(weights, torchs_weights(scores, mask), atol=1e-14)
    assert (weights[~mask] == 0).all()
    assert torch.equal(attended(weights), mask.any(-1))
    assert torch.allclose(weights.sum(-1), mask.any(-1).double(), atol=1e-14)


@few
@given(shapes, st.integers(0, 99))
def test_causal_is_torchs_is_causal_also_when_not_square(shape, seed):
    scores = random(*shape, seed=seed)
    assert torch.allclose(masked_softmax(scores, causal=True), torchs_weights(scores, causal=True), atol=1e-14)


@few
@given(shapes, st.integers(0, 99), st.booleans())
def test_valid_lengths_are_a_softmax_over_the_first_keys(shape, seed, per_query):
    B, Q, K = shape  # noqa: N806
    scores = random(*shape, seed=seed)
    of_shape = (B, Q) if per_query else (B,)
    lengths = torch.randint(0, K + 1, of_shape, generator=torch.Generator().manual_seed(seed))
    weights = masked_softmax(scores, lengths)
    for b in range(B):
        for q in range(Q):
            n = int(lengths[b, q] if per_query else lengths[b])
            assert torch.allclose(weights[b, q, :n], scores[b, q, :n].softmax(-1), atol=1e-15)
            assert (weights[b, q, n:] == 0).all()


def test_nothing_masked_is_plain_softmax():
    scores = random(2, 3, 4)
    assert torch.equal(masked_softmax(scores), scores.softmax(-1))
    assert allowed((2, 3, 4)) is None


def test_lengths_causal_and_mask_must_all_agree():
    shape, mask = (2, 4, 5), bits(2, 4, 5)
    seen = allowed(shape, [2, 4], True, mask)
    within = torch.arange(5) < torch.tensor([2, 4])[:, None, None]
    assert torch.equal(seen, within & torch.ones(4, 5).tril().bool() & mask)


def test_heads_share_the_lengths_of_their_batch():
    scores = random(2, 3, 4, 5)  # (B, H, Q, K)
    lengths = torch.tensor([2, 5])
    per_query = torch.tensor([[0, 1, 2, 3], [5, 4, 3, 2]])
    for h in range(3):
        assert torch.equal(masked_softmax(scores, lengths)[:, h], masked_softmax(scores[:, h], lengths))
        assert torch.equal(masked_softmax(scores, per_query)[:, h], masked_softmax(scores[:, h], per_query))


def test_without_a_batch_lengths_are_one_or_one_per_query():
    scores = random(3, 4)
    assert torch.equal(masked_softmax(scores, 2), masked_softmax(scores, [2, 2, 2]))
    assert torch.equal(masked_softmax(scores, 2)[:, :2], scores[:, :2].softmax(-1))


def test_a_query_that_sees_nothing_gets_zero_not_nan():
    pooled = masked_attend(random(2, 3, 4), random(2, 4, 5, seed=1), [0, 4])
    assert (pooled.weights[0] == 0).all()
    assert (pooled.output[0] == 0).all()
    assert attended(pooled.weights).tolist() == [[False] * 3, [True] * 3]


def test_scores_of_minus_infinity_alone_are_a_row_that_sees_nothing():
    scores = torch.tensor([[-math.inf, -math.inf], [0.0, -math.inf]], requires_grad=True)
    weights = masked_softmax(scores)
    assert weights.tolist() == [[0, 0], [1, 0]]
    weights.square().sum().backward()
    assert scores.grad.tolist() == [[0, 0], [0, 0]]


def test_a_nan_is_not_swept_under_the_mask_unless_it_is_masked():
    scores = torch.tensor([[math.nan, 1.0], [math.nan, 1.0]])
    weights = masked_softmax(scores, mask=torch.tensor([[True, True], [False, True]]))
    assert weights[0].isnan().all()
    assert weights[1].tolist() == [0, 1]


def test_no_keys_at_all():
    pooled = masked_attend(random(2, 3, 0), random(2, 0, 5), causal=True)
    assert pooled.weights.shape == (2, 3, 0)
    assert torch.equal(pooled.output, torch.zeros(2, 3, 5, dtype=torch.float64))


def test_no_weight_leaks_from_scores_beyond_any_large_constant():
    scores = torch.tensor([[-1e30, 5.0], [-1e9, -2e9]])
    weights = masked_softmax(scores, 1)
    assert weights.tolist() == [[1, 0], [1, 0]]


def test_gradients_are_right_and_finite_with_rows_that_see_nothing():
    scores, values = random(2, 3, 4).requires_grad_(), random(2, 4, 2, seed=1).requires_grad_()
    mask = torch.ones(3, 4).tril(-1).bool()  # the first query sees nothing
    assert gradcheck(lambda s, v: masked_attend(s, v, mask=mask).output, (scores, values))
    masked_attend(scores, values, [0, 4], mask=mask).output.square().sum().backward()
    assert scores.grad.isfinite().all()
    assert values.grad.isfinite().all()
    assert (scores.grad[0] == 0).all()
    assert (scores.grad[1, 0] == 0).all()
    assert (scores.grad[1, 1:] != 0).any()


@pytest.mark.parametrize(
    ("scores", "values", "output"),
    [((3, 4), (4,), (3,)), ((3, 4), (4, 5), (3, 5)), ((2, 3, 4), (2, 4), (2, 3)), ((2, 3, 4), (1, 4, 5), (2, 3, 5))],
)
def test_the_shapes_of_values_are_those_attend_takes(scores, values, output):
    assert masked_attend(random(*scores), random(*values)).output.shape == output


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"valid_lens": [2, -1]}, "valid_lens must be whole numbers from 0 to 4, the number of keys, not -1."),
        ({"valid_lens": [2, 5]}, "valid_lens must be whole numbers from 0 to 4, the number of keys, not 5."),
        ({"valid_lens": [2.0, 1.5]}, "valid_lens must be whole numbers, not float32."),
        ({"valid_lens": [1, 2, 3]}, r"valid_lens must have shape (2,) or (2, 3) for scores (2, 3, 4), not (3,)."),
        ({"valid_lens": [[1, 2]]}, r"valid_lens must have shape (2,) or (2, 3) for scores (2, 3, 4), not (1, 2)."),
        ({"mask": torch.ones(3, 4)}, "mask must be true or false for every key, not float32."),
        ({"mask": torch.ones(4, 3).bool()}, "mask must fit the scores (2, 3, 4), not have shape (4, 3)."),
        ({"mask": torch.ones(1, 2, 3, 4).bool()}, "mask must fit the scores (2, 3, 4), not have shape (1, 2, 3, 4)."),
    ],
)
def test_bad_masks_are_one_sentence(given, sentence):
    with pytest.raises(InputError) as error:
        masked_softmax(random(2, 3, 4), **given)
    assert str(error.value) == sentence


def test_values_that_do_not_go_with_the_scores_are_one_sentence():
    with pytest.raises(InputError, match="there are 4 keys and 5 values"):
        masked_attend(random(2, 3, 4), random(2, 5, 2))
    with pytest.raises(InputError, match="must have the same batch"):
        masked_attend(random(2, 3, 4), random(3, 4, 2))
