"""Every score and every attention against torch's own functions, d2l's worked examples, and the rules for an entry."""

import inspect
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.autograd import gradcheck
from torch.nn.functional import cosine_similarity, scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.data import generate, query_grid
from attention_core.masks import masked_attend
from attention_core.pooling import attend, kernel_pool
from attention_core.scores import (
    SCORES,
    AdditiveAttention,
    BilinearAttention,
    DotProductAttention,
    additive,
    bilinear,
    cosine,
    dot,
    drawn,
    gaussian,
    scaled_dot,
    score_named,
)

sizes = st.integers(1, 6)
shapes = st.tuples(st.sampled_from([(), (1,), (3,), (2, 3)]), sizes, sizes, sizes, sizes)  # batch, Q, K, D, V
seeds = st.integers(0, 99)
few = settings(max_examples=30)


def random(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@few
@given(shapes, seeds)
def test_the_gaussian_score_is_torchs_distance(shape, seed):
    batch, Q, K, D, _ = shape  # noqa: N806
    q, k = random(*batch, Q, D, seed=seed), random(*batch, K, D, seed=seed + 1)
    expected = -(torch.cdist(q, k, compute_mode="donot_use_mm_for_euclid_dist") ** 2) / 2
    assert torch.allclose(gaussian(q, k), expected, atol=1e-12)


def test_the_gaussian_score_is_the_labs_kernel_regression():
    samples, queries = generate(), query_grid()
    scores = gaussian(queries[:, None] / 0.3, samples.x[:, None] / 0.3)
    expected = kernel_pool(queries, samples.x, samples.y, 0.3)
    assert torch.allclose(attend(scores, samples.y).output, expected.output, atol=1e-13)


def test_the_gaussian_keeps_its_digits_far_from_zero_and_its_zero_has_no_sign():
    q, k = random(3, 2), random(4, 2, seed=1)
    assert torch.allclose(gaussian(q + 1e6, k + 1e6), gaussian(q, k), rtol=1e-8)
    assert str(gaussian(q, q)[0, 0].item()) == "0.0"


def test_float32_stays_float32():
    q, k = random(3, 2, dtype=torch.float32), random(4, 2, dtype=torch.float32)
    for score in (gaussian, dot, scaled_dot, cosine):
        assert score(q, k).dtype == torch.float32


@few
@given(shapes, seeds)
def test_the_cosine_is_torchs_cosine_similarity(shape, seed):
    batch, Q, K, D, _ = shape  # noqa: N806
    q, k = random(*batch, Q, D, seed=seed), random(*batch, K, D, seed=seed + 1)
    expected = cosine_similarity(q.unsqueeze(-2), k.unsqueeze(-3), dim=-1)
    assert torch.allclose(cosine(q, k), expected, atol=1e-12)


def test_the_cosine_of_a_zero_vector_is_zero():
    assert cosine(torch.zeros(1, 3), torch.ones(2, 3)).tolist() == [[0, 0]]


@few
@given(shapes, seeds)
def test_the_bilinear_score_is_torchs_bilinear(shape, seed):
    batch, Q, K, D, other = shape  # noqa: N806
    q, k, W = random(*batch, Q, D, seed=seed), random(*batch, K, other, seed=seed + 1), random(D, other)  # noqa: N806
    pairs = q.unsqueeze(-2).expand(*batch, Q, K, D).contiguous(), k.unsqueeze(-3).expand(*batch, Q, K, other)
    expected = torch.nn.functional.bilinear(pairs[0], pairs[1].contiguous(), W[None])
    assert torch.allclose(bilinear(q, k, W), expected[..., 0], atol=1e-12)


@few
@given(shapes, seeds)
def test_the_additive_score_is_three_of_torchs_linear_layers(shape, seed):
    batch, Q, K, D, other = shape  # noqa: N806
    q, k = random(*batch, Q, D, seed=seed), random(*batch, K, other, seed=seed + 1)
    layers = [nn.Linear(n, m, bias=False).double() for n, m in ((D, 4), (other, 4), (4, 1))]
    scores = additive(q, k, layers[0].weight, layers[1].weight, layers[2].weight[0])
    for i in range(Q):
        for j in range(K):
            one = layers[2](torch.tanh(layers[0](q[..., i, :]) + layers[1](k[..., j, :])))
            assert torch.allclose(scores[..., i, j], one[..., 0], atol=1e-12)


@few
@given(shapes, seeds, st.sampled_from(["none", "mask", "causal", "lengths"]))
def test_dot_product_attention_is_torchs_in_float32(shape, seed, masking):
    batch, Q, K, D, V = (2,), *shape[1:]  # noqa: N806
    q, k, v = (
        random(*batch, n, m, seed=seed + i, dtype=torch.float32) for i, (n, m) in enumerate([(Q, D), (K, D), (K, V)])
    )
    mask = torch.rand(2, Q, K, generator=seeded(seed)) < 0.7
    lengths = torch.randint(0, K + 1, (2,), generator=seeded(seed))
    ours, theirs = {
        "none": ({}, {}),
        "mask": ({"mask": mask}, {"attn_mask": mask}),
        "causal": ({"causal": True}, {"is_causal": True}),
        "lengths": ({"valid_lens": lengths}, {"attn_mask": (torch.arange(K) < lengths[:, None, None]).expand(2, Q, K)}),
    }[masking]
    pooled = DotProductAttention()(q, k, v, **ours)
    assert torch.allclose(pooled.output, scaled_dot_product_attention(q, k, v, **theirs), atol=1e-6)
    assert pooled.weights.shape == (2, Q, K)


def test_d2ls_additive_example():
    queries, keys = random(2, 1, 20, dtype=torch.float32), torch.ones(2, 10, 2)
    values = torch.arange(40, dtype=torch.float32).reshape(1, 10, 4).repeat(2, 1, 1)
    pooled = AdditiveAttention(20, 2, 8)(queries, keys, values, torch.tensor([2, 6]))
    expected = torch.tensor([[[2.0, 3, 4, 5]], [[10.0, 11, 12, 13]]])
    assert torch.allclose(pooled.output, expected, atol=1e-5)
    assert torch.allclose(pooled.weights[0, 0], torch.tensor([0.5, 0.5] + 8 * [0.0]))


def test_d2ls_dot_product_example():
    queries, keys = random(2, 1, 2, dtype=torch.float32), torch.ones(2, 10, 2)
    values = torch.arange(40, dtype=torch.float32).reshape(1, 10, 4).repeat(2, 1, 1)
    pooled = DotProductAttention()(queries, keys, values, torch.tensor([2, 6]))
    assert torch.allclose(pooled.output, torch.tensor([[[2.0, 3, 4, 5]], [[10.0, 11, 12, 13]]]), atol=1e-5)


@pytest.mark.parametrize(
    "attention",
    [DotProductAttention(), BilinearAttention(4, 4, seeded()), AdditiveAttention(4, 4, 5, seeded())],
    ids=lambda a: type(a).__name__,
)
class TestEveryAttention:
    def test_keys_are_projected_once_and_reused_step_by_step(self, attention):
        attention = attention.double()
        q, k, v = random(2, 3, 4), random(2, 5, 4, seed=1), random(2, 5, 6, seed=2)
        whole = attention(q, k, v, [3, 5])
        projected = attention.project(k)
        for step in range(3):
            one = attention.pool(q[:, step : step + 1], projected, v, [3, 5])
            assert torch.allclose(one.output, whole.output[:, step : step + 1], atol=1e-14)
            assert torch.allclose(one.weights, whole.weights[:, step : step + 1], atol=1e-14)

    def test_a_batch_is_its_members(self, attention):
        attention = attention.double()
        q, k, v = random(2, 3, 4), random(2, 5, 4, seed=1), random(2, 5, 6, seed=2)
        together = attention(q, k, v, causal=True)
        for b in range(2):
            alone = attention(q[b], k[b], v[b], causal=True)
            assert torch.allclose(together.output[b], alone.output, atol=1e-14)
            assert torch.allclose(together.weights[b], alone.weights, atol=1e-14)

    def test_gradients_with_a_row_that_sees_nothing(self, attention):
        attention = attention.double()
        q, k, v = (t.requires_grad_() for t in (random(2, 3, 4), random(2, 2, 4, seed=1), random(2, 2, 2, seed=2)))
        lengths = torch.tensor([[0, 1, 2], [2, 2, 0]])

        def output(q, k, v, *_):  # the parameters are moved in place by gradcheck
            return attention(q, k, v, lengths).output

        assert gradcheck(output, (q, k, v, *attention.parameters()))


def test_the_modules_score_as_the_functions_do():
    q, k = random(2, 3, 4), random(2, 5, 6, seed=1)
    bi, add = BilinearAttention(4, 6, seeded()).double(), AdditiveAttention(4, 6, 5, seeded()).double()
    assert torch.allclose(bi.score(q, bi.project(k)), bilinear(q, k, bi.W), atol=1e-14)
    assert torch.allclose(add.score(q, add.project(k)), additive(q, k, add.W_q, add.W_k, add.w_v), atol=1e-14)


def test_a_generator_makes_the_same_parameters_and_leaves_torchs_own_seed_alone():
    state = torch.get_rng_state()
    first, second = (AdditiveAttention(4, 6, 5, seeded(3)) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert torch.equal(torch.get_rng_state(), state)


def test_parameters_begin_where_torchs_linear_layers_do():
    weights = AdditiveAttention(16, 25, 2000, seeded())
    for ours, inputs in ((weights.W_q, 16), (weights.W_k, 25)):
        torchs = nn.Linear(inputs, 2000, bias=False).weight
        assert ours.abs().max().item() == pytest.approx(torchs.abs().max().item(), rel=1e-2)
        assert ours.std().item() == pytest.approx(torchs.std().item(), rel=2e-2)


def test_bilinear_scores_begin_with_variance_one():
    attention = BilinearAttention(64, 100, seeded())
    q, k = random(300, 64, dtype=torch.float32), random(300, 100, seed=1, dtype=torch.float32)
    assert attention.score(q, attention.project(k)).var().item() == pytest.approx(1, rel=0.1)


ROWS = "must be rows of floating-point numbers, not"


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda: SCORES["dot"](random(2, 3), random(4, 5)), "queries and keys must be equally wide, not 3 and 5."),
        (lambda: SCORES["dot"](random(3), random(4, 3)), f"queries {ROWS} float64 of shape (3,)."),
        (lambda: SCORES["gaussian"](random(2, 3), torch.ones(4, 3).long()), f"keys {ROWS} int64 of shape (4, 3)."),
        (lambda: SCORES["scaled_dot"](random(2, 0), random(3, 0)), f"queries {ROWS} float64 of shape (2, 0)."),
        (
            lambda: SCORES["cosine"](random(2, 1, 3), random(3, 1, 3)),
            "queries (2, 1, 3) and keys (3, 1, 3) must have the same batch.",
        ),
        (
            lambda: SCORES["bilinear"](random(2, 3), random(4, 5), random(3, 3)),
            "keys must be rows of 3 floating-point numbers, not float64 of shape (4, 5).",
        ),
        (
            lambda: AdditiveAttention(3, 5, 7).double()(random(2, 4), random(4, 5), random(4, 1)),
            "queries must be rows of 3 floating-point numbers, not float64 of shape (2, 4).",
        ),
        (
            lambda: DotProductAttention()(random(2, 3), random(4, 3), random(5, 1)),
            "keys and values come in pairs, but there are 4 keys and 5 values.",
        ),
    ],
)
def test_what_does_not_fit_is_one_sentence(attempt, sentence):
    with pytest.raises(InputError) as error:
        attempt()
    assert str(error.value) == sentence


def test_scaled_dot_is_dot_over_the_root_of_the_width():
    q, k = random(3, 7), random(4, 7, seed=1)
    assert torch.allclose(scaled_dot(q, k) * math.sqrt(7), dot(q, k), atol=1e-14)


# One contract that every score must pass; a new entry of the registry is covered the moment it is added.

every_score = pytest.mark.parametrize("name", SCORES)


@every_score
def test_a_score_has_words_a_formula_and_names_for_its_parameters(name):
    score = SCORES[name]
    assert score.label
    assert score.note.endswith(".")
    assert score.formula.count("{") == score.formula.count("}")
    arguments = list(inspect.signature(score.function).parameters)
    assert tuple(arguments[2 : 2 + len(score.parameters)]) == score.parameters


@every_score
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_queries_down_and_keys_across(name, batch):
    q, k, v = random(*batch, 4, 3), random(*batch, 5, 3, seed=1), random(*batch, 5, 2, seed=2)
    parameters = drawn(name, 3, 3)
    scores = SCORES[name](q, k, *parameters)
    pooled = masked_attend(scores, v)
    assert scores.shape == pooled.weights.shape == (*batch, 4, 5)
    assert pooled.output.shape == (*batch, 4, 2)
    assert torch.allclose(pooled.weights.sum(-1), torch.ones(*batch, 4, dtype=torch.float64), atol=1e-14)
    one = SCORES[name](q[..., 2:3, :], k[..., 3:4, :], *parameters)
    assert torch.allclose(scores[..., 2:3, 3:4], one, atol=1e-13)


@every_score
def test_scores_can_be_differentiated(name):
    inputs = (random(2, 3), random(4, 3, seed=1), *drawn(name, 3, 3, hidden=2))
    assert gradcheck(SCORES[name], tuple(t.requires_grad_() for t in inputs))


@pytest.mark.parametrize("name", ["bilinear", "additive"])
def test_learned_scores_take_keys_of_another_width(name):
    assert SCORES[name](random(2, 4, 3), random(2, 5, 7), *drawn(name, 3, 7)).shape == (2, 4, 5)


def test_parameters_are_seeded_and_only_where_there_are_any():
    assert drawn("dot", 3, 3) == ()
    assert [tuple(p.shape) for p in drawn("additive", 3, 7, hidden=5)] == [(5, 3), (5, 7), (5,)]
    assert torch.equal(drawn("bilinear", 3, 7, seed=4)[0], drawn("bilinear", 3, 7, seed=4)[0])
    assert not torch.equal(drawn("bilinear", 3, 7, seed=4)[0], drawn("bilinear", 3, 7, seed=5)[0])


def test_cosine_weights_differ_by_e_squared_at_most():
    """What its note says."""
    q = torch.tensor([[1.0, 0.0]])
    weights = SCORES["cosine"](q, torch.cat([9 * q, -q])).softmax(-1)
    assert (weights[0, 0] / weights[0, 1]).item() == pytest.approx(7.389, abs=1e-3)


def test_a_wrong_name_or_width_is_one_sentence():
    with pytest.raises(InputError, match="score must be one of gaussian, dot, scaled_dot, cosine, bilinear, additive"):
        score_named("euclid")
    with pytest.raises(InputError, match="key width must be a whole number from 1 to 4,096, not 0"):
        drawn("additive", 3, 0)
