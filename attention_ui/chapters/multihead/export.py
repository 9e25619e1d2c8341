"""What the views on several heads give away: widths that are mixed, and heads on vectors beside torch's own."""

import pandas as pd
import torch

from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import TOKENS, WIDTH, layer_computation, mixture_computation
from attention_ui.chapters.multihead.mixing import errors, heads_of
from attention_ui.chapters.multihead.pictures import graphs, head_panels, known_lines, mixed_frames, share_text
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, stacked_table, weights_table
from attention_ui.export.view import Export
from attention_ui.pictures.graph import Graph, Trace
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture
from attention_ui.pictures.regression import axes_of

MIXTURE, VECTORS = "multihead-mixture", "multihead-vectors"  # of the files


def mixing_title(mixture: Mixture, frame: int) -> str:
    """What the mixture shows, in a few words."""
    share = share_text(SHARES[frame])
    return f"{mixture.dataset.title}: {len(mixture.widths)} heads mixed, head 1 with the share {share}"


def mixing_script(mixture: Mixture, frame: int) -> str:
    """The code that ran for the mixture, as the page shows it."""
    return mixture_computation(mixture, frame).script(MIXTURE, mixing_title(mixture, frame)).text


def mixing_export(mixture: Mixture, frame: int) -> Export:
    """The mixture at this position of the slider: its curve, its weights, every head's own, and the errors."""
    made = mixture_computation(mixture, frame)
    queries, own, output = (made.shown[each] for each in ("queries", "heads", "output"))
    alone = {f"head_{h}": head @ made.shown["values"] for h, head in enumerate(own, 1)}
    return Export(
        MIXTURE,
        mixing_title(mixture, frame),
        still(_picture(mixture, frame), frame=frame),
        {
            "data": points_table(mixture.dataset),
            "predictions": outputs_table(queries, mixture=output, **alone),
            "weights": weights_table(queries, made.shown["weights"]),
            "heads": stacked_table([f"head {h}" for h in range(1, len(own) + 1)], own, "head"),
            "errors": pd.DataFrame({"share": SHARES, **_error_columns(mixture)}),
        },
        computation=made,
    )


def _error_columns(mixture: Mixture) -> dict[str, list[float]]:
    by_others, against = errors(mixture)
    columns = {"leave-one-out error": by_others.tolist()}
    return columns if against is None else {**columns, "error against the truth": against.tolist()}


def _picture(mixture: Mixture, frame: int) -> Picture:
    """The curve and its weights, as one picture."""
    heads, share = head_panels(mixture), share_text(SHARES[frame])
    now = mixed_frames(mixture, torch.tensor([frame])).weights[0]
    panels = (
        heads[0]._replace(title=f"Mixed, head 1 with {share}", frames=now, notes=()),
        *(panel._replace(title=f"{panel.title}, {panel.notes[frame]}", notes=()) for panel in heads),
    )
    return Picture(panels, (f"share {share}",), graphs=(_curve(mixture, frame), *graphs(mixture)))


def _curve(mixture: Mixture, frame: int) -> Graph:
    heads, (x, y) = heads_of(mixture.dataset, mixture.widths), mixture.dataset.samples()
    known = known_lines(mixture, heads)
    lines = (Trace(line.name, line.role, heads.fine, line.values) for line in known)
    prediction = Trace("heads mixed", "prediction", heads.fine, mixed_frames(mixture, torch.tensor([frame])).curves[0])
    none, axes = torch.empty(0), axes_of(mixture.dataset, known)
    return Graph("Prediction", *axes, (Trace("points", "points", x, y), *lines, prediction), (none, none))


def vectors_title(layer: Layer) -> str:
    """What the heatmaps show, in a few words."""
    return f"{layer.heads} heads on {TOKENS} tokens, {sum(layer.on)} of them on"


def vectors_script(layer: Layer) -> str:
    """The code that ran on vectors, as the page shows it."""
    return layer_computation(layer).script(VECTORS, vectors_title(layer)).text


def vectors_export(layer: Layer) -> Export:
    """Every head's weights, what each adds, and the output of those that are on."""
    made = layer_computation(layer)
    weights, tokens = made.shown["weights"][0], tuple(f"t{place}" for place in range(1, TOKENS + 1))
    panels = tuple(Heatmap(t, w, tokens, tokens) for t, w in zip(layer.titles, weights, strict=True))
    numbers = [f"number_{place}" for place in range(1, WIDTH + 1)]
    output = pd.DataFrame(made.shown["output"][0].tolist(), columns=numbers)
    output.insert(0, "token", list(tokens))
    parts = pd.DataFrame(made.shown["parts"][0].flatten(0, 1).tolist(), columns=numbers)
    parts.insert(0, "token", list(tokens) * layer.heads)
    parts.insert(0, "head", [h for h in range(1, layer.heads + 1) for _ in tokens])
    return Export(
        VECTORS,
        vectors_title(layer),
        still(Picture(panels, low=0.0, high=1.0, across=4 if layer.heads > 4 else None)),
        {"weights": stacked_table(layer.titles, weights, "head"), "output": output, "parts": parts},
        computation=made,
    )
