"""Occlusion: on a model whose true dependence is known, against a plain loop, and correlations against scipy."""

import math

import pytest
import torch
from scipy import stats

from attention_core.checks import InputError
from attention_core.sequences.decoding import outputs, trace
from attention_core.sequences.occlusion import (
    alternatives,
    pearson,
    ranks,
    replaced,
    spearman,
    swap_most_attended,
)
from attention_core.sequences.seq2seq import Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import TASKS
from tests.attention_core.sequences.occluded import agreement, occlude

REVERSE, DATES = TASKS["reverse"], TASKS["dates"]


def untrained(task, attention=True):
    model = Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), 10, 6, attention=attention), seed=1)
    return model.requires_grad_(False)


def test_alternatives_are_of_the_same_kind():
    assert alternatives(REVERSE, "3") == "012456789"
    assert alternatives(DATES, "M") == alternatives(DATES, "m") == "abcdefghijlnoprstuvwy"
    assert alternatives(DATES, ",") == " ."
    assert replaced("1234", 2, "9") == "1294"


@pytest.mark.parametrize(("task", "text"), [(REVERSE, "3141"), (DATES, "May 3, 1998")], ids=["reverse", "dates"])
@pytest.mark.parametrize("attention", [True, False])
def test_the_effects_are_those_of_changing_one_symbol_at_a_time(task, text, attention):
    model = untrained(task, attention)
    traced, effects = occlude(model, task, text)
    written = torch.tensor([[task.target.symbols.index(symbol) for symbol in traced.symbols]])  # (1, T)
    rows = torch.arange(written.shape[1])

    def probability(changed):
        logits = model(torch.tensor([task.source.encode(changed)]), written).logits
        return logits[0].softmax(-1)[rows, written[0]]  # (T,)

    assert effects.shape == (len(rows), len(text))
    assert effects.abs().max() > 1e-3
    for position in (0, 1, len(text) - 1):
        others = alternatives(task, text[position])
        mean = sum(probability(replaced(text, position, other)) for other in others) / len(others)
        assert torch.allclose(effects[:, position], probability(text) - mean, atol=1e-6)


def test_what_the_model_cannot_see_has_no_effect():
    model = untrained(REVERSE)
    model.encoder.embedding.weight[3:] = model.encoder.embedding.weight[3]  # all digits look alike
    assert occlude(model, REVERSE, "31415").effects.abs().max() < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_correlations_are_scipys_with_ties_too(seed):
    generator = torch.Generator().manual_seed(seed)
    a = torch.randint(0, 6, (7, 5), generator=generator).double()
    b = a + torch.randn(7, 5, generator=generator).round()
    flat_a, flat_b = a.flatten().numpy(), b.flatten().numpy()
    assert pearson(a, b) == pytest.approx(stats.pearsonr(flat_a, flat_b).statistic, abs=1e-12)
    assert spearman(a, b) == pytest.approx(stats.spearmanr(flat_a, flat_b).statistic, abs=1e-12)
    assert ranks(a.flatten()).tolist() == stats.rankdata(flat_a).tolist()


def test_agreement():
    weights = torch.tensor([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    assert agreement(weights, 2 * weights) == pytest.approx((1, 1, 1, 3))
    assert agreement(weights, torch.tensor([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])).same_peak == pytest.approx(2 / 3)
    nothing = agreement(weights, torch.zeros(3, 2))
    assert math.isnan(nothing.pearson)
    assert math.isnan(nothing.same_peak), "rows where nothing matters do not count as agreement"
    assert nothing.rows == 0
    assert agreement(weights, torch.tensor([[0.01, 0.0], [0.8, 0.2], [0.3, 0.1]]))[2:] == (0.5, 2)


@pytest.mark.parametrize("least", [False, True])
def test_swapping_replaces_just_the_most_or_least_attended_symbol(least):
    model, text = untrained(REVERSE), "31415"
    traced = trace(model, REVERSE, text)
    swaps = swap_most_attended(model, REVERSE, text, 1, least)
    position = int(traced.weights[1].argmin() if least else traced.weights[1].argmax())
    assert [swap.text for swap in swaps] == [replaced(text, position, d) for d in "0123456789" if d != text[position]]
    assert [swap.output for swap in swaps] == outputs(model, REVERSE, [swap.text for swap in swaps])
    assert [swap.changed for swap in swaps] == [
        trace(model, REVERSE, swap.text).symbols[1] != traced.symbols[1] for swap in swaps
    ]


def test_a_row_that_was_not_written_is_an_error():
    with pytest.raises(InputError, match="row must be a whole number from 0 to"):
        swap_most_attended(untrained(REVERSE), REVERSE, "314", 99)
