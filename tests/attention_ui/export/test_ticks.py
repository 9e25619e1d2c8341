"""The ticks of a log axis."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_ui.export.ticks import FEWEST, log_ticks


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.04, 2.5, "0.05 0.1 0.2 0.5 1 2"),
        (0.02, 20, "0.03 0.1 0.3 1 3 10"),
        (1e-3, 1e3, "0.001 0.01 0.1 1 10 100 1000"),
        (1e-9, 1e9, "10⁻⁹ 10⁻⁶ 0.001 1 1000 10⁶ 10⁹"),
        (2e6, 4e7, "2·10⁶ 5·10⁶ 10⁷ 2·10⁷"),
        (0.11, 0.9, "0.15 0.2 0.3 0.5 0.7"),
        (0.9, 1.2, "0.9 0.95 1 1.05 1.1 1.15 1.2"),
    ],
)
def test_log_ticks_are_round_numbers_written_out(low, high, shown):
    assert " ".join(log_ticks(low, high)["ticktext"]) == shown


@given(some.floats(-12, 12), some.floats(0.01, 15))
def test_every_log_axis_has_three_ticks_or_more_and_room_for_them(power, decades):
    low, high = 10**power, 10 ** (power + decades)
    ticks = log_ticks(low, high)
    assert FEWEST <= len(ticks["tickvals"]) == len(ticks["ticktext"]) <= 9
    assert ticks["tickvals"] == sorted(set(ticks["tickvals"]))
    assert all(low * 0.999 <= tick <= high * 1.001 for tick in ticks["tickvals"])
    assert len(set(ticks["ticktext"])) == len(ticks["ticktext"])
