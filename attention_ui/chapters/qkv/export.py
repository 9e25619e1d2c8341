"""The question to take home: where the query stands, what answered, and the code that asks it again."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from torch import Tensor

from attention_ui.chapters.qkv.calls import Looks, answer, ran
from attention_ui.chapters.qkv.choices import SEED, query_text, temperature_text
from attention_ui.chapters.qkv.figures import asked_figure
from attention_ui.chapters.qkv.figures_hard_attention import running_average
from attention_ui.chapters.qkv.space import VALUE_AXIS, Asked
from attention_ui.export.export import Export
from attention_ui.figures.style import Axis

NAME = "query-keys-values"  # of the files


def looks_taken() -> Looks:
    """Those on the screen."""
    return st.session_state["qkv_looks"], st.session_state[SEED]


def exported(asked: Asked, looks: Looks | None = None) -> Export:
    """The picture, and the looks below it where attention is hard."""
    made = ran(asked, looks)
    tables, below = {"pairs": _pairs(asked)}, None
    if looks:
        tables["looks"] = _looks(asked, made.shown)
        below = running_average(made.shown, Axis("value", *VALUE_AXIS))
    return Export(
        name=NAME,
        title=title(asked),
        figure=asked_figure(asked.space.pairs, asked.query, answer(asked), below),
        tables=tables,
        ran=made,
    )


def title(asked: Asked) -> str:
    """Where the query stands, and the temperature."""
    return f"Query at {query_text(asked.query).replace(',', ', ')}, {temperature_text(asked.temperature)}"


def script(asked: Asked, looks: Looks | None = None) -> str:
    """The code that ran, as the page shows it."""
    return ran(asked, looks).script(NAME, title(asked)).text


def _pairs(asked: Asked) -> pd.DataFrame:
    """One row per pair: its key, score, weight and value."""
    shown, pairs = ran(asked).shown, asked.space.pairs
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


def _looks(asked: Asked, shown: Mapping[str, Tensor]) -> pd.DataFrame:
    names = asked.space.pairs.names
    return pd.DataFrame(
        {
            "look": shown["looks"].tolist(),
            "pair": [names[place] for place in shown["seen"].tolist()],
            "value": shown["heard"].tolist(),
            "average so far": shown["averages"].tolist(),
            "standard error": shown["errors"].tolist(),
        }
    )
