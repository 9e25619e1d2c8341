"""Train live: the settings and buttons of a run, and its picture while it learns to align."""

from collections.abc import Callable

import streamlit as st

from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.chapters.bahdanau import pictures
from attention_ui.chapters.bahdanau.choices import PAGE, lessons, plan_controls, task_choice
from attention_ui.live.sequences import Plan, SequenceRun, run_of
from attention_ui.live.view import (
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
Run = SequenceRun[SeqTrainingConfig]


def show() -> tuple[SeqPlan, Callable[[], None]]:
    """Settings, buttons, the picture of the run, and a question; return the plan, and the training to call last."""
    with st.sidebar:
        st.subheader("How to train", anchor=False)
        settings = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        task_name = task_choice(f"{PAGE}_learns", lessons())
        with settings:
            plan = plan_controls(task_name)
        run = resting_run(PAGE)
        buttons(plan, run)
    bar, note = st.empty(), st.empty()
    if shown(plan) is None or run is None:
        bar.caption("Not trained yet: the weights are wherever the random start left them. Press **Train**.")
        show_picture(f"{PAGE}_untrained_{task_name}", untrained(plan))
    else:
        show_progress(run, bar, progress(run))
        if run.plan != plan:
            note.caption(settings_of(run.plan))
        picture(run)
    st.info("When does the pattern appear: before, while, or after the loss falls? Try hidden size 4, or another seed.")
    return plan, training_on(run, bar, lambda: progress(run) if run else "")


def shown(plan: SeqPlan) -> Run | None:
    """The run whose picture is on the page: one of another task only as long as it trains."""
    run = run_of(PAGE)
    return run if run and (run.plan.task_name == plan.task_name or run.running) else None


def buttons(plan: SeqPlan, run: Run | None) -> None:
    """Draw Train, and Stop or Go on: always two buttons, since a removed one would stay, faded, while it trains."""
    train_button(PAGE, "Train", plan, run)
    if run is not None and run.running:
        stop_button(PAGE, run)
        return
    idle = run is None or run.complete or run.plan.task_name != plan.task_name
    go_on_button(PAGE, run, disabled=idle)


def settings_of(plan: SeqPlan) -> str:
    """What a run was trained with, where other settings are chosen by now."""
    config = plan.config
    return (
        f"This run: {plan.task.label.lower()}, hidden size {config.hidden}, {config.steps:,} steps, "
        f"learning rate {short(config.learning_rate)}, seed {config.seed}. **Train** takes the new settings."
    )


def progress(run: Run) -> str:
    """How far the run is, in words."""
    best = next((c.step for c in run.checks if c.exact >= 0.99), None)
    word = "Done" if run.complete else "Training" if run.running else "Stopped"
    reached = f" · 99 % right first at step {best:,}" if best else ""
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
