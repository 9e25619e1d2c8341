"""What the page of the learned w shows: the run on the stage, a hand on the same valley, and what came before."""

from contextlib import AbstractContextManager, nullcontext

import streamlit as st
import torch

from attention_core.learning.valley import loss_at
from attention_core.regression.frames import key_groups, summed
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.calls import at_epoch, both_ends
from attention_ui.chapters.learned_w.calls import by_hand as hand_ran
from attention_ui.chapters.learned_w.choices import apply_config
from attention_ui.chapters.learned_w.export import BOTH, both_titles, exported_both, exported_hand, exported_run
from attention_ui.chapters.learned_w.hand import hand_slider
from attention_ui.chapters.learned_w.pictures import above
from attention_ui.chapters.learned_w.runs import MANY, Plan, Run, ghosts_of, take_frame
from attention_ui.controls.pinned import pinned_row, take_click
from attention_ui.export.ran import Ran
from attention_ui.export.view import View
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.link.choice import note_text
from attention_ui.numbers import short
from attention_ui.pictures.picture import Update, show_picture
from attention_ui.pictures.regression import texts


def trained(page: str, run: Run) -> View:
    """The run on the stage with its play bar, and what became of it."""
    plan, path = run.plan, cache.path_of(run.trained())
    with waiting(plan):
        packed = cache.packed_run(run.trained(), ghosts_of(page), run.replaces)
    frame = run.frame = min(run.frame, len(path.w) - 1)
    note_text(f"{page}_epoch", f"{path.epochs[frame]:.0f}", usual="0")
    so_far, epoch = run.trained(), int(path.epochs[frame])
    show_on_stage(page, "stage", at_epoch(so_far, epoch), packed, frame, run)
    if frame == len(path.w) - 1:  # not before it was played: the end would give the story away
        verdict(page, run)
    return View(lambda: exported_run(so_far, epoch))


def waiting(plan: Plan) -> AbstractContextManager[None]:
    """A spinner where there are so many points that a picture takes a while."""
    return st.spinner("Drawing the pictures ...") if len(plan.dataset.samples().x) > MANY else nullcontext()


def show_on_stage(page: str, name: str, ran: Ran, packed: bytes, frame: int, run: Run) -> None:
    """Show a picture on the stage, standing at this frame, with the numbers that were run for it."""
    queries, output, weights = (ran.shown[each] for each in ("queries", "output", "weights"))
    columns = summed(weights, key_groups(weights.shape[1]))
    show_picture(
        f"{page}_{name}",
        packed,
        Update(frame, output, columns, pinned_row(page, queries), *texts(output, weights)),
        on_query=lambda: take_click(page, queries, name),
        on_frame=lambda: take_frame(page, run),
    )


def verdict(page: str, run: Run) -> None:
    """How the run ended, and a button that sets what would have worked."""
    found, mended = cache.judged(run.trained())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{found.outcome.capitalize()}.** {found.explanation}", width="stretch")
        if mended and st.button(mended.words, key=f"{page}_remedy", on_click=apply_config, args=(page, mended.config)):
            st.rerun()  # its controls stand outside the fragment


def by_hand(page: str, run: Run) -> View:
    """Beat the optimiser: the same valley under a slider."""
    plan, samples = run.plan, run.plan.dataset.trained().samples
    with waiting(plan):
        valley = cache.valley_of(plan.dataset, plan.config.loss)
    w, options = hand_slider(page, valley.w)
    with waiting(plan):
        packed = cache.packed_hand(plan, tuple(options), f"{page}_hand")
    ran = hand_ran(plan, w)
    show_on_stage(page, "hand_stage", ran, packed, options.index(w), run)
    loss, best = float(ran.shown["losses"][0]), valley.best
    ended = float(cache.path_of(run.trained()).w[-1])
    theirs = loss_at(samples, ended, True, plan.config.loss)
    st.markdown(
        f"Your w = **{short(w, 4)}** has a leave-one-out loss of **{short(loss, 5)}**, {above(loss, best.loss)} above "
        f"the best, {short(best.loss, 5)} at w = {short(best.w, 4)}. Gradient descent ended at w = {short(ended, 4)} "
        f"with {short(theirs, 5)}: {'you win' if loss < theirs else 'it wins' if loss > theirs else 'a draw'}."
    )
    return View(lambda: exported_hand(plan, w))


def before_and_after(page: str, run: Run) -> View:
    """The attention weights of the first and of the last w, under one scale."""
    so_far = run.trained()
    ran = both_ends(so_far)
    weights = torch.stack([ran.shown[name] for name in BOTH])  # (2, Q, K)
    chart(
        show_heatmaps(weights[None], both_titles(ran), "keys: the samples, sorted", "queries"),
        f"{page}_before_after",
        f"Attention weights before and after training: the largest goes from {weights[0].max():.3g} "
        f"to {weights[1].max():.3g}.",
        height=480,
    )
    return View(lambda: exported_both(so_far))
