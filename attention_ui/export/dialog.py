"""The tool Download on every page: what is on it as a picture, as numbers, and as the code that made it."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.component import component
from attention_ui.export import file_formats
from attention_ui.export.themes import theme_variables
from attention_ui.export.view import Export, View
from attention_ui.gate import turn
from attention_ui.link.dialog import page_link
from attention_ui.reading.literal import literal
from attention_ui.seams import Container, Stopped, session_of_run
from attention_ui.shown import is_wanted, shown, take_along
from attention_ui.snapshot import Shown

Make = Callable[[], Export]
Numbers = dict[str, Tensor]

HERE = Path(__file__).parent
SECTIONS = {"picture": "Picture", "numbers": "Numbers", "code": "Code"}
VARIANTS = {"alone": "PyTorch alone", "with_core": "With attention_core"}  # of a script
HEAD, TAIL = 80, 140  # lines of a long script that are shown: its data or its parts stand first, its work last

PICTURES = component("media", HERE / "js" / "media.js", HERE / "media.css", isolated=False, tool=True)


def close(tools: Container, view: View) -> None:
    """End a page: offer what its view gives away, then do what the view does last."""
    offer(tools, view.export)
    view.afterwards()


def offer(tools: Container, make: Make) -> None:
    """Put the button among the tools of the page; each thing is made when it is asked for in the dialog."""
    tools.button("Download", icon=":material/download:", key="download", type="tertiary", on_click=take_along)
    if is_wanted():  # what the button returns is lost where a run is begun anew before it comes here
        _downloads(cache(make), shown(), page_link())


@st.dialog("Download", width="large")
def _downloads(make: Make, drawn: Shown | None, link: str) -> None:
    """What can be had, one section at a time."""
    section = st.segmented_control(
        "What to take home",
        list(SECTIONS),
        format_func=SECTIONS.__getitem__,
        default="picture",
        key="export_section",
        label_visibility="collapsed",
        required=True,
    )
    if section == "picture":
        _picture(drawn, link)
        return
    try:
        with st.spinner("Packing ..."), turn():
            export = make()
        (_numbers if section == "numbers" else _code)(export)
    except InputError as fault:
        st.info(literal(str(fault)))


def _picture(drawn: Shown | None, link: str) -> None:
    """The pictures of the page as files, which the browser makes; and as a page that can be dragged."""
    name = Path(urlsplit(link).path).name.replace("_", "-") or "attention-lab"
    themes = {"light": theme_variables("light"), "dark": theme_variables("dark")}
    kinds = sorted({part.kind for part in drawn.parts}) if drawn else []
    PICTURES(key="export_media", data={"kinds": kinds, "themes": themes, "name": name})
    if drawn and kinds:
        with st.container(horizontal=True, vertical_alignment="center", key="export_page"):
            _button("HTML", partial(file_formats.html, drawn, link), f"{name}.html", "text/html", "export_html")
            st.caption("A page that can still be dragged, without a server and without the net.")


def _numbers(export: Export) -> None:
    """The tables, and the figure for those who draw with plotly."""
    for name, table in export.tables.items():
        size = f"{len(table):,} rows, {len(table.columns):,} columns"
        _file(f"CSV: {name}", size, export, f"-{name}", "csv", "text/csv", partial(file_formats.csv, table))
    words = "The picture as a figure to restyle: plotly.io.read_json reads it."
    _file("Plotly (JSON)", words, export, "", "json", "application/json", partial(file_formats.plotly, export))


def _code(export: Export) -> None:
    """Either script: to read, to copy, to take as a file or as a notebook."""
    ways = {"alone": (export.alone, "-torch"), "with_core": (export.with_core, "")}
    with st.container(horizontal=True, vertical_alignment="center", key="export_code"):
        chosen = st.segmented_control(
            "The code",
            list(VARIANTS),
            format_func=VARIANTS.__getitem__,
            default="alone",
            key="export_variant",
            label_visibility="collapsed",
            required=True,
        )
        made, suffix = ways[chosen or "alone"]
        script = made()
        _program("Python script", export, suffix, "py", "text/x-python", script.text.encode, script.numbers)
        notebook = partial(file_formats.notebook, export, script.text)
        _program("Notebook", export, suffix, "ipynb", "application/x-ipynb+json", notebook, script.numbers)
    seen, hidden = shortened(script.text)
    st.code(seen, language="python", height=400)
    if hidden:
        st.caption(f"{hidden:,} lines are left out here; the files have them all.")
    if chosen == "with_core":
        st.caption("`attention_core` is the folder of that name in Attention Lab: run the script where that folder is.")


def _program(
    label: str, export: Export, suffix: str, ending: str, mime: str, made: Callable[[], bytes], numbers: Numbers
) -> None:
    """A script or a notebook; with numbers that stand in a file of their own, both in one archive."""
    name, key = f"{export.name}{suffix}", f"export{suffix}_{ending}"
    if not numbers:
        _button(label, made, f"{name}.{ending}", mime, key)
        return

    def archive() -> bytes:
        return file_formats.archive({f"{name}.{ending}": made(), f"{name}.npz": file_formats.npz(numbers)})

    _button(f"{label} (zip)", archive, f"{name}-{ending}.zip", "application/zip", key)


def _file(
    label: str, words: str, export: Export, suffix: str, ending: str, mime: str, made: Callable[[], bytes]
) -> None:
    """A row with a button and what the file is."""
    key = f"export{suffix}_{ending}"
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_row"):
        _button(label, made, f"{export.name}{suffix}.{ending}", mime, key, width=180)
        st.caption(words)


def _button(label: str, made: Callable[[], bytes], name: str, mime: str, key: str, **shape: Any) -> None:
    """A button for a file, which is made at its turn when the button is pressed, outside of any run."""
    asker = session_of_run(), key

    def made_in_turn() -> bytes:
        try:
            with turn(asker):
                return made()
        except Stopped:
            raise InputError("It was asked for again meanwhile.") from None

    st.download_button(label, made_in_turn, name, mime, key=key, on_click="ignore", **shape)


def shortened(script: str) -> tuple[str, int]:
    """A long script without its middle, and how many lines that hides."""
    lines = script.splitlines()
    hidden = len(lines) - HEAD - TAIL
    if hidden <= 0:
        return script, 0
    return "\n".join([*lines[:HEAD], f"    # ... {hidden:,} more lines ...", *lines[-TAIL:]]), hidden
