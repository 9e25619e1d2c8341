"""What the page on batches gives away: the product, matrix by matrix, and the two weighted averages."""

from collections.abc import Mapping

import plotly.graph_objects as go
from torch import Tensor

from attention_core.checks import InputError
from attention_core.demos.batching import Shape, why_not
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.batches.computation import computation
from attention_ui.export.still import still
from attention_ui.export.tables import entries_table
from attention_ui.export.view import Export
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Mark, Trace
from attention_ui.pictures.heatmap import Heatmap, Names, Written
from attention_ui.pictures.picture import Picture

NAME = "batch-product"  # of the files
ROWS_AND_COLUMNS = Names(row="row", column="column", cell="", rows="rows", columns="columns")


def exported(sizes: Sizes, place: Shape, tilt: float | None) -> Export:
    """The product with one number of it marked; with a tilt, the weighted averages below it as well."""
    if sizes.mismatch:
        raise InputError(f"There is no product to download. {why_not(*sizes.shapes[:2])}")
    made = computation(sizes, place, tilt)
    tables = ("first", "second", "product", *(() if tilt is None else ("weights", "averages")))
    return Export(
        name=NAME,
        title=f"{title(sizes)}: entry {list(place)} of the product is {short(made.shown['number'].item())}",
        figure=_figure(made.shown, place),
        tables={name: entries_table(made.shown[name]) for name in tables},
        computation=made,
    )


def title(sizes: Sizes) -> str:
    """What is multiplied."""
    return f"{sizes.shapes[0]} times {sizes.shapes[1]}"


def script(sizes: Sizes, place: Shape, tilt: float | None) -> str:
    """The code that ran, as the page shows it; where the inner sizes differ, torch refuses it."""
    return computation(sizes, place, tilt).script(NAME, title(sizes)).text


def _figure(shown: Mapping[str, Tensor], place: Shape) -> go.Figure:
    """A row of three matrices for each in the batch, with one number of the product named; the averages below them."""
    n, row, column = place
    marked = {"A": f"row {row}", "B": f"column {column}", "C = A B": f"[{row}, {column}]"}
    panels = tuple(
        _matrix(f"{name}, matrix {i}", batch[i], marked[name] if i == n else "")
        for i in range(len(shown["first"]))
        for name, batch in zip(marked, (shown["first"], shown["second"], shown["product"]), strict=True)
    )
    graphs = (_averages(shown),) if "averages" in shown else ()
    return still(Picture(panels, graphs=graphs, names=ROWS_AND_COLUMNS, across=3), numbers=True)


def _matrix(title: str, matrix: Tensor, note: str) -> Heatmap:
    rows, columns = (tuple(map(str, range(side))) for side in matrix.shape)
    texts = [[f"{number:g}" for number in line] for line in matrix.tolist()]
    return Heatmap(title, matrix, rows, columns, notes=(note,) if note else (), written=Written(texts, texts))


def _averages(shown: Mapping[str, Tensor]) -> Graph:
    """Every weight over its value, and the two averages on the axis."""
    weights, values = shown["weights"][:, 0], shown["values"][..., 0]  # (2, 10)
    traces = tuple(
        Trace(f"weights of batch {batch}", role, values[batch], weights[batch])
        for batch, role in enumerate(("reference", "prediction"))
    )
    marks = tuple(Mark(f"average {short(each, 4)}", each, 0.0) for each in shown["averages"].flatten().tolist())
    x, y = Axis("value", -0.7, values.max().item() + 0.7), Axis("weight", 0.0, 1.15 * weights.max().item())
    return Graph("Two weighted averages", x, y, traces, marks=marks)
