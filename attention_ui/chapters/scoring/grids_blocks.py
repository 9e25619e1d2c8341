"""Attention as small matrices whose every cell says what it is: tensors -> grids, which the browser only places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import torch
from torch import Tensor

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.computation_blocks import Chain
from attention_ui.export.still import still
from attention_ui.numbers import short, two
from attention_ui.pictures.heatmap import Heatmap, Names, Written
from attention_ui.pictures.picture import Picture

MANY = 5  # keys from which on cells hold fewer digits, so that a phone shows them all
Texts = list[list[str]]
UNNAMED = Names(cell="", rows="", columns="")  # the titles of the matrices say what they are
EMPTY = Heatmap("", torch.empty(0, 0), (), ())  # leaves a place free


@dataclass(frozen=True)
class Grid:
    """One matrix: a text, a shade from -1 to 1 and a few words for each of its cells."""

    name: str
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    texts: Texts
    tips: Texts
    shades: list[list[float]]
    sign: str = ""  # what leads to it
    sums: Sequence[str] = ()  # at the right edge, one per row
    masked: Sequence[Sequence[bool]] = ()  # cells nobody may look at
    faded: Sequence[str] = ()  # names of rows and columns that are padding
    flagged: Sequence[int] = ()  # rows to look at twice
    sources: Sequence[tuple[str, str, str]] = ()  # a cell comes from (that grid's, row or column, of the cell's ...)
    marks: Sequence[str] = ()  # what of the chosen place is seen here: "query" and "key" rows, or "key" columns
    picks: bool = False  # whether a click on a cell chooses its row and column


def still_grids(grids: Sequence[Grid | None], across: int) -> go.Figure:
    """The grids as a figure to keep, so many in a row; None leaves a place free."""
    panels = tuple(_heatmap(grid) if grid else EMPTY for grid in grids)
    signed = any(shade < 0 for grid in grids if grid for row in grid.shades for shade in row)
    low = -1.0 if signed else 0.0
    return still(Picture(panels, low=low, high=1.0, names=UNNAMED, across=across), numbers=True)


def _heatmap(grid: Grid) -> Heatmap:
    """A grid with the texts that it has on the page."""
    shades, written = torch.tensor(grid.shades, dtype=torch.float64), Written(grid.texts, grid.tips, grid.sums)
    return Heatmap(grid.title, shades, tuple(grid.rows), tuple(grid.columns), written=written)


def one(number: float) -> str:
    """One decimal, where there is little room."""
    rounded = round(number, 1) + 0.0
    return f"{rounded:.1f}" if abs(rounded) < 1000 else short(number)


def three(weight: float) -> str:
    """A weight with three decimals."""
    return f"{weight:.3f}"


def named(letter: str, count: int) -> list[str]:
    """q0, q1, ... as rows and columns are called."""
    return [f"{letter}{place}" for place in range(count)]


def cells(matrix: Tensor, text: Callable[[float], str]) -> Texts:
    """The matrix in words."""
    return [[text(number) for number in row] for row in matrix.tolist()]


def shaded(matrix: Tensor, *others: Tensor) -> list[list[float]]:
    """Shades from -1 to 1, with 0 for the number 0; 1 is the largest size in this and the other matrices."""
    far = max(each.abs().max().item() for each in (matrix, *others)) or 1.0
    shades: list[list[float]] = (matrix / far).tolist()
    return shades


def chain_grids(chain: Chain) -> list[Grid]:
    """Queries, keys, scores, weights, values, weighted values of the chosen query, output."""
    q, k = named("q", len(chain.queries)), named("k", len(chain.keys))
    given = (
        _given("Q", "Queries Q", q, (chain.queries, chain.keys), ("query",)),
        _given("K", "Keys K", k, (chain.keys, chain.queries), ("key",), "with"),
        _given("V", "Values V", named("v", len(k)), (chain.values,), ("key",), "×"),
    )
    queries, keys, values = given
    return [queries, keys, _scores(chain, q, k), _weights(chain, q, k), values, _weighted(chain), _output(chain, q)]


def _given(
    name: str, title: str, rows: list[str], on_scale: tuple[Tensor, ...], marks: tuple[str, ...], sign: str = ""
) -> Grid:
    """A matrix of the visitor, the first of those that share a scale."""
    matrix = on_scale[0]
    numbers = matrix.tolist()
    tips = [
        [f"{row}[{c}] = {short(x, 6)}; you can change it" for c, x in enumerate(line)]
        for row, line in zip(rows, numbers, strict=True)
    ]
    columns = [str(column) for column in range(matrix.shape[1])]
    return Grid(name, title, rows, columns, cells(matrix, short), tips, shaded(*on_scale), sign, marks=marks)


def _scores(chain: Chain, q: list[str], k: list[str]) -> Grid:
    label = SCORES[chain.score].label.lower()
    tips = [
        [f"score of {a} and {b}, {label}: {short(x, 6)}" for b, x in zip(k, line, strict=True)]
        for a, line in zip(q, chain.scores.tolist(), strict=True)
    ]
    sources = (("Q", "row", "row"), ("K", "row", "column"))
    texts = cells(chain.scores, one if len(k) > MANY else two)
    return Grid(
        "scores", "1 Scores a(q, k)", q, k, texts, tips, shaded(chain.scores), "→",
        sources=sources, marks=("query", "key column"), picks=True,
    )  # fmt: skip


def _weights(chain: Chain, q: list[str], k: list[str]) -> Grid:
    scores, weights = chain.scores.tolist(), chain.weights.tolist()
    tips = [
        [
            f"weight of {b} for {a}: exp({two(scores[i][j])}) over the sum of exp along the row = {short(x, 6)}"
            for j, (b, x) in enumerate(zip(k, line, strict=True))
        ]
        for i, (a, line) in enumerate(zip(q, weights, strict=True))
    ]
    texts = cells(chain.weights, two if len(k) > MANY else three)
    return Grid(
        "weights", "2 Weights: each row sums to 1", q, k, texts, tips, weights, "softmax →",
        sums=row_sums(chain.weights), sources=(("scores", "row", "row"),), marks=("query", "key column"), picks=True,
    )  # fmt: skip


def row_sums(weights: Tensor) -> list[str]:
    """Every row's sum, as it stands at the right edge."""
    return [f"= {short(total, 6)}" for total in weights.sum(-1).tolist()]


def _weighted(chain: Chain) -> Grid:
    weights, values = chain.weights[chain.row].tolist(), chain.values.tolist()
    products = chain.weighted.tolist()
    tips = [
        [
            f"weight of k{j} × v{j}[{c}] = {three(weights[j])} × {short(values[j][c])} = {short(x, 5)}"
            for c, x in enumerate(line)
        ]
        for j, line in enumerate(products)
    ]
    columns = [str(column) for column in range(chain.values.shape[1])]
    return Grid(
        "weighted", f"3 Weighted (q{chain.row})", named("v", len(values)), columns,
        cells(chain.weighted, one if len(columns) > MANY else two), tips, shaded(chain.weighted, chain.values), "=",
        sources=(("V", "row", "row"), ("weights", "column", "row")), marks=("key",),
    )  # fmt: skip


def _output(chain: Chain, q: list[str]) -> Grid:
    output = chain.output.tolist()
    tips = [
        [f"output of {a}[{c}]: the weighted values, summed = {short(x, 6)}" for c, x in enumerate(line)]
        for a, line in zip(q, output, strict=True)
    ]
    columns = [str(column) for column in range(chain.values.shape[1])]
    texts = cells(chain.output, one if len(columns) > MANY else two)
    return Grid(
        "output", "4 Output", q, columns, texts, tips, shaded(chain.output, chain.values), "Σ →",
        sources=(("weights", "row", "row"), ("V", "column", "column")), marks=("query",), picks=True,
    )  # fmt: skip


def spoken(chain: Chain) -> str:
    """The chain of the chosen query in words, for those who cannot see it."""
    listed = ", ".join(three(weight) for weight in chain.weights[chain.row].tolist())
    output = ", ".join(two(number) for number in chain.output[chain.row].tolist())
    counts = f"{len(chain.queries)} queries over {len(chain.keys)} keys"
    return f"Attention of {counts}. Query {chain.row}: weights {listed}; output {output}."
