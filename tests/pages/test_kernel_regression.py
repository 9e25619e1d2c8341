"""The lab's logic: what its widgets and links set, and that every number on it is torch's."""

import re
from functools import partial

import pytest
import torch
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.testing.v1 import AppTest

from attention_core.data import generate, measured, query_grid, truth
from attention_core.kernels import KERNELS
from attention_core.pooling import kernel_pool
from attention_core.regression.estimator import Estimator
from attention_core.regression.growth import growth
from attention_core.regression.more_data import consistency
from attention_core.regression.quality import sharpness
from attention_core.regression.redraw import Recipe
from attention_core.regression.selection import best_width, loo_losses, scott_width, silverman_width
from attention_ui.chapters.kernel_regression import views
from attention_ui.chapters.kernel_regression.choices import TABS
from attention_ui.chapters.kernel_regression.views import NEEDS_NEW_DATA
from attention_ui.link.points import packed_points
from tests.pages import opening


def opened(**parameters):
    return opening.opened("kernel_regression", **{f"kr_{name}": value for name, value in parameters.items()})


def table(app):
    """The numbers tab's table at the current width, by column."""
    (sent,) = opening.sent(app, "kr_numbers")["panels"]
    rows = [*sent["rows"], *sent["live"][frame(app)]]
    return {name: list(column) for name, column in zip(sent["head"], zip(*rows, strict=True), strict=True)}


def sentence(app):
    """What the numbers tab says below its table."""
    (sent,) = opening.sent(app, "kr_numbers")["panels"]
    return sent["note"].format(*sent["noted"][frame(app)])


def frame(app):
    return opening.sent(app, "update_kr_stage")["frame"]


def test_the_defaults_are_d2ls_experiment():
    app = opened()
    assert app.select_slider(key="kr_width").value == 1.0
    errors = [float(error) for error in table(app)["True error"]]
    assert errors[1] == errors[2] == pytest.approx(0.4276, abs=1e-4)
    assert float(table(app)["Leave-one-out error"][2]) == pytest.approx(38.933236 / 50, rel=1e-3)


def test_exact_numbers_say_which_frames_they_belong_to():
    app = opened()
    names = [opening.sent(app, "kr_stage")["name"]]
    assert opening.sent(app, "update_kr_stage")["frames"] == names[0]
    app.number_input(key="kr_seed").set_value(1).run()
    names.append(opening.sent(app, "kr_stage")["name"])
    assert opening.sent(app, "update_kr_stage")["frames"] == names[1] != names[0]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_full_link_sets_everything_and_the_numbers_follow(kernel):
    app = opened(kernel=kernel, width="0.5", n="120", noise="0.25", seed="7", function="bump")
    samples, grid = generate("bump", 120, 0.25, 7), query_grid()
    output, weights = kernel_pool(grid, *samples, 0.5, kernel)
    error = (output - truth("bump", grid))[output.isfinite()].square().mean().item()
    assert float(table(app)["True error"][2]) == pytest.approx(error, rel=1e-3)
    loo = loo_losses(samples, [0.5], kernel).item()
    assert float(table(app)["Leave-one-out error"][2]) == pytest.approx(loo, rel=1e-3)
    neighbours = re.search(r"number of keys is ([\d.]+):", sentence(app))
    assert float(neighbours[1]) == pytest.approx(sharpness(weights).neighbours, rel=1e-3)


@pytest.mark.parametrize("bad", ["NaN", "inf", "-inf", "1e99", "-1", "0", "<script>alert(1)</script>", "", "σ"])
def test_a_bad_width_or_query_in_the_link_falls_back(bad):
    app = opened(width=bad, query=bad, kernel="boxcar")
    assert app.select_slider(key="kr_width").value == 1.0
    assert app.pills(key="kr_kernel").value == "boxcar", "the other values must survive"


@pytest.mark.parametrize(
    ("rule", "width"),
    [
        ("leave_one_out", lambda data: best_width(data)),
        ("silverman", silverman_width),
        ("scott", scott_width),
    ],
)
def test_the_rules_set_their_width_to_six_digits(rule, width):
    app = opened()
    app.button(key=f"kr_rule_{rule}").click().run()
    expected = width(generate())
    assert app.select_slider(key="kr_width").value == pytest.approx(expected, rel=1e-5)
    assert float(app.query_params["kr_width"]) == pytest.approx(expected, rel=1e-5)


def test_the_table_tells_every_width_of_the_slider():
    app = opened()
    (sent,) = opening.sent(app, "kr_numbers")["panels"]
    widths = app.select_slider(key="kr_width").options
    assert len(sent["live"]) == len(sent["noted"]) == len(widths)
    for place in (0, 60, -1):
        width = float(re.search(r"σ ([\d.]+)", widths[place])[1])
        assert float(sent["live"][place][0][2]) == pytest.approx(loo_losses(generate(), [width]).item(), rel=1e-3)


def test_a_link_keeps_a_width_between_two_steps():
    assert opened(width="0.252254").select_slider(key="kr_width").value == 0.252254


def test_regenerating_keeps_the_width():
    app = opened(width="0.251")
    before = table(app)["Leave-one-out error"][2]
    app.button(key="kr_regenerate").click().run()
    assert app.select_slider(key="kr_width").value == 0.251
    assert table(app)["Leave-one-out error"][2] != before


@pytest.mark.parametrize("tab", list(TABS))
@pytest.mark.parametrize("function", ["wave", "motorcycle"])
@pytest.mark.parametrize("linear", ["true", "false"])
def test_every_tab_opens(tab, function, linear):
    app = opened(tab=tab, function=function, linear=linear, kernel="tricube")
    assert not app.error


@pytest.mark.parametrize(
    ("lock", "marks"),
    [
        ("", ["Leave-one-out 0.252", "Silverman 0.582", "Scott 0.685"]),
        ("rule_leave_one_out,rule_scott", ["Silverman 0.582"]),
    ],
)
def test_a_locked_rule_does_not_give_its_width_away(lock, marks):
    app = opening.opened("kernel_regression", kr_tab="which_width", **({"lock": lock} if lock else {}))
    (graph,) = opening.sent(app, "kr_errors")["graphs"]
    assert [mark["name"] for mark in graph["marks"]] == marks
    for mark in graph["marks"]:
        assert mark["y"] == pytest.approx(loo_losses(generate(), [mark["x"]]).item())
    assert ("Leave-one-out 0.252" in graph["text"]) == (not lock)


def test_a_place_on_the_curve_of_errors_sets_the_width():
    app = opened(tab="which_width")
    (graph,) = opening.sent(app, "kr_errors")["graphs"]
    widths, errors = graph["ball"]
    assert errors[60] == pytest.approx(loo_losses(generate(), [widths[60]]).item(), rel=1e-6)
    assert app.select_slider(key="kr_width").value == widths[frame(app)] == 1.0


def test_only_the_open_tab_draws():
    drawn = [each.proto.id for each in opened(tab="One query").get("bidi_component")]
    assert not any(name.endswith("-kr_numbers") for name in drawn)
    assert table(opened(tab="Numbers"))


def test_measured_data_say_that_their_truth_is_unknown():
    app = opened(function="engel")
    assert "True error" not in table(app)
    assert "The true curve is unknown." in sentence(app)
    assert opened(function="engel", tab="More data").info[0].value == NEEDS_NEW_DATA
    span = float(measured("engel").x.max() - measured("engel").x.min())
    assert app.select_slider(key="kr_width").value == pytest.approx(span / 5, rel=0.15)


def test_edited_points_are_still_held_against_their_truth():
    x, y = (
        torch.cat([column, column.new_tensor([extra])]) for column, extra in zip(generate(), (2.5, 9.0), strict=True)
    )
    order = x.argsort()
    points = packed_points(torch.cat([x[order], y[order]]).numpy().tobytes(), "x", "y", "wave")
    app = opened(function="Your own data", points=points, width="0.251")
    queries = query_grid()  # those of the curve behind them: a moved point must not change what is compared
    output = kernel_pool(queries, x[order], y[order], 0.251).output
    expected = (output - truth("wave", queries)).square().mean().item()
    assert float(table(app)["True error"][-1]) == pytest.approx(expected, rel=1e-3)
    assert "unknown" not in sentence(app)


def test_queries_out_of_reach_are_counted():
    app = opened(kernel="boxcar", width="0.0502")
    lost = int(kernel_pool(query_grid(), *generate(), 0.0502, "boxcar").output.isnan().sum())
    assert lost > 0
    assert any(f"{lost} of 50 queries reach no key" in caption.value for caption in app.caption)


def test_a_pinned_query_is_written_out():
    app = opened(tab="One query", query="1.5", width="0.3")
    output, weights = kernel_pool(torch.tensor([1.5], dtype=torch.float64), *generate(), 0.3)
    assert any(f"f(1.5) &\\approx {weights.max():.4f}" in latex.value for latex in app.latex)
    assert any(f"instead of {output.item():.4g}" in text.value for text in app.markdown)


def more_data_alone():
    """The tab by itself: AppTest forgets which tab is open from one run to the next."""
    import streamlit as st

    from attention_ui.chapters.kernel_regression.choices import Asked
    from attention_ui.chapters.kernel_regression.views import more_data
    from attention_ui.controls.dataset import Dataset

    st.session_state["kr_width"] = 1.0
    more_data(Asked("kr", Dataset(n=10), "gaussian", False, (1.0,), 2.5)).afterwards()


def test_more_data_runs_and_is_kept(monkeypatch):
    monkeypatch.setattr(views, "consistency", partial(consistency, sizes=(10, 20, 50)))
    app = AppTest.from_function(more_data_alone, default_timeout=120).run()
    app.button(key="kr_more_run").click().run()
    assert not app.exception
    first = app.session_state["kr_more_ran"][1]
    assert {point.rule for point in first} == {"fixed", "rule_of_thumb", "leave_one_out"}
    assert max(point.n for point in first) == 50
    app.run()
    assert app.session_state["kr_more_ran"][1] is first


def time_alone():
    """The tab by itself."""
    import streamlit as st

    from attention_ui.chapters.kernel_regression.choices import Asked
    from attention_ui.chapters.kernel_regression.views import time_grows
    from attention_ui.controls.dataset import Dataset

    st.session_state["kr_width"] = 1.0
    time_grows(Asked("kr", Dataset(n=10), "gaussian", False, (1.0,), 2.5)).afterwards()


def test_the_growth_of_the_time_is_measured_on_request_and_told(monkeypatch):
    monkeypatch.setattr(views, "growth", partial(growth, sizes=(50, 100, 200)))
    app = AppTest.from_function(time_alone, default_timeout=120).run()
    assert not any("every pair" in text.value for text in app.markdown)
    app.button(key="kr_time_run").click().run()
    assert not app.exception
    assert [(each.way, each.n) for each in app.session_state["kr_time_ran"][1]][-2:] == [("pairs", 200), ("sums", 200)]
    assert any("With 200 points every pair takes" in text.value for text in app.markdown)


def test_an_experiment_that_is_stopped_keeps_what_it_has_found(monkeypatch):
    def stopped(*_):
        yield from consistency(Recipe(n=10), Estimator(), (10, 20))
        raise StopException

    monkeypatch.setattr(views, "consistency", stopped)
    app = AppTest.from_function(more_data_alone, default_timeout=120).run()
    app.button(key="kr_more_run").click().run()
    assert [point.n for point in app.session_state["kr_more_ran"][1]] == [10] * 3 + [20] * 3
    app.run()
    assert opening.sent(app, "kr_more_picture")["graphs"]


def test_a_hundred_thousand_points_are_shown_by_columns_of_neighbours():
    app = opened(n="100000", width="0.1")
    assert not app.warning
    header = opening.sent(app, "kr_stage")
    assert header["panels"][0]["samples"] == 100_000
    assert len(header["panels"][1]["columns"]) == 100
    sent = {each.proto.id.rsplit("-", 1)[1]: each.proto.bytes for each in app.get("bidi_component")}
    assert sum(map(len, sent.values())) < 400_000


@pytest.mark.parametrize(("linear", "does"), [("false", "is average pooling"), ("true", "fits one straight line")])
def test_the_constant_kernel_is_called_what_it_is(linear, does):
    said = [each.value for each in opened(kernel="constant", linear=linear).caption]
    assert any(each.startswith("The constant kernel") and does in each for each in said)


def test_a_constant_kernel_with_a_local_line_fits_one_line():
    samples, queries = generate(), query_grid()
    line = Estimator(0.3, "constant", True).predict(queries, samples)
    slope, start = torch.linalg.lstsq(
        torch.stack([samples.x, torch.ones(50)], 1), samples.y[:, None]
    ).solution.flatten()
    torch.testing.assert_close(line, start + slope * queries)
