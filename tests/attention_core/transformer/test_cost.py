"""What a longer sequence costs: counts against torch's own counter, and a measurement that keeps within its bounds."""

import time
from itertools import count
from types import SimpleNamespace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from attention_core.checks import InputError
from attention_core.transformer.cost import LAYERS, measure


@pytest.mark.parametrize("name", ["attention", "convolution"])
@pytest.mark.parametrize(("n", "d", "k"), [(16, 8, 3), (50, 12, 5)])
def test_the_multiplications_are_those_torch_counts(name, n, d, k):
    run = LAYERS[name].build(d, k)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run(torch.ones(1, n, d))
    assert counter.get_total_flops() == 2 * LAYERS[name].counts(n, d, k)[0]  # each comes with an addition


def test_a_gru_multiplies_once_by_every_weight_for_every_symbol():
    weights = sum(p.numel() for p in torch.nn.GRU(12, 12, bias=False).parameters())
    assert LAYERS["recurrent"].counts(50, 12, 3)[0] == 50 * weights


def test_the_table_is_the_books():
    n, d, k = 60, 8, 5
    _, orders, steps, paths = zip(*(layer.counts(n, d, k) for layer in LAYERS.values()), strict=True)
    assert orders == (n**2 * d, n * d**2, k * n * d**2)
    assert steps == (1, n, 1)
    assert paths == (1, n, n // k)


@pytest.mark.parametrize("name", LAYERS)
def test_every_layer_keeps_the_shape(name):
    assert LAYERS[name].build(8, 3)(torch.ones(1, 10, 8)).shape == (1, 10, 8)


def test_every_layer_and_length_is_timed_and_the_best_only_gets_better():
    best = {}
    for timing in measure([8, 16], width=4, budget=5.0):
        assert 0 < timing.seconds <= best.get(timing[:2], timing.seconds)
        best[timing[:2]] = timing.seconds
    assert set(best) == {(name, length) for name in LAYERS for length in (8, 16)}


def test_it_ends_when_the_budget_is_used(monkeypatch):
    clock = count()
    slow = SimpleNamespace(perf_counter=lambda: next(clock) * 0.1, thread_time=time.thread_time)  # each run takes 0.1 s
    monkeypatch.setattr("attention_core.transformer.cost.time", slow)
    assert 2 <= len(list(measure([8, 16], width=4, budget=1.0))) <= 10


def test_a_run_that_will_not_fit_is_not_begun(monkeypatch):
    begun = []

    def seconds(run, length, width):
        begun.append(length)
        return length**2 / 1000

    monkeypatch.setattr("attention_core.transformer.cost._seconds", seconds)
    list(measure([4, 8, 1000], width=4, budget=1.0))
    assert set(begun) == {4, 8}


def test_whoever_looks_on_keeps_gradients_and_random_numbers():
    torch.manual_seed(0)
    run = measure([8], width=4)
    state = torch.get_rng_state()
    next(run)
    assert torch.is_grad_enabled()
    assert torch.equal(torch.get_rng_state(), state)
    run.close()


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: measure(kernel=4), "kernel must be odd"),
        (lambda: measure([3000]), "each length must be a whole number from 1 to 2,048"),
        (lambda: measure(budget=60), "budget must be a number from 0.01 to 10"),
    ],
)
def test_bad_input_is_said_in_a_sentence(made, sentence):
    with pytest.raises(InputError, match=sentence):
        made()
