"""Before and after: the attention weights of the first and of the last w."""

import torch

from attention_ui.chapters.learned_w.calls import both_ends
from attention_ui.chapters.learned_w.export import BOTH, both_titles, exported_both
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps


def show(page: str, run: Run) -> View:
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
