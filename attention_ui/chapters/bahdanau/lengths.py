"""With and without attention: exact match over the length of the string."""

import time
from dataclasses import replace

import streamlit as st
import torch

from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_core.sequences.tasks import TASKS, Lengths, strings
from attention_core.sequences.trained import MODELS, answers_at, traced
from attention_ui.chapters.bahdanau.choices import PAGE
from attention_ui.chapters.bahdanau.computation import COUNT, LABELS, LONGEST, compared
from attention_ui.controls.widgets import slider
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import table
from attention_ui.pictures.charts import lines
from attention_ui.pictures.graph import Axis, Mark
from attention_ui.pictures.picture import Picture, pack, show_picture

LENGTHS = tuple(range(1, LONGEST + 1))
TRAINED_UP_TO = CHECKPOINTS["reverse"].config.longest
SHARES = Axis("reversed without an error", -0.04, 1.16, ticks=tuple((n / 5, f"{20 * n} %") for n in range(6)))
USUAL = 8
AT_ONCE = 0.2  # seconds before a progress bar is due


def show() -> int:
    """The curves, one string in detail, and a question; return the length of that string."""
    right = measured()
    show_picture(f"{PAGE}_lengths_picture", pack(picture(right)))
    length = slider("One string of length", 1, 15, USUAL, key=f"{PAGE}_length", persist_state="page")
    st.markdown(written(unseen(length)))
    st.markdown(told(right))
    ask_with(
        "Drag the length. Where does the fixed context make its first mistake, early or late in its output? Which "
        "digits of the input are those?",
        "length",
    )
    return length


def picture(right: dict[str, list[float]]) -> Picture:
    """A line for every model, and where the lengths it was trained on end."""
    named = {LABELS[name]: torch.tensor(row, dtype=torch.float64) for name, row in right.items()}
    made = lines(torch.tensor(LENGTHS), named, ("digits in the string", ""))
    edge = Mark("trained up to here", TRAINED_UP_TO + 0.5, 0.0)
    graph = made.graphs[0]._replace(y=SHARES, upright=edge, text=alternative(right))
    return replace(made, graphs=(graph,), fills=False)


def told(right: dict[str, list[float]]) -> str:
    """What the curves show, with their numbers."""
    config, longer = CHECKPOINTS["reverse"].config, CHECKPOINTS["reverse-fixed-long"].config
    at = {name: f"{row[TRAINED_UP_TO - 1]:.0%}" for name, row in right.items()}
    return (
        f"All three models read the string in both directions, have hidden size {config.hidden} and were trained on "
        f"strings of {config.shortest} to {TRAINED_UP_TO} digits. The fixed context must carry the whole string in one "
        f"vector: **after the same {config.steps} steps it falls behind as strings grow**. At {TRAINED_UP_TO} digits "
        f"it gets {at['fixed_context']} right, and attention {at['with_attention']}. More training helps: after "
        f"{longer.steps:,} steps the fixed context gets {at['fixed_longer']}. So one vector can do it too; with "
        "attention the model learns it in far fewer steps. Beyond the lengths of the training all of them fall: "
        f"attention to {right['with_attention'][12]:.0%} by length {LENGTHS[12]}."
    )


def measured() -> dict[str, list[float]]:
    """Exact match of every model at every length; a bar while it is worked out for the first time."""
    place, begun = st.empty(), time.monotonic()
    for at, length in enumerate(LENGTHS, 1):
        answers_at(length, COUNT)  # is kept
        if time.monotonic() > begun + AT_ONCE:
            place.progress(at / len(LENGTHS), f"Reversed {len(LABELS) * COUNT} unseen strings of {length} digits ...")
    place.empty()
    return shares()


def shares() -> dict[str, list[float]]:
    """Exact match of every model at every length."""
    shown = compared(USUAL).shown
    return {name: shown[name].tolist() for name in MODELS}


def alternative(shares: dict[str, list[float]]) -> str:
    """The chart in words."""
    lines = (
        f"{LABELS[name]}: " + ", ".join(f"{share:.0%} at length {n}" for n, share in zip(LENGTHS, row, strict=True))
        for name, row in shares.items()
    )
    return f"Share of unseen strings that are reversed without an error. {'. '.join(lines)}."


def unseen(length: int) -> str:
    """One string of this length that no model was trained on."""
    return strings(TASKS["reverse"], 1, 0, "unseen", Lengths(length, length))[0]


def written(text: str) -> str:
    """A table: what is right, and what every model writes."""
    right = TASKS["reverse"].solve(text)
    rows = [("It reads", text, ""), ("Right", right, "")]
    for (name, file), same in zip(MODELS.items(), compared(len(text)).shown["in_place"].tolist(), strict=True):
        rows.append((LABELS[name], traced(file, text).output, f"{same} of {len(right)}"))
    return table(("Text", "Digits", "Right digits"), rows, words=2)
