"""A visitor's file or pasted text: two ways to bring it, and one sentence where it cannot be read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from streamlit.typing import UploadedFile

from attention_core.checks import InputError
from attention_ui.reading.decoding import quoted

T = TypeVar("T")  # what is read


class Words(NamedTuple):
    """The label and the help of either way, and an example of what may be pasted."""

    file: str
    file_help: str
    pasted: str
    pasted_help: str
    example: str


@dataclass(frozen=True)
class Reader(Generic[T]):
    """How a file, given as its bytes and its name, and pasted text are read, and what is done with the outcome."""

    file: Callable[[bytes, str], T]
    pasted: Callable[[str], T]
    take: Callable[[T, str], None]  # what was read, and where it is from
    refuse: Callable[[str], None]  # why it cannot be read; nothing where the input was taken back


def upload_or_paste(page: str, words: Words, reader: Reader[Any]) -> None:
    """Draw a tab for a file and one for pasted text; each is read when it changes."""
    file, paste = st.tabs(["File", "Paste"])
    upload, pasted = f"{page}_upload", f"{page}_pasted"
    file.file_uploader(words.file, key=upload, on_change=_read_file, args=(upload, reader), help=words.file_help)
    paste.text_area(
        words.pasted,
        key=pasted,
        height=120,
        placeholder=words.example,
        on_change=_read_pasted,
        args=(pasted, reader),
        help=words.pasted_help,
        persist_state="session",
    )


def _read_file(key: str, reader: Reader[Any]) -> None:
    file = st.session_state[key]
    if isinstance(file, UploadedFile):
        _read(reader, lambda: reader.file(file.getvalue(), file.name), quoted(file.name))
    else:
        reader.refuse("")


def _read_pasted(key: str, reader: Reader[Any]) -> None:
    text = st.session_state[key]
    if text.strip():
        _read(reader, lambda: reader.pasted(text), "pasted")
    else:
        reader.refuse("")


def _read(reader: Reader[T], read: Callable[[], T], origin: str) -> None:
    try:
        found = read()
    except InputError as fault:
        reader.refuse(str(fault))
    else:
        reader.take(found, origin)
