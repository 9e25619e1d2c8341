"""One contract that every score must pass; a new entry of the registry is covered the moment it is added."""

import inspect

import pytest
import torch
from torch.autograd import gradcheck

from attention_core.checks import InputError
from attention_core.masks import masked_attend
from attention_core.scores import SCORES, drawn, score_named

every_score = pytest.mark.parametrize("name", SCORES)


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


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
