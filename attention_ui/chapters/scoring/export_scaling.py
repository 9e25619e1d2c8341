"""Why divide by sqrt(d), to take home: the weights at one d, and what was measured at every d."""

import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.demos.scaling import GROUPS, Scaling
from attention_core.demos.scaling import KEYS as MEASURED_KEYS
from attention_core.demos.scaling import QUERIES as MEASURED_QUERIES
from attention_ui.chapters.scoring.explorer import note
from attention_ui.chapters.scoring.export_tables import long
from attention_ui.chapters.scoring.figures_numbered import Shades, add_matrix, finish_matrices, numbered
from attention_ui.chapters.scoring.scaling import FIELDS, PLAIN, SCALED, measured, weights_at_every_width
from attention_ui.chapters.scoring.vectors import COLUMNS, DIMENSIONS, KEYS, QUERIES, ROWS, WIDEST
from attention_ui.export import Export
from attention_ui.figures.style import axis
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import PREDICTION, REFERENCE

NAMES = (PLAIN, SCALED)


def exported(d: int) -> Export:
    """Both heatmaps at this d, and three measures over all d."""
    found = measured()
    weights = torch.stack([each[DIMENSIONS.index(d)] for each in weights_at_every_width()])  # (2, Q, K)
    measures = {field: torch.stack([getattr(side, field) for side in found[1:]]) for field in FIELDS}  # (2, n) each
    return Export(
        name="why-root-d",
        title=f"Why divide by √d: weights at d = {d}, and what happens at every d",
        figure=figure(found, weights, d),
        tables={
            "measures": long(measures, score=NAMES, d=DIMENSIONS),
            "weights": long({"weight": weights}, score=NAMES, query=ROWS, key=COLUMNS),
        },
        script=script(d),
        plain=plain(d),
        results={**measures, "weights": weights},
    )


def figure(found: Scaling, weights: Tensor, d: int) -> go.Figure:
    """Two heatmaps above, three graphs below with a mark at this d."""
    names = [f"softmax({name}): {note(each)}" for name, each in zip(NAMES, weights, strict=True)]
    specs = [[{"colspan": 3}, None, None] * 2, [{"colspan": 2}, None] * 3]
    made = make_subplots(
        2, 6, specs=specs, subplot_titles=[*names, *FIELDS.values()], vertical_spacing=0.2, horizontal_spacing=0.06
    )
    for column, (name, each) in enumerate(zip(names, weights, strict=True)):
        add_matrix(made, numbered(name, each, ROWS, COLUMNS), 1, 3 * column + 1)
    for column, field in enumerate(FIELDS):
        _add_graph(made, found, field, d, 2 * column + 1)
    made.update_yaxes(log_ticks(0.5, 1000), row=2, col=1)
    finish_matrices(made, 2, Shades(name="weight"))
    return made.update_layout(
        coloraxis_colorbar={"len": 0.45, "y": 1, "yanchor": "top"},
        legend={"orientation": "h", "y": -0.14, "yanchor": "top"}, margin={"b": 96}, height=760,
    )  # fmt: skip


def _add_graph(made: go.Figure, found: Scaling, field: str, d: int, column: int) -> None:
    styles = (PREDICTION, "solid", "circle"), (REFERENCE, "dash", "diamond")
    for name, side, (colour, dash, symbol) in zip(NAMES, found[1:], styles, strict=True):
        values = getattr(side, field).tolist()
        made.add_scatter(
            x=list(DIMENSIONS), y=values, mode="lines+markers", name=name, legendgroup=name, showlegend=column == 1,
            line={"color": colour, "width": 3, "dash": dash},
            marker={"symbol": symbol, "size": [13 if each == d else 4 for each in DIMENSIONS], "opacity": 1},
            hovertemplate=f"{name}<br>d = %{{x}}<br>%{{y:.6g}}<extra></extra>", row=2, col=column,
        )  # fmt: skip
    made.update_xaxes(axis("dimensions d", **log_ticks(1, DIMENSIONS[-1])), row=2, col=column)
    made.update_yaxes(axis(field), row=2, col=column)


def script(d: int) -> str:
    """Measured by attention_core."""
    stacked = "\n".join(f"{field} = torch.stack([plain.{field}, scaled.{field}])" for field in FIELDS)
    return f"""import torch

from attention_core.demos.scaling import scaling
from attention_core.scoring import dot, scaled_dot

dimensions = {list(DIMENSIONS)}
_, plain, scaled = scaling(dimensions)  # of q . k, and of q . k / sqrt(d)
{stacked}

# The heatmaps at one d.
d = {d}
generator = torch.Generator().manual_seed(0)
vectors = torch.randn({QUERIES + KEYS}, {WIDEST}, dtype=torch.float64, generator=generator)[:, :d]
queries, keys = vectors[:{QUERIES}], vectors[{QUERIES}:]
weights = torch.stack([dot(queries, keys), scaled_dot(queries, keys)]).softmax(-1)  # (2, queries, keys)

{_printed()}"""


def plain(d: int) -> str:
    """The experiment in torch alone, with the same seeds."""
    return f"""import torch

dimensions = {list(DIMENSIONS)}

# {GROUPS} groups of {MEASURED_QUERIES} random queries, each with {MEASURED_KEYS} keys.
# At every d these are the first coordinates of the same vectors.
generator = torch.Generator().manual_seed(0)
vectors = torch.randn({GROUPS}, {MEASURED_QUERIES + MEASURED_KEYS}, {WIDEST}, generator=generator).double()


def measure(scores):
    \"\"\"How scores (rows, keys) and their softmax behave: variance, keys listened to, gradient.\"\"\"
    p = scores.softmax(-1)
    entropy = torch.special.entr(p).sum(-1)  # -sum p log p
    reach = entropy.exp().mean()  # as many equal weights would be as spread out
    # The gradient of softmax is the matrix diag(p) - p p^T; its size says how much of a change comes through.
    jacobian = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return torch.stack([scores.var(), reach, jacobian.norm(dim=(1, 2)).mean()])


measured = []
for d in dimensions:
    queries, keys = vectors[:, :{MEASURED_QUERIES}, :d], vectors[:, {MEASURED_QUERIES}:, :d]
    scores = (queries @ keys.mT).flatten(0, 1)  # (rows, keys); the variance of a sum of d products is d
    measured.append(torch.stack([measure(scores), measure(scores / d**0.5)]))
variance, reach, gradient = torch.stack(measured, 1).unbind(-1)  # (2, dimensions) each: q . k, then q . k / sqrt(d)

# The heatmaps at one d.
d = {d}
generator = torch.Generator().manual_seed(0)
vectors = torch.randn({QUERIES + KEYS}, {WIDEST}, dtype=torch.float64, generator=generator)[:, :d]
queries, keys = vectors[:{QUERIES}], vectors[{QUERIES}:]
scores = queries @ keys.T
weights = torch.stack([scores, scores / d**0.5]).softmax(-1)  # (2, queries, keys)

{_printed()}"""


def _printed() -> str:
    return """at = dimensions.index(d)
for i, name in enumerate(["q . k", "q . k / sqrt(d)"]):
    print(f"{name}: variance {variance[i, at]:.4g}, keys {reach[i, at]:.4g}, gradient {gradient[i, at]:.4g}")
"""
