"""What the views share: the digits to reverse, whose model reverses them, which tensor is open; all in the link."""

from dataclasses import dataclass

import streamlit as st

from attention_core.checks import InputError
from attention_core.transformer.model import Transformer
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer import diagram
from attention_ui.chapters.transformer.models import REVERSE, checked, ready
from attention_ui.controls.widgets import segmented, text_field
from attention_ui.link.choice import asked_text, note_text
from attention_ui.live.sequences import SequenceRun, run_of
from attention_ui.reading.literal import literal

MODELS = {"ready": "The ready model", "yours": "Yours"}
# Digits and switch stand beside the tabs where there is room. The pictures keep theirs while they are on their way.
STYLE = """<style>
.st-key-transformer_diagram, .st-key-transformer_decoding { min-height: 30rem; }
.st-key-transformer_heads_picture { min-height: 32rem; }
@media (min-width: 1100px) { .st-key-transformer_asked { width: 42%; min-width: 29rem; margin: -3.6rem 0 0 auto; } }
</style>"""


@dataclass(frozen=True)
class Asked:
    """Who is to reverse what."""

    model: Transformer  # told apart by identity: a trained one never changes
    text: str
    run: SequenceRun[TransformerTrainingConfig] | None  # that made the model, where it is the visitor's own


def asked(page: str) -> Asked:
    """Draw the digits and the switch, and below them what is wrong with either."""
    st.html(STYLE)
    with st.container(key=f"{page}_asked"):
        first, second = st.columns([1, 1.2], gap="medium")
    with first:
        typed = text_field(
            "Digits to reverse", REVERSE.example, key=f"{page}_text", persist_state="page", autocomplete="off"
        )
    with second:
        whose = segmented("Who reverses them", MODELS, "ready", key=f"{page}_model", persist_state="page")
    run = run_of(page) if whose == "yours" else None
    trained = run is not None and run.step > 0
    text = _last_good(page, typed)
    if whose == "yours" and not trained:
        st.caption("You have trained no model yet, so the ready one answers: see **Train live**.")
    return Asked(run.model() if run and trained else ready(), text, run if trained else None)


def _last_good(page: str, typed: str) -> str:
    """The digits that were typed; with anything else, say what is wrong and stay with the last good ones."""
    key = f"{page}_good"
    try:
        st.session_state[key] = checked(typed)
    except InputError as fault:
        st.session_state.setdefault(key, REVERSE.example)
        st.error(f"{literal(str(fault))} The picture shows {st.session_state[key]}.")
    text: str = st.session_state[key]
    return text


def open_tensor(page: str, model: Transformer) -> str:
    """The tensor that was clicked last, else the one in the link, else the decoder's attention to what was read."""
    key, known = f"{page}_opened", diagram.names(model)
    tensor = st.session_state.get(key) or asked_text(f"{page}_block")
    tensor = tensor if tensor in known else diagram.FIRST
    note_text(f"{page}_block", tensor, diagram.FIRST, restore=lambda _: st.session_state.pop(key, None))
    return tensor


def take_tensor(page: str) -> None:
    """Remember the tensor that was clicked."""
    tensor = st.session_state[f"{page}_diagram"].get("tensor")
    st.session_state[f"{page}_opened"] = tensor if isinstance(tensor, str) else None
