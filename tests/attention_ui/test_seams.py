"""What we use of Streamlit without its promise is where we think it is; else these tests say what has moved."""

import ast
from pathlib import Path

import pytest
import streamlit
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from attention_ui import seams

ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text("utf-8") for folder in ("attention_ui", "pages") for path in (ROOT / folder).rglob("*.py")
}
STYLES = {path: path.read_text("utf-8") for path in (ROOT / "attention_ui").rglob("*.css")}
PARTS = sorted({name for text in (SOURCES | STYLES).values() for name in seams.PART.findall(text)})
INNER = ("streamlit.runtime", "streamlit.delta_generator", "streamlit.elements", "streamlit.proto")


@pytest.fixture(scope="module")
def shipped() -> str:
    """All scripts that Streamlit sends to the browser."""
    files = (Path(streamlit.__file__).parent / "static" / "static" / "js").glob("*.js")
    return "\n".join(file.read_text("utf-8") for file in files)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_page_that_styles_name_is_there(part, shipped):
    quoted = [f"{quote}st{part}{quote}" for quote in "\"'`"]
    assert any(each in shipped for each in quoted), f"Streamlit's page has no part st{part} any more: see seams.styled."


def test_styles_name_parts_of_the_page_in_one_way():
    assert seams.styled(":st(Main) p, a:hover") == '[data-testid="stMain"] p, a:hover'
    everything = (SOURCES | STYLES).items()
    direct = [path.name for path, text in everything if "data-testid" in text and path.name != "seams.py"]
    assert not direct, "These name parts of Streamlit's page by themselves, past seams.styled"


def test_the_script_of_charts_is_there():
    folder = Path(streamlit.__file__).parent / "static" / "static" / "js"
    assert seams.chart_script(), "Streamlit's script of plotly charts has another name: see seams.chart_script"
    assert "newPlot" in (folder / seams.chart_script()).read_text("utf-8")


def test_streamlit_can_be_told_that_pages_are_ours():
    assert isinstance(PagesManager.uses_pages_directory, bool | None), "PagesManager has changed: see seams"


def test_only_the_seams_import_what_is_not_public():
    def imported(text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                yield node.module or ""
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "st":
                yield f"streamlit.{node.attr}"

    found = {path.name for path, text in SOURCES.items() if any(module.startswith(INNER) for module in imported(text))}
    assert found == {"seams.py"}


def _shows_its_session():
    import streamlit as st

    from attention_ui.seams import session_of_run

    st.text(session_of_run())


def test_a_run_knows_its_session_and_other_threads_have_none():
    (shown,) = AppTest.from_function(_shows_its_session).run().text
    assert shown.value not in ("", "None"), "a run has no session any more: see seams.session_of_run"
    assert seams.session_of_run() is None
