"""Head by head: the attention of every head at the end of a run."""

import streamlit as st

from attention_ui.chapters.learned_w.computation import each_head
from attention_ui.chapters.learned_w.export import exported_head_by_head, heads_picture
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.pictures.picture import pack, show_picture


def show(run: Run) -> View:
    """The attention of every head at the end, with its w and its share."""
    so_far = run.trained()
    computation = each_head(so_far)
    show_picture(f"{run.page}_heads_row", pack(heads_picture(so_far, computation)))
    st.caption(verdict_on_heads(float(computation.shown["shares"][-1].max())))
    return View(lambda: exported_head_by_head(so_far))


def verdict_on_heads(most: float) -> str:
    """Whether the heads share the work, by the largest share."""
    if most > 0.9:
        return f"One head has {most:.0%} of the weight: for these points one width is enough. Try the data “Step”."
    return "The heads share the work: a sharp head follows the jumps, a wide head smooths the flat parts."
