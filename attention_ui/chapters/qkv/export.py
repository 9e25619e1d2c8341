"""What the question gives away: where the query stands, what it gets, and the code that asks it again."""

from collections.abc import Mapping

import pandas as pd
from torch import Tensor

from attention_ui.chapters.qkv.choices import numbers_text, temperature_text
from attention_ui.chapters.qkv.computation import Samples, answer, computation
from attention_ui.chapters.qkv.pictures import asked_picture
from attention_ui.chapters.qkv.space import Asked
from attention_ui.export.still import still
from attention_ui.export.view import Export

NAME = "query-keys-values"  # of the files


def exported(asked: Asked, samples: Samples | None = None) -> Export:
    """The picture, with the samples beside it where attention is hard."""
    made = computation(asked, samples)
    tables = {"pairs": _pairs(asked)}
    if samples:
        tables["samples"] = _samples(asked, made.shown)
    return Export(
        name=NAME,
        title=title(asked),
        figure=still(asked_picture(asked, answer(asked), made.shown), numbers=True),
        tables=tables,
        computation=made,
    )


def title(asked: Asked) -> str:
    """Where the query stands, and the temperature."""
    return f"Query at {numbers_text(asked.query).replace(',', ', ')}, {temperature_text(asked.temperature)}"


def script(asked: Asked, samples: Samples | None = None) -> str:
    """The code that ran, as the page shows it."""
    return computation(asked, samples).script(NAME, title(asked)).text


def _pairs(asked: Asked) -> pd.DataFrame:
    """One row per pair: its key, score, weight and value."""
    shown, pairs = computation(asked).shown, asked.space.pairs
    weights = shown["weights"][0]
    names = ["key"] if pairs.keys.shape[1] == 1 else ["key x", "key y"]
    keys = dict(zip(names, pairs.keys.T.tolist(), strict=True))
    numbers = {
        "score": shown["scores"][0],
        "weight": weights,
        "value": pairs.values,
        "weight x value": weights * pairs.values,
    }
    return pd.DataFrame({"pair": pairs.names, **keys, **{name: each.tolist() for name, each in numbers.items()}})


def _samples(asked: Asked, shown: Mapping[str, Tensor]) -> pd.DataFrame:
    names = asked.space.pairs.names
    return pd.DataFrame(
        {
            "sample": shown["samples"].tolist(),
            "pair": [names[place] for place in shown["picked"].tolist()],
            "value": shown["sampled"].tolist(),
            "average so far": shown["averages"].tolist(),
            "standard error": shown["errors"].tolist(),
        }
    )
