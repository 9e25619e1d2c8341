"""What can be chosen: where the keys lie, where the query stands, the temperature; all of it stands in the link."""

import math
from dataclasses import replace

import streamlit as st

from attention_core.data import LAST_SEED
from attention_core.demos.hard import MOST_LOOKS
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked, Space
from attention_ui.controls.widgets import segmented, slider, toggle
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.texts import as_number, number_reader, written
from attention_ui.numbers import short

DIAGRAM, QUERY, TEMPERATURE, SEED = "qkv_diagram", "qkv_query", "qkv_temperature", "qkv_seed"
LABELS = {"line": "Line", "plane": "Plane"}
POSITIONS = {"Average pooling": math.inf, "Attention": 1.0, "Nearest key": 0.0}
FIRST_LOOKS = 50
# The three names belong to the slider above them; the diagram keeps its room while its frames are on their way;
# a table of six columns fits a phone only without its wide padding.
STYLE = """<style>
.st-key-qkv_diagram { min-height: 26rem; }
.st-key-qkv_positions { margin-top: -1.5rem; }
.st-key-qkv_positions > * { flex: 1 1 0; }
.st-key-qkv_positions > :first-child button > * { justify-content: flex-start; }
.st-key-qkv_positions > :last-child button > * { justify-content: flex-end; }
@media (max-width: 640px) { .st-key-qkv_numbers :is(td, th) { padding: 0.35rem 0.3rem; font-size: 0.875rem; } }
</style>"""


def controls() -> tuple[Asked, bool]:
    """Draw the switch, the slider and the toggle; return the question, and whether to look at one key at a time."""
    st.html(STYLE)
    where, sharpness, how = st.columns([1, 4, 1.4], vertical_alignment="center", gap="medium")
    with where:
        name = segmented("Keys lie on a", LABELS, "line", key="qkv_space")
    with sharpness:
        temperature = temperature_slider()
    with how:
        hard = toggle(
            "Hard attention",
            key="qkv_hard",
            help="Look at one key, drawn by its weight, instead of averaging over all of them.",
        )
    space = SPACES[name]
    return Asked(space, query_in(space), temperature), hard


# The temperature.


def temperature_slider() -> float:
    """One slider whose two ends and middle are average pooling, attention and the nearest key alone."""
    choice = Choice(TEMPERATURE, 1.0, parsed_temperature, lambda temperature: f"{temperature:g}")
    kept(choice)
    temperature: float = st.select_slider(
        "Drag the temperature T: how much do the scores count?",
        TEMPERATURES,
        format_func=temperature_text,
        key=TEMPERATURE,
    )
    with st.container(horizontal=True, gap=None, key="qkv_positions"):
        for name, position in POSITIONS.items():
            st.button(name, key=f"qkv_at_{position:g}", type="tertiary", on_click=_set_temperature, args=(position,))
    return note(choice, temperature)


def _set_temperature(temperature: float) -> None:
    st.session_state[TEMPERATURE] = temperature


def temperature_text(temperature: float) -> str:
    """How a position of the slider reads."""
    return "T = ∞" if temperature == math.inf else f"T = {short(temperature)}"


def parsed_temperature(text: str) -> float | None:
    """The position nearest to what a link asks for; None where that is none."""
    asked = as_number(text)
    if asked is None or asked in TEMPERATURES:
        return asked
    *_, coldest, _ = TEMPERATURES
    if not coldest / 2 <= asked <= TEMPERATURES[1] * 2:
        return None
    return min(TEMPERATURES[1:-1], key=lambda known: abs(math.log(known / asked)))


# The query.


def query_in(space: Space) -> tuple[float, ...]:
    """Where the query stands: where it was let go last, else where the link says, else at its start."""
    choice = Choice[tuple[float, ...]](QUERY, (), lambda text: parsed_query(text) or None, query_text)
    known = kept(choice)
    query = space.nearest((*known, *space.start[len(known) :])[: len(space.counts)])
    return note(replace(choice, usual=space.nearest(space.start)), query)


def take_query() -> None:
    """Remember where the query was let go; on the line, its height in the plane stays as it was."""
    place = parsed_query(st.session_state[DIAGRAM].get("query"))
    if place:
        st.session_state[QUERY] = (*place, *st.session_state.get(QUERY, ())[len(place) :])


def parsed_query(text: object) -> tuple[float, ...]:
    """One or two finite numbers with a comma between them, or nothing."""
    parts = text.split(",") if isinstance(text, str) else []
    try:
        numbers = tuple(float(part) for part in parts)
    except ValueError:
        return ()
    return numbers if 1 <= len(numbers) <= 2 and all(0 <= number <= 1e6 for number in numbers) else ()


def query_text(query: tuple[float, ...]) -> str:
    """A query as the link writes it."""
    return ",".join(f"{number:g}" for number in query)


# Looks at one key at a time.


def look_controls() -> tuple[int, int]:
    """Draw how many looks to take; return their number and their seed."""
    choice = Choice(SEED, 0, number_reader(0, LAST_SEED), written)
    chosen = note(choice, kept(choice))
    count = slider("Looks", 1, MOST_LOOKS, FIRST_LOOKS, key="qkv_looks")
    st.button("Look again", key="qkv_again", on_click=_look_again, help="Take other looks, with the next seed.")
    return count, chosen


def _look_again() -> None:
    st.session_state[SEED] = (st.session_state[SEED] + 1) % (LAST_SEED + 1)
