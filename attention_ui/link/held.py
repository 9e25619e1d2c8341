"""What is too large for a link: the visitor's browser holds it, and the link holds its name, made of its content.

So a page is as it was after a reload, also where another process answers. Nothing of it stays on the server, and a
link shows nobody what is in another browser. Where a browser holds nothing, as in a private window, it is lost with
the page.
"""

import re
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NoReturn

import streamlit as st

from attention_ui.component import component, told
from attention_ui.link.choice import note_text, text_in_link

NAME = re.compile(r"[0-9a-f]{16}")
HELD = component("held", Path(__file__).parent / "js" / "held.js")


def name_of(content: bytes | memoryview) -> str:
    """The name of a content; another content has another name."""
    return blake2b(content, digest_size=8).hexdigest()


def asked_name(key: str) -> str:
    """The name that the link holds under this key, else nothing."""
    text = text_in_link(key)
    return text if NAME.fullmatch(text) else ""


# Texts.


def hold_text(key: str, text: str) -> None:
    """Let the browser hold this text, and the link its name."""
    name = name_of(text.encode())
    _tell(key, {"keep": name, "text": text})
    note_text(key, name)


def keep_name(key: str) -> str:
    """Let the link go on holding the name that it holds under this key, and return it."""
    name = asked_name(key)
    note_text(key, name)
    return name


def bring_text(key: str) -> bool:
    """Ask the browser for the text that the link names: held_text has it in the next run. Whether to wait for it."""
    name = keep_name(key)
    return bool(name) and not held_text(key) and _asked(key, {"bring": name})


def held_text(key: str) -> str:
    """The text that the link names, once the browser has brought it; else nothing."""
    name, text = st.session_state.get(f"{key}_brought", ("", ""))
    return text if name and name == asked_name(key) else ""


def let_go(key: str) -> None:
    """Let the browser forget what it held last under this key, and the link its name."""
    if name := st.session_state.pop(f"{key}_kept", ""):
        _tell(key, {"forget": name})
    note_text(key, "")


# Files and pasted text, which come back the way they came.


def hold_file(key: str, name: str, field: str) -> None:
    """Let the browser hold what was last given to this field, and the link its name."""
    _tell(key, {"keep": name, "field": field})
    note_text(key, name)


def bring_file(key: str, fields: list[str]) -> bool:
    """Let the browser give what the link names to the field it came by, as if by hand. Whether to wait for it."""
    name = asked_name(key)
    note_text(key, name)
    return bool(name) and _asked(key, {"bring": name, "fields": fields})


def wait() -> NoReturn:
    """End the run until the browser has answered: as the page is now, it would forget what else its link says."""
    st.caption("This browser is asked for the data of this link ...")
    st.stop()


def _asked(key: str, said: dict[str, Any]) -> bool:
    """Ask the browser; whether it may have what it is asked for."""
    if st.session_state.get(f"{key}_missing") == said["bring"]:
        return False
    _tell(key, said)
    return True


def _tell(key: str, said: dict[str, Any]) -> None:
    if "keep" in said:
        st.session_state[f"{key}_kept"] = said["keep"]
    answered = partial(_take_answer, key)
    HELD(key=f"held_{key}", data=said, on_text_change=answered, on_missing_change=answered)


def _take_answer(key: str) -> None:
    """Take what the browser has brought, if it is what the link names, or take down that it is missing."""
    text, name = told(f"held_{key}", "text"), asked_name(key)
    if isinstance(text, str) and name == name_of(text.encode("utf-8", "replace")):
        st.session_state[f"{key}_brought"] = name, text
    else:
        st.session_state[f"{key}_missing"] = name
