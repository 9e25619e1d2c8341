"""The question to take home: where the query stands, what answered, and the code that asks it again."""

import math

import pandas as pd
import streamlit as st

from attention_core.demos.hard import MOST_LOOKS, Looked, look
from attention_ui.chapters.qkv.figures import asked_figure
from attention_ui.chapters.qkv.sampling import running_average
from attention_ui.chapters.qkv.space import VALUE_AXIS, Asked
from attention_ui.chapters.qkv.state import SEED, query_text, temperature_text
from attention_ui.chapters.qkv.words import snippet
from attention_ui.export import Export
from attention_ui.figures.style import Axis

Looks = tuple[int, int]  # how many, at one key each, and their seed


def looks_taken() -> Looks:
    """Those on the screen."""
    return st.session_state["qkv_looks"], st.session_state[SEED]


def exported(asked: Asked, looks: Looks | None = None) -> Export:
    """The picture, and the looks below it where attention is hard."""
    (output, weights), pairs = asked.answer(), asked.space.pairs
    results = {"scores": asked.scores()[None], "weights": weights[None], "output": output[None]}
    tables, below = {"pairs": _pairs(asked)}, None
    if looks:
        looked = look(weights, pairs.values, *looks)
        results |= looked._asdict()
        tables["looks"] = _looks(asked, looked)
        below = running_average(looked, output.item(), Axis("value", *VALUE_AXIS))
    return Export(
        name="query-keys-values",
        title=f"Query at {query_text(asked.query).replace(',', ', ')}, {temperature_text(asked.temperature)}",
        figure=asked_figure(pairs, asked.query, asked.answer(), below),
        tables=tables,
        script=snippet(asked, looks),
        plain=plain(asked, looks),
        results=results,
    )


def _pairs(asked: Asked) -> pd.DataFrame:
    """One row per pair: its key, score, weight and value."""
    (_, weights), pairs = asked.answer(), asked.space.pairs
    names = ["key"] if pairs.keys.shape[1] == 1 else ["key x", "key y"]
    keys = dict(zip(names, pairs.keys.T.tolist(), strict=True))
    numbers = {
        "score": asked.scores(),
        "weight": weights,
        "value": pairs.values,
        "weight x value": weights * pairs.values,
    }
    return pd.DataFrame({"pair": pairs.names, **keys, **{name: each.tolist() for name, each in numbers.items()}})


def _looks(asked: Asked, looked: Looked) -> pd.DataFrame:
    names = asked.space.pairs.names
    return pd.DataFrame(
        {
            "look": range(1, len(looked.seen) + 1),
            "pair": [names[place] for place in looked.seen.tolist()],
            "value": looked.heard.tolist(),
            "average so far": looked.averages.tolist(),
            "standard error": looked.errors.tolist(),
        }
    )


def plain(asked: Asked, looks: Looks | None = None) -> str:
    """The same in torch alone, with keys and values written out."""
    pairs = asked.space.pairs
    return f"""import torch

# Every key has a value: the key says when to listen, the value what is heard.
keys = torch.tensor({pairs.keys.tolist()}, dtype=torch.float64)
values = torch.tensor({pairs.values.tolist()}, dtype=torch.float64)
query = torch.tensor([{list(asked.query)}], dtype=torch.float64)  # one query

# The nearer a key, the higher its score: minus half its squared distance, the logarithm of a Gaussian.
scores = -(query[:, None] - keys).square().sum(-1) / 2  # (queries, keys)

{_plain_weights(asked.temperature)}
output = weights @ values  # the average of the values, by weight

print(weights)
print(output)
{_plain_looks(looks) if looks else ""}"""


def _plain_weights(temperature: float) -> str:
    """Softmax, or what it becomes at either end."""
    if temperature == math.inf:
        return (
            "# At T = infinity no score counts more than another: this is average pooling.\n"
            "weights = torch.zeros_like(scores).softmax(-1)"
        )
    if temperature == 0:
        return (
            "# At T = 0 the nearest key gets everything: this is max pooling. Keys equally near share;\n"
            "# 1e-9 forgives the rounding of their distances.\n"
            "nearest = (scores >= scores.max() - 1e-9).double()\n"
            "weights = nearest / nearest.sum()"
        )
    return (
        "# The temperature says how much the scores count: the colder, the sharper.\n"
        f"temperature = {temperature:g}\n"
        "weights = (scores / temperature).softmax(-1)  # every row sums to 1"
    )


def _plain_looks(looks: Looks) -> str:
    count, seed = looks
    return f"""
# Hard attention looks at one key at a time, drawn by its weight: a draw from 0 to 1 falls into the share of one key.
generator = torch.Generator().manual_seed({seed})
draws = torch.rand({MOST_LOOKS}, dtype=torch.float64, generator=generator)[:{count}]
ends = weights[0].cumsum(0)  # where the share of each key ends
seen = torch.searchsorted(ends / ends[-1], draws, right=True)
heard = values[seen]

# The more looks, the nearer their average comes to the soft output: it is off by about one standard error.
count = torch.arange(1, {count} + 1)
averages = heard.cumsum(0) / count
errors = (weights[0] @ (values - output).square() / count).sqrt()

print(averages[-1], "after", len(seen), "looks, standard error", errors[-1])
"""
