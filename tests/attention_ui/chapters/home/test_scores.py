"""The first page's six scores: each is torch's own softmax of its formula, over the same query and keys."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.data import generate, truth
from attention_core.demos.six_scores import HIDDEN, SEED, clock_hands, twelve
from attention_core.regression.selection import best_width
from attention_ui.chapters.home.scores import QUERY, SCORES, learned_w, pooled_by_score
from attention_ui.chapters.home.views import score_words

keys, values = twelve()
distance = QUERY - keys
hands, hand = clock_hands(keys), clock_hands(torch.tensor([QUERY], dtype=torch.float64))


def weights_of(name):
    (pooled,) = [pooled for score, pooled in pooled_by_score() if score.name == name]
    return pooled.weights[:, 0]  # (H, K)


def test_the_keys_are_twelve_of_the_samples_in_order():
    samples = generate()
    assert len(keys) == 12
    assert (keys.diff() > 0.3).all()
    assert all((samples.x == x).any() and (samples.y == y).any() for x, y in zip(keys, values, strict=True))


@pytest.mark.parametrize("place", range(len(SCORES)), ids=list(SCORES))
def test_every_output_is_the_average_under_its_weights(place):
    _, (output, weights) = pooled_by_score()[place]
    assert weights.shape[1:] == (1, 12)
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights), 1, dtype=torch.float64))
    assert torch.allclose(output, (weights * values).sum(-1))


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("Average pooling", torch.zeros(12, dtype=torch.float64)),
        ("Gaussian kernel", -distance.square() / 2),
        ("Learned w", -(learned_w() * distance).square() / 2),
        ("Scaled dot product", (hands @ hand[0]) / math.sqrt(4)),
    ],
)
def test_the_weights_are_the_softmax_of_the_formula(name, scores):
    assert torch.allclose(weights_of(name), torch.softmax(scores, 0)[None])


def test_the_additive_score_is_a_small_network():
    draw = torch.Generator().manual_seed(SEED)
    w_q, w_k = (torch.randn(HIDDEN, 4, generator=draw, dtype=torch.float64) / 2 for _ in "qk")
    w_v = torch.randn(HIDDEN, generator=draw, dtype=torch.float64) / math.sqrt(HIDDEN)
    scores = torch.stack([w_v @ torch.tanh(w_q @ hand[0] + w_k @ key) for key in hands])
    assert torch.allclose(weights_of("Additive"), torch.softmax(scores, 0)[None])


def test_the_dot_product_and_its_heads_are_torchs():
    def outputs(name):
        (pooled,) = [pooled for score, pooled in pooled_by_score() if score.name == name]
        return pooled.output[:, 0]

    whole = scaled_dot_product_attention(hand, hands, values[:, None])
    assert torch.allclose(outputs("Scaled dot product"), whole[0])
    parts = [scaled_dot_product_attention(hand[:, i : i + 2], hands[:, i : i + 2], values[:, None]) for i in (0, 2)]
    assert torch.allclose(outputs("Multi-head"), torch.cat(parts)[:, 0])


def test_the_learned_w_is_the_best_one_for_these_keys():
    assert learned_w() == pytest.approx(1 / best_width(twelve()), rel=1e-3)


def test_the_words_tell_the_truth_at_the_query():
    assert f"**{float(truth('wave', torch.tensor([QUERY]))[0]):.3g}**" in score_words()
