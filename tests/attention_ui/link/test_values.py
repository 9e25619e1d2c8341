"""How a link writes a value, and what it reads: ids and numbers, whoever wrote them, and nothing else."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_ui.link.values import number_reader, option_reader, options_reader, switch_reader, written, written_list


@given(some.floats(-1e6, 1e6).map(lambda number: float(f"{number:.15g}")))
def test_a_number_comes_back(number: float) -> None:
    assert number_reader(-1e6, 1e6)(written(number)) == number


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (3, "3"), (3.0, "3"), (math.inf, "inf"), (None, "")])
def test_a_value_is_written_plainly(value: object, text: str) -> None:
    assert written(value) == text


@pytest.mark.parametrize("text", ["11", "-1", "NaN", "inf", "1e999", "9" * 5_000, "abc", "", "\x00", "2.5"])
def test_a_whole_number_out_of_range_or_broken_is_refused(text: str) -> None:
    assert number_reader(0, 10)(text) is None


def test_a_whole_number_may_be_written_as_any_number() -> None:
    assert [number_reader(0, 10)(text) for text in ("7", "7.0", "7e0", " 7 ")] == [7] * 4
    assert isinstance(number_reader(0, 10)("7.0"), int)


def test_a_switch_is_true_or_false() -> None:
    assert [switch_reader(text) for text in ("true", "TRUE", "false", "1", "")] == [True, True, False, None, None]


def test_an_option_is_read_by_its_id_and_a_number_however_it_is_written() -> None:
    assert option_reader(["wave", "line"])("line") == "line"
    assert option_reader(["wave", "line"])("Line") is None
    assert option_reader([0.5, 1.0, 2.0])("1e0") == 1.0
    assert option_reader([0.5, 1.0, 2.0])("1.1") is None
    assert option_reader(["1", "2"])("1.0") is None, "an id is no number"


def test_several_options_are_all_known_or_refused() -> None:
    read = options_reader([1, 2, 3, 4], most=2)
    assert [read(text) for text in ("2", "3,1", "", "4,4,4")] == [[2], [3, 1], [], [4]]
    assert [read(text) for text in ("5", "1,x", "1,,2", ",")] == [None] * 4
    assert read("1,2,3") == [1, 2]
    assert written_list([3, 1]) == "3,1"
