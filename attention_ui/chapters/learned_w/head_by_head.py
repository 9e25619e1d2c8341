"""Head by head: the attention of every head at the end of a run."""

import streamlit as st
from torch import Tensor

from attention_core.data import FUNCTIONS
from attention_ui.chapters.learned_w.computation import each_head
from attention_ui.chapters.learned_w.export import exported_head_by_head, heads_picture
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.link.lesson import hides
from attention_ui.numbers import short
from attention_ui.pictures.picture import pack, show_picture

ALONE = 0.9  # a share from which on one head does nearly all the work


def show(run: Run) -> View:
    """The attention of every head at the end, with its w and its share."""
    so_far = run.trained()
    computation = each_head(so_far)
    show_picture(f"{run.page}_heads_row", pack(heads_picture(so_far, computation)))
    st.caption(verdict_on_heads(computation.shown["w"][-1], computation.shown["shares"][-1]))
    if run.plan.dataset.name != "step" and not hides("function"):
        st.caption(f"Compare with the data **{FUNCTIONS['step'].label}**.")
    return View(lambda: exported_head_by_head(so_far))


def verdict_on_heads(w: Tensor, shares: Tensor) -> str:
    """Whether the heads share the work, by their w (H,) and their shares (H,)."""
    most = shares.max().item()
    if most > ALONE:
        return f"One head has {most:.0%} of the weight: for these points training needed hardly more than one width."
    wide, sharp = (int(place) for place in (w.abs().argmin(), w.abs().argmax()))
    told = (f"$w = {short(w[head].item())}$ with {shares[head]:.0%} of the weight" for head in (sharp, wide))
    return "The heads share the work. The sharpest has {}, the widest {}.".format(*told)
