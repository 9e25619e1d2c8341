"""A link for a lesson: `present=1` for the projector, `lock=kernel,noise` for controls that the class shall not see."""

import re
from collections.abc import Iterable

import streamlit as st

from attention_ui.link.old_links import current_lock
from attention_ui.shown import ask

PRESENT, LOCK = "present", "lock"
NAME = re.compile(r"[A-Za-z0-9_-]{1,60}", re.ASCII)
MOST_LOCKED = 60


def presenting() -> bool:
    """Whether the page is shown on a projector."""
    return st.query_params.get(PRESENT) == "1"


def leave_button() -> None:
    """The way back from the projector."""
    st.button("Leave", key="leave", type="tertiary", on_click=_leave)


def _leave() -> None:
    st.query_params.pop(PRESENT, None)


def carried() -> dict[str, str]:
    """What a link to another chapter takes along, so that a teacher can walk on."""
    return {PRESENT: "1"} if presenting() else {}


def locked_names() -> list[str]:
    """The names of the controls that the link hides."""
    names = [current_lock(name.strip()) for name in st.query_params.get(LOCK, "").split(",")]
    return [name for name in dict.fromkeys(names) if name][:MOST_LOCKED]


def hides(*names: str) -> bool:
    """Whether the link hides one of these controls, so that words about it have to go too."""
    return not set(names).isdisjoint(locked_names())


def ask_with(text: str, *names: str) -> None:
    """Show a question to try, unless the link hides one of the controls that it needs."""
    if not hides(*names):
        ask(text)


def class_of(key: str) -> str:
    """The end of the class that Streamlit gives to what has this key."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", key, flags=re.ASCII)


def lesson_style(prefix: str) -> str:
    """The style that hides what the link locks; a locked control keeps its value, it is only not shown."""
    names = [name for name in locked_names() if NAME.fullmatch(name)]
    hidden = ", ".join(f".st-key-{prefix}{name}" for name in names)
    return f"{hidden} {{ display: none !important; }}" if hidden else ""


def unknown_locks(keys: Iterable[str], prefix: str) -> list[str]:
    """What the link wants to hide that is not on this page."""
    known = {class_of(key).removeprefix(prefix) for key in keys if key.startswith(prefix)}
    return [name for name in locked_names() if name not in known]
