"""Train live: the settings and buttons of a run, and its picture while it learns to align."""

from collections.abc import Callable

import streamlit as st

from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.chapters.bahdanau import pictures
from attention_ui.chapters.bahdanau.choices import PAGE, learned_choice, plan_controls, read_made, written_made
from attention_ui.link.lesson import ask_with
from attention_ui.live.sequences import Made, Plan, SequenceRun, linked_run, run_of
from attention_ui.live.view import (
    again_button,
    go_on_button,
    resting_run,
    show_progress,
    stop_button,
    train_button,
    training_on,
)
from attention_ui.numbers import short
from attention_ui.pictures.picture import show_picture

SeqPlan = Plan[SeqTrainingConfig]
SeqMade = Made[SeqTrainingConfig]
Run = SequenceRun[SeqTrainingConfig]
NOT_TRAINED = "Not trained yet: the weights come from a random start. Press **Train**."


def show() -> tuple[SeqPlan, Callable[[], None]]:
    """Settings, buttons, the picture of the run, and a question; return the plan, and the training to call last."""
    with st.sidebar:
        st.subheader("How to train", anchor=False)
        settings = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        task_name = learned_choice()
        with settings:
            plan = plan_controls(task_name)
        run, linked = resting_run(PAGE), linked_run(PAGE, read_made, written_made)
        buttons(plan, run, linked)
    bar, note = st.empty(), st.empty()
    if shown(plan) is None or run is None:
        bar.caption(linked_words(linked) if linked else NOT_TRAINED)
        show_picture(f"{PAGE}_untrained_{task_name}", untrained(plan))
    else:
        show_progress(run, bar, progress(run))
        if run.plan != plan:
            note.caption(f"This run: {settings_of(run.plan)}. **Train** takes the new settings.")
        picture(run)
    words = "When does the pattern appear: before, while, or after the loss falls? Try hidden size 4, or another seed."
    ask_with(words, "hidden", "seed")
    return plan, training_on(run, bar, lambda: progress(run) if run else "")


def shown(plan: SeqPlan) -> Run | None:
    """The run whose picture is on the page: one of another task only as long as it trains."""
    run = run_of(PAGE)
    return run if run and (run.plan.task_name == plan.task_name or run.running) else None


def buttons(plan: SeqPlan, run: Run | None, linked: SeqMade | None) -> None:
    """Draw Train, and Stop, Go on or Train again: always two, since a removed one would stay, faded, for a while."""
    train_button(PAGE, "Train", plan, run)
    if run is not None and run.running:
        stop_button(PAGE, run)
        return
    if linked:
        again_button(PAGE, linked)
        return
    idle = run is None or run.complete or run.plan.task_name != plan.task_name
    go_on_button(PAGE, run, disabled=idle)


def linked_words(linked: SeqMade) -> str:
    """What the link holds, and what to press."""
    return (
        f"This link holds a model that was trained for **{linked.steps:,}** steps ({settings_of(linked.plan)}). "
        "**Train again** makes the same model from its seed."
    )


def settings_of(plan: SeqPlan) -> str:
    """What a run was trained with."""
    config = plan.config
    return (
        f"{plan.task.label.lower()}, hidden size {config.hidden}, {config.steps:,} steps, "
        f"learning rate {short(config.learning_rate)}, seed {config.seed}"
    )


def progress(run: Run) -> str:
    """How far the run is, in words."""
    best = next((c.step for c in run.checks if c.exact >= 0.99), None)
    word = "Done" if run.complete else "Training" if run.running else "Stopped"
    reached = f" · reached 99 % at step {best:,}" if best else ""
    return f"{word}: step {run.step:,} of {run.total:,} · {run.seconds:.1f} s of training{reached}"


def picture(run: Run) -> None:
    """The newest alignment while it trains, all of them with a play bar after that."""
    if run.running:
        show_picture(f"{PAGE}_lesson", pictures.latest(run))
    else:
        show_picture(f"{PAGE}_replay", pictures.replay(run))


def untrained(plan: SeqPlan) -> bytes:
    """The alignment of a model that has learned nothing yet."""
    return pictures.latest(SequenceRun(plan, running=False))
