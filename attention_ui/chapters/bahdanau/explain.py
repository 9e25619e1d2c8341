"""A test of attention as an explanation: whether the symbols with large weights matter for what was written."""

import math

import streamlit as st

from attention_core.sequences.occlusion import NOTICEABLE, Agreement, Occlusion, Swap
from attention_core.sequences.trained import swaps, traced
from attention_ui.chapters.bahdanau.choices import PAGE, Asked, asked
from attention_ui.chapters.bahdanau.computation import explained, occluded
from attention_ui.chapters.bahdanau.steps import SHOWN
from attention_ui.controls.widgets import slider
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short, table
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, pack, show_picture
from attention_ui.reading.literal import literal
from attention_ui.shared import shared

LEAST_TOLD = 0.005  # drop in a probability: a smaller one would read 0.00
NAMES = Names("written", "read", "value", "written", "read")


def show() -> tuple[Asked, int]:
    """Attention beside effect, one written symbol put to the test, and how far both agree; return both choices."""
    chosen = asked()
    seen = occluded(*chosen)
    show_picture(f"{PAGE}_explained", packed(*chosen))
    row = symbol_choice(chosen, seen)
    st.markdown(looked(chosen, seen, row))
    st.markdown(swapped(chosen, row))
    st.markdown(agreed(agreement(*chosen)))
    st.markdown(
        "**What this does and does not show.** The weights show what entered the average, so they are a good first "
        "guess at a cause. They are no proof: a state $h_i$ also holds information about its neighbours, a symbol may "
        "matter without a large weight, and one swap at a time misses causes that act together."
    )
    ask_with(
        "Find a written symbol whose most attended input can be swapped without changing it. What does the model rely "
        "on instead?",
        "symbol",
    )
    return chosen, row


@shared
def packed(task_name: str, text: str) -> bytes:
    """Both matrices as bytes."""
    return pack(compared(task_name, text))


def compared(task_name: str, text: str) -> Picture:
    """Both matrices, one layout, one scale, with two hues around 0 where a swap raises a probability."""
    trace, shown = traced(task_name, text), explained(task_name, text).shown
    weights, effects = shown["weights"], shown["effects"]
    rows, columns = trace.symbols, tuple(SHOWN.get(character, character) for character in trace.text)
    low, high = effects.min().item(), effects.max().item()
    negative = " (below 0 the swap raised it)" if low < 0 else ""
    panels = (
        Heatmap("Attention weights", weights, rows, columns, notes=("weight α, each row sums to 1",)),
        Heatmap(
            "Effect: how much a swap lowers its probability",
            effects,
            rows,
            columns,
            notes=(f"from {short(low, 2)} to {short(high, 2)}{negative}",),
        ),
    )
    return Picture(panels, low=min(low, 0.0), high=1.0, names=NAMES, across=2, height=240, fills=True)


def agreement(task_name: str, text: str) -> Agreement:
    """How far attention and effect agree."""
    pearson, spearman, same_peak, rows = explained(task_name, text).shown["agreed"].tolist()
    return Agreement(pearson, spearman, same_peak, int(rows))


def agreed(found: Agreement) -> str:
    """The three numbers in words, each with what it measures."""
    pearson, spearman = (
        "undefined" if math.isnan(each) else short(each, 2) for each in (found.pearson, found.spearman)
    )
    return (
        f"**Do they agree?** The correlation of the numbers (Pearson) is **{pearson}**, that of their ranks (Spearman) "
        f"**{spearman}**; 1 is full agreement. In the ranks the many tiny cells count as much as the few large ones. "
        f"{_peaks(found)}"
    )


def _peaks(found: Agreement) -> str:
    """In how many rows both have the same peak; a row where no swap matters says nothing."""
    matters = f"some swap lowers the probability by {NOTICEABLE:g} or more"
    if not found.rows:
        return f"There is no row in which {matters}."
    rows = "the only row" if found.rows == 1 else f"the {found.rows} rows"
    return f"Both have their largest cell at the same place in **{found.same_peak:.0%}** of {rows} in which {matters}."


def symbol_choice(chosen: Asked, seen: Occlusion) -> int:
    """Draw the choice of a written symbol, and a way to the first mistake; return its row."""
    count, key = len(seen.traced.symbols), f"{PAGE}_symbol"
    if st.session_state.get(key, 1) > count:  # another text may have fewer
        st.session_state[key] = 1
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        symbol = slider(
            "Choose a written symbol to test",
            1,
            max(count, 2),
            1,
            key=key,
            persist_state="page",
            width="stretch",
        )
        first = first_mistake(chosen, seen)
        if first is not None:
            st.button("First mistake", key=f"{PAGE}_mistake", on_click=_go_to, args=(key, first + 1))
    return min(symbol, count) - 1


def _go_to(key: str, symbol: int) -> None:
    st.session_state[key] = symbol


def first_mistake(chosen: Asked, seen: Occlusion) -> int | None:
    """The row of the first written symbol that is not the right one."""
    right, symbols = chosen.right(), seen.traced.symbols
    if right is None:
        return None
    meant = (*right, "end")
    return next((t for t, symbol in enumerate(symbols) if t >= len(meant) or symbol != meant[t]), None)


def looked(chosen: Asked, seen: Occlusion, row: int) -> str:
    """Where the largest weight of this symbol lies, which swap lowers its probability most, and what is right."""
    trace, effects = seen
    attended, mattered = int(trace.weights[row].argmax()), int(effects[row].argmax())
    which = "Swapping it also" if attended == mattered else f"But swapping {_named(chosen.text, mattered)}"
    now, drop = trace.probabilities[row].max(), effects[row, mattered]
    told = f"{which} lowers its probability most: by {drop:.2f}, from {now:.2f}."
    if drop < LEAST_TOLD:
        told = f"Swapping a symbol lowers its probability, {now:.2f}, by less than {LEAST_TOLD:g}, whichever it is."
    return (
        f"Symbol {row + 1} is **{literal(trace.symbols[row])}**{_mistake(chosen, seen, row)}. The model attended most "
        f"to {_named(chosen.text, attended)}, with weight {trace.weights[row, attended]:.2f}. {told}"
    )


def _mistake(chosen: Asked, seen: Occlusion, row: int) -> str:
    """What is right and what it drew, up to the first mistake: after that the symbols are out of step."""
    first, right, text = first_mistake(chosen, seen), chosen.right() or "", chosen.text
    if first is None or row > first:
        return ""
    if row < first:
        return f", still right (the first mistake is symbol {first + 1})"
    meant = f"“{right[row]}”" if row < len(right) else "the end"
    if chosen.task_name != "reverse" or row >= len(right):
        return f", where {meant} is right"
    place = len(text) - 1 - row
    return (
        f", where {meant} is right: that stands in place {place + 1}, which got {seen.traced.weights[row, place]:.2f}"
    )


def _named(text: str, position: int) -> str:
    return f"“{literal(SHOWN.get(text[position], text[position]))}” in place {position + 1}"


def swapped(chosen: Asked, row: int) -> str:
    """A table: swap the most, then the least attended symbol for every other of its kind."""
    weights = explained(*chosen, row).shown["weights"][row]
    rows = []
    changes = explained(*chosen, row).shown["changes"].tolist()
    for (name, least), changed in zip((("Most attended", False), ("Least attended", True)), changes, strict=True):
        tried = swaps(*chosen, row, least)
        position = tried[0].position
        weight, count = f"{weights[position]:.2f}", f"{changed} of {len(tried)}"
        rows.append((name, _named(chosen.text, position), literal(example(tried)), weight, count))
    return table(("Input", "Swapped", "For example", "Weight", "Symbol changes in"), rows, words=3)


def example(tried: list[Swap]) -> str:
    """One of the swaps, one that changes the symbol if any does."""
    swap = next((swap for swap in tried if swap.changed), tried[0])
    return f"{swap.text} → {swap.output}"
