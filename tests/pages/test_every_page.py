"""One contract for every page: it opens, it survives any address, and it never shows a traceback."""

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.chapters import CHAPTERS, HOME, PAGES

every_page = pytest.mark.parametrize("chapter", [HOME, *CHAPTERS], ids=lambda chapter: chapter.name)
BAD = ["NaN", "inf", "-1", "1e99", "<script>alert(1)</script>", "", "x" * 10_000, "\x00", "0;DROP", "None"]


def opened(chapter, **parameters):
    app = AppTest.from_file("../../app.py", default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    return app.switch_page(f"pages/{chapter.name}.py").run() if chapter is not HOME else app


def widget_keys(app):
    kinds = ("slider", "select_slider", "selectbox", "number_input", "toggle", "checkbox", "radio", "segmented_control")
    return [widget.key for kind in kinds for widget in app.get(kind) if widget.key]


@every_page
def test_it_opens(chapter):
    app = opened(chapter)
    assert not app.exception
    assert app.title[0].value


@every_page
@pytest.mark.parametrize("value", BAD)
def test_it_survives_a_bad_value_in_every_parameter(chapter, value):
    keys = widget_keys(opened(chapter))
    app = opened(chapter, **dict.fromkeys(keys, value), unknown=value)
    assert not app.exception
    assert app.title[0].value


@every_page
def test_its_keys_carry_the_name_of_the_page(chapter):
    """The same key on two pages would leak its value from one to the other."""
    prefixes = (f"{chapter.name}_", f"{''.join(word[0] for word in chapter.name.split('_'))}_")
    assert all(key.startswith(prefixes) for key in widget_keys(opened(chapter)))


def test_every_file_in_pages_is_in_the_table_of_contents():
    assert {path.stem for path in PAGES.glob("*.py")} == {chapter.name for chapter in [HOME, *CHAPTERS]}
