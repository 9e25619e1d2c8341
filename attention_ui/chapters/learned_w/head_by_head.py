"""Head by head: the attention of every head at the end of a run."""

import streamlit as st

from attention_ui.chapters.learned_w.calls import each_head
from attention_ui.chapters.learned_w.export import exported_head_by_head, head_titles
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps


def show(page: str, run: Run) -> View:
    """The attention of every head at the end, under one scale, with its w and its share."""
    so_far = run.trained()
    ran = each_head(so_far)
    titles = head_titles(ran)
    chart(
        show_heatmaps(ran.shown["weights"][None], titles, "keys", "queries"),
        f"{page}_heads_row",
        f"Attention of {len(titles)} heads: {'; '.join(titles)}.",
        height=420,
    )
    st.caption(verdict_on_heads(float(ran.shown["shares"][-1].max())))
    return View(lambda: exported_head_by_head(so_far))


def verdict_on_heads(most: float) -> str:
    """Whether the heads share the work, by the largest share."""
    if most > 0.9:
        return f"One head has {most:.0%} of the weight: for these points one width is enough. Try the data “Step”."
    return "The heads share the work: a sharp head follows the jumps, a wide head smooths the flat parts."
