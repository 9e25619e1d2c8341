"""The tool Download on every page: what its picture can be had as."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.component import component
from attention_ui.export import file_formats
from attention_ui.export.standalone import size, standalone
from attention_ui.export.view import Export, View
from attention_ui.gate import turn
from attention_ui.link.dialog import page_link
from attention_ui.reading.literal import literal
from attention_ui.seams import Container, Stopped, session_of_run
from attention_ui.shown import Shown, is_wanted, shown, take_along

Numbers = dict[str, Tensor]

HERE = Path(__file__).parent
CHART, FRAME = "export_picture", "export_frame"
PREVIEW = 0.75  # of the height of the picture: as much as its words need
VARIANTS = {"alone": "PyTorch alone", "with_core": "With attention_core"}  # of a script
HEAD, TAIL = 80, 140  # lines of a long script that are shown: its data or its parts stand first, its work last

# The picture is a white sheet with dark words in either theme. The camera stays in place for our own button to press,
# but a lone icon over the picture would only puzzle. On a phone the picture is swiped, not squeezed:
# it fades where there is more of it.
STYLE = f"""<style>
.st-key-{CHART} {{ color-scheme: light; overflow: hidden; }}
.st-key-{CHART} .modebar {{ visibility: hidden; }}
@media (max-width: 640px) {{
  .st-key-{FRAME} {{ overflow-x: auto; mask-image: linear-gradient(to left, transparent, black 4rem);
    animation: whole linear both; animation-timeline: scroll(self x); }}
  .st-key-{CHART} {{ width: 640px !important; max-width: none !important; flex: none; }} }}
@keyframes whole {{ to {{ mask-image: none; }} }}
</style>"""

BUTTON = '<button type="button" class="png" data-place>PNG</button>'
PNG = component("png", HERE / "js" / "png.js", HERE / "png.css", html=BUTTON, isolated=False, tool=True)


def close(tools: Container, view: View) -> None:
    """End a page: offer what its view gives away, then do what the view does last."""
    offer(tools, view.export)
    view.afterwards()


def offer(tools: Container, make: Callable[[], Export]) -> None:
    """Put the button among the tools of the page; nothing is made before it is pressed."""
    tools.button("Download", icon=":material/download:", key="download", type="tertiary", on_click=take_along)
    if not is_wanted():  # what the button returns is lost where a run is begun anew before it comes here
        return
    try:
        with st.spinner("Packing ..."), turn():
            export = make()
    except InputError as fault:
        _nothing(str(fault))
    else:
        _downloads(export, shown(), page_link())


@st.dialog("Download")
def _nothing(why: str) -> None:
    st.info(literal(why))


@st.dialog("Download", width="large")
def _downloads(export: Export, drawn: Shown | None, link: str) -> None:
    """What can be had, the picture, the code; each file is made when its button is pressed."""
    with st.container(horizontal=True, vertical_alignment="center", key="export_files"):
        PNG(key="export_png", data={"chart": CHART}, width="content")
        _file("HTML", export, "", "html", "text/html", partial(file_formats.html, export, drawn, link))
        for name, table in export.tables.items():
            _file(f"CSV: {name}", export, f"-{name}", "csv", "text/csv", partial(file_formats.csv, table))
    _picture(export)
    _code(export)


def _picture(export: Export) -> None:
    figure = standalone(export.figure, export.title)
    width, height = size(figure)
    camera = {"format": "png", "filename": export.name, "width": width, "height": height, "scale": 2}
    config = {"displayModeBar": True, "modeBarButtons": [["toImage"]], "toImageButtonOptions": camera}
    figure.update_layout(height=None, width=None)  # the camera keeps its size; the preview takes the room there is
    st.html(STYLE)
    with st.container(key=FRAME):
        st.plotly_chart(figure, height=int(PREVIEW * height), theme=None, key=CHART, alt=export.title, config=config)


def _code(export: Export) -> None:
    """Either script: to read, to copy, to take as a file or as a notebook."""
    ways = {"alone": (export.alone, "-torch"), "with_core": (export.with_core, "")}
    with st.container(horizontal=True, vertical_alignment="bottom", key="export_code"):
        chosen = st.segmented_control(
            "The code",
            list(VARIANTS),
            format_func=VARIANTS.__getitem__,
            default="alone",
            key="export_variant",
            required=True,
        )
        made, suffix = ways[chosen or "alone"]
        script = made()
        _program("Python script", export, suffix, "py", "text/x-python", script.text.encode, script.numbers)
        notebook = partial(file_formats.notebook, export, script.text)
        _program("Notebook", export, suffix, "ipynb", "application/x-ipynb+json", notebook, script.numbers)
    shown, hidden = shortened(script.text)
    st.code(shown, language="python", height=320)
    if hidden:
        st.caption(f"{hidden:,} lines are left out here; the files have them all.")
    if chosen == "with_core":
        st.caption("`attention_core` is the folder of that name in Attention Lab: run the script where that folder is.")


def _program(
    label: str, export: Export, suffix: str, ending: str, mime: str, made: Callable[[], bytes], numbers: Numbers
) -> None:
    """A script or a notebook; with numbers that stand in a file of their own, both in one archive."""
    if not numbers:
        _file(label, export, suffix, ending, mime, made)
        return
    name = f"{export.name}{suffix}"

    def archive() -> bytes:
        return file_formats.archive({f"{name}.{ending}": made(), f"{name}.npz": file_formats.npz(numbers)})

    key = f"export{suffix}_{ending}"
    _button(f"{label} (zip)", archive, f"{name}-{ending}.zip", "application/zip", key)


def _file(label: str, export: Export, suffix: str, ending: str, mime: str, made: Callable[[], bytes]) -> None:
    _button(label, made, f"{export.name}{suffix}.{ending}", mime, f"export{suffix}_{ending}")


def _button(label: str, made: Callable[[], bytes], name: str, mime: str, key: str) -> None:
    """A button for a file, which is made at its turn when the button is pressed, outside of any run."""
    asker = session_of_run(), key

    def made_in_turn() -> bytes:
        try:
            with turn(asker):
                return made()
        except Stopped:
            raise InputError("It was asked for again meanwhile.") from None

    st.download_button(label, made_in_turn, name, mime, key=key, on_click="ignore")


def shortened(script: str) -> tuple[str, int]:
    """A long script without its middle, and how many lines that hides."""
    lines = script.splitlines()
    hidden = len(lines) - HEAD - TAIL
    if hidden <= 0:
        return script, 0
    return "\n".join([*lines[:HEAD], f"    # ... {hidden:,} more lines ...", *lines[-TAIL:]]), hidden
