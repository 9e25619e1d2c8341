"""The numbers of the decoder's views: against the core's own passes, and counted by hand."""

import torch

from attention_core.demos.alignment import alignment, exact_by_length, explanation
from attention_core.sequences.checkpoint import load
from attention_core.sequences.decoding import exact_match, trace
from attention_core.sequences.tasks import TASKS, Lengths, strings
from attention_core.sequences.trained import MODELS, answers, held_by, held_with_swaps, one_answer, swapped_by
from attention_core.sequences.vocabulary import END, PADDING
from tests.attention_core.sequences.occluded import agreement, occlude

REVERSE = TASKS["reverse"]


def test_the_alignment_of_the_states_is_that_of_the_models_pass():
    shown = alignment(held_by("dates", "3 May 1998"), TASKS["dates"].target.symbols)
    expected = trace(load("dates"), TASKS["dates"], "3 May 1998")
    assert tuple(shown["symbols"]) == expected.symbols
    for name in ("scores", "weights", "contexts", "probabilities"):
        torch.testing.assert_close(shown[name], getattr(expected, name))


def test_the_explanation_is_the_occlusion():
    shown = explanation(held_with_swaps("reverse", "31415"), swapped_by("reverse", "31415", 2))
    traced, effects = occlude(load("reverse"), REVERSE, "31415")
    torch.testing.assert_close(shown["effects"], effects)
    expected = torch.tensor(agreement(traced.weights, effects), dtype=torch.float64)
    torch.testing.assert_close(shown["agreed"], expected, atol=1e-6, rtol=0)
    assert shown["changes"].tolist() == [9, 0]


def test_exact_match_by_length_is_the_cores():
    shown = exact_by_length(answers(3, 20), one_answer(5))
    assert shown["digits"].tolist() == [1, 2, 3]
    texts = [strings(REVERSE, 20, 0, "unseen", Lengths(n, n)) for n in (1, 2, 3)]
    for name, model in MODELS.items():
        assert shown[name].tolist() == [exact_match(load(model), REVERSE, each) for each in texts]


def test_what_does_not_end_or_ends_too_soon_is_not_right():
    read = torch.tensor([[[3, PADDING]] * 3, [[3, 4]] * 3])  # two lengths, three strings of each
    written = torch.tensor([[[3, END, 0], [3, 3, END], [4, END, 0]], [[4, 3, END], [4, END, 0], [4, 3, END]]])
    one = {"read": torch.tensor([3, 4, 5])} | dict.fromkeys(
        ("with_attention", "fixed_context"), torch.tensor([5, 4, 4])
    )
    shown = exact_by_length({"read": read, "with_attention": written, "fixed_context": written}, one)
    torch.testing.assert_close(shown["with_attention"], torch.tensor([1 / 3, 2 / 3], dtype=torch.float64))
    assert shown["in_place"].tolist() == [2, 2]
