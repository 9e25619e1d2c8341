"""Streamlit's widgets for choices that stand in the link: an id or a number is chosen, its label is only shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import streamlit as st

from attention_ui.link.choice import Choice, kept, note, register, seed
from attention_ui.link.values import number_reader, option_reader, options_reader, switch_reader, written, written_list
from attention_ui.shown import note_setting, note_slider

# Each about 1.12 times the last.
ROUND = (10, 11, 12, 14, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90)
N = TypeVar("N", int, float)
O = TypeVar("O")  # noqa: E741  an option


def _begin(choice: Choice[Any], **default: Any) -> dict[str, Any]:
    """What the widget begins with: its default, unless the link has said something else just now."""
    return {} if seed(choice) else default


def _noted(label: str, choice: Choice[O], value: O, text: str) -> O:
    """Note what a control is set to, for the link and for what is taken home, and return it."""
    note_setting(label, text)
    return note(choice, value)


def slider(label: str, low: N, high: N, usual: N, step: N | None = None, *, key: str, **drawn: Any) -> N:
    """Draw a slider and return its number."""
    choice = Choice(key, usual, number_reader(low, high), written)
    begun = _begin(choice, value=usual)
    if register().bounds.setdefault(key, (low, high)) != (low, high):  # to Streamlit this is a new slider
        register().bounds[key] = low, high
        if low <= st.session_state.get(key, low - 1) <= high:
            st.session_state[key], begun = st.session_state[key], {}
    value: N = st.slider(label, low, high, step=step, key=key, **begun, **drawn)
    if isinstance(low, int):
        note_slider(key, label, int(value - low), tuple(map(str, range(low, int(high) + 1))))
    return _noted(label, choice, value, written(value))


@lru_cache(16)
def counts(low: int, high: int) -> frozenset[int]:
    """Round whole numbers from low to high, evenly by their logarithm as far as round numbers are."""
    powers = (10**power for power in range(len(str(high))))
    every = {*range(1, 10), *(digits * power for power in powers for digits in ROUND)}
    return frozenset({low, high} | {n for n in every if low <= n <= high})


def count(label: str, low: int, high: int, usual: int, *, key: str, **drawn: Any) -> int:
    """Draw a slider over whole numbers, evenly by their logarithm, and return the chosen one; a link may name any."""
    choice = Choice(key, usual, number_reader(low, high), written)
    begun = _begin(choice, value=usual)
    now = st.session_state.get(key, usual)
    options = sorted(counts(low, high) | {usual, now})
    value: int = st.select_slider(label, options, format_func=lambda n: f"{n:,}", key=key, **begun, **drawn)
    return _noted(label, choice, value, f"{value:,}")


def number(label: str, low: N, high: N, usual: N, step: N | None = None, *, key: str, **drawn: Any) -> N:
    """Draw a field for a number and return it."""
    choice = Choice(key, usual, number_reader(low, high), written)
    value: N = st.number_input(label, low, high, step=step, key=key, **_begin(choice, value=usual), **drawn)
    return _noted(label, choice, value, written(value))


def toggle(label: str, usual: bool = False, *, key: str, **drawn: Any) -> bool:
    """Draw a switch and return whether it is on."""
    choice = Choice(key, usual, switch_reader, written)
    value = bool(st.toggle(label, key=key, **_begin(choice, value=usual), **drawn))
    return _noted(label, choice, value, "on" if value else "off")


def next_seed(label: str, *, key: str, last: int = 9, **drawn: Any) -> int:
    """Draw a button that takes the next seed, and after the last one the first, and return the seed.

    The label may name the seed, by {}.
    """
    choice = Choice(key, 0, number_reader(0, last), written)
    drawn_from = kept(choice)
    with st.container(key=key):  # a lesson hides a choice by its key
        st.button(
            label.format(drawn_from),
            key=f"{key}_next",
            on_click=_take_seed,
            args=(key, (drawn_from + 1) % (last + 1)),
            **drawn,
        )
    return _noted("Seed", choice, drawn_from, str(drawn_from))


def _take_seed(key: str, value: int) -> None:
    st.session_state[key] = value


def text_field(label: str, usual: str, *, key: str, max_chars: int | None = None, **drawn: Any) -> str:
    """Draw a field for a line of text and return it."""
    choice = Choice(key, usual, lambda text: text[:max_chars], str)
    typed = st.text_input(label, key=key, max_chars=max_chars, **_begin(choice, value=usual), **drawn)
    return _noted(label, choice, typed or "", typed or "")


def select_slider(
    label: str, options: Mapping[O, str], usual: O, *, key: str, read: Callable[[str], O | None] | None = None,
    **drawn: Any,
) -> O:  # fmt: skip
    """Draw a slider over these options, shown by their labels, and return the chosen one."""
    choice = Choice(key, usual, read or option_reader(options), written)
    value: O = st.select_slider(
        label, list(options), format_func=options.__getitem__, key=key, **_begin(choice, value=usual), **drawn
    )
    note_slider(key, label, list(options).index(value), tuple(options.values()))
    return _noted(label, choice, value, options[value])


def selectbox(label: str, options: Mapping[O, str], usual: O, *, key: str, **drawn: Any) -> O:
    """Draw a list of these options, shown by their labels, and return the chosen one."""
    choice, values = Choice(key, usual, option_reader(options), written), list(options)
    value: O = st.selectbox(
        label, values, format_func=options.__getitem__, key=key,
        **_begin(choice, index=values.index(usual)), **drawn,
    )  # fmt: skip
    return _noted(label, choice, value, options[value])


def segmented(label: str, options: Mapping[O, str], usual: O, *, key: str, required: bool = True, **drawn: Any) -> O:
    """Draw these options beside each other, shown by their labels, and return the chosen one.

    Where none is required, a click on the chosen one takes it back: its callback hears of every click.
    """
    return _one_beside_others(st.segmented_control, label, options, usual, key=key, required=required, **drawn)


def one_of(label: str, options: Mapping[O, str], usual: O, *, key: str, **drawn: Any) -> O:
    """Draw these options as pills, shown by their labels, and return the chosen one."""
    return _one_beside_others(st.pills, label, options, usual, key=key, required=True, **drawn)


def _one_beside_others(
    draw: Callable[..., Any], label: str, options: Mapping[O, str], usual: O, *, key: str, **drawn: Any
) -> O:
    choice = Choice(key, usual, option_reader(options), written)
    begun = _begin(choice, default=usual)
    value: O | None = draw(label, list(options), format_func=options.__getitem__, key=key, **begun, **drawn)
    chosen = usual if value is None else value
    return _noted(label, choice, chosen, options[chosen])


def pills(label: str, options: Mapping[O, str], *, key: str, **drawn: Any) -> list[O]:
    """Draw these options to be switched on and off, all on to begin with, and return those that are on."""
    usual = list(options)
    choice = Choice(key, usual, options_reader(usual), written_list, many=True)
    value: list[O] = st.pills(
        label, usual, selection_mode="multi", format_func=options.__getitem__, key=key,
        **_begin(choice, default=usual), **drawn,
    )  # fmt: skip
    chosen = [option for option in usual if option in value]
    return _noted(label, choice, chosen, ", ".join(options[each] for each in chosen))


def multiselect(label: str, options: Sequence[O], usual: list[O], *, key: str, most: int, **drawn: Any) -> list[O]:
    """Draw a choice of so many options at most, and return the chosen ones in the order they were chosen."""
    choice = Choice(key, usual, options_reader(options, most), written_list, many=True)
    value: list[O] = st.multiselect(
        label, options, key=key, max_selections=most, **_begin(choice, default=usual), **drawn
    )
    return note(choice, value)
