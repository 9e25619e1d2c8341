"""Undo on every page: each change of a choice can be taken back, and made again."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.link import choice
from attention_ui.link.choice import MADE, REGISTER
from attention_ui.link.points import MOST_LINKED
from tests.pages.opening import opened, sent
from tests.pages.test_bad_input import VIEWS

MOST_CHANGES = 4  # of each kind, in each view
# The first view of every page and the last, in which other choices are open.
SOME_VIEWS = [
    pytest.param(page, link, id=f"{page}-{i}")
    for page in VIEWS
    for i, link in enumerate(VIEWS[page][:: max(1, len(VIEWS[page]) - 1)])
]


@pytest.fixture(autouse=True)
def every_change_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However quickly one follows the other."""
    monkeypatch.setattr(choice, "ONE_GESTURE", 0.0)


def state(app: AppTest) -> dict[str, str]:
    noted = app.session_state[REGISTER].noted.items()
    return {name: each.text for name, each in noted if not name.endswith(MADE)}


def change_some(app: AppTest) -> list[dict[str, str]]:
    """Move sliders and switches of a view; returns the states on the way, the first one first."""
    states = [state(app)]
    for kind in ("slider", "toggle"):
        for key in [widget.key for widget in app.get(kind) if widget.key in states[0]][:MOST_CHANGES]:
            for widget in app.get(kind):
                if widget.key == key and not widget.disabled:
                    widget.set_value(moved(widget)).run()
            assert not app.exception, app.exception
            states.append(state(app))
    return [after for before, after in zip([{}, *states], states, strict=False) if after != before]


def moved(widget: Any) -> Any:
    if widget.type == "toggle":
        return not widget.value
    return widget.min if widget.value != widget.min else widget.min + (widget.step or 1)


def pressed(app: AppTest, key: str) -> dict[str, str]:
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    return state(app)


def has_nothing_to_undo(app: AppTest) -> bool:
    """Whether a press of Undo says so and changes nothing."""
    before = state(app)
    return pressed(app, "undo") == before and "no change to take back" in app.toast[0].value


@pytest.mark.parametrize(("page", "link"), SOME_VIEWS)
def test_every_change_of_every_view_can_be_taken_back_and_made_again(page: str, link: dict[str, str]) -> None:
    app = opened(page, **link)
    states = change_some(app)
    for before in reversed(states[:-1]):
        assert pressed(app, "undo") == before
    assert has_nothing_to_undo(app)
    for after in states[1:]:
        assert pressed(app, "redo") == after
    assert app.button(key="redo").disabled


def test_a_tab_and_what_was_changed_behind_it_come_back_one_by_one() -> None:
    app = opened("scoring", scoring_tab="masks", lock="reset")
    app.slider(key="scoring_mask_0").set_value(2).run()
    app.segmented_control(key="scoring_tab").set_value("morph").run()
    assert pressed(app, "undo")["scoring_tab"] == "masks"
    assert app.slider(key="scoring_mask_0").value == 2
    assert "scoring_mask_0" in app.query_params
    pressed(app, "undo")
    assert app.query_params == {"scoring_tab": "masks", "lock": "reset"}


@pytest.mark.parametrize("count", [3, MOST_LINKED + 1])
def test_points_come_back_as_they_were(count: int) -> None:
    app = opened("kernel_regression", kr_function="own")
    for last in (4, 9):
        points = [(i, i + 1) for i in range(1, count)] + [(count, last)]
        app.text_area(key="kr_pasted").set_value("\n".join(f"{x} {y}" for x, y in points)).run()
    pressed(app, "undo")
    assert app.session_state["kr_kept"].current.points == (*((i, i + 1) for i in range(1, count)), (count, 4))
    assert app.session_state["kr_kept"].current.title == "pasted"
    pressed(app, "undo")
    assert app.session_state["kr_kept"].current.name == "wave"
    pressed(app, "redo")
    pressed(app, "redo")
    assert app.session_state["kr_kept"].current.points[-1] == (count, 9)


def test_one_gesture_is_taken_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "ONE_GESTURE", 1e9)
    app = opened("kernel_regression")
    for noise in (0.6, 0.7, 0.8):
        app.slider(key="kr_noise").set_value(noise).run()
    app.select_slider(key="kr_n").set_value(20).run()
    assert pressed(app, "undo")["kr_noise"] == "0.8"
    assert pressed(app, "undo")["kr_noise"] == "0.5"
    assert has_nothing_to_undo(app)


def test_a_change_after_undo_leaves_nothing_to_redo() -> None:
    app = opened("kernel_regression")
    app.slider(key="kr_noise").set_value(1.0).run()
    pressed(app, "undo")
    app.select_slider(key="kr_n").set_value(20).run()
    assert app.button(key="redo").disabled
    assert pressed(app, "undo")["kr_n"] == "50"


def test_another_page_begins_with_nothing_to_undo() -> None:
    app = opened("kernel_regression")
    app.slider(key="kr_noise").set_value(1.0).run()
    app.switch_page("pages/cues.py").run()
    assert has_nothing_to_undo(app)


def test_a_player_goes_where_undo_tells_it() -> None:
    app = opened("learned_w", lw_epoch="7")
    assert sent(app, "update_lw_stage")["frame"] == 7
    turns = sent(app, "update_lw_stage")["turns"]
    app.session_state["lw_epoch"] = 9
    app.run()
    assert sent(app, "update_lw_stage") == sent(app, "update_lw_stage") | {"frame": 9, "turns": turns}
    assert pressed(app, "undo")["lw_epoch"] == "7"
    assert sent(app, "update_lw_stage") == sent(app, "update_lw_stage") | {"frame": 7, "turns": turns + 1}
