"""One contract for every page: it opens, its keys are its own, and it stands in the table of contents.

What it does with bad input: test_bad_input.py.
"""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.contents import CHAPTERS, HOME, PAGES, Chapter, following
from tests.pages.opening import opened

every_page = pytest.mark.parametrize("chapter", [HOME, *CHAPTERS], ids=lambda chapter: chapter.name)
KINDS = (
    *("slider", "select_slider", "selectbox", "multiselect", "number_input", "text_input", "text_area"),
    *("toggle", "checkbox", "radio", "pills", "segmented_control"),
)


@cache
def page_of(chapter: Chapter) -> AppTest:
    """The page as a link without parameters opens it; looked at, never driven."""
    return opened(chapter.name)


def widget_keys(app: AppTest) -> list[str]:
    return [widget.key for kind in KINDS for widget in app.get(kind) if widget.key]


@every_page
def test_it_opens_with_a_title_and_the_way_on(chapter):
    app = page_of(chapter)
    assert app.title[0].value
    shown = following(chapter.name)
    links = [link.proto.label for link in app.get("page_link")]
    assert shown is None or any(label.startswith(f"Next: **{shown.title}**") for label in links)


@every_page
def test_its_keys_carry_the_name_of_the_page(chapter):
    """The same key on two pages would leak its value from one to the other."""
    prefixes = (f"{chapter.name}_", f"{''.join(word[0] for word in chapter.name.split('_'))}_")
    assert all(key.startswith(prefixes) for key in widget_keys(page_of(chapter)))


def test_every_file_in_pages_is_in_the_table_of_contents():
    assert {path.stem for path in PAGES.glob("*.py")} == {chapter.name for chapter in [HOME, *CHAPTERS]}
