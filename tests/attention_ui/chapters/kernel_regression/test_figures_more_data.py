"""The error as data grow: the numbers inside, and that nothing is told by colour alone."""

import pytest

from attention_core.regression.more_data import RULES as CORE_RULES
from attention_core.regression.more_data import Point
from attention_ui.chapters.kernel_regression.figures_more_data import GROWING, error_over_n


def test_errors_over_n_are_drawn_rule_by_rule_on_log_axes():
    points = [Point(rule, n, 1 / n, i + 1 / n) for n in (10, 100, 5000) for i, rule in enumerate(CORE_RULES)]
    figure = error_over_n(points)
    assert [trace.name for trace in figure.data] == ["Fixed width", "Rule of thumb", "Leave-one-out"]
    assert list(CORE_RULES) == list(GROWING)
    for i, trace in enumerate(figure.data):
        assert list(trace.x) == [10, 100, 5000]
        assert list(trace.y) == [i + 1 / n for n in (10, 100, 5000)]
        assert list(trace.customdata) == [1 / n for n in (10, 100, 5000)]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["10", "100", "5,000"]
    assert len({trace.line.dash for trace in figure.data}) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 3


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_picture_that_has_just_begun_can_be_drawn(count):
    points = [Point(rule, 10, 0.5, 0.0) for rule in list(CORE_RULES)[:count]]
    assert sum(len(trace.x) for trace in error_over_n(points).data) == count
