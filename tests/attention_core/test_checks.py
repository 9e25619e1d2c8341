"""Bad arguments give one kind of error, with a sentence that names the field and what is allowed."""

import math

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import generate
from attention_core.learning.training import TrainingConfig
from attention_core.pooling import average, kernel_pool
from attention_core.regression.local_linear import local_linear, local_lines
from attention_core.regression.prediction import predict
from attention_core.regression.selection import best_width, loo_losses

three = torch.tensor([0.0, 1.0, 2.0])
POOLS = [kernel_pool, predict, local_linear, local_lines]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("width", [0.0, -1.0, math.nan, math.inf, -math.inf, 1e-60, 1e101])
def test_a_width_must_be_positive_and_finite(pool, width):
    with pytest.raises(InputError, match=r"width must be a positive number from 1e-50 to 1e\+100, not "):
        pool(three, three, three, width)


@pytest.mark.parametrize("pool", [*POOLS, average])
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (torch.tensor([]), "at least one number"),
        (torch.tensor([0.0, math.nan, 1.0]), r"1 of 3 are not, the first is number 2 \(nan\)"),
        (torch.tensor([math.inf, 0.0, -math.inf]), r"2 of 3 are not, the first is number 1 \(inf\)"),
        (torch.tensor([0.0, 0.0, 1e101], dtype=torch.float64), r"the first is number 3 \(1e\+101\)"),
        (torch.zeros(2, 2), r"shape \(2, 2\)"),
    ],
)
def test_queries_keys_and_values_must_be_finite_lists(pool, position, bad, sentence):
    arguments = [three, three, three]
    arguments[position] = bad
    with pytest.raises(InputError, match=sentence) as caught:
        pool(*arguments)
    assert str(caught.value).startswith(("queries", "keys", "values")[position])


@pytest.mark.parametrize("pool", [*POOLS, average])
def test_keys_and_values_come_in_pairs(pool):
    with pytest.raises(InputError, match="there are 3 keys and 2 values"):
        pool(three, three, three[:2])


@pytest.mark.parametrize("pool", POOLS)
def test_an_unknown_kernel_is_answered_with_the_names_there_are(pool):
    with pytest.raises(InputError, match=r"kernel must be one of gaussian, boxcar, .*, not 'magic'"):
        pool(three, three, three, 1.0, "magic")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"function": "cosine"}, "function must be one of wave, line"),
        ({"n": 2}, "n must be a whole number from 3 to 1,000,000, not 2"),
        ({"n": 1_000_001}, "not 1000001"),
        ({"n": 50.0}, "n must be a whole number"),
        ({"n": True}, "n must be a whole number"),
        ({"noise": -0.1}, "noise must be a number from 0 to 100, not -0.1"),
        ({"noise": math.nan}, "not nan"),
        ({"noise": "loud"}, "not 'loud'"),
        ({"seed": -1}, "seed must be a whole number from 0 to 2,147,483,647"),
        ({"seed": 2**31}, "seed must be"),
        ({"function": "x" * 5000}, r"not 'x{36}\.\.\."),
    ],
)
def test_what_generate_refuses(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        generate(**arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"epochs": 0}, "epochs must be a whole number from 1 to 100,000, not 0"),
        ({"learning_rate": -1.0}, "learning rate must be"),
        ({"learning_rate": math.inf}, "not inf"),
        ({"w0": math.nan}, "w0 must be a number from"),
        ({"loss": "median"}, "loss must be one of sum, half, mean"),
        ({"optimizer": "rmsprop"}, "optimizer must be one of sgd, adam"),
    ],
)
def test_what_a_training_config_refuses(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        TrainingConfig(**arguments)


@pytest.mark.parametrize("width", [0.0, math.nan, -1.0])
def test_every_width_of_a_grid_is_checked(width):
    with pytest.raises(InputError, match="width must be a positive number"):
        loo_losses(generate(), torch.tensor([1.0, width]))


def test_a_width_needs_three_points():
    with pytest.raises(InputError, match="3 to 1,000,000 rows; there are 2"):
        best_width((three[:2], three[:2]))
