"""Numbers on the screen."""

import math

import pytest

from attention_ui.numbers import short


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1000.0, "1000"),
        (1023.4, "1020"),
        (0.25, "0.25"),
        (0.252254, "0.252"),
        (3.0, "3"),
        (19.953, "20"),
        (-0.001234, "-0.00123"),
        (0.0, "0"),
        (0.99951, "1"),
        (1.5e-7, "1.5e-07"),
        (2.5e9, "2.5e+09"),
        (math.nan, "none"),
    ],
)
def test_three_digits(number, text):
    assert short(number) == text


def test_more_digits():
    assert short(123456.7, 4) == "123500"
    assert short(0.123456, 4) == "0.1235"
