"""One way to keep a choice in the link: a choice begins with what the link says, and the link is written last in a run.

A page's choices are noted in a register while it is drawn. What has its usual value is left out of the link; what
belongs to a part of the page that is closed stays in it as it is.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import streamlit as st

from attention_ui.link.old_links import current_text, text_left_out

T = TypeVar("T")
P = ParamSpec("P")
REGISTER, REMEMBERED = "link_register", "link_remembered"


@dataclass(frozen=True)
class Choice(Generic[T]):
    """Something to choose: its name in the link, its usual value, and how a link writes it."""

    key: str
    usual: T
    read: Callable[[str], T | None]  # None refuses the text
    write: Callable[[T], str]
    many: bool = False  # a link may give it several values


class Noted(NamedTuple):
    """What a choice is set to and what it usually is, as a link writes both."""

    text: str
    usual: str | None  # None: stands in the link whatever it is
    same: Callable[[str], str | None] = lambda text: text  # another text as the page would write it; None refuses it


@dataclass
class Register:
    """The choices of the page that is open."""

    noted: dict[str, Noted] = field(default_factory=dict)
    drawing: bool = False  # the whole page is being drawn, so the link is written at its end
    written: bool = True  # since the visitor came from another page
    bounds: dict[str, Any] = field(default_factory=dict)  # of every slider that was drawn


def register() -> Register:
    """The register of this visitor's page."""
    kept: Register = st.session_state.setdefault(REGISTER, Register())
    return kept


def begin_anew() -> None:
    """Forget the choices of the page before, if there was one."""
    st.session_state[REGISTER] = Register(written=REGISTER not in st.session_state)


# Read.


def asked_text(key: str, many: bool = False) -> str | None:
    """What the link says about a choice, in the words of today, else what was chosen when the page was left."""
    texts = [current_text(key, text) for text in st.query_params.get_all(key)]
    if not texts:
        return text_left_out(key, st.query_params) or remembered().get(key)
    return ",".join(text for text in texts if text) if many else texts[-1]


def remembered() -> dict[str, str]:
    """Every unusual choice of this visit as a link writes it, so that a page is as it was when one comes back to it."""
    kept: dict[str, str] = st.session_state.setdefault(REMEMBERED, {})
    return kept


def seed(choice: Choice[Any]) -> bool:
    """Let the session begin with what the link says, where it has no value yet; return whether it did."""
    if choice.key in st.session_state:
        return False
    text = asked_text(choice.key, choice.many)
    value = None if text is None else choice.read(text)
    if value is None:
        return False
    st.session_state[choice.key] = value
    return True


def kept(choice: Choice[T]) -> T:
    """The value of a choice that has no widget: the session's, else the link's, else the usual one."""
    if not seed(choice):
        st.session_state.setdefault(choice.key, choice.usual)
    value: T = st.session_state[choice.key]
    return value


# Write.


def note(choice: Choice[T], value: T) -> T:
    """Note what a choice is set to now, and return it."""

    def same(text: str) -> str | None:
        read = choice.read(text)
        return None if read is None else choice.write(read)

    note_text(choice.key, choice.write(value), choice.write(choice.usual), same)
    return value


def note_text(
    key: str, text: str, usual: str | None = "", same: Callable[[str], str | None] = lambda text: text
) -> None:
    """Note what the link shall say about something that the page keeps by itself."""
    register().noted[key] = Noted(text, usual, same)


def tell_together(told: Iterable[str], among: Iterable[str]) -> None:
    """Let the link say these where any of them or of those is unusual: a link without them is an old one."""
    noted, told = register().noted, list(told)
    if any(noted[name].text != noted[name].usual for name in [*told, *among] if name in noted):
        for name in told:
            noted[name] = noted[name]._replace(usual=None)


def write_link() -> None:
    """Write every choice that was noted into the link, in one message, and in none where nothing has changed.

    Coming from another page, write it anyway: who goes Back while that one is drawn may get its link afterwards.
    """
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    link, kept = dict(now), remembered()
    for name, (text, usual, _) in register().noted.items():
        if text == usual:
            link.pop(name, None)
            kept.pop(name, None)
        else:
            link[name], kept[name] = [text], text
    if link != now or not register().written:
        st.query_params.from_dict(link)
        register().written = True


@contextmanager
def page_in_link() -> Iterator[None]:
    """Note the choices of a whole page while it is drawn, and write its link at the end, unless it is cut short."""
    begun = register()
    begun.noted, begun.drawing = {}, True
    try:
        yield
        write_link()
    finally:
        begun.drawing = False


def fragment(function: Callable[P, T]) -> Callable[P, T]:
    """st.fragment for a part of the page with choices: a run of it alone writes the link too."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        result = function(*args, **kwargs)
        if not register().drawing:
            write_link()
        return result

    return st.fragment(run)
