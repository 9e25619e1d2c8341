"""The morph to take home, where the slider stands."""

import math

import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.demos.morph import LONGEST_LENGTH, SHORTEST_LENGTH, Morph
from attention_ui.chapters.scoring.export_tables import long, wide
from attention_ui.chapters.scoring.figures_numbered import Shades, add_matrix, finish_matrices, numbered
from attention_ui.chapters.scoring.morph import KEYS, LAST, QUERIES, SEEDS, difference_text, frames, snippet
from attention_ui.export import Export
from attention_ui.figures.style import FONT, axis
from attention_ui.palette import POINTS, QUERY, REFERENCE

ROWS, COLUMNS = [f"q{i + 1}" for i in range(QUERIES)], [f"k{i + 1}" for i in range(KEYS)]
TITLES = ("Gaussian: −|q − k|² / 2", "Dot product: q · k", "|Gaussian − dot product|")
CIRCLE = 97  # points on it


def exported(percent: int, both: bool) -> Export:
    """The plane and both weights after so many per cent of the way."""
    now = Morph(*(part[percent] for part in frames(both)))
    places = torch.cat([now.queries, now.keys])  # (Q + K, 2)
    moving = "queries and keys" if both else "keys"
    gap = difference_text(now.difference.item())
    return Export(
        name="gaussian-to-dot-product",
        title=f"{moving.capitalize()} {percent} % of the way to the unit circle: weights differ by at most {gap}",
        figure=figure(now),
        tables={
            "weights": long({"gaussian": now.gaussian, "dot": now.dot}, query=ROWS, key=COLUMNS),
            "places": wide(places, [*ROWS, *COLUMNS], ("x", "y"), "vector"),
        },
        script=snippet(percent, both),
        plain=plain(percent, both),
        results={name: getattr(now, name) for name in ("queries", "keys", "gaussian", "dot", "difference")},
    )


def figure(now: Morph) -> go.Figure:
    """The plane with the unit circle, and three heatmaps on one scale."""
    made = make_subplots(2, 2, subplot_titles=["Queries, keys, unit circle", *TITLES], vertical_spacing=0.16)
    angles = torch.linspace(0, 2 * math.pi, CIRCLE)
    made.add_scatter(
        x=angles.cos().tolist(), y=angles.sin().tolist(), mode="lines", name="unit circle",
        line={"color": POINTS, "dash": "dot"}, hoverinfo="skip", row=1, col=1,
    )  # fmt: skip
    _add_points(made, "queries", now.queries, ROWS, {"color": QUERY, "symbol": "diamond", "size": 11})
    _add_points(made, "keys", now.keys, COLUMNS, {"color": REFERENCE, "symbol": "circle", "size": 11})
    reach = 1.2 * max(1.0, now.queries.abs().max().item(), now.keys.abs().max().item())
    square = {"range": [-reach, reach], "constrain": "domain"}
    made.update_xaxes(axis("first coordinate", **square), row=1, col=1)
    made.update_yaxes(axis("second coordinate", scaleanchor="x", **square), row=1, col=1)
    matrices = now.gaussian, now.dot, (now.gaussian - now.dot).abs()
    for place, (title, matrix) in enumerate(zip(TITLES, matrices, strict=True), 1):
        add_matrix(made, numbered(title, matrix, ROWS, COLUMNS), place // 2 + 1, place % 2 + 1)
    highest = max(matrix.max().item() for matrix in matrices)
    finish_matrices(made, 2, Shades(high=highest, name="weight"))
    return made.update_layout(legend={"orientation": "h", "y": -0.1, "yanchor": "top", "font": FONT}, height=820)


def _add_points(made: go.Figure, name: str, places: Tensor, labels: list[str], marker: dict[str, object]) -> None:
    x, y = places.T.tolist()
    made.add_scatter(
        x=x, y=y, mode="markers+text", name=name, text=labels, textposition="top center", textfont=FONT, marker=marker,
        hovertemplate="%{text}<br>%{x:.4f}, %{y:.4f}<extra></extra>", row=1, col=1,
    )  # fmt: skip


def plain(percent: int, both: bool) -> str:
    """The same in torch alone."""
    moved = "keys, queries = moved(keys), moved(queries)" if both else "keys = moved(keys)  # the queries stay"
    return f"""import torch
from torch.nn.functional import normalize


def scattered(count, seed):
    \"\"\"Vectors in all directions, {SHORTEST_LENGTH:g} to {LONGEST_LENGTH:g} long.\"\"\"
    generator = torch.Generator().manual_seed(seed)
    directions = torch.randn(count, 2, dtype=torch.float64, generator=generator)
    lengths = torch.rand(count, 1, dtype=torch.float64, generator=generator)
    return normalize(directions) * ({SHORTEST_LENGTH:g} + {LONGEST_LENGTH - SHORTEST_LENGTH:g} * lengths)


def moved(vectors):
    \"\"\"A share of the way straight to the unit circle.\"\"\"
    return (1 - share) * vectors + share * normalize(vectors)


share = {percent / LAST:g}
queries, keys = scattered({QUERIES}, seed={SEEDS[0]}), scattered({KEYS}, seed={SEEDS[1]})
{moved}

# -|q - k|^2 / 2 = q . k - |q|^2 / 2 - |k|^2 / 2. Softmax over the keys does not see |q|, the same for all of them;
# on the circle it does not see |k| either, and both weights are one.
gaussian = (-(queries[:, None] - keys).square().sum(-1) / 2).softmax(-1)  # (queries, keys)
dot = (queries @ keys.T).softmax(-1)
difference = (gaussian - dot).abs().max()

print(gaussian)
print(dot)
print(difference)
"""
