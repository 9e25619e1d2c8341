"""What every head adds to one token's output: parts that stack up to the whole."""

import plotly.graph_objects as go
from torch import Tensor

from attention_ui.figures.style import FONT, axis, finish
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, QUERY, REFERENCE, TRUTH

COLOURS = (PREDICTION, REFERENCE, TRUTH, AVERAGE)
PATTERNS = ("", "/", "x", ".")  # never told by colour alone


def stacked_parts(parts: Tensor, output: Tensor, full: Tensor) -> go.Figure:
    """Parts (H, W) of one token stacked above and below 0, their sum (W,), and the sum with all heads on (W,)."""
    numbers = list(range(1, len(output) + 1))
    figure = go.Figure()
    for head, part in enumerate(parts.tolist()):
        colour = COLOURS[head % len(COLOURS)]
        pattern = PATTERNS[(head // len(COLOURS) + head) % len(PATTERNS)]
        figure.add_bar(
            x=numbers,
            y=part,
            name=f"Head {head + 1}",
            marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay", "size": 7}},
            hovertemplate=f"head {head + 1} adds %{{y:.4f}}<extra></extra>",
        )
    _add_marks(
        figure, numbers, full, "All heads", {"symbol": "circle-open", "size": 15, "color": POINTS, "line": {"width": 2}}
    )
    _add_marks(figure, numbers, output, "Output", {"symbol": "diamond", "size": 10, "color": QUERY})
    return finish(
        figure,
        axis("number of the output", dtick=1, range=[0.4, len(output) + 0.6]),
        axis("value", zeroline=True),
        top=64,
        barmode="relative",
        bargap=0.25,
    )


def _add_marks(figure: go.Figure, numbers: list[int], values: Tensor, name: str, marker: dict[str, object]) -> None:
    figure.add_scatter(
        x=numbers,
        y=values.tolist(),
        mode="markers",
        name=name,
        marker=marker,
        hovertemplate=f"{name.lower()} %{{y:.4f}}<extra></extra>",
    )


def head_sizes(whole: Tensor, on: tuple[bool, ...]) -> go.Figure:
    """How much each head adds over all tokens, |part| (H,); a head that is off is hatched."""
    names = [str(head + 1) for head in range(len(on))]
    sizes = whole.flatten(1).norm(dim=1)  # (H,)
    figure = go.Figure()
    figure.add_bar(
        x=names,
        y=sizes.tolist(),
        text=[f"{size:.2f}" if lit else "off" for size, lit in zip(sizes.tolist(), on, strict=True)],
        textposition="outside",
        textfont=FONT,
        cliponaxis=False,
        marker={
            "color": PREDICTION,
            "opacity": [1.0 if lit else 0.35 for lit in on],
            "pattern": {"shape": ["" if lit else "/" for lit in on]},
        },
        hovertemplate="head %{x}: %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    return finish(
        figure, axis("head", type="category"), axis("size of its part", range=[0, 1.18 * sizes.max().item()]), top=24
    )
