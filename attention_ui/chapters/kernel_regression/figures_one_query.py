"""One query under the lens: its weights, the kernel that made them, and what every point contributes."""

import math

import plotly.graph_objects as go
import torch
from torch import Tensor

from attention_core.kernels import KERNELS
from attention_core.regression.one_query import Explanation
from attention_ui.figures.style import FONT, Axis, axis, finish
from attention_ui.palette import POINTS, PREDICTION, QUERY, REFERENCE

BARS: dict[str, dict[str, object]] = {
    "Points": {"color": REFERENCE},
    "Strongest": {"color": PREDICTION, "pattern": {"shape": "/"}, "line": {"color": PREDICTION, "width": 2}},
}
SMALLEST, LARGEST = 5.0, 30.0  # px across a circle without weight, and the one with the most
UNCROWDED = 20.0  # so many points may share the weight before all get smaller
TOP, ABOVE_QUERY = 64, 1.1  # room above the plot, and the legend over the name of the query
BUMP_HEIGHT = 0.9  # of the plot
TAIL = 8.0  # widths from the query at which a Gaussian bump touches the ground


def weight_bars(seen: Explanation, x: Axis | None = None) -> go.Figure:
    """The weight of every key at its place; the heights sum to 1."""
    return _bars(seen, seen.weights, x or Axis(), "weight")


def contributions(seen: Explanation, x: Axis | None = None) -> go.Figure:
    """What every point adds to the prediction, weight_i y_i; the heights sum to f(q)."""
    return _bars(seen, seen.contributions, x or Axis(), "weight × value")


def _bars(seen: Explanation, heights: Tensor, x: Axis, y_label: str) -> go.Figure:
    """Thin bars over the keys, the strongest hatched and pointed at, and the query as a dotted line."""
    low, high = limits([*seen.samples.x.tolist(), seen.query], x)
    shown = int(((seen.samples.x >= low) & (seen.samples.x <= high)).sum())
    strongest = (torch.arange(len(heights)) == seen.strongest) & (seen.reached > 0)
    figure = go.Figure()
    for name, chosen in (("Points", ~strongest), ("Strongest", strongest)):
        figure.add_bar(
            x=seen.samples.x[chosen].tolist(),
            y=heights[chosen].tolist(),
            width=(high - low) / min(max(2 * shown, 60), 300),
            name=name,
            marker=BARS[name],
            showlegend=name == "Points",
            customdata=torch.stack([seen.weights, seen.samples.y], 1)[chosen].tolist(),
            hovertemplate="key %{x:.4g}<br>value %{customdata[1]:.4g}<br>weight %{customdata[0]:.4g}"
            f"<br>{y_label} %{{y:.4g}}<extra></extra>",
        )
    if seen.reached:
        _point_at(figure, seen.samples.x[seen.strongest].item(), heights[seen.strongest].item())
    _mark_query(figure, seen, low, high)
    up = axis(y_label, zeroline=True, range=None if seen.reached else [0, 1])
    return finish(figure, axis(x.label, range=[low, high]), up, TOP, legend_y=ABOVE_QUERY, barmode="overlay")


def _point_at(figure: go.Figure, key: float, height: float) -> None:
    """A triangle on the tip of a bar, since among 500 of them a hatched one is hardly seen; the legend names it."""
    symbol = "triangle-up" if height < 0 else "triangle-down"
    marker = {"color": PREDICTION, "size": 13, "symbol": symbol}
    name = f"Strongest: {height:.4g}"
    figure.add_scatter(x=[key], y=[height], mode="markers", name=name, marker=marker, hoverinfo="skip")


def kernel_bump(seen: Explanation, x: Axis | None = None, y: Axis | None = None) -> go.Figure:
    """The samples, as large as their weight, over the kernel's shape around the query; the prediction is a star."""
    x, y = x or Axis(), y or Axis("y")
    low, high = limits([*seen.samples.x.tolist(), seen.query], x)
    bottom, top = limits([*seen.samples.y.tolist(), seen.prediction], y)
    figure = go.Figure()
    _add_bump(figure, seen, (low, high), (bottom, top))
    _add_samples(figure, seen)
    figure.add_scatter(
        x=[seen.query],
        y=[seen.prediction],
        mode="markers",
        name=f"f(q) = {seen.prediction:.4g}" if math.isfinite(seen.prediction) else "no prediction",
        marker={"color": PREDICTION, "size": 18, "symbol": "star", "line": {"width": 1}},
        hovertemplate="query %{x:.4g}<br>prediction %{y:.4g}<extra></extra>",
    )
    _mark_query(figure, seen, low, high)
    up = axis(y.label, range=[bottom, top])
    return finish(figure, axis(x.label, range=[low, high]), up, TOP, legend_y=ABOVE_QUERY)


def _add_bump(figure: go.Figure, seen: Explanation, x: tuple[float, float], y: tuple[float, float]) -> None:
    """K((q - x) / width), standing on the plot's floor: faintly filled, with a dashed edge that tells its numbers."""
    places, kernel = bump(seen, *x)
    heights = y[0] + BUMP_HEIGHT * (y[1] - y[0]) * kernel
    figure.add_scatter(
        x=[places[0].item(), *places.tolist(), places[-1].item()],
        y=[y[0], *heights.tolist(), y[0]],
        mode="none",
        fill="toself",
        fillcolor=QUERY,
        opacity=0.15,  # of the trace: the colour itself must stay the stand-in that the theme replaces
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=places.tolist(),
        y=heights.tolist(),
        mode="lines",
        name=f"Kernel: {KERNELS[seen.estimator.kernel].label}",
        line={"color": QUERY, "dash": "dash", "width": 2},
        customdata=kernel.tolist(),
        hovertemplate="x %{x:.4g}<br>kernel %{customdata:.4g}<extra></extra>",
    )


def bump(seen: Explanation, low: float, high: float) -> tuple[Tensor, Tensor]:
    """Places from low to high, dense where the kernel bends, and K((q - x) / width) there; K(0) = 1."""
    kernel, width = KERNELS[seen.estimator.kernel], seen.estimator.width
    reach = kernel.support if math.isfinite(kernel.support) else TAIL
    u = torch.linspace(-reach, reach, 161, dtype=torch.float64)
    edges = torch.tensor([-reach, reach], dtype=torch.float64) * (1 - 1e-9)  # just inside: a boxcar falls off there
    near = seen.query + width * torch.cat([u, edges])
    places = torch.cat([torch.linspace(low, high, 161, dtype=torch.float64), near.clamp(low, high)]).unique()
    return places, kernel((seen.query - places) / width).exp()


def _add_samples(figure: go.Figure, seen: Explanation) -> None:
    """Circles that grow with |weight|; a negative weight is a diamond."""
    figure.add_scatter(
        x=seen.samples.x.tolist(),
        y=seen.samples.y.tolist(),
        mode="markers",
        name="Samples, by weight",
        cliponaxis=False,
        marker={
            "color": POINTS,
            "size": sizes(seen.weights).tolist(),
            "symbol": ["diamond" if weight < 0 else "circle" for weight in seen.weights.tolist()],
            "opacity": 0.6,
            "line": {"color": POINTS, "width": 1},
        },
        customdata=seen.weights.tolist(),
        hovertemplate="key %{x:.4g}<br>value %{y:.4g}<br>weight %{customdata:.4g}<extra></extra>",
    )


def sizes(weights: Tensor) -> Tensor:
    """Diameters in px, so that the area follows |weight|; the more points share the weight, the smaller they are."""
    strength = weights.abs() / weights.abs().max().clamp(min=1e-300)  # 1 for the strongest
    crowd = strength.sum() ** 2 / strength.square().sum().clamp(min=1e-300)  # how many points share the weight
    largest = LARGEST * (UNCROWDED / crowd.clamp(min=UNCROWDED)).sqrt()
    return SMALLEST + (largest - SMALLEST).clamp(min=0) * strength.sqrt()


def _mark_query(figure: go.Figure, seen: Explanation, low: float, high: float) -> None:
    """A dotted line over the full height, named at its top; it says so when no key is in reach."""
    lost = "" if math.isfinite(seen.prediction) else ": no key in reach"
    third = (high - low) / 3  # in the outer thirds the name reaches inwards, so as not to be cut off
    anchor = "left" if seen.query < low + third else "right" if seen.query > high - third else "center"
    figure.add_shape(
        type="line", x0=seen.query, x1=seen.query, y0=0, y1=1, yref="paper", line={"color": QUERY, "dash": "dot"}
    )
    figure.add_annotation(
        x=seen.query,
        y=1,
        yref="paper",
        xanchor=anchor,
        yanchor="bottom",
        text=f"q = {seen.query:.4g}{lost}",
        font=FONT,
        showarrow=False,
    )


def limits(values: list[float], axis: Axis) -> tuple[float, float]:
    """The axis' own range where it has one, else that of the values, NaN apart, with a little room on both sides."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite), max(finite)
    room = 0.05 * (high - low) or 0.5
    return low - room if axis.low is None else axis.low, high + room if axis.high is None else axis.high
