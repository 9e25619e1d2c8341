"""What the page of the learned w shows: the run on the stage, a hand on the same valley, and what came before."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

import streamlit as st
import torch

from attention_core.checks import InputError
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.valley import loss_at
from attention_core.pooling import Pooled
from attention_core.regression.frames import key_groups, shown_epochs, summed
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.choices import apply_config
from attention_ui.chapters.learned_w.export import exported_both, exported_hand, exported_run
from attention_ui.chapters.learned_w.export_heads import exported_head_by_head, exported_heads
from attention_ui.chapters.learned_w.hand import hand_slider
from attention_ui.chapters.learned_w.runs import MANY, Plan, Run, ghosts_of, most_frames, take_frame
from attention_ui.chapters.learned_w.scenes import above
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.pinned import pinned_row, take_click
from attention_ui.export import Export
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.link.choice import note_text
from attention_ui.numbers import short
from attention_ui.pictures import Update, show_picture
from attention_ui.pictures.scenes import queries_for, texts


def trained(page: str, run: Run) -> None:
    """The run on the stage with its play bar, and what became of it."""
    plan, path = run.plan, cache.path_of(run.trained())
    with waiting(plan):
        packed = cache.packed_run(run.trained(), ghosts_of(page), run.replaces)
    frame = run.frame = min(run.frame, len(path.w) - 1)
    note_text(f"{page}_epoch", f"{path.epochs[frame]:.0f}" if frame else "0", usual="0")
    _show(page, "stage", plan.dataset, packed, (frame, float(path.w[frame])), run)
    if frame == len(path.w) - 1:  # not before it was played: the end would give the story away
        verdict(page, run)


def waiting(plan: Plan) -> AbstractContextManager[None]:
    """A spinner where there are so many points that a picture takes a while."""
    return st.spinner("Drawing the pictures ...") if len(plan.dataset.samples().x) > MANY else nullcontext()


def _show(page: str, name: str, dataset: Dataset, packed: bytes, at: tuple[int, float], run: Run) -> None:
    """A scene of w on the stage, standing at this frame and w."""
    queries, (frame, w) = queries_for(dataset), at
    output, weights = pooled(dataset, w)
    columns = summed(weights, key_groups(len(dataset.samples().x)))
    show_picture(
        f"{page}_{name}",
        packed,
        Update(frame, output, columns, pinned_row(page, queries), *texts(output, weights)),
        on_query=lambda: take_click(page, queries, name),
        on_frame=lambda: take_frame(page, run),
    )


@torch.no_grad()
def pooled(dataset: Dataset, w: float) -> Pooled:
    """What the model answers to the page's queries at this w of the training."""
    model = NWKernelRegression(dataset.trained().w_back(w))
    answer: Pooled = model(queries_for(dataset), *dataset.samples())
    return answer


def verdict(page: str, run: Run) -> None:
    """How the run ended, and a button that sets what would have worked."""
    found, mended = cache.judged(run.trained())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{found.outcome.capitalize()}.** {found.explanation}", width="stretch")
        if mended and st.button(mended.words, key=f"{page}_remedy", on_click=apply_config, args=(page, mended.config)):
            st.rerun()  # its controls stand outside the fragment


def by_hand(page: str, run: Run) -> None:
    """Beat the optimiser: the same valley under a slider."""
    plan, samples = run.plan, run.plan.dataset.trained().samples
    with waiting(plan):
        valley = cache.valley_of(plan.dataset, plan.config.loss)
    w, options = hand_slider(page, valley.w)
    with waiting(plan):
        packed = cache.packed_hand(plan, tuple(options), f"{page}_hand")
    _show(page, "hand_stage", plan.dataset, packed, (options.index(w), w), run)
    loss, best = loss_at(samples, w, True, plan.config.loss), valley.best
    ended = float(cache.path_of(run.trained()).w[-1])
    theirs = loss_at(samples, ended, True, plan.config.loss)
    st.markdown(
        f"Your w = **{short(w, 4)}** has a leave-one-out loss of **{short(loss, 5)}**, {above(loss, best.loss)} above "
        f"the best, {short(best.loss, 5)} at w = {short(best.w, 4)}. Gradient descent ended at w = {short(ended, 4)} "
        f"with {short(theirs, 5)}: {'you win' if loss < theirs else 'it wins' if loss > theirs else 'a draw'}."
    )


def before_and_after(page: str, run: Run) -> None:
    """The attention weights of the first and of the last w, under one scale."""
    path = cache.path_of(run.trained())
    first, last = float(path.w[0]), float(path.w[-1])
    weights = torch.stack([pooled(run.plan.dataset, w).weights for w in (first, last)])  # (2, Q, K)
    titles = [f"Before: w = {short(first, 4)}", f"After {path.epochs[-1]:.0f} epochs: w = {short(last, 4)}"]
    chart(
        show_heatmaps(weights[None], titles, "keys: the samples, sorted", "queries"),
        f"{page}_before_after",
        f"Attention weights before and after training: the largest goes from {weights[0].max():.3g} "
        f"to {weights[1].max():.3g}.",
        height=480,
    )


def taken_home(page: str, run: Run, views: Mapping[str, str]) -> Export:
    """What is on the screen when Download is pressed: the open view, and in it what its own controls say."""
    asked = str(st.session_state.get(f"{page}_tab"))
    view, several = asked if asked in views else next(iter(views)), run.plan.heads > 1
    if view == "train":
        return (exported_heads if several else exported_run)(run.trained(), epoch_of(run))
    if view == "by_hand":
        return exported_hand(run.plan, st.session_state[f"{page}_hand"])
    if view == "before_after":
        return exported_both(run.trained())
    if view == "head_by_head":
        return exported_head_by_head(run.trained())
    raise InputError(f"{views[view]} has no picture to take home: open Train.")


def epoch_of(run: Run) -> int:
    """The epoch where the stage stands; of a long run not every one has a frame."""
    shown = shown_epochs(len(run.steps) + 1, most_frames(run.plan))
    return shown[min(run.frame, len(shown) - 1)]
