"""Step through decoding: one written symbol at a time, with its scores, weights, context and output distribution."""

from functools import lru_cache
from pathlib import Path

import streamlit as st
import torch

from attention_core.sequences.tasks import TASKS
from attention_ui.chapters.bahdanau.models import traced
from attention_ui.chapters.bahdanau.state import PAGE, Asked, asked
from attention_ui.component import component
from attention_ui.pictures import Player
from attention_ui.pictures.packing import named
from attention_ui.pictures.picture import STYLE
from attention_ui.reading.wording import literal

HERE = Path(__file__).parent
TOP = 4  # symbols of the output distribution that are shown
SHOWN = {" ": "\N{OPEN BOX}"}  # a space that can be seen

COMPONENT = component("steps", HERE / "js" / "steps.js", STYLE, HERE / "steps.css")


def show() -> Asked:
    """The text, the machine that reads it and writes, and whether it was right."""
    chosen = asked()
    COMPONENT(key=f"{PAGE}_decoding", data=packed(*chosen))
    st.markdown(verdict(chosen))
    st.info(
        "Press play and follow the bands: in which order does it read what you typed? Then try **3141592653589**, "
        "longer than anything it was trained on. Which digit is missing, and did it ever look there?"
        if chosen.task_name == "reverse"
        else "Which letters does it need to know the month, and does it read the weekday at all? "
        "Then try **May 1998**: where does it take the missing day from?"
    )
    return chosen


@lru_cache(256)
def packed(task_name: str, text: str) -> bytes:
    """All numbers of one text, written symbol by symbol, as bytes."""
    trace, task = traced(task_name, text), TASKS[task_name]
    most, which = trace.probabilities.topk(TOP)  # (T, TOP) each
    total = len(trace.symbols)
    right = Asked(task_name, text).right()
    header = {
        "frames": total,
        "captions": [f"symbol {t} of {total}: {symbol}" for t, symbol in enumerate(trace.symbols, 1)],
        "player": Player(frames_per_second=0.9, unit="symbol", label="Play")._asdict(),
        "read": [SHOWN.get(character, character) for character in trace.text],
        "written": trace.symbols,
        "right": None if right is None else [*right, "end"],
        "symbols": task.target.symbols,
    }
    parts = [trace.scores, trace.weights, trace.contexts, most, which.int()]
    return named(header, *parts)


def verdict(chosen: Asked) -> str:
    """What was written, and whether that is right."""
    trace, right = traced(*chosen), chosen.right()
    wrote = f"From {literal(repr(chosen.text))} it wrote **{literal(trace.output) or 'nothing'}**"
    sure = f"Least sure of a symbol: {torch.amax(trace.probabilities, -1).min():.1%}."
    if right is None:
        return f"{wrote}. That text has no right answer, but the model must write something. {sure}"
    if trace.output == right:
        return f"{wrote}, which is right. {sure}"
    return f"{wrote}, which is **wrong**: it should be **{literal(right)}**. {sure}"
