"""Several widths at once on the lab's data: drag the share between the heads, beyond their average too."""

from collections.abc import Mapping
from contextlib import nullcontext

import streamlit as st
from torch import Tensor

from attention_core.regression.frames import summed
from attention_core.regression.quality import sharpness
from attention_ui.chapters.multihead.calls import SHARES, mixture_ran
from attention_ui.chapters.multihead.choices import Mixture, heads_control, mixture_controls
from attention_ui.chapters.multihead.export import mixing_export, mixing_script
from attention_ui.chapters.multihead.mixing import best_share, best_single, errors, heads_of
from attention_ui.chapters.multihead.pictures import packed, packed_heads, share_text
from attention_ui.controls.data import data_controls
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.pinned import pinned_row, take_click
from attention_ui.controls.widgets import select_slider
from attention_ui.controls.width import MANY
from attention_ui.export.view import View
from attention_ui.figures.charts import code
from attention_ui.link.choice import fragment
from attention_ui.numbers import short
from attention_ui.pictures.picture import Update, show_picture

TEXTS = {share: share_text(share) for share in SHARES}
USUAL_SHARE = 0.5
FORMULA = r"""\begin{gathered}
f(q) = \sum_h s_h \sum_i \operatorname{softmax}_i\!\Big(\!-\frac{(q - k_i)^2}{2\sigma_h^2}\Big)\, v_i \\
s_1 + s_2 + \dots + s_H = 1
\end{gathered}"""
QUESTION = (
    "Drag the share from 0 to 1, then **beyond 1**. When does the mixture beat every single width, "
    "and what is done to head 2 there? Does it help on **Step**?"
)


def show(page: str) -> View:
    """The points in the sidebar, the heads and their mixture in the middle."""
    with st.sidebar:
        dataset = data_controls(page)
    return mixed(page, dataset)


@fragment  # the heads touch nothing outside
def mixed(page: str, dataset: Dataset) -> View:
    """The live share, the stage that follows it, and what the mixture is worth."""
    live, best, count = st.columns([6, 2, 2], vertical_alignment="bottom", gap="medium")
    with count:
        heads = heads_control(page)
    chosen = st.container()
    with chosen:
        mixture = mixture_controls(page, dataset, heads)
    with best:
        st.button("Best share", key=f"{page}_best", on_click=_take_best, args=(page, mixture), width="stretch")
    with live:
        label = "Drag the share of head 1 (the rest goes to the others; below 0 and above 1 a head is subtracted)"
        share = select_slider(label, TEXTS, USUAL_SHARE, key=f"{page}_share")
    many, frame = len(dataset.samples().x) > MANY, SHARES.index(share)
    with st.spinner("Drawing the pictures ...") if many else nullcontext():
        shown = mixture_ran(mixture, frame).shown
        _stage(page, mixture, frame, shown)
    st.markdown(in_words(mixture, frame, shown))
    show_picture(f"{page}_heads_picture", packed_heads(mixture, f"{page}_share"))
    st.latex(FORMULA)
    st.info(QUESTION)
    code(page, lambda: mixing_script(mixture, frame))
    return View(lambda: mixing_export(mixture, frame))


def _take_best(page: str, mixture: Mixture) -> None:
    st.session_state[f"{page}_share"] = best_share(mixture)


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
            f"alone the heads listen to about {listened} keys.",
        ),
        on_query=lambda: take_click(page, queries),
    )


def in_words(mixture: Mixture, frame: int, shown: Mapping[str, Tensor]) -> str:
    """What this mixture is worth against any single width, as a number."""
    single, share = best_single(mixture.dataset), SHARES[frame]
    by_others = shown["loo_error"] if "loo_error" in shown else errors(mixture)[0][frame]
    told = [_against("leave one out", by_others.item(), single.loo_error, single.loo_width)]
    if "test_error" in shown and single.test_error is not None and single.test_width is not None:
        told.append(_against("against the truth", shown["test_error"].item(), single.test_error, single.test_width))
    how = "subtracts the other heads" if share > 1 else "subtracts head 1" if share < 0 else "averages the heads"
    return f"**At share {share_text(share)} W_o {how}.** " + " ".join(told)


def _against(name: str, error: float, best: float, width: float) -> str:
    gain = 100 * (1 - error / best) if best > 0 else 0.0
    verdict = f"**{gain:.1f} % less**" if gain > 0 else f"{-gain:.1f} % more"
    return (
        f"{name.capitalize()}: {short(error, 4)}, which is {verdict} than the {short(best, 4)} "
        f"of the best single width (σ = {short(width)})."
    )
