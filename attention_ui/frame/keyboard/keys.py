"""The keys of the page: one component that hears them all, Back included, with a small button that lists them."""

from pathlib import Path

from attention_ui.component import component
from attention_ui.process import boot
from attention_ui.seams import Container

HERE = Path(__file__).parent

KEYS = component("keys", HERE / "js" / "keys.js", HERE / "keys.css", tool=True)


def listen(place: Container) -> None:
    """Hear the keys of this page, and put the button that lists them into the place."""
    with place:
        KEYS(key="keys", width="content", data={"boot": boot()})
