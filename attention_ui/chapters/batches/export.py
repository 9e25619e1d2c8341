"""Batches to take home: the product, matrix by matrix, and the two weighted averages."""

from collections.abc import Mapping

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.checks import InputError
from attention_core.demos.batching import Shape, why_not
from attention_ui.chapters.batches.calls import ran
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.batches.figures import averages_chart
from attention_ui.export.export import Export
from attention_ui.export.tables import entries_table
from attention_ui.figures.style import FONT, MARGIN, axis
from attention_ui.numbers import short
from attention_ui.palette import QUERY, SEQUENTIAL

NAME = "batch-product"  # of the files
NAMES = ("A", "B", "C = A B")
PALE = [
    [step / 4, colour] for step, (_, colour) in enumerate(SEQUENTIAL[:5])
]  # so that dark numbers are read on every cell
ROW, AVERAGES = 190, 330  # pixels of a row of matrices, and of the chart of the averages


def exported(sizes: Sizes, place: Shape, tilt: float | None) -> Export:
    """The product with one number of it marked; with a tilt, the weighted averages below it as well."""
    if sizes.mismatch:
        raise InputError(f"There is no product to take home. {why_not(*sizes.shapes[:2])}")
    made = ran(sizes, place, tilt)
    tables = ("first", "second", "product", *(() if tilt is None else ("weights", "averages")))
    return Export(
        name=NAME,
        title=f"{title(sizes)}: entry {list(place)} of the product is {short(made.shown['number'].item())}",
        figure=_figure(made.shown, place),
        tables={name: entries_table(made.shown[name]) for name in tables},
        ran=made,
    )


def title(sizes: Sizes) -> str:
    """What is multiplied."""
    return f"{sizes.shapes[0]} times {sizes.shapes[1]}"


def script(sizes: Sizes, place: Shape, tilt: float | None) -> str:
    """The code that ran, as the page shows it; where the inner sizes differ, torch refuses it."""
    return ran(sizes, place, tilt).script(NAME, title(sizes)).text


def _figure(shown: Mapping[str, Tensor], place: Shape) -> go.Figure:
    """A row of three matrices for each in the batch; the averages below them."""
    batches = shown["first"], shown["second"], shown["product"]
    n, below = len(batches[0]), [AVERAGES] if "averages" in shown else []
    heights = [*[ROW] * n, *below]
    figure = make_subplots(
        len(heights),
        3,
        specs=[*[[{}] * 3] * n, *([[{"colspan": 3}, None, None]] if below else [])],
        row_heights=heights,
        column_titles=NAMES,
        vertical_spacing=70 / (sum(heights) + 70 * len(heights)),
    )
    for column, batch in enumerate(batches, 1):
        for row, matrix in enumerate(batch, 1):
            _add_matrix(figure, matrix, row, column)
    _mark(figure, batches, place)
    if below:
        _add_averages(figure, n + 1, shown)
    figure.update_annotations(font={"size": 16})
    figure.update_layout(margin={**MARGIN, "t": 36}, height=sum(heights) + 70 * len(heights), showlegend=False)
    return figure


def _add_matrix(figure: go.Figure, matrix: Tensor, row: int, column: int) -> None:
    numbers = matrix.tolist()
    figure.add_heatmap(
        z=numbers,
        text=[[f"{number:g}" for number in line] for line in numbers],
        texttemplate="%{text}",
        textfont={"size": 16},
        colorscale=PALE,
        zmin=0,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="row %{y}, column %{x}: %{text}<extra></extra>",
        row=row,
        col=column,
    )
    figure.update_xaxes(showgrid=False, zeroline=False, dtick=1, tickfont=FONT, row=row, col=column)
    label = f"matrix {row - 1}" if column == 1 else ""
    down = axis(label, autorange="reversed", showgrid=False, zeroline=False, dtick=1)
    figure.update_yaxes(down, row=row, col=column)


def _mark(figure: go.Figure, batches: tuple[Tensor, Tensor, Tensor], place: Shape) -> None:
    """A frame around the row, the column, and the number that they make."""
    (n, a, c), whole = place, (-0.5, batches[0].shape[2] - 0.5)
    across, down = (c - 0.5, c + 0.5), (a - 0.5, a + 0.5)
    for column, ((left, right), (top, bottom)) in enumerate(((whole, down), (across, whole), (across, down)), 1):
        frame = {"line": {"color": QUERY, "width": 4}, "row": n + 1, "col": column}
        figure.add_shape(type="rect", x0=left, x1=right, y0=top, y1=bottom, **frame)


def _add_averages(figure: go.Figure, row: int, shown: Mapping[str, Tensor]) -> None:
    """The page's own chart of the averages, as the last row."""
    chart = averages_chart(shown)
    for trace in chart.data:
        figure.add_trace(trace, row=row, col=1)
    figure.update_xaxes(chart.layout.xaxis.to_plotly_json(), row=row, col=1)
    figure.update_yaxes(chart.layout.yaxis.to_plotly_json(), row=row, col=1)
    figure.update_layout(barmode="overlay")
