"""Heads of several widths on the lab's data, mixed by shares that may be negative."""

from collections.abc import Mapping, Sequence

import streamlit as st
import torch
from torch import Tensor

from attention_core.progress import part
from attention_core.regression.frames import summed
from attention_core.regression.quality import sharpness
from attention_ui.chapters.multihead.choices import (
    MIXING,
    SHARES,
    Mixture,
    heads_control,
    later_controls,
    widths_controls,
)
from attention_ui.chapters.multihead.computation import all_shares, mixture_computation
from attention_ui.chapters.multihead.export import mixing_export, mixing_script
from attention_ui.chapters.multihead.mixing import best_mixture, best_single, errors, heads_of
from attention_ui.chapters.multihead.pictures import mixed_frames, packed, packed_heads, share_text
from attention_ui.controls.data import data_controls
from attention_ui.controls.pinned_query import pinned_row, take_click
from attention_ui.controls.sticky import sticky
from attention_ui.controls.stretch import stretched, take_stretch
from attention_ui.controls.widgets import select_slider
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.choice import fragment, tell_together
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.picture import Update, show_frames, show_picture
from attention_ui.pictures.waiting import waiting
from attention_ui.shown import show_formula

TEXTS = {share: share_text(share) for share in SHARES}
ROUNDING = 1e-9
WORKING = "Drawing the pictures ..."
MOST_USED = 50_000  # points of a file
FORMULA = r"""\begin{gathered}
f(q) = \sum_h s_h \sum_i \operatorname{softmax}_i\!\Big(\!-\frac{(q - k_i)^2}{2\sigma_h^2}\Big)\, v_i \\
s_1 + s_2 + \dots + s_H = 1
\end{gathered}"""
BEST = "The shares with the smallest leave-one-out error. It is never larger than that of one head alone."
QUESTION = (
    "Drag the share from 0 to 1, then **beyond 1**. Where is the error smaller than that of the best single width, "
    "and which sign has the share of head 2 there? Does subtracting a head also help on **Step**?"
)


def show(page: str) -> View:
    """The heads and the points in the sidebar, their mixture in the middle."""
    with st.sidebar:
        heads, of_heads, later = heads_control(page), st.container(), st.container()
        dataset = data_controls(page, most_used=MOST_USED)
    with of_heads:
        widths = widths_controls(page, dataset, heads)
    with waiting(page, dataset, WORKING, points=True):
        with part(0.0, 0.5):
            best = best_mixture(dataset, widths)
        if st.session_state.pop(f"{page}_other_heads", False):
            _take_best(page, best)  # shares that were good for other heads say nothing
        with later:
            mixture = Mixture(dataset, widths, later_controls(page, best))
        with part(0.5, 1.0):
            return mixed(page, mixture, best)


def _take_best(page: str, best: tuple[float, ...]) -> None:
    first, _, *later = best
    shares = {f"{page}_share": first} | {f"{page}_share{h}": share for h, share in enumerate(later, 3)}
    st.session_state.update(shares)


@fragment  # the share of head 1 touches nothing outside
def mixed(page: str, mixture: Mixture, best: tuple[float, ...]) -> View:
    """The live share, the stage that follows it, and what the mixture is worth."""
    with sticky(page), st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        share = select_slider("Drag the share of head 1; head 2 takes the rest", TEXTS, best[0], key=f"{page}_share")
        if (
            st.button("Best shares", key=f"{page}_best", on_click=_take_best, args=(page, best), help=BEST)
            and mixture.later
        ):
            st.rerun()  # the other shares stand outside
    tell_together(_shares(page, mixture), [f"{page}_{name}" for name in MIXING])
    frame = SHARES.index(share)
    with waiting(f"{page}_mixed", mixture.dataset, WORKING):
        shown = mixture_computation(mixture, frame).shown
        _stage(page, mixture, frame, shown)
    with st.container(key=f"{page}_share_waits"):
        st.markdown(in_words(mixture, frame, shown))
    show_frames(f"{page}_heads_picture", packed_heads(mixture, f"{page}_share", f"{page}_stage"))
    show_formula(FORMULA)
    ask_with(QUESTION, "share", "function")
    code(page, lambda: mixing_script(mixture, frame))
    return View(lambda: mixing_export(mixture, frame))


def _shares(page: str, mixture: Mixture) -> list[str]:
    """The names of all shares in the link."""
    return [f"{page}_share", *(f"{page}_share{h}" for h in range(3, len(mixture.widths) + 1))]


def _stage(page: str, mixture: Mixture, frame: int, shown: Mapping[str, Tensor]) -> None:
    groups, queries, output = heads_of(mixture.dataset, mixture.widths).groups, shown["queries"], shown["output"]
    weights, heads = summed(shown["weights"], groups), summed(shown["heads"], groups)
    listened = ", ".join(short(sharpness(each).neighbours) for each in heads)
    show_picture(
        f"{page}_stage",
        packed(mixture, f"{page}_share"),
        Update(
            frame,
            output,
            weights,
            pinned_row(page, queries),
            f"Mixed prediction of {len(heads)} heads: it runs from {output.min():.3g} to {output.max():.3g}.",
            f"Mixed attention weights, from {weights.min():.3g} to {weights.max():.3g}; "
            f"the effective number of keys of each head alone is {listened}.",
            stretched=stretched(page),
            curve=mixed_frames(mixture, torch.tensor([frame])).curves[0],
        ),
        on_query=lambda: take_click(page, queries),
        on_stretch=lambda: take_stretch(page),
    )


def in_words(mixture: Mixture, frame: int, shown: Mapping[str, Tensor]) -> str:
    """What W_o does with the heads, and what this mixture is worth against any single width."""
    single, shares = best_single(mixture.dataset), all_shares(mixture)[frame].tolist()
    by_others, against = errors(mixture)
    left_out = shown.get("loo_error", by_others[frame]).item()
    told = [_against("leave-one-out error", left_out, single.loo_error, single.loo_width)]
    if against is not None and single.test_error is not None and single.test_width is not None:
        true = shown.get("test_error", against[frame]).item()
        told.append(_against("true error", true, single.test_error, single.test_width))
    listed = ", ".join(share_text(round(share, 4)).replace("-", "−") for share in shares)
    return f"The shares of the heads are {listed}. **{_done(shares)}** {' '.join(told)}"


def _done(shares: Sequence[float]) -> str:
    """What W_o does with heads of these shares."""
    below = [str(h) for h, share in enumerate(shares, 1) if share < -ROUNDING]
    if not below:
        return "$W_o$ averages the heads."
    if len(below) == 1:
        return f"Head {below[0]} is subtracted (its share is negative)."
    return f"Heads {', '.join(below[:-1])} and {below[-1]} are subtracted (their shares are negative)."


def _against(name: str, error: float, best: float, width: float) -> str:
    gain = 100 * (1 - error / best) if best > 0 else 0.0
    verdict = f"**{gain:.1f} % less**" if gain > 0 else f"{-gain:.1f} % more"
    return (
        f"The {name} is {short(error, 4)}: {verdict} than the {short(best, 4)} "
        f"of the best single width on the slider ($\\sigma$ = {short(width)})."
    )
