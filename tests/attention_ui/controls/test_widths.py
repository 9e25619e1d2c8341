"""The positions of the width slider."""

import itertools

import pytest

from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import usual_width, width_options, width_text


@pytest.mark.parametrize("span", [5.0, 60.0, 4700.0, 1e-9, 1e9])
def test_options_run_from_blurred_to_sharp_evenly_in_log(span):
    options = width_options(span)
    assert 115 <= len(options) <= 125
    assert options == sorted(set(options), reverse=True)
    ratios = [a / b for a, b in itertools.pairwise(options)]
    assert max(ratios) < 1.075
    assert min(ratios) > 1.04
    assert options[0] == pytest.approx(4 * span, rel=0.05)
    assert options[-1] == pytest.approx(0.004 * span, rel=0.05)


def test_round_numbers_are_among_them():
    assert {0.1, 0.2, 1.0, 10.0} <= set(width_options(5.0))


def test_any_width_can_join():
    assert 0.252254 in width_options(5.0, current=0.252254)
    assert len(width_options(5.0, current=0.252254)) == len(width_options(5.0)) + 1


def test_it_starts_at_d2ls_width():
    assert usual_width(Dataset()) == 1.0
    assert usual_width(Dataset.measured("engel")) == 1000


def test_both_read_outs():
    assert width_text(0.25) == "σ 0.25 · w 4"
