"""A visitor's file or pasted text: two ways to bring it, and one sentence where it cannot be read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from streamlit.typing import UploadedFile

from attention_core.checks import InputError
from attention_ui.gate import turn
from attention_ui.link.held import asked_name, bring_file, hold_file, let_go, name_of, wait
from attention_ui.reading.decoding import quoted
from attention_ui.seams import session_of_run

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
    take: Callable[[T, str], None]  # what was read, and where it is from; an InputError where there is no room for it
    refuse: Callable[[str], None]  # why it cannot be read; nothing where the input was taken back


def upload_or_paste(page: str, words: Words, reader: Reader[Any]) -> None:
    """Draw a tab for a file and one for pasted text; each is read when it changes."""
    file, paste = st.tabs(["File", "Paste"])
    upload, pasted = f"{page}_upload", f"{page}_pasted"
    file.file_uploader(words.file, key=upload, on_change=_read_file, args=(page, reader), help=words.file_help)
    paste.text_area(
        words.pasted,
        key=pasted,
        height=120,
        placeholder=words.example,
        on_change=_read_pasted,
        args=(page, reader),
        help=words.pasted_help,
        persist_state="session",
    )
    # A field outlives the process that read it, and a run that should read it may be ended by the next before it has.
    if st.session_state.get(pasted) and _is_asked(page, st.session_state[pasted].encode("utf-8", "replace")):
        _read_pasted(page, reader)
    if isinstance(brought := st.session_state.get(upload), UploadedFile) and _is_asked(page, brought.getbuffer()):
        _read_file(page, reader)


def hold_given(page: str, in_use: bool, others: bool) -> None:
    """Let the browser hold what was given, if in use; what the link names comes back, unless others are in use."""
    given, key = _given(page), f"{page}_file"
    if in_use and given:
        hold_file(key, *given)
    elif asked_name(key) and not given and not others:
        if bring_file(key, [f"{page}_upload", f"{page}_pasted"]) and not _is_refused(page, asked_name(key)):
            wait()
    else:
        let_go(key)


def _given(page: str) -> tuple[str, str] | None:
    """The name of what was read last, and the field it came by; None where it was taken out of there since."""
    given: tuple[str, str] | None = st.session_state.get(f"{page}_given")
    return given


def _is_asked(page: str, content: bytes | memoryview) -> bool:
    """Whether the link names this content, and it is not read yet."""
    name = asked_name(f"{page}_file")
    return bool(name) and _given(page) is None and not _is_refused(page, name) and name == name_of(content)


def _is_refused(page: str, name: str) -> bool:
    """Whether this content was read last, and could not be used: it is not read again in every run."""
    return bool(st.session_state.get(f"{page}_refused") == name)


def _read_file(page: str, reader: Reader[Any]) -> None:
    file = st.session_state[key := f"{page}_upload"]
    if isinstance(file, UploadedFile):
        content = file.getvalue()
        _read(page, reader, lambda: reader.file(content, file.name), quoted(file.name), (name_of(content), key))
    else:
        _take_out(page, key, reader)


def _read_pasted(page: str, reader: Reader[Any]) -> None:
    text = st.session_state[key := f"{page}_pasted"]
    if text.strip():
        given = name_of(text.encode("utf-8", "replace")), key
        _read(page, reader, lambda: reader.pasted(text), "pasted", given)
    else:
        _take_out(page, key, reader)


def _take_out(page: str, field: str, reader: Reader[Any]) -> None:
    """Let go of what came by this field, which is empty now."""
    if (given := _given(page)) and given[1] == field:
        st.session_state[f"{page}_given"] = None
    reader.refuse("")


def _read(page: str, reader: Reader[T], read: Callable[[], T], origin: str, given: tuple[str, str]) -> None:
    try:
        with turn((session_of_run(), "reading")):
            reader.take(read(), origin)
    except InputError as fault:
        st.session_state[f"{page}_refused"] = given[0]
        reader.refuse(str(fault))
    else:
        st.session_state[f"{page}_given"] = given
