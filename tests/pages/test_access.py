"""What holds in every view of every page: it does not wait for plotly's script, and hears keys."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.contents import CHAPTERS, HOME, Chapter
from tests.pages.opening import opened

every_page = pytest.mark.parametrize("chapter", [HOME, *CHAPTERS], ids=lambda chapter: chapter.name)


@cache
def page_of(chapter: Chapter) -> AppTest:
    return opened(chapter.name)


def views(chapter: Chapter) -> Iterator[AppTest]:
    """The page in each of its views."""
    yield page_of(chapter)
    for switch in page_of(chapter).segmented_control:
        if str(switch.key).endswith("_tab"):
            yield from (opened(chapter.name, **{switch.key: name}) for name in switch.options[1:])


@every_page
def test_no_view_waits_for_plotly(chapter: Chapter) -> None:
    for app in views(chapter):
        assert not app.get("plotly_chart")


@every_page
def test_every_page_hears_keys(chapter: Chapter) -> None:
    components = [each.proto.component_name for each in page_of(chapter).get("bidi_component")]
    assert components.count("attention_lab_keys") == 1
