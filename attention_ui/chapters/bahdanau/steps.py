"""Step through decoding: one written symbol at a time, with its scores, weights, context and output distribution."""

from functools import partial
from pathlib import Path

import streamlit as st

from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_core.sequences.dates import FIRST, LAST
from attention_core.sequences.tasks import TASKS
from attention_ui.chapters.bahdanau.choices import PAGE, TEXTS, Asked, asked
from attention_ui.chapters.bahdanau.computation import aligned
from attention_ui.component import component
from attention_ui.controls.player_position import played_to, take_frame
from attention_ui.link.lesson import ask_with
from attention_ui.pictures.packing import named
from attention_ui.pictures.picture import STYLE, Player, send_message
from attention_ui.reading.literal import literal
from attention_ui.shared import shared

HERE = Path(__file__).parent
PICTURE = f"{PAGE}_decoding"
TOP = 4  # symbols of the output distribution that are shown
SHOWN = {" ": "\N{OPEN BOX}"}  # a space that can be seen

COMPONENT = component("steps", HERE / "js" / "steps.js", STYLE, HERE / "steps.css")


def show() -> Asked:
    """The text, the machine that reads it and writes, and whether it was right."""
    chosen = asked()
    symbols = range(1, 1 + len(aligned(*chosen).shown["symbols"]))
    frame = played_to(f"{PAGE}_at", chosen, symbols)
    taken = partial(take_frame, f"{PAGE}_at", PICTURE, symbols)
    COMPONENT(key=PICTURE, data=packed(*chosen), on_frame_change=taken)
    send_message(PICTURE, {"frame": frame})
    st.markdown(verdict(chosen))
    ask_with(
        "Press **Play** and follow the thickest band: in which order does the decoder attend to the digits? Then try "
        "**3141592653589**, which is longer than any string of its training. Which digit is missing from the answer, "
        "and did the decoder ever attend to it?"
        if chosen.task_name == "reverse"
        else "To which letters does the decoder attend when it writes the month? Try **Tue, Mar 3, 1998**: does it "
        "attend to the weekday at all? Then try **May 1998**: to what does it attend when it writes the missing day?",
        TEXTS[chosen.task_name].removeprefix(f"{PAGE}_"),
    )
    return chosen


@shared
def packed(task_name: str, text: str) -> bytes:
    """All numbers of one text, written symbol by symbol, as bytes."""
    shown, task = aligned(task_name, text).shown, TASKS[task_name]
    most, which = shown["probabilities"].topk(TOP)  # (T, TOP) each
    total = len(shown["symbols"])
    right = Asked(task_name, text).right()
    header = {
        "frames": total,
        "captions": [f"symbol {t} of {total}: {symbol}" for t, symbol in enumerate(shown["symbols"], 1)],
        "player": Player(frames_per_second=0.9, unit="symbol", label="Play")._asdict(),
        "read": [SHOWN.get(character, character) for character in text],
        "written": shown["symbols"],
        "right": None if right is None else [*right, "end"],
        "symbols": task.target.symbols,
    }
    parts = [shown["states"], shown["scores"], shown["weights"], shown["contexts"], most, which.int()]
    return named(header, *parts)


def verdict(chosen: Asked) -> str:
    """What was written, and whether that is right."""
    shown, output, right = aligned(*chosen).shown, output_of(chosen), chosen.right()
    wrote = f"From {literal(repr(chosen.text))} it wrote **{literal(output) or 'nothing'}**"
    sure = f"The least certain symbol has a probability of {shown['probabilities'].amax(-1).min():.1%}."
    if right is None:
        return f"{wrote}. That text has no right answer, but the model must write something. {sure}"
    if output == right:
        return f"{wrote}, which is right. {sure}"
    return f"{wrote}, which is **wrong**: it should be **{literal(right)}**.{beyond_training(chosen, right)} {sure}"


def beyond_training(chosen: Asked, right: str) -> str:
    """Say so where the text is longer than those of the training, or its year lies outside of theirs."""
    longest = CHECKPOINTS[chosen.task_name].config.longest
    if chosen.task.has_lengths:
        return f" It was trained on at most {longest} digits." if len(right) > longest else ""
    known = FIRST.year <= int(right[:4]) <= LAST.year
    return "" if known else f" It was trained only on the years {FIRST.year} to {LAST.year}."


def output_of(chosen: Asked) -> str:
    """What was written, without the end."""
    return "".join(symbol for symbol in aligned(*chosen).shown["symbols"] if symbol in chosen.task.written)
