"""Everything of Streamlit's Python and of its page's parts that is not public, in one place.

An upgrade of Streamlit begins here, and in pictures/js/streamlit.js for what scripts use. Each use says what it is
for and what happens where it is missing; tests/attention_ui/test_seams.py fails with its name when it has moved.
"""

import re
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.pages_manager import PagesManager

# A place on the page, as st.container gives it: for annotations alone. Missing: an import error at the start.
Container = DeltaGenerator

PART = re.compile(r":st\((\w+)\)")


def styled(css: str) -> str:
    """CSS in which :st(Sidebar) stands for that part of Streamlit's page, found by the id that its own tests use.

    Where a part is missing, its rule does nothing: the page loses some of its looks and works as before.
    """
    return PART.sub(r'[data-testid="st\1"]', css)


def open_section_style(place: int) -> str:
    """CSS that marks one section of the menu, counted from 0, as the one with the open page; the first page is before.

    Streamlit marks the page in the section's list, which is closed, and nothing in the bar. Where the bar is built
    otherwise, no section is marked.
    """
    section = styled(f":st(TopNav) > :nth-child({place + 2}) > :st(TopNavSection)")
    return f"{section} {{ box-shadow: inset 0 -3px 0 currentColor; border-radius: 0; }}"


@cache
def chart_script() -> str:
    """The name of the script by which Streamlit draws plotly charts, with the hash that a new version changes.

    The browser loads it ahead of the first chart (loadAhead in pictures/js/streamlit.js). Where it is missing, the
    name is empty, and the first chart of a visit comes later.
    """
    scripts = Path(st.__file__).parent / "static" / "static" / "js"
    return next((script.name for script in scripts.glob("PlotlyChart.*.js")), "")


def leave_pages_to_app() -> None:
    """Run a page inside app.py, also when it is the first that this process serves.

    Until st.navigation has run once, Streamlit takes pages/ for its own and runs the file of a deep link alone. Where
    this is missing, the first visitor with a deep link sees a page without its frame.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def big_slider_style(key: str) -> str:
    """CSS that makes the slider with this key large, and names its ends; its inner parts have no names of their own.

    Where they have moved, the slider has its usual size.
    """
    rules = """
:st(WidgetLabel) p { font-size: 1.25rem; font-weight: 650; line-height: 1.3; }
[role="group"] { margin-top: 0.6rem; }
[role="group"] > div > div:first-child { height: 0.6rem; border-radius: 0.3rem; }
div:has(> :st(SliderThumbValue)) { width: 1.9rem; height: 1.9rem; cursor: grab; animation: invite 1.5s ease-out 1s 3; }
:st(SliderThumbValue) p { font-size: 1.15rem; font-weight: 650; }
:st(SliderTickBar) { margin-top: -0.4rem; }
:st(SliderTickBar) p { font-size: 1rem; }
:st(SliderTickBar) > :first-child p::before { content: "blurred: "; }
:st(SliderTickBar) > :last-child p::before { content: "sharp: "; }"""
    own = "\n".join(f".st-key-{key} {rule}" for rule in styled(rules).strip().splitlines())
    return f""".st-key-{key} {{ --slider-focused: 1; padding-bottom: 0.4rem; }}
{own}
@keyframes invite {{
  from {{ box-shadow: 0 0 0 0 color-mix(in srgb, currentColor 35%, transparent); }}
  to {{ box-shadow: 0 0 0 1.2rem transparent; }} }}
@media (prefers-reduced-motion: reduce) {{ .st-key-{key} * {{ animation: none !important; }} }}"""
