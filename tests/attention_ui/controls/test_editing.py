"""Points that are edited in a table or added by clicks: never lost, never nonsense, and undone by Reset."""

import math

import pandas as pd
import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.checks import InputError
from attention_core.data import Samples, generate
from attention_ui.controls import own_data
from attention_ui.controls.dataset import OWN, Dataset
from tests.attention_ui.controls.choosing import (
    GOOD,
    GOOD_POINTS,
    captions,
    click,
    opened,
    pairs,
    select,
    shown,
    upload,
)


def test_an_added_point_makes_own_data_and_reset_undoes_it() -> None:
    app = opened(function="gap", n="12", seed="3")
    drawn = shown(app)["points"]
    click(click(app, "add"), "add")
    assert shown(app)["name"] == OWN
    assert shown(app)["title"] == "Sine with a gap, edited"
    assert shown(app)["points"] == sorted([*drawn, [2.5, 9.0], [2.5, 9.0]])
    assert app.query_params["first_function"] == OWN
    click(app, "reset")
    assert shown(app)["points"] == drawn
    assert app.query_params["first_function"] == "gap"
    assert (app.query_params["first_n"], app.query_params["first_seed"]) == ("12", "3")


def test_reset_returns_to_what_was_uploaded() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    assert [2.5, 9.0] in shown(app)["points"]
    click(app, "reset")
    assert shown(app)["points"] == GOOD_POINTS
    assert not [button for button in app.button if button.key == "first_reset"]


def test_reset_returns_to_where_the_edit_began_even_after_a_detour() -> None:
    app = click(opened(n="20", seed="3"), "add")
    select(app, "line")
    app.slider(key="first_n").set_value(30).run()
    click(select(app, OWN), "reset")
    assert shown(app)["points"] == pairs(generate("wave", 20, 0.5, 3))


def test_edits_of_other_data_do_not_cost_those_of_ones_own() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    edited = shown(app)["points"]
    click(click(select(app, "line"), "add"), "reset")
    assert shown(app)["name"] == "line"
    assert shown(select(app, OWN))["points"] == edited


def test_a_bad_file_does_not_cost_the_edits() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    edited = shown(app)["points"]
    upload(app, b"x,y\n1,2\n2,oops\n3,4\n")
    assert shown(app)["points"] == edited
    assert "Still in use: 5 points, 'heat.csv', edited." in captions(app)
    upload(app, GOOD)
    assert shown(app)["points"] == GOOD_POINTS


def test_the_editor_opens_for_up_to_500_points() -> None:
    app = opened(n="500")
    click(app, "edit")
    assert len(app.data_editor[0].value) == 500
    click(click(app, "add"), "add")
    assert not [button for button in app.button if button.key == "first_edit"]
    assert "More than 500 points" in captions(app)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([1, 2, None, 4], [1, 2, 3, 4], "Column 'time' has no number in row 3."),
        ([1, 2, 3, None], [1, 2, 3, None], "Column 'time' has no number in row 4."),
        ([1, 2, 3, 4], [1, math.inf, 3, 4], "Column 'heat' is infinite or beyond 1e+100 in row 2."),
        ([1, 2], [1, 2], "The data must have 3 to 50,000 rows; there are 2."),
        ([5, 5, 5], [1, 2, 3], "Column 'time' is 5 in every row: there is nothing to tell the points apart by."),
        ([None, None, None], [1, 2, 3], "Column 'time' has no number in 3 rows: 1, 2 and 3."),
        ([], [], "Column 'time' must hold at least one number; there are none."),
    ],
)
def test_bad_rows_of_the_editor_are_explained(x: list, y: list, said: str) -> None:
    rows = pd.DataFrame({"time": x, "heat": y}, index=range(1, len(x) + 1))
    with pytest.raises(InputError) as caught:
        own_data._points(rows)
    assert str(caught.value) == said


def test_columns_of_the_same_name_are_told_apart_in_the_editor() -> None:
    samples = Samples(*torch.tensor([[1.0, 2, 3], [4, 5, 6]], dtype=torch.float64))
    assert list(own_data._rows(Dataset.own(samples, "same", "same", "a"))) == ["x", "y"]


# Clicks.


def taken(point: object, **asked: str) -> AppTest:
    """The page after its stage has sent this as a clicked point."""
    app = opened(**asked)
    app.session_state["first_stage"] = {"point": point}
    return click(app, "take")


def test_a_click_on_the_stage_adds_its_point() -> None:
    assert [2.5, 0.25] in shown(taken([2.5, 0.25], n="12"))["points"]


@pytest.mark.parametrize(
    "point",
    [
        None,
        [],
        [1.0],
        [1.0, 2.0, 3.0],
        "12",
        {"x": 1},
        [None, 1.0],
        ["a", 1.0],
        [math.nan, 1.0],
        [1.0, math.inf],
        [9.0, 1.0],
    ],
)
def test_what_no_stage_would_send_adds_nothing(point: object) -> None:
    app = taken(point, n="12")
    assert not app.exception
    assert shown(app)["name"] == "wave"


def test_nothing_is_added_to_as_many_points_as_can_be_edited_or_where_a_lesson_hides_them() -> None:
    assert shown(taken([2.5, 0.25], n="500"))["name"] == "wave"
    for name in ("edit", "function"):
        locked = opened(n="12")
        locked.query_params["lock"] = name
        locked.session_state["first_stage"] = {"point": [2.5, 0.25]}
        assert shown(click(locked.run(), "take"))["name"] == "wave"
