"""Train live: press Train, and alignment appears before your eyes; stop, go on, and play it again."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_ui.chapters.bahdanau import lesson
from attention_ui.chapters.bahdanau.live import Plan, Run
from attention_ui.chapters.bahdanau.state import LESSONS, PAGE, plan_controls, task_choice
from attention_ui.numbers import short

KEY = f"{PAGE}_run"
TICK = 0.15  # seconds of training between two signs of life: what a Stop or a closed tab waits for
PICTURE = 0.6  # seconds of training between two pictures


def show() -> tuple[Plan, Callable[[], None]]:
    """Settings, buttons, the film of the run, and a question; return the plan, and the training, to be called last."""
    with st.sidebar:
        st.subheader("How to train", anchor=False)
        settings = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        task_name = task_choice(f"{PAGE}_learns", LESSONS)
        with settings:
            plan = plan_controls(task_name)
        if st.session_state.get("download"):
            rest()  # what is taken home must not move on, and the next picture would close the dialog
        run = current()
        if run:
            run.rest_if_left()
        buttons(plan, run)
    bar, note = st.empty(), st.empty()
    if shown(plan) is None or run is None:
        bar.caption("Not trained yet: the weights are wherever the random start left them. Press **Train**.")
        lesson.show(f"{PAGE}_untrained_{task_name}", untrained(plan))
    else:
        bar.progress(*progress(run))
        if run.plan != plan:
            note.caption(settings_of(run.plan))
        picture(run)
    st.info("When does the pattern appear: before, while, or after the loss falls? Try hidden size 4, or another seed.")
    return plan, lambda: go_on(run, bar)


def current() -> Run | None:
    """The run of this visitor, if there is one."""
    run: Run | None = st.session_state.get(KEY)
    return run


def shown(plan: Plan) -> Run | None:
    """The run whose picture is on the page: one of another task only as long as it trains."""
    run = current()
    return run if run and (run.plan.task_name == plan.task_name or run.running) else None


def buttons(plan: Plan, run: Run | None) -> None:
    """Train, and Stop or Go on: always two, since one that goes would stay on the screen, faded, while it trains."""
    running = run is not None and run.running
    st.button("Train", key=f"{PAGE}_train", type="primary", on_click=_begin, args=(plan,), disabled=running)
    if run is not None and run.running:
        st.button("Stop", key=f"{PAGE}_stop", on_click=run.stop)
        return
    idle = run is None or run.complete or run.plan.task_name != plan.task_name
    st.button("Go on", key=f"{PAGE}_go_on", on_click=run.go_on if run else None, disabled=idle)


def _begin(plan: Plan) -> None:
    st.session_state[KEY] = Run(plan)


def settings_of(plan: Plan) -> str:
    """What a run was trained with, where other settings are chosen by now."""
    config = plan.config
    return (
        f"This run: {plan.task.label.lower()}, hidden size {config.hidden}, {config.steps:,} steps, "
        f"learning rate {short(config.learning_rate)}, seed {config.seed}. **Train** takes the new settings."
    )


def progress(run: Run) -> tuple[float, str]:
    """The share that is done, and the same in words."""
    total, best = run.plan.config.steps, next((c.step for c in run.checks if c.exact >= 0.99), None)
    word = "Done" if run.complete else "Training" if run.running else "Stopped"
    reached = f" · 99 % right first at step {best:,}" if best else ""
    return run.step / total, f"{word}: step {run.step:,} of {total:,} · {run.seconds:.1f} s of training{reached}"


def picture(run: Run) -> None:
    """The newest alignment while it trains, all of them with a play bar after that."""
    if run.running:
        lesson.show(f"{PAGE}_lesson", lesson.latest(run))
    else:
        # A key of its own for every length: a film remembers where it was played to.
        lesson.show(f"{PAGE}_replay_{len(run.checks)}", lesson.replay(run), len(run.checks) - 1)


def untrained(plan: Plan) -> bytes:
    """The alignment of a model that has learned nothing yet."""
    return lesson.latest(Run(plan, running=False))


def go_on(run: Run | None, bar: DeltaGenerator) -> None:
    """Train for one picture in slices, then draw it; last on the page, so that a click or a closed tab ends it."""
    if run is None or not run.running:
        return
    begun = run.seconds
    while run.running and run.seconds < begun + PICTURE:
        run.advance(TICK)
        bar.progress(*progress(run))
    st.rerun()


def rest() -> None:
    """Nobody looks at the run, so it waits."""
    if run := current():
        run.stop()
