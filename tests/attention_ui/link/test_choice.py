"""The one way to keep a choice in the link: read once, noted while a page is drawn, written in one message at most."""

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[3]
QUERY = "st.query_params"


def page() -> None:
    """Two choices, one more behind a switch, one in a fragment, and a button that sets some."""
    import streamlit as st

    from attention_ui.controls.widgets import segmented, slider, text_field, toggle
    from attention_ui.link.choice import fragment, page_in_link

    def choose() -> None:
        st.session_state["a_n"], st.session_state["a_kind"] = 9, "late"

    @fragment
    def part() -> None:
        toggle("On", key="a_on")

    with page_in_link():
        st.button("Choose", key="choose", on_click=choose)
        slider("Number", 0, 10, 5, key="a_n")
        if segmented("Kind", {"early": "Early", "late": "Late"}, "early", key="a_kind") == "late":
            text_field("Word", "none", key="a_word", max_chars=5)
        part()


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every link that is written."""
    sent: list[Any] = []
    kind = type(st.query_params)
    write = kind.from_dict
    monkeypatch.setattr(kind, "from_dict", lambda self, link: (sent.append(dict(link)), write(self, link)))
    return sent


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_an_untouched_page_writes_nothing(messages: list[Any]) -> None:
    assert not opened().query_params
    assert messages == []


def test_a_page_that_shows_its_link_writes_nothing(messages: list[Any]) -> None:
    app = opened(a_n="7", a_kind="late", a_word="hello", a_on="true", other="1")
    assert (app.slider[0].value, app.text_input[0].value, app.toggle[0].value) == (7, "hello", True)
    assert messages == []


def test_several_changes_are_one_message(messages: list[Any]) -> None:
    app = opened(other="1")
    app.button(key="choose").click().run()
    assert messages == [{"other": ["1"], "a_n": ["9"], "a_kind": ["late"]}]
    app.run()
    assert len(messages) == 1


def test_the_usual_is_left_out_and_the_refused_too(messages: list[Any]) -> None:
    app = opened(a_n="5", a_kind="Late", a_on="maybe")
    assert app.query_params == {}
    assert len(messages) == 1


def test_the_session_goes_before_the_link() -> None:
    app = opened(a_n="7")
    app.slider[0].set_value(3).run()
    app.query_params["a_n"] = "8"
    app.run()
    assert app.slider[0].value == 3
    assert app.query_params == {"a_n": "3"}


def test_a_choice_that_is_not_drawn_waits_in_the_link() -> None:
    app = opened(a_word="hello")
    assert app.query_params == {"a_word": "hello"}
    app.segmented_control[0].set_value("late").run()
    assert app.text_input[0].value == "hello"
    app.text_input[0].set_value("other").run()
    app.segmented_control[0].set_value("early").run()
    assert app.query_params == {"a_word": "other"}


def test_a_long_text_is_cut_and_of_several_values_the_last_counts() -> None:
    app = opened(a_kind="late", a_word="x" * 10_000)
    assert app.text_input[0].value == "xxxxx"
    app = AppTest.from_function(page, default_timeout=30)
    app.query_params["a_n"] = ["1", "2"]
    assert app.run().slider[0].value == 2


def test_a_page_that_is_cut_short_leaves_its_link_to_the_next_run(messages: list[Any]) -> None:
    def drawn_twice() -> None:
        import streamlit as st

        from attention_ui.controls.widgets import slider
        from attention_ui.link.choice import page_in_link, register

        with page_in_link():
            number, before = slider("Number", 0, 10, 5, key="a_n"), st.session_state.get("before")
            if number != before:
                st.session_state["before"] = number
                st.rerun()
        assert not register().drawing

    app = AppTest.from_function(drawn_twice, default_timeout=30).run()
    app.slider[0].set_value(6).run()
    assert not app.exception
    assert messages == [{"a_n": ["6"]}]


def test_a_slider_with_other_ends_keeps_its_place() -> None:
    def ends() -> None:
        import streamlit as st

        from attention_ui.controls.widgets import slider

        slider("Number", 0, st.session_state.get("end", 10), 5, key="a_n")

    app = AppTest.from_function(ends, default_timeout=30).run()
    app.slider[0].set_value(7).run()
    app.session_state["end"] = 20
    assert app.run().slider[0].value == 7


def test_the_link_is_read_and_written_in_one_place():
    folders = (ROOT / "attention_ui", ROOT / "pages")
    readers = {
        path.parent.name for folder in folders for path in folder.rglob("*.py") if QUERY in path.read_text("utf-8")
    }
    assert readers == {"link"}, f"{QUERY} is read past attention_ui/link: see text_in_link"
