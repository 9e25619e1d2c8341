"""What a browser holds: the link has its name, it comes back the way it came, and nothing else is taken for it."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from attention_core.learning.training import TrainingConfig
from attention_ui.chapters.learned_w.earlier import read_plans, written_plans
from attention_ui.chapters.learned_w.runs import Plan, Run
from attention_ui.controls import upload as upload_or_paste
from attention_ui.controls.dataset import Dataset
from attention_ui.link import held
from attention_ui.link.choice import REGISTER
from tests.attention_ui.controls.choosing import captions, opened, paste, select, shown, upload
from tests.pages import opening

ROWS = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (row, row % 7, row % 5) for row in range(600))
NAME = held.name_of(ROWS)
TEXT = "some points"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What the browser is told."""
    said: list[dict[str, object]] = []
    monkeypatch.setattr(held, "HELD", lambda key, data, **_: said.append({"key": key, **data}))
    return said


def test_a_large_file_is_held_by_its_name_and_comes_back_with_its_columns(told: list[dict[str, object]]) -> None:
    app = upload(select(opened(), "own"), ROWS)
    assert told[-1] == {"key": "held_first_file", "keep": NAME, "field": "first_upload"}
    assert app.query_params["first_file"] == NAME
    app.selectbox(key="first_y_column").set_value("c").run()
    assert app.query_params["first_columns"] == "0,2"
    points = shown(app)["points"]

    again = opened(**{name.removeprefix("first_"): text for name, text in app.query_params.items()})
    assert told[-1] == {"key": "held_first_file", "bring": NAME, "fields": ["first_upload", "first_pasted"]}
    assert not again.json, "the page waits for it, or would forget what else the link says"
    assert again.query_params == app.query_params
    upload(again, ROWS)  # as the browser does
    assert shown(again)["points"] == points
    assert again.query_params == app.query_params


def test_what_is_taken_out_of_its_field_is_forgotten(told: list[dict[str, object]]) -> None:
    app = paste(select(opened(), "own"), ROWS.decode())
    name = held.name_of(ROWS)
    assert told[-1]["keep"] == name
    paste(app, "")
    assert told[-1] == {"key": "held_first_file", "forget": name}
    assert "first_file" not in app.query_params
    assert "In use: 600 points, pasted." in captions(app)


def test_pasted_text_that_outlived_its_process_is_read_again(told: list[dict[str, object]]) -> None:
    app = AppTest.from_file("../../pages/data_page.py", default_timeout=30)
    app.query_params["first_function"], app.query_params["first_file"] = "own", NAME
    app.session_state["first_pasted"] = ROWS.decode()
    app.run()
    assert shown(app)["title"] == "pasted"


def test_a_file_is_read_by_the_run_after_one_that_was_ended_before_it_had(
    told: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened(function="own", file=NAME)
    assert "This browser is asked for the data of this link ..." in captions(app)
    with monkeypatch.context() as ended:
        ended.setattr(upload_or_paste, "_read_file", lambda page, reader: None)
        upload(app.run(), ROWS)
    assert not app.json
    app.run()
    assert shown(app)["title"] == "'heat.csv'"


def test_nobody_waits_for_a_file_that_came_and_cannot_be_used(told: list[dict[str, object]]) -> None:
    app = opened(function="own", file=held.name_of(b"x,y"))
    assert not app.json
    app = app.file_uploader(key="first_upload").set_value(("heat.csv", b"x,y", "text/csv")).run()
    assert len(app.error) == 1
    assert shown(app)["name"] == "wave"


def test_where_a_browser_has_nothing_the_page_says_so_and_goes_on(told: list[dict[str, object]]) -> None:
    app = opened(function="own", file=NAME)
    app.session_state["first_file_missing"] = NAME
    app.run()
    assert "exist only in the browser that loaded them. You see Wave." in captions(app)
    assert shown(app)["name"] == "wave"
    upload(app, b"x,y\n1,2\n2,3\n3,5\n")
    assert "first_file" not in app.query_params


def test_edits_of_more_points_than_a_link_takes_come_back(told: list[dict[str, object]]) -> None:
    app = opened(n="300")
    app.button(key="first_add").click().run()
    sent = told[-1]
    assert sent["keep"] == app.query_params["first_held"] == held.name_of(str(sent["text"]).encode())
    again = opened(n="300", held=str(sent["keep"]))
    assert told[-1] == {"key": "held_first_held", "bring": sent["keep"]}
    again.session_state["first_held_brought"] = sent["keep"], sent["text"]
    again.run()
    assert shown(again) == shown(app)
    assert again.query_params == app.query_params


@pytest.mark.parametrize("name", ["*bad*", "0" * 15, "0" * 17, "G" * 16, "../../etc/passwd", "0" * 16 + "\n"])
def test_what_is_no_name_is_ignored(name: str, told: list[dict[str, object]]) -> None:
    app = opened(function="own", file=name, held=name)
    assert shown(app)["name"] == "wave"
    assert told == []


@pytest.mark.parametrize("brought", [TEXT + "!", "", None, 5, [TEXT], {"a": TEXT}, "\ud800"], ids=repr)
def test_what_the_link_does_not_name_is_not_taken(brought: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "told", lambda key, name: brought)
    kept: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", {"kr_held": held.name_of(TEXT.encode())})
    held._take_answer("kr_held")
    assert kept == {"kr_held_missing": held.name_of(TEXT.encode())}
    monkeypatch.setattr(held, "told", lambda key, name: TEXT)
    held._take_answer("kr_held")
    assert held.held_text("kr_held") == TEXT


# Earlier runs.

PLANS = [
    Plan(Dataset("step", 20, 0.25, 3), TrainingConfig(epochs=5)),
    Plan(Dataset.measured("engel"), TrainingConfig(epochs=4, optimizer="adam", w0=-2.0), heads=2),
    Plan(Dataset("wave", 30).changed(added=(2.5, 1 / 3)), TrainingConfig(epochs=3, loss="mean", leave_one_out=False)),
]


def test_the_plans_of_earlier_runs_come_back_exactly() -> None:
    runs = [Run("lw", plan, replaces=False) for plan in PLANS]
    for run in runs:
        run.advance(0)
    assert read_plans(written_plans(runs)) == [(plan, run.step) for plan, run in zip(PLANS, runs, strict=True)]


@pytest.mark.parametrize(
    "told",
    [
        "", "x", "[]", "{}", "[[]]", "[1]", '["wave"]', "null", "[" * 5000,
        '[["wave",50,0.5,0,501,0.1,1,true,"sum","sgd",1,5]]',
        '[["wave",50,0.5,0,5,0.1,1,true,"sum","sgd",9,5]]',
        '[["wave",50,0.5,0,5,0.1,1,true,"sum","sgd",1,6]]',
        '[["wave",50,0.5,0,5,0.1,1,true,"sum","sgd",1,0]]',
        '[["wave",50,0.5,0,5,0.1,1,true,"sum","other",1,5]]',
        '[["wave",50,0.5,0,5,NaN,1,true,"sum","sgd",1,5]]',
        '[["wave",1e9,0.5,0,5,0.1,1,true,"sum","sgd",1,5]]',
        '[["wave",50,"loud",0,5,0.1,1,true,"sum","sgd",1,5]]',
        '[["own","!!","",0,5,0.1,1,true,"sum","sgd",1,5]]',
        '[["nothing",50,0.5,0,5,0.1,1,true,"sum","sgd",1,5]]',
    ],
)  # fmt: skip
def test_anything_else_is_no_plan(told: str) -> None:
    assert read_plans(told) == []


def test_undo_does_not_take_earlier_runs_back() -> None:
    app = opening.opened("learned_w")
    app.slider(key="lw_epochs").set_value(90).run()
    assert held.NAME.fullmatch(app.query_params["lw_earlier"])
    assert all("lw_earlier" not in state for state in app.session_state[REGISTER].past)
