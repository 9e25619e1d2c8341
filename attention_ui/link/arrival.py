"""What became of the link that a visitor came with: which of its values the page could not use."""

import math
from dataclasses import dataclass, field

import streamlit as st

from attention_ui.controls.dataset import LABELS
from attention_ui.link import lesson, registered
from attention_ui.link.link import KEPT_NAMES, kept_in_link
from attention_ui.reading.decoding import quoted
from attention_ui.reading.wording import literal

Values = dict[str, list[str]]

ARRIVAL = "link_arrival"
NOT_OURS = (lesson.PRESENT, lesson.LOCK, "embed", "embed_options")
MOST_NAMED = 5
CLOSE = 0.05  # of a value that a page moved to the nearest it can show


@dataclass
class Arrival:
    """A visitor has come to this page with these parameters."""

    page: str
    asked: Values  # until the page has been drawn once
    sentence: str = ""
    used: Values = field(default_factory=dict)  # when the sentence was said


def arrive(page: str) -> None:
    """Take down what the link says, before anything on the page mends it."""
    known: Arrival | None = st.session_state.get(ARRIVAL)
    if known is None or known.page != page:
        asked = {name: st.query_params.get_all(name) for name in st.query_params}
        st.session_state[ARRIVAL] = Arrival(page, asked)
        kept_in_link().clear()


def prefixes() -> tuple[str, ...]:
    """What the keys of the page that is open begin with."""
    arrival: Arrival = st.session_state[ARRIVAL]
    return lesson.prefixes_of(arrival.page)


def remark() -> str:
    """One sentence on what was ignored in the link, until the visitor changes something; mostly none."""
    arrival: Arrival = st.session_state[ARRIVAL]
    if not (arrival.asked or arrival.sentence):
        return ""
    used = registered.bound_values() | _kept()
    if arrival.asked:
        names = [f"{name}={', '.join(asked)}" for name, asked in unused(arrival.asked, used, prefixes()).items()]
        locks = lesson.unknown_locks(registered.keys_on_the_page(), prefixes())
        arrival.sentence = sentence([*names, *(f"{lesson.LOCK}={name}" for name in locks)])
        arrival.asked, arrival.used = {}, used
    elif arrival.used != used:
        arrival.sentence = ""
    return arrival.sentence


def _kept() -> Values:
    return {name: [] if text is None else [text] for name, text in kept_in_link().items()}


def sentence(names: list[str]) -> str:
    """Which values were ignored, as Markdown; nothing where none was."""
    if not names:
        return ""
    shown = [literal(quoted(name)[1:-1]) for name in names[:MOST_NAMED]]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Ignored in the link, since this page cannot use it: {', '.join(shown)}{more}."


def unused(asked: Values, used: Values, begins: tuple[str, ...]) -> Values:
    """What a link asks for that is not in use now."""
    return {
        name: values
        for name, values in asked.items()
        if name.lower() not in NOT_OURS
        and not name.lower().startswith("utm_")
        and not (_agree(values, used[name]) if name in used else _waits(name, begins))
    }


def _waits(name: str, begins: tuple[str, ...]) -> bool:
    """Whether this belongs to a part of the page that is not open, as the epoch while other runs are compared."""
    return any(name.removeprefix(prefix) in KEPT_NAMES for prefix in begins if name.startswith(prefix))


def _agree(asked: list[str], used: list[str]) -> bool:
    """Whether these are the same values, though one may write 1e0 where the other writes 1."""
    asked = [value for value in asked if value] or [""]
    asked = asked[-1:] if len(used) == 1 else asked  # of several, Streamlit takes the last
    return len(asked) == len(used or [""]) and all(map(_same, asked, used or [""]))


def _same(asked: str, used: str) -> bool:
    if asked == used or asked.lower() == used or LABELS.get(asked) == used:
        return True
    pieces = [text.replace(";", ",").split(",") for text in (asked, used)]
    return len(pieces[0]) == len(pieces[1]) and all(map(_near, *pieces))


def _near(asked: str, used: str) -> bool:
    try:
        return math.isclose(float(asked), float(used), rel_tol=CLOSE)
    except ValueError:
        return False
