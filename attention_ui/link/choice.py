"""One way to keep a choice in the link: a choice begins with what the link says, and the link is written last in a run.

A page's choices are noted in a register while it is drawn. What has its usual value is left out of the link; what
belongs to a part of the page that is closed stays in it as it is. So the link is the whole state of a page, and what it
said before is what Undo returns to.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from time import monotonic
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import streamlit as st

from attention_ui.link.lesson import LOCK, PRESENT
from attention_ui.link.old_links import current_text, text_left_out

T = TypeVar("T")
P = ParamSpec("P")
State = dict[str, str]  # every choice as a link writes it, the usual ones too
TRAINED = "_trained"  # what the name of a run ends with: training is not taken back by Undo
MADE = (TRAINED, "_earlier", "_more")  # nor are earlier runs and experiments
REGISTER, REMEMBERED = "link_register", "link_remembered"
MOST_UNDONE = 30
ONE_GESTURE = 1.0  # second: so soon after each other, changes of the same choice are taken back together


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
    restore: Callable[[str], object] = lambda text: None  # lets what a page keeps by itself follow an older link


@dataclass
class Register:
    """The choices of the page that is open."""

    noted: dict[str, Noted] = field(default_factory=dict)
    drawing: bool = False  # the whole page is being drawn, so the link is written at its end
    written: bool = True  # since the visitor came from another page
    bounds: dict[str, Any] = field(default_factory=dict)  # of every slider that was drawn
    state: State | None = None  # as the link was last written
    past: list[State] = field(default_factory=list)  # what Undo returns to, the latest last
    future: list[State] = field(default_factory=list)  # what Redo returns to, the next last
    turns: int = 0  # of Undo and Redo: a player goes where it is told after each
    turned: bool = False  # the run that follows restores a state, and makes no new one
    in_vain: bool = False  # Undo or Redo was pressed just now, and there was nothing to return to
    changed: tuple[frozenset[str], float] = frozenset(), 0.0  # the names of the last change, and when it was made


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


def text_in_link(key: str) -> str:
    """What the link itself says about a choice, the last of several; nothing where it does not name it."""
    return current_text(key, st.query_params.get(key, ""))


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
    key: str,
    text: str,
    usual: str | None = "",
    same: Callable[[str], str | None] = lambda text: text,
    restore: Callable[[str], object] = lambda text: None,
) -> None:
    """Note what the link shall say about something that the page keeps by itself."""
    register().noted[key] = Noted(text, usual, same, restore)


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
    for name, (text, usual, *_) in register().noted.items():
        if text == usual:
            link.pop(name, None)
            kept.pop(name, None)
        else:
            link[name], kept[name] = [text], text
    if link != now or not register().written:
        st.query_params.from_dict(link)
        register().written = True
    _take_down({name: texts[-1] for name, texts in link.items() if name not in (LOCK, PRESENT)})


# Take back.


def _take_down(link: State) -> None:
    """Keep the state that has just been left, for Undo; one gesture on one choice leaves one state."""
    begun = register()
    all_of_it = link | {name: noted.text for name, noted in begun.noted.items()}
    state = {name: text for name, text in all_of_it.items() if not name.endswith(MADE)}
    before, begun.state, turned, begun.turned = begun.state, state, begun.turned, False
    # A choice that only one of them names belongs to a part that was opened or closed: that by itself is no change.
    changed = frozenset(name for name, text in state.items() if before and before.get(name, text) != text)
    if before is None or turned or not changed:
        return
    (names, when), begun.changed = begun.changed, (changed, monotonic())
    begun.future = []
    if not (begun.past and changed == names and monotonic() - when < ONE_GESTURE):
        begun.past = [*begun.past, before][-MOST_UNDONE:]


def undo() -> None:
    """Let the page be as it was before its last change; call it before the page is drawn."""
    _turn(register().past, register().future)


def redo() -> None:
    """Let the page be as it was before the last Undo; call it before the page is drawn."""
    _turn(register().future, register().past)


def _turn(states: list[State], others: list[State]) -> None:
    """Return to the last of these states, and keep the present one among the others."""
    begun = register()
    begun.in_vain = not states
    if not states or begun.state is None:
        return
    others.append(begun.state)
    target, now = states.pop(), begun.state
    lesson = {name: st.query_params[name] for name in (LOCK, PRESENT) if name in st.query_params}
    st.query_params.from_dict(lesson | target)
    for name in now.keys() | target.keys():
        if now.get(name) != target.get(name):
            st.session_state.pop(name, None)  # it begins with what the link says
            remembered().pop(name, None)
            if name in begun.noted:
                begun.noted[name].restore(target.get(name, ""))
    begun.turned, begun.turns, begun.changed = True, begun.turns + 1, (frozenset(), 0.0)


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
