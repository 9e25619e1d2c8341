"""Train live: from random numbers to a model that reverses digits, watched while it learns."""

import streamlit as st

from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer.export import training_export
from attention_ui.chapters.transformer.models import REVERSE
from attention_ui.chapters.transformer.pictures import training_picture
from attention_ui.chapters.transformer.plans import (
    HEADS,
    LAYERS,
    NORMS,
    SEEDS,
    STEPS,
    WIDTHS,
    config_of,
    linked_sentence,
    read_made,
    settings_of,
    written_made,
)
from attention_ui.controls.widgets import next_seed, segmented, slider, toggle
from attention_ui.export.code import code
from attention_ui.export.trainings import planned
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.live.sequences import Check, Plan, SequenceRun, linked_run
from attention_ui.live.view import again_button, go_on_button, resting_run, stop_button, train_button, training_on
from attention_ui.pictures.picture import pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import show_formula

Run = SequenceRun[TransformerTrainingConfig]
QUESTION = (
    "Switch **Positions** off and train again. The loss stops falling: which strings can it still reverse, and why? "
    "Then train with one head: is the second one needed at all?"
)
FORMULA = (
    r"\begin{gathered} L = -\frac1T \sum_t \log p_t[y_t] "
    r"\\ \theta \leftarrow \theta - \eta \cdot \text{Adam}(\nabla_\theta L) \end{gathered}"
)


def show(page: str) -> View:
    """The settings, the run below them, and what is minimised."""
    config = controls(page)
    run = resting_run(page)
    _buttons(page, config, run)
    bar = st.empty()
    note = st.empty()
    if run and (words := other_settings(run, config)):
        note.caption(words)
    show_run(page, run, config)
    show_formula(FORMULA)
    ask_with(QUESTION, "positions", "heads")
    plan = run.plan if run else Plan("reverse", config)
    code(page, lambda: planned(plan).script("transformer-training", plan.task.label).text)
    progress = training_on(run, bar, lambda: f"Step {run.step:,} of {run.total:,}" if run else "")
    return View(lambda: training_export(run), progress)


def controls(page: str) -> TransformerTrainingConfig:
    """Draw the settings in one row, which breaks on a narrow screen."""

    def choice(label: str, options: tuple[int, ...], usual: int, key: str) -> int:
        shown = {option: str(option) for option in options}
        return segmented(label, shown, usual, key=f"{page}_{key}", persist_state="page")

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        heads = choice("Heads", HEADS, 2, "heads")
        layers = choice("Layers", LAYERS, 1, "layers")
        width = choice("Width", WIDTHS, 32, "width")
        norm = segmented("Norm", NORMS, "post", key=f"{page}_norm", persist_state="page")
        positions = toggle("Positions", True, key=f"{page}_positions", persist_state="page")
        steps = slider("Steps", *STEPS, 500, 100, key=f"{page}_steps", persist_state="page", width=150)
        seed = next_seed("Seed {}: take another", key=f"{page}_training_seed", last=SEEDS[1])
    return config_of(heads, width, layers, norm, positions, steps, seed)


def _buttons(page: str, config: TransformerTrainingConfig, run: Run | None) -> None:
    """Train, then Stop, Go on or Train again, and beside them where the run stands.

    The same buttons in the same order: a run that is cut short by the next leaves what is gone on the screen.
    """
    plan, linked = Plan("reverse", config), linked_run(page, read_made, written_made)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = "Train from scratch" if run is None or run.plan == plan else "Train with these settings"
        train_button(page, words, plan, run)
        if run and run.running:
            stop_button(page, run)
        elif linked:
            again_button(page, linked)
        elif run and not run.complete:
            go_on_button(page, run)
        st.markdown(linked_sentence(linked) if linked and not (run and run.running) else run_sentence(run))


def run_sentence(run: Run | None) -> str:
    """Where the run stands, in a sentence."""
    if run is None:
        return "A new model holds random numbers. Each step shows it 64 new strings of 3 to 6 digits."
    right = f"**{run.checks[-1].exact:.1%}** of the unseen strings come out right"
    if run.running:
        return f"{right} after {run.seconds:.1f} s of training."
    after = "Done" if run.complete else f"Stopped at step {run.step:,} of {run.total:,}"
    return (
        f"{after} after {run.seconds:.1f} s of training: {right}. Choose **Yours** in the other views to look inside."
    )


def other_settings(run: Run, config: TransformerTrainingConfig) -> str:
    """Which settings a run has, where others are chosen by now."""
    own = run.plan.config
    if own == config:
        return ""
    return f"This run: {settings_of(own)}."


@shared
def untrained(config: TransformerTrainingConfig) -> bytes:
    """The picture before the first step."""
    run = SequenceRun(Plan("reverse", config), running=False)
    run.advance(0)  # one step tells the loss before it
    return _packed(run.checks[:1], run.checks[:1], run)


def _packed(shown: list[Check], checks: list[Check], run: Run) -> bytes:
    labels = REVERSE.example, REVERSE.solve(REVERSE.example)
    return pack(training_picture(shown, checks, run.losses, run.total, labels))


def show_run(page: str, run: Run | None, config: TransformerTrainingConfig) -> None:
    """The run as it is now, or all of it with a play bar once it rests; before there is one, how a model begins."""
    if run is None:
        show_picture(f"{page}_untrained_picture", untrained(config))
        return
    checks = run.checks
    if run.running:
        show_picture(f"{page}_training_picture", _packed(checks[-1:], checks, run))
    else:
        show_picture(f"{page}_trained_picture", _packed(checks, checks, run))
