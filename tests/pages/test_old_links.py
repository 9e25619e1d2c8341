"""Links from the time when they named an option by its label open what they opened then; new ones carry ids.

old_links.tsv was recorded before ids: the page, the link as the app wrote it, what it sets, now by id, and some words
that were on the page. Those to learned w are from before its usual training changed.
"""

import csv
import json
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from attention_ui.link.choice import REGISTER
from attention_ui.link.old_links import LABELS, LOCKS, current_lock
from attention_ui.link.values import written, written_list
from tests.pages.opening import opened
from tests.pages.test_bad_input import IGNORED, VIEWS, widgets

with (Path(__file__).parent / "old_links.tsv").open(encoding="utf-8", newline="") as table:
    OLD_LINKS = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
ID = re.compile(r"[a-z0-9_]+")
IDS_OR_NUMBERS = re.compile(r"[a-z0-9_.,;+-]*")
FREE = ("_text", "_digits", "_date", "_points")  # what a visitor typed


def test_there_is_a_link_for_every_label():
    linked = {(key, value) for row in OLD_LINKS for key, values in parse_qs(row["link"]).items() for value in values}
    data = {key for key in LABELS if key.endswith("_function")} - {"kr_function"}  # some of these are enough
    assert len(OLD_LINKS) >= 60
    assert {(key, label) for key in LABELS.keys() - data for label in LABELS[key]} <= linked


@pytest.mark.parametrize("row", OLD_LINKS, ids=lambda row: f"{row['page']}?{row['link']}")
def test_an_old_link_opens_what_it_opened(row):
    link = {key: values if len(values) > 1 else values[0] for key, values in parse_qs(row["link"]).items()}
    app = opened(row["page"], **link)
    values, now = json.loads(row["values"]), widgets(app)
    assert {key: now[key].value if key in now else app.session_state[key] for key in values} == values
    assert any(row["words"] in each.value for each in [*app.info, *app.markdown, *app.caption, *app.latex, *app.title])
    assert not [warning.value for warning in app.warning if IGNORED in warning.value]
    for key, value in values.items():  # what is as usual is left out
        text = written_list(value) if isinstance(value, list) else written(value)
        assert app.query_params.get(key, text) == text


def test_an_old_lock_hides_what_it_hid():
    app = opened("kernel_regression", lock="rule_Leave-one-out,rule_Silverman")
    style = " ".join(html.proto.body for html in app.get("html"))
    assert ".st-key-kr_rule_leave_one_out, .st-key-kr_rule_silverman {" in style
    assert not app.warning
    assert all(f"kr_{current_lock(name)}" in {button.key for button in app.button} for name in LOCKS)


def test_an_old_link_to_an_exercise_counts_from_1():
    assert opened("exercises", exercises_at="3").query_params["exercises_at"] == "columns"


def test_ids_are_plain():
    assert all(ID.fullmatch(name) for labels in LABELS.values() for name in labels.values())


@pytest.mark.parametrize("page", VIEWS)
def test_a_link_holds_ids_and_numbers_alone(page):
    for link in VIEWS[page]:
        noted = opened(page, **link).session_state[REGISTER].noted
        assert noted
        for key, (text, usual, *_) in noted.items():
            if not key.endswith(FREE):
                assert IDS_OR_NUMBERS.fullmatch(text), key
                assert IDS_OR_NUMBERS.fullmatch(usual or ""), key


CHOSEN = [
    ("kernel_regression", "selectbox", "kr_function", "engel"),
    ("kernel_regression", "segmented_control", "kr_tab", "bias_variance"),
    ("kernel_regression", "toggle", "kr_linear", True),
    ("learned_w", "segmented_control", "lw_heads", 2),
    ("learned_w", "select_slider", "lw_rate", 0.5),
    ("learned_w", "number_input", "lw_w0", 2.5),
    ("heatmaps", "pills", "heatmaps_patterns", ["banded", "untrained"]),
    ("cues", "segmented_control", "cues_goal", "nothing"),
    ("transformer", "text_input", "transformer_text", "2718"),
    ("bahdanau", "segmented_control", "bahdanau_task", "dates"),
]


@pytest.mark.parametrize(("page", "kind", "key", "value"), CHOSEN, ids=lambda part: str(part))
def test_what_is_chosen_stands_in_the_link_by_its_id_and_goes_with_the_usual(page, kind, key, value):
    app = opened(page)
    widget = getattr(app, kind)(key=key)
    usual = widget.value
    widget.set_value(value).run()
    assert app.query_params[key] == (written_list(value) if isinstance(value, list) else written(value))
    getattr(app, kind)(key=key).set_value(usual).run()
    assert key not in app.query_params
