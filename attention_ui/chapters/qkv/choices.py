"""What can be chosen: the query, the keys, the values, the temperature; all of it stands in the link."""

import math
from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from attention_core.data import LAST_SEED
from attention_core.demos.hard import MOST_SAMPLES
from attention_core.demos.qkv import LINE
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, VALUE_AXIS, Asked, Space, space_with
from attention_ui.component import told
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import segmented, slider, toggle
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.values import as_number, number_reader, written
from attention_ui.numbers import short

DIAGRAM, QUERY, TEMPERATURE, SEED = "qkv_diagram", "qkv_query", "qkv_temperature", "qkv_seed"
KEYS, VALUES, SAMPLES = {"line": "qkv_line", "plane": "qkv_plane"}, "qkv_values", "qkv_looks"
LABELS = {"line": "Line", "plane": "Plane"}
POSITIONS = {"Average pooling": math.inf, "Attention": 1.0, "Nearest key": 0.0}
FIRST_SAMPLES = 50
USUAL_VALUES = tuple(LINE.values.tolist())
MOST_LETTERS = 200  # of a list of numbers in a link
# The three names belong to the slider above them; the diagram keeps its room while its frames are on their way.
STYLE = """<style>
.st-key-qkv_diagram { min-height: 26rem; }
.st-key-qkv_positions { margin-top: -1.5rem; }
.st-key-qkv_positions > * { flex: 1 1 0; }
.st-key-qkv_positions > :first-child button > * { justify-content: flex-start; }
.st-key-qkv_positions > :last-child button > * { justify-content: flex-end; }
@media (max-width: 767px) { .st-key-qkv_positions { margin-top: -0.75rem; } }
</style>"""


def controls() -> tuple[Asked, bool]:
    """Draw the switch, the slider, the toggle and Reset; return the question, and whether attention is hard."""
    st.html(STYLE)
    where, sharpness, how = st.columns([1, 4, 1.4], vertical_alignment="center", gap="medium")
    with where:
        name = segmented("Keys lie on a", LABELS, "line", key="qkv_space")
    with sharpness, sticky("qkv"):
        temperature = temperature_slider()
    with how.container(gap=None):
        hard = toggle(
            "Hard attention",
            key="qkv_hard",
            help="Sample one key by its weight, instead of averaging over all of them.",
        )
        st.button("Reset", key="qkv_reset", type="tertiary", on_click=_reset)
    space = space_with(name, _keys(name), _values())
    return Asked(space, query_in(space), temperature), hard


def _reset() -> None:
    """Let the query, the keys, the values and the temperature be where the page began."""
    usual = {KEYS[name]: usual_keys(name) for name in SPACES} | {VALUES: USUAL_VALUES}
    st.session_state.update({**usual, TEMPERATURE: 1.0, QUERY: ()})


# The temperature.


def temperature_slider() -> float:
    """One slider whose two ends and middle are average pooling, attention and the nearest key alone."""
    choice = Choice(TEMPERATURE, 1.0, parsed_temperature, lambda temperature: f"{temperature:g}")
    kept(choice)
    temperature: float = st.select_slider(
        "Temperature T: drag right, and the scores count more",
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
    choice = Choice[tuple[float, ...]](QUERY, (), lambda text: parsed_query(text) or None, numbers_text)
    known = kept(choice)
    query = space.nearest((*known, *space.start[len(known) :])[: len(space.counts)])
    return note(replace(choice, usual=space.nearest(space.start)), query)


def take_query() -> None:
    """Remember where the query was let go; on the line, its height in the plane stays as it was."""
    place = parsed_query(told(DIAGRAM, "query"))
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


def numbers_text(numbers: Iterable[float]) -> str:
    """Numbers as the link writes them."""
    return ",".join(f"{number:g}" for number in numbers)


# Keys and values.


def usual_keys(name: str) -> tuple[float, ...]:
    """Where the keys of this space begin, one after the other."""
    return tuple(SPACES[name].pairs.keys.flatten().tolist())


def _keys(name: str) -> tuple[float, ...]:
    """Where the keys of this space lie; both spaces stand in the link."""
    return {each: _listed(KEYS[each], usual_keys(each), _key_ends(each)) for each in SPACES}[name]


def _values() -> tuple[float, ...]:
    return _listed(VALUES, USUAL_VALUES, (VALUE_AXIS[1],) * len(USUAL_VALUES))


def _key_ends(name: str) -> tuple[float, ...]:
    return SPACES[name].ends() * len(USUAL_VALUES)


def _listed(key: str, usual: tuple[float, ...], ends: tuple[float, ...]) -> tuple[float, ...]:
    """So many numbers that have no widget, each from 0 to its end."""
    choice = Choice(key, usual, lambda text: parsed_numbers(text, ends), numbers_text)
    return note(choice, kept(choice))


def parsed_numbers(text: str, ends: tuple[float, ...]) -> tuple[float, ...] | None:
    """As many numbers as there are ends, with commas between them and each from 0 to its end; None for others."""
    numbers = [as_number(part) for part in text.split(",")] if len(text) <= MOST_LETTERS else []
    if len(numbers) != len(ends):
        return None
    found = [x for x, end in zip(numbers, ends, strict=True) if x is not None and 0 <= x <= end]
    return tuple(round(x, 3) for x in found) if len(found) == len(ends) else None


def take_key() -> None:
    """Remember where a key was let go: the text holds the number of the pair, then its new place."""
    space = SPACES[st.session_state["qkv_space"]]
    _replace("key", KEYS[space.name], space.ends())


def take_value() -> None:
    """Remember the value that a pair was given: the text holds the number of the pair, then its new value."""
    _replace("value", VALUES, VALUE_AXIS[1:])


def _replace(event: str, key: str, ends: tuple[float, ...]) -> None:
    text = told(DIAGRAM, event)
    found = parsed_numbers(text, (len(USUAL_VALUES) - 1, *ends)) if isinstance(text, str) else None
    if found:
        (pair, *changed), before = found, st.session_state[key]
        at = int(pair) * len(ends)
        st.session_state[key] = (*before[:at], *changed, *before[at + len(ends) :])


# Samples of one key at a time.


def sample_controls() -> tuple[int, int]:
    """Draw how many keys to sample; return their number and their seed."""
    choice = Choice(SEED, 0, number_reader(0, LAST_SEED), written)
    chosen = note(choice, kept(choice))
    count = slider("Samples", 1, MOST_SAMPLES, FIRST_SAMPLES, key=SAMPLES)
    st.button("Sample again", key="qkv_again", on_click=_sample_again, help="Take other samples, with the next seed.")
    return count, chosen


def samples_taken() -> tuple[int, int]:
    """How many samples are on the screen, and their seed."""
    return st.session_state[SAMPLES], st.session_state[SEED]


def _sample_again() -> None:
    st.session_state[SEED] = (st.session_state[SEED] + 1) % (LAST_SEED + 1)
