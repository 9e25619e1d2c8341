"""Two cues, checked against torch's own softmax and attention."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.demos.cues import (
    DESK,
    GAINS,
    KEYS,
    PURPOSES,
    QUERIES,
    STRENGTH,
    VALUES,
    cue_scores,
    desk_attention,
    look,
    without_query,
)

SALIENCY = torch.tensor([thing.saliency for thing in DESK], dtype=torch.float64)
BLENDS = torch.linspace(0, 1, 101, dtype=torch.float64)
names = [thing.name for thing in DESK]
saliencies = st.lists(st.floats(0, STRENGTH), min_size=len(DESK), max_size=len(DESK))


@settings(max_examples=25)
@given(saliencies, st.sampled_from(PURPOSES))
def test_it_is_torchs_attention_with_the_saliency_as_bias(saliency, goal):
    """A blend weakens the query and strengthens the bias; torch adds its mask to the scores."""
    saliency = torch.tensor(saliency, dtype=torch.float64)
    bias = (1 - BLENDS)[:, None] * saliency
    queries = BLENDS[:, None] * QUERIES[goal]
    expected = scaled_dot_product_attention(queries[None], KEYS[None], VALUES[None], attn_mask=bias[None], scale=1.0)[0]
    output, weights = look(saliency, goal, BLENDS)
    assert torch.allclose(output, expected, atol=1e-12)
    assert torch.allclose(weights, torch.softmax(bias + queries @ KEYS.T, -1), atol=1e-14)
    assert torch.allclose(weights.sum(-1), torch.ones(101, dtype=torch.float64))


@pytest.mark.parametrize("goal", PURPOSES)
def test_the_ends_of_the_blend_are_the_two_cues_alone(goal):
    weights = look(SALIENCY, goal, BLENDS).weights
    assert torch.allclose(weights[0], SALIENCY.softmax(0))
    assert torch.allclose(weights[-1], (KEYS @ QUERIES[goal]).softmax(0))


@pytest.mark.parametrize(("goal", "found"), [("drink", "coffee cup"), ("read", "book"), ("write", "notebook")])
def test_the_cup_catches_the_eye_and_the_goal_finds_what_it_needs(goal, found):
    weights = look(SALIENCY, goal, BLENDS).weights
    assert names[weights[0].argmax()] == "coffee cup"
    assert names[weights[-1].argmax()] == found
    assert weights[0].max() > 0.75
    assert weights[-1].max() > 0.75


def test_without_a_goal_the_blend_has_nothing_to_blend_in():
    weights = look(SALIENCY, None, BLENDS).weights
    assert torch.equal(weights, SALIENCY.softmax(0).expand(101, -1))


def test_equal_saliency_without_a_goal_is_average_pooling():
    output = look(torch.full((5,), 2.5), None).output
    expected = torch.nn.functional.avg_pool1d(VALUES.T, len(DESK)).T
    assert torch.allclose(output, expected)


def test_one_blend_is_a_row_of_many():
    output, weights = look(SALIENCY, "read", 0.37)
    many = look(SALIENCY, "read", BLENDS)
    assert torch.allclose(weights[0], many.weights[37])
    assert torch.allclose(output[0], many.output[37])
    assert cue_scores(SALIENCY, "read", 0.37).shape == (1, len(DESK))


@pytest.mark.parametrize("goal", [*PURPOSES, None])
@pytest.mark.parametrize("place", [0, 37, 100])
def test_what_the_page_runs_at_a_blend_is_the_frame_there(goal, place):
    blend = BLENDS[place].item()
    shown = desk_attention(SALIENCY, KEYS, VALUES, QUERIES[goal], blend) if goal else without_query(SALIENCY, VALUES)
    output, weights = look(SALIENCY, goal, BLENDS)
    assert torch.allclose(shown["scores"], cue_scores(SALIENCY, goal, blend)[0], atol=1e-14)
    assert torch.allclose(shown["weights"], weights[place], atol=1e-14)
    assert torch.allclose(shown["output"], output[place], atol=1e-13)


def test_the_desk_is_whole():
    assert KEYS.shape == (len(DESK), len(PURPOSES))
    assert VALUES.shape == (len(DESK), len(GAINS))
    assert KEYS.dtype == VALUES.dtype == SALIENCY.dtype == torch.float64
    assert SALIENCY.argmax() == names.index("coffee cup")
    assert SALIENCY.max() <= STRENGTH


@pytest.mark.parametrize(
    ("saliency", "goal", "blend", "said"),
    [
        (torch.ones(4), "read", 0.5, "each of the 5 objects, not 4"),
        (torch.tensor([1.0, 2, 3, 4, float("nan")]), "read", 0.5, "saliency must be finite"),
        (SALIENCY, "sleep", 0.5, "goal must be one of drink, read, write"),
        (SALIENCY, "read", 1.01, "blend must be from 0 to 1"),
        (SALIENCY, "read", torch.tensor([-0.1, 0.5]), "blend must be from 0 to 1"),
        (SALIENCY, "read", float("nan"), "blend must be finite"),
    ],
)
def test_bad_input_is_named_in_one_sentence(saliency, goal, blend, said):
    with pytest.raises(InputError, match=said):
        look(saliency, goal, blend)
