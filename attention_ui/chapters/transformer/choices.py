"""What the views share: the digits to reverse, whose model reverses them, which tensor is open; all in the link."""

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from attention_core.checks import InputError
from attention_core.transformer.model import Transformer
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer import diagram
from attention_ui.chapters.transformer.models import REVERSE, checked, ready
from attention_ui.chapters.transformer.plans import TransformerMade, linked_sentence, read_made, written_made
from attention_ui.component import told
from attention_ui.controls.widgets import segmented, text_field
from attention_ui.export.view import nothing
from attention_ui.link.choice import asked_text, note_text
from attention_ui.live.sequences import SequenceRun, linked_run, rest, run_of
from attention_ui.live.view import again_button, watch
from attention_ui.reading.literal import literal

Run = SequenceRun[TransformerTrainingConfig]
MODELS = {"ready": "The ready model", "yours": "Yours"}
# Digits and switch stand beside the tabs where there is room. The pictures keep theirs while they are on their way.
STYLE = """<style>
.st-key-transformer_diagram, .st-key-transformer_decoding { min-height: 30rem; }
.st-key-transformer_heads_picture { min-height: 32rem; }
@media (min-width: 1000px) { .st-key-transformer_asked { width: 42%; min-width: 29rem; margin: -3.6rem 0 0 auto; }
  .st-key-transformer_none { width: 55%; margin-top: -2.6rem; } }
</style>"""


@dataclass(frozen=True)
class Asked:
    """Who is to reverse what."""

    model: Transformer  # told apart by identity: a trained one never changes
    text: str
    run: Run | None = None  # that made the model, where it is the visitor's own
    afterwards: Callable[[], None] = field(default=nothing, compare=False)  # for the page to call last


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
    text = _last_good(page, typed)
    run, linked = run_of(page), linked_run(page, read_made, written_made)
    if whose == "ready" or linked is None:
        rest(page)  # nobody watches
    if whose == "ready" or (run is None and linked is None):
        if whose == "yours":
            with st.container(key=f"{page}_none"):
                st.caption("You have trained no model yet, so the ready one answers: see **Train live**.")
        return Asked(ready(), text)
    if linked is None:
        assert run
        return Asked(run.model(), text, run)
    return Asked(ready(), text, afterwards=trained_again(page, run, linked))


def trained_again(page: str, run: Run | None, linked: TransformerMade) -> Callable[[], None]:
    """Offer to train the run of the link again, or show how far that is; return the training, to be called last."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{page}_offer"):
        again_button(page, linked, disabled=run is not None and run.running)  # stays, since a removed one would fade
        st.markdown(f"{linked_sentence(linked)} Until then the ready one answers.", width="stretch")
    bar = st.empty()
    return lambda: watch(run, bar, lambda: _progress(run, linked)) if run and run.running else None


def _progress(run: Run, linked: TransformerMade) -> str:
    return f"Training again: step {run.step:,} of {linked.steps:,} · {run.seconds:.1f} s"


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
    tensor = told(f"{page}_diagram", "tensor")
    st.session_state[f"{page}_opened"] = tensor if isinstance(tensor, str) else None
