"""What became of the link that a visitor came with: which of its values the page could not use."""

import math
from dataclasses import dataclass, field

import streamlit as st

from attention_ui.contents import Chapter
from attention_ui.link import lesson
from attention_ui.link.choice import Noted, begin_anew, register
from attention_ui.link.names import is_known
from attention_ui.link.old_links import current_text
from attention_ui.reading.decoding import quoted
from attention_ui.reading.literal import literal

Values = dict[str, list[str]]

ARRIVAL = "link_arrival"
NOT_OURS = (lesson.PRESENT, lesson.LOCK, "embed", "embed_options")
MOST_NAMED = 5
CLOSE = 0.05  # of a value that a page moved to the nearest it can show


@dataclass
class Arrival:
    """The page that a visitor has opened, and the parameters of the link."""

    chapter: Chapter
    asked: Values  # until the page has been drawn once
    sentence: str = ""
    used: dict[str, str] = field(default_factory=dict)  # when the sentence was said


def arrive(chapter: Chapter) -> None:
    """Take down what the link says, before the page reads it."""
    known: Arrival | None = st.session_state.get(ARRIVAL)
    if known is None or known.chapter != chapter:
        asked = {name: st.query_params.get_all(name) for name in st.query_params}
        st.session_state[ARRIVAL] = Arrival(chapter, asked)
        begin_anew()


def prefix() -> str:
    """What the keys of the page that is open begin with."""
    arrival: Arrival = st.session_state[ARRIVAL]
    return arrival.chapter.key_prefix


def ignored_words() -> str:
    """One sentence on what was ignored in the link, until the visitor changes something; mostly none."""
    arrival: Arrival = st.session_state[ARRIVAL]
    if not (arrival.asked or arrival.sentence):
        return ""
    noted = register().noted
    used = {name: each.text for name, each in noted.items()}
    if arrival.asked:
        names = [f"{name}={', '.join(asked)}" for name, asked in unused(arrival.asked, noted, prefix()).items()]
        locks = lesson.unknown_locks(map(str, st.session_state), prefix())
        arrival.sentence = sentence([*names, *(f"{lesson.LOCK}={name}" for name in locks)])
        arrival.asked, arrival.used = {}, used
    elif arrival.used != used:
        arrival.sentence = ""
    return arrival.sentence


def sentence(names: list[str]) -> str:
    """Which values were ignored, as Markdown; nothing where none was."""
    if not names:
        return ""
    shown = [literal(quoted(name)[1:-1]) for name in names[:MOST_NAMED]]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Ignored in the link, since this page cannot use it: {', '.join(shown)}{more}."


def unused(asked: Values, noted: dict[str, Noted], begins: str) -> Values:
    """What a link asks for that is not in use now; what waits for a closed part of the page is not told."""
    return {
        name: values
        for name, values in asked.items()
        if name.lower() not in NOT_OURS
        and not name.lower().startswith("utm_")
        and not (_agree(name, values, noted[name]) if name in noted else is_known(name, begins))
    }


def _agree(name: str, asked: list[str], noted: Noted) -> bool:
    """Whether the page uses what was asked for: the last of several values, or all of them together."""
    texts = [current_text(name, text) for text in asked]
    found = {noted.same(text) for text in (texts[-1], ",".join(filter(None, texts)))}
    return any(text is not None and (text == noted.text or _near(text, noted.text)) for text in found)


def _near(asked: str, used: str) -> bool:
    try:
        return math.isclose(float(asked), float(used), rel_tol=CLOSE)
    except ValueError:
        return False
