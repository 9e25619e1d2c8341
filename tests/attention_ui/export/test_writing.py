"""Calls written as Python give back what they gave, to the last digit, and fit a page."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_ui.export.modules import Place
from attention_ui.export.writing import COLUMNS, MOST_WRITTEN, Call, Field, FromFile, Known, Writer, places


class Pair(NamedTuple):
    first: object
    second: object


@dataclass(frozen=True)
class Config:
    steps: int
    rate: float = 0.1


def twice(value, times=2):
    return times * value


HERE = {Place(__name__, name): name for name in ("Pair", "Config", "twice")}


def read_back(value):
    text = Writer(HERE).written(value, "value")
    assert max(map(len, text.splitlines())) <= COLUMNS
    return eval(text, {"torch": torch, "Pair": Pair, "Config": Config, "twice": twice})  # our own text


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, -0.1, 1e-300, "text", "it's", 'a "word"', "a\nb\\", (), (1,), [1, 2], {"a": 1, "it's": (2,)}),
        *(
            Pair(1, "x"),
            Config(3),
            Config(3, 0.5),
            torch.float32,
            twice,
            torch.linspace,
            torch.optim.Adam,
            math.inf,
            -math.inf,
        ),
        {f"name {place}": list(range(30)) for place in range(5)},
    ],
)
def test_values_are_read_back(value):
    assert read_back(value) == value


def test_what_is_no_number_is_read_back():
    assert math.isnan(read_back(math.nan))
    assert read_back(torch.tensor([math.nan, math.inf, 1.0])).isnan().tolist() == [True, False, False]


@given(st.lists(st.floats(allow_nan=False, width=64), min_size=1, max_size=200))
def test_every_digit_of_a_tensor_is_read_back(numbers):
    tensor = torch.tensor(numbers, dtype=torch.float64)
    assert torch.equal(read_back(tensor), tensor)
    assert torch.equal(read_back(tensor.float()), tensor.float())


@pytest.mark.parametrize("shape", [(), (0,), (3, 1), (2, 3, 4), (30, 30)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.int64, torch.bool])
def test_every_shape_and_kind_is_read_back(shape, dtype):
    tensor = (torch.rand(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 7).to(dtype)
    found = read_back(tensor)
    assert found.dtype == dtype
    assert torch.equal(found, tensor)


def test_a_call_is_run_and_written_with_the_calls_inside():
    call = Call(twice, Call(torch.arange, 3), times=Call(twice, 2))
    assert call.run().tolist() == [0, 4, 8]
    assert read_back(call).tolist() == [0, 4, 8]
    assert {*places(call)} == {Place(__name__, "twice"), Place("torch")}


def test_what_a_file_gave_stands_in_its_place():
    call = Call(twice, FromFile(Pair, 1, 2))
    assert call.run() == (1, 2, 1, 2)
    assert Writer(HERE).written(call, "") == "twice(Pair(1, 2))"
    assert Writer(HERE).written(call.without_files(), "") == "twice((1, 2))"


def test_many_numbers_are_kept_beside_the_script():
    many = torch.zeros(MOST_WRITTEN + 1)
    writer = Writer(HERE)
    call = Call(twice, many, times={"bias": many, "weight": many[:3]})
    assert writer.written(call, "shown") == 'twice(numbers["argument_0"], times=numbers["times"])'
    assert set(writer.numbers) == {"argument_0", "times/bias", "times/weight"}
    assert Place("torch") not in places(call)


def test_a_field_is_what_the_call_gave():
    assert Writer({}).written({"Head 1": Field("weights", 0, 2)}, "") == '{"Head 1": shown["weights"][0][2]}'


def test_what_is_known_is_not_computed_but_written_as_its_call():
    call = Call(twice, Known(7, twice, 3))
    assert call.run() == 14
    assert Writer(HERE).written(call, "value") == "twice(twice(3))"
