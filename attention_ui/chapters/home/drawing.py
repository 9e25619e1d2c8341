"""A small drawing in the colours of the theme: st.html strips SVG, so a component shows it."""

from functools import cache
from pathlib import Path

from attention_ui.component import component

HERE = Path(__file__).parent

DRAWING = component("card", HERE / "js" / "drawing.js", HERE / "drawing.css", tool=True)


def drawing(key: str, svg: str) -> None:
    """Show an SVG of ours in the current container."""
    DRAWING(key=key, data={"svg": svg})


@cache
def card(chapter: str) -> str:
    """The SVG on a chapter's card: the file card.svg in the chapter's folder."""
    return (HERE.parent / chapter / "card.svg").read_text("utf-8")
