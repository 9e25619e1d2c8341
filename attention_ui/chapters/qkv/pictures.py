"""A question at rest: where the keys lie, what they weigh, and, if asked, many samples of one key each."""

from collections.abc import Mapping

import torch
from torch import Tensor

from attention_core.demos.qkv import pooled
from attention_core.pooling import Pooled
from attention_ui.chapters.qkv.space import VALUE_AXIS, Asked
from attention_ui.pictures.graph import Axis, Graph, Mark, Trace
from attention_ui.pictures.heatmap import Heatmap, Names, Written
from attention_ui.pictures.picture import Picture

FEWEST = 10  # samples on the axis
VALUES = Axis("value", *VALUE_AXIS)


def asked_picture(asked: Asked, answer: Pooled, shown: Mapping[str, Tensor]) -> Picture:
    """The keys round the query, their weights, and the samples where there are any."""
    names, weights = asked.space.pairs.names, answer.weights
    texts = [[f"{weight:.3f}" for weight in weights.tolist()]]
    table = Heatmap("Weights", weights[None], ("query",), names, written=Written(texts, texts))
    where = (_line if len(asked.query) == 1 else _plane)(asked, answer.output)
    samples = (running_average(shown),) if "picked" in shown else ()
    return Picture((table,), graphs=(where, *samples), names=Names(rows="", columns="pairs"), high=1.0)


def _line(asked: Asked, output: Tensor) -> Graph:
    """Keys across and values up, as in a regression: the output of every query is a curve, and this query is on it."""
    nodes, pairs = asked.space.nodes(), asked.space.pairs
    curve = Trace("output of every query", "prediction", nodes[:, 0], pooled(nodes, asked.temperature, pairs).output)
    x = Axis("key and query", 0.0, asked.space.ends()[0])
    ball = torch.tensor(asked.query), output.view(1)
    return Graph(f"Keys and values, output {output.item():.4f}", x, VALUES, (curve,), ball, _marks(asked, pairs.values))


def _plane(asked: Asked, output: Tensor) -> Graph:
    """Keys where they lie, and the query among them."""
    x, y = (
        Axis(f"{name} coordinate", 0.0, end) for name, end in zip(("first", "second"), asked.space.ends(), strict=True)
    )
    ball = tuple(torch.tensor([place]) for place in asked.query)
    marks = _marks(asked, asked.space.pairs.keys[:, 1])
    return Graph(f"Keys and query, output {output.item():.4f}", x, y, (), (ball[0], ball[1]), marks)


def _marks(asked: Asked, heights: Tensor) -> tuple[Mark, ...]:
    """Every pair by its name and its value."""
    names, keys, values = asked.space.pairs
    every = zip(names, keys[:, 0].tolist(), heights.tolist(), values.tolist(), strict=True)
    return tuple(Mark(f"{name} {value:g}", x, y, "square") for name, x, y, value in every)


def running_average(shown: Mapping[str, Tensor], text: str = "") -> Graph:
    """The average of the samples so far, the soft output that it converges to, and two standard errors around that."""
    count, soft, errors = shown["samples"].double(), shown["output"].item(), shown["errors"]
    low, high = VALUE_AXIS
    level = torch.full_like(count, soft)
    edges = (("two standard errors around it", -2), ("two standard errors above", 2))
    return Graph(
        "Average of the samples",
        Axis("samples", 1.0, max(FEWEST, count[-1].item()), log=True),
        VALUES,
        (
            Trace("soft output", "reference", count, level),
            *(Trace(name, "truth", count, (level + by * errors).clamp(low, high), ghost=by > 0) for name, by in edges),
            Trace("average of the samples", "prediction", count, shown["averages"]),
        ),
        ball=(count[-1:], shown["averages"][-1:]),
        text=text,
    )
