"""Batches to take home: the product, matrix by matrix, and the two weighted averages."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.checks import InputError
from attention_core.demos.batching import batch_product, example, weighted_averages, why_not
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.batches.figures import averages_chart
from attention_ui.export.export import Export
from attention_ui.export.tables import entries_table
from attention_ui.figures.style import FONT, MARGIN, axis
from attention_ui.numbers import short
from attention_ui.palette import QUERY, SEQUENTIAL

NAMES = ("A", "B", "C = A B")
PALE = [
    [step / 4, colour] for step, (_, colour) in enumerate(SEQUENTIAL[:5])
]  # so that dark numbers are read on every cell
ROW, AVERAGES = 190, 330  # pixels of a row of matrices, and of the chart of the averages

OURS = """import torch

from attention_core.demos.batching import batch_product, example{more}

first, second = example(n={n}, a={a}, b={b}, c={c})
product = torch.bmm(first, second)  # (n, a, c)
print(product.shape, product[{place}])
print(torch.equal(product, batch_product(first, second)))  # sum_b first[n, a, b] * second[n, b, c]
"""
OUR_AVERAGES = """
(averages, weights), values = weighted_averages(tilt={tilt!r})
print(averages.flatten())
"""
PLAIN = """import torch

# Small whole numbers; a smaller example is a corner of a larger one.
drawn = torch.randint(0, 5, (2, 6, 6, 6), generator=torch.Generator().manual_seed(3)).double()
first, second = drawn[0, :{n}, :{a}, :{b}], drawn[1, :{n}, :{b}, :{c}]
product = torch.bmm(first, second)  # (n, a, b) @ (n, b, c) -> (n, a, c)
print(product.shape, product[{place}])
"""
PLAIN_AVERAGES = """
values = torch.arange(20, dtype=torch.float64).reshape(2, 10, 1)
scores = {tilt!r} * torch.arange(10, dtype=torch.float64).expand(2, 1, 10)
weights = scores.softmax(-1)  # every row sums to 1
averages = torch.bmm(weights, values)  # (2, 1, 10) @ (2, 10, 1) -> (2, 1, 1)
print(averages.flatten())
"""


def exported(sizes: Sizes, place: tuple[int, int, int], tilt: float | None) -> Export:
    """The product with one number of it marked; with a tilt, the weighted averages below it as well."""
    if sizes.mismatch:
        raise InputError(f"There is no product to take home. {why_not(*sizes.shapes[:2])}")
    first, second = example(sizes.n, sizes.a, sizes.b, sizes.c)
    product = batch_product(first, second)
    results = {"first": first, "second": second, "product": product}
    tables = {name: entries_table(batch) for name, batch in results.items()}
    filled = {"n": sizes.n, "a": sizes.a, "b": sizes.b, "c": sizes.c, "place": ", ".join(map(str, place))}
    ours, plain = OURS.format(**filled, more="" if tilt is None else ", weighted_averages"), PLAIN.format(**filled)
    if tilt is not None:
        pooled, values = weighted_averages(tilt)
        results |= {"weights": pooled.weights, "averages": pooled.output, "values": values}
        tables |= {"weights": entries_table(pooled.weights), "averages": entries_table(pooled.output)}
        ours, plain = ours + OUR_AVERAGES.format(tilt=tilt), plain + PLAIN_AVERAGES.format(tilt=tilt)
    total = short(float(product[place]))
    return Export(
        name="batch-product",
        title=f"{sizes.shapes[0]} times {sizes.shapes[1]}: entry {list(place)} of the product is {total}",
        figure=_figure((first, second, product), place, tilt),
        tables=tables,
        script=ours,
        plain=plain,
        results=results,
    )


def _figure(batches: tuple[Tensor, Tensor, Tensor], place: tuple[int, int, int], tilt: float | None) -> go.Figure:
    """A row of three matrices for each in the batch; the averages below them."""
    n, below = len(batches[0]), [] if tilt is None else [AVERAGES]
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
    if tilt is not None:
        _add_averages(figure, n + 1, tilt)
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


def _mark(figure: go.Figure, batches: tuple[Tensor, Tensor, Tensor], place: tuple[int, int, int]) -> None:
    """A frame around the row, the column, and the number that they make."""
    (n, a, c), whole = place, (-0.5, batches[0].shape[2] - 0.5)
    across, down = (c - 0.5, c + 0.5), (a - 0.5, a + 0.5)
    for column, ((left, right), (top, bottom)) in enumerate(((whole, down), (across, whole), (across, down)), 1):
        frame = {"line": {"color": QUERY, "width": 4}, "row": n + 1, "col": column}
        figure.add_shape(type="rect", x0=left, x1=right, y0=top, y1=bottom, **frame)


def _add_averages(figure: go.Figure, row: int, tilt: float) -> None:
    """The page's own chart of the averages, as the last row."""
    chart = averages_chart(*weighted_averages(tilt))
    for trace in chart.data:
        figure.add_trace(trace, row=row, col=1)
    figure.update_xaxes(chart.layout.xaxis.to_plotly_json(), row=row, col=1)
    figure.update_yaxes(chart.layout.yaxis.to_plotly_json(), row=row, col=1)
    figure.update_layout(barmode="overlay")
