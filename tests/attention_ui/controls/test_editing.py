"""Points that are edited in a table or on the stage: never lost, never nonsense, and taken back by Undo and Reset."""

import math

import pandas as pd
import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.checks import InputError
from attention_core.data import Samples, generate
from attention_ui.controls import editing
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


def test_an_added_point_leaves_the_controls_as_they_are_and_reset_undoes_it() -> None:
    app = opened(function="gap", n="12", seed="3")
    drawn = shown(app)["points"]
    click(click(app, "add"), "add")
    assert shown(app)["title"] == "Sine with a gap, edited"
    assert shown(app)["points"] == sorted([*drawn, [2.5, 9.0], [2.5, 9.0]])
    assert app.selectbox(key="first_function").value == "gap"
    assert app.select_slider(key="first_n").value == 12
    assert not app.get("file_uploader")
    link = dict(app.query_params)
    click(app, "reset")
    assert shown(app)["points"] == drawn
    assert "first_points" not in app.query_params
    again = opened(**{name.removeprefix("first_"): text for name, text in link.items()})
    assert shown(again)["points"] == sorted([*drawn, [2.5, 9.0], [2.5, 9.0]])
    assert shown(again)["title"] == "Sine with a gap, edited"
    assert shown(click(again, "reset"))["points"] == drawn


def test_undo_takes_back_one_edit_after_the_other_also_of_more_points_than_a_link_holds() -> None:
    app = opened(n="300")
    drawn = shown(app)["points"]
    click(app, "add")
    once = shown(app)["points"]
    app.number_input(key="first_seed").set_value(4).run()
    click(app, "undo")
    assert shown(app)["points"] == once
    assert shown(click(app, "undo"))["points"] == drawn


def test_reset_returns_to_what_was_uploaded() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    assert [2.5, 9.0] in shown(app)["points"]
    click(app, "reset")
    assert shown(app)["points"] == GOOD_POINTS
    assert not [button for button in app.button if button.key == "first_reset"]


def test_other_data_are_not_edited_and_edits_are_there_again_after_a_detour() -> None:
    app = click(opened(n="20", seed="3"), "add")
    edited = shown(app)["points"]
    app.select_slider(key="first_n").set_value(30).run()
    assert shown(app)["points"] == pairs(generate("wave", 30, 0.5, 3))
    select(app, "line")
    assert shown(app)["name"] == "line"
    app.select_slider(key="first_n").set_value(20).run()
    assert shown(select(app, "wave"))["points"] == edited
    assert shown(click(app, "reset"))["points"] == pairs(generate("wave", 20, 0.5, 3))


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
        ([1, 2], [1, 2], "The data must have 3 to 1,000,000 rows; there are 2."),
        ([5, 5, 5], [1, 2, 3], "Column 'time' is 5 in every row: there is nothing to tell the points apart by."),
        ([None, None, None], [1, 2, 3], "Column 'time' has no number in 3 rows: 1, 2 and 3."),
        ([], [], "Column 'time' must hold at least one number; there are none."),
    ],
)
def test_bad_rows_of_the_editor_are_explained(x: list, y: list, said: str) -> None:
    rows = pd.DataFrame({"time": x, "heat": y}, index=range(1, len(x) + 1))
    with pytest.raises(InputError) as caught:
        editing._points(rows)
    assert str(caught.value) == said


def test_columns_of_the_same_name_are_told_apart_in_the_editor() -> None:
    samples = Samples(*torch.tensor([[1.0, 2, 3], [4, 5, 6]], dtype=torch.float64))
    assert list(editing._rows(Dataset.own(samples, "same", "same", "a"))) == ["x", "y"]


# The stage.


def taken(asked: object, **link: str) -> AppTest:
    """The page after its stage has sent this as an edit."""
    app = opened(**link)
    app.session_state["first_stage"] = {"edit": asked}
    return click(app, "take")


def test_points_are_added_moved_and_removed_on_the_stage() -> None:
    drawn = pairs(generate("wave", 12))
    sent = [float(f"{number:.7g}") for number in drawn[3]]  # a stage knows fewer digits
    assert shown(taken({"do": "add", "to": [2.5, 0.25]}, n="12"))["points"] == sorted([*drawn, [2.5, 0.25]])
    moved = shown(taken({"do": "move", "from": sent, "to": [2.5, 0.25]}, n="12"))["points"]
    assert moved == sorted([*drawn[:3], *drawn[4:], [2.5, 0.25]])
    app = taken({"do": "remove", "from": sent}, n="12")
    assert shown(app)["points"] == [*drawn[:3], *drawn[4:]]
    app.session_state["first_stage"] = {"edit": {"do": "reset"}}
    assert shown(click(app, "take"))["points"] == drawn


def test_a_point_that_is_dragged_is_tried_without_being_moved() -> None:
    sent = list(generate("wave", 12).x[:1].tolist()), list(generate("wave", 12).y[:1].tolist())
    app = taken({"do": "try", "from": [sent[0][0], sent[1][0]], "to": [2.5, 0.25]}, n="12")
    assert shown(app)["points"] == pairs(generate("wave", 12))
    tried = app.session_state["first_kept"].tried
    assert (2.5, 0.25) in tried.points
    assert len(tried.points) == 12


@pytest.mark.parametrize(
    "asked",
    [
        None,
        [],
        "add",
        {},
        {"do": "add"},
        {"do": "add", "to": [1.0]},
        {"do": "add", "to": "12"},
        {"do": "add", "to": {"x": 1}},
        {"do": "add", "to": [None, 1.0]},
        {"do": "add", "to": [math.nan, 1.0]},
        {"do": "add", "to": [1.0, math.inf]},
        {"do": "add", "to": [9.0, 1.0]},
        {"do": "move", "from": [1.0, 77.0], "to": [1.0, 2.0]},
        {"do": "remove", "from": [1.0, 77.0]},
        {"do": "explode"},
        {"do": ["add"], "to": [1.0, 2.0]},
    ],
)
def test_what_no_stage_would_send_changes_nothing(asked: object) -> None:
    app = taken(asked, n="12")
    assert not app.exception
    assert shown(app)["name"] == "wave"


def test_a_lesson_and_too_many_points_forbid_edits_and_say_why() -> None:
    assert shown(taken({"do": "add", "to": [2.5, 0.25]}, n="500"))["name"] == "wave"
    for name in ("edit", "function"):
        locked = opened(n="12")
        locked.query_params["lock"] = name
        locked.session_state["first_stage"] = {"edit": {"do": "add", "to": [2.5, 0.25]}}
        assert shown(click(locked.run(), "take"))["name"] == "wave"


def test_fewer_than_three_points_are_never_left() -> None:
    x, y = generate("wave", 3)
    app = taken({"do": "remove", "from": [x[0].item(), y[0].item()]}, n="3")
    assert shown(app)["name"] == "wave"
