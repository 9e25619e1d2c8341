"""Every pattern is made by softmax alone: rows sum to 1, and masks are those that torch and numpy know."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.demos.patterns import PATTERNS, pattern_frames, pattern_scores, pattern_weights


def weights_of(names, n, band=1, sharpness=1.0):
    """The weights (P, Q, K) of named patterns at one sharpness."""
    return pattern_frames(names, n, band, [sharpness])[0]


@pytest.mark.parametrize("sharpness", [0.1, 1.0, 10.0])
@pytest.mark.parametrize(("n", "band"), [(2, 0), (9, 2), (24, 6)])
def test_what_the_page_runs_at_a_sharpness_is_the_frame_there(n, band, sharpness):
    shown = pattern_weights({name: pattern.scores for name, pattern in PATTERNS.items()}, n, band, sharpness)
    assert list(shown["weights"]) == list(PATTERNS)
    assert torch.equal(torch.stack(list(shown["weights"].values())), weights_of(list(PATTERNS), n, band, sharpness))


@settings(max_examples=25)
@given(n=st.integers(2, 24), band=st.integers(0, 8), sharpness=st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0]))
def test_every_row_of_every_pattern_sums_to_one(n, band, sharpness):
    weights = weights_of(list(PATTERNS), n, band, sharpness)
    assert weights.shape == (len(PATTERNS), n, n)
    assert (weights >= 0).all()
    assert torch.allclose(weights.sum(-1), torch.ones(len(PATTERNS), n, dtype=torch.float64), atol=1e-12)


@pytest.mark.parametrize("name", PATTERNS)
def test_weights_are_torchs_softmax_of_the_scores(name):
    expected = torch.softmax(2.5 * pattern_scores(name, 9, 2), -1)
    assert torch.allclose(weights_of([name], 9, 2, 2.5)[0], expected, atol=1e-15)


def normalised(mask):
    return torch.tensor(mask / mask.sum(1, keepdims=True), dtype=torch.float64)


def test_the_masks_are_numpys():
    n, band = 7, 2
    ones = np.ones((n, n))
    assert torch.equal(weights_of(["uniform"], n)[0], normalised(ones))
    assert torch.equal(weights_of(["identity"], n)[0], torch.eye(n, dtype=torch.float64))
    assert torch.allclose(weights_of(["causal"], n)[0], normalised(np.tril(ones)))
    assert torch.allclose(weights_of(["banded"], n, band)[0], normalised(np.tril(np.triu(ones, -band), band)))
    blocks = np.kron(np.eye(3), np.ones((3, 3)))[:n, :n]
    assert torch.allclose(weights_of(["blocks"], n, band)[0], normalised(blocks))


def test_causal_weights_are_those_of_torchs_own_attention():
    n = 6
    values = torch.eye(n, dtype=torch.float64)[None]
    zeros = torch.zeros(1, n, 3, dtype=torch.float64)
    made = torch.nn.functional.scaled_dot_product_attention(zeros, zeros, values, is_causal=True)[0]
    assert torch.allclose(weights_of(["causal"], n)[0], made)


def test_sharpness_leaves_masks_alone_and_turns_preferences_into_choices():
    blurred, sharp = pattern_frames(list(PATTERNS), 8, 1, [0.0, 100.0])
    for place, name in enumerate(PATTERNS):
        masked = name in {"uniform", "identity", "causal", "banded", "blocks"}
        assert torch.allclose(blurred[place], sharp[place], atol=1e-12) == masked
    previous = list(PATTERNS).index("previous")
    assert sharp[previous].argmax(1).tolist() == [0, 0, 1, 2, 3, 4, 5, 6]
    assert torch.allclose(blurred[previous], torch.full((8, 8), 1 / 8, dtype=torch.float64))


def test_a_smaller_picture_of_chance_is_a_corner_of_a_larger_one():
    assert torch.allclose(pattern_scores("untrained", 5), pattern_scores("untrained", 9)[:5, :5], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((["spiral"], 5), "pattern must be one of nearby"),
        (([], 5), "at least one name"),
        ((["causal"], 1), "n must be a whole number from 2 to 64"),
        ((["causal"], 5, -1), "band must be a whole number"),
        ((["causal"], 5, 1, float("nan")), "sharpness must be a number from 0 to 100"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments, says):
    with pytest.raises(InputError, match=says):
        weights_of(*arguments)
