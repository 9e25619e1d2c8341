"""Train: the run on the stage with its play bar, and what became of it; of one head or of several."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from attention_core.learning.diagnosis import (
    COLLAPSED,
    DIVERGED,
    FOUND,
    OVERSHOT,
    RAN_AWAY,
    SIDE_VALLEY,
    STILL_GOING,
)
from attention_core.regression.frames import key_groups, summed
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.choices import apply_config
from attention_ui.chapters.learned_w.computation import at_epoch
from attention_ui.chapters.learned_w.export import exported_run
from attention_ui.chapters.learned_w.graphs import mixed_path, path_of
from attention_ui.chapters.learned_w.runs import Plan, Run, ghosts_of
from attention_ui.controls.pinned_query import pinned_row, take_click
from attention_ui.controls.player_position import played_to, take_frame
from attention_ui.export.computation import Computation
from attention_ui.export.view import View
from attention_ui.pictures.picture import Update, show_picture
from attention_ui.pictures.regression import texts
from attention_ui.pictures.waiting import MANY
from attention_ui.pictures.waiting import waiting as waiting_for

HEADINGS = {
    FOUND: "Close to the lowest loss",
    OVERSHOT: "Overshot",
    COLLAPSED: "Collapsed to the average",
    RAN_AWAY: "Ran away",
    DIVERGED: "Diverged",
    STILL_GOING: "Not there yet",
    SIDE_VALLEY: "In another valley",
}


def show(run: Run) -> View:
    """The run on the stage, and what can be taken home."""
    return one_head(run) if run.plan.heads == 1 else several_heads(run)


def one_head(run: Run) -> View:
    """The run on the stage with its play bar, and what became of it."""
    plan, path = run.plan, path_of(run.trained())
    epochs = path.epochs.int().tolist()
    frame = played_to(f"{run.page}_epoch", plan, epochs)
    so_far, epoch = run.trained(), epochs[frame]
    with waiting(run.page, plan):
        packed = cache.packed_run(so_far, ghosts_of(run), run.replaces)
        show_on_stage(run.page, "stage", at_epoch(so_far, epoch), packed, frame, epochs)
    if frame == len(path.w) - 1:  # not before it was played: the end would give the story away
        verdict(run)
    return View(lambda: exported_run(so_far, epoch))


def few(plan: Plan) -> bool:
    """Whether there are so few points that every picture is drawn at once."""
    return len(plan.dataset.samples().x) <= MANY


def waiting(page: str, plan: Plan) -> AbstractContextManager[None]:
    """A bar over the points where there are so many that a picture takes a while."""
    return waiting_for(page, plan.dataset, "Drawing the pictures ...", points=True)


def show_on_stage(
    page: str, name: str, computation: Computation, packed: bytes, frame: int, epochs: Sequence[int] = ()
) -> None:
    """Show a picture on the stage, standing at this frame, with the numbers that were run for it."""
    queries, output, weights = (computation.shown[each] for each in ("queries", "output", "weights"))
    columns = summed(weights, key_groups(weights.shape[1]))
    show_picture(
        f"{page}_{name}",
        packed,
        Update(frame, output, columns, pinned_row(page, queries), *texts(output, weights)),
        on_query=lambda: take_click(page, queries, name),
        on_frame=lambda: take_frame(f"{page}_epoch", f"{page}_{name}", epochs),
    )


def verdict(run: Run) -> None:
    """How the run ended, and a button that sets what would have worked."""
    found, mended = cache.judged(run.trained())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{HEADINGS[found.outcome]}.** {found.explanation}", width="stretch")
        if mended and st.button(
            mended.words, key=f"{run.page}_remedy", on_click=apply_config, args=(run.page, mended.config)
        ):
            st.rerun()  # its controls stand outside the fragment


def several_heads(run: Run) -> View:
    """A run of several heads on the stage."""
    so_far = run.trained()
    mixed = mixed_path(so_far)
    epochs = mixed.epochs.int().tolist()
    frame = played_to(f"{run.page}_epoch", run.plan, epochs)
    epoch = epochs[frame]
    with waiting(run.page, run.plan):
        packed = cache.packed_heads(so_far, run.replaces)
        show_on_stage(run.page, "stage", at_epoch(so_far, epoch), packed, frame, epochs)
    return View(lambda: exported_run(so_far, epoch))
