"""What stands below the desk: what kind of pooling it is, the vectors behind the picture, formula, and code."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd
import streamlit as st
from torch import Tensor

from attention_core.demos.cues import DESK, GAINS, KEYS, PURPOSES, QUERIES
from attention_ui.chapters.cues.calls import ran
from attention_ui.chapters.cues.choices import Cues
from attention_ui.controls.tabs import open_tab
from attention_ui.numbers import short

TABS = {"vectors": "Query, keys, values", "comparison": "What sets attention apart"}
BOTH_CUES = r"\text{score}_i = (1 - b)\,\text{saliency}_i + b\;\mathbf{q}^\top \mathbf{k}_i"
ONE_CUE = r"\text{score}_i = \text{saliency}_i"
POOLED = r"\boldsymbol\alpha = \operatorname{softmax}(\text{score}) \\ \text{output} = \sum_i \alpha_i\,\mathbf{v}_i"


def kind_of_pooling(chosen: Cues) -> None:
    """Say what kind of pooling this is."""
    if chosen.goal:
        st.markdown(
            f"Your wish to {chosen.goal} is a **query**. It meets the **key** of every object, which says what the "
            "object is good for. However you drag, attention adds up to 100 %."
        )
    else:
        st.markdown(
            "You want nothing in particular, so **there is no query**: this is pooling by what stands out alone, "
            "and the big slider has nothing to blend in."
        )


def tabs(chosen: Cues) -> None:
    """The open tab; only that one computes and draws."""
    shown = dict(zip(TABS, (vectors, comparison), strict=True))
    shown[open_tab("cues", TABS)](chosen)


def vectors(chosen: Cues) -> None:
    """The very vectors: query, keys, scores, weights and values, and the average they make."""
    asked = "There is no query. "
    if chosen.goal:
        query, blend = vector(QUERIES[chosen.goal]), chosen.percent / 100
        asked = f"Query **q = {query}** and blend b = {blend:g}. A query and a key list {', '.join(PURPOSES)}. "
    st.markdown(f"{asked}A value lists {', '.join(GAINS)}.")
    st.table(vector_table(chosen))
    st.caption("Weights and the last row come from `attention_core.demos.cues.desk_attention`.")


def vector_table(chosen: Cues) -> pd.DataFrame:
    """One row per object, and what you get in the last one."""
    scores, weights, gains = (ran(chosen).shown[each] for each in ("scores", "weights", "output"))  # (K,), (K,), (V,)
    columns: dict[str, Iterable[str]] = {"Saliency": map(short, chosen.saliency)}
    if chosen.goal:
        answers = KEYS @ QUERIES[chosen.goal]  # (K,)
        columns |= {"Key k": map(vector, KEYS), "q · k": map(short, answers.tolist())}
    columns |= {
        "Score": map(short, scores.tolist()),
        "Weight": (f"{weight:.4f}" for weight in weights.tolist()),
        "Value": (vector(thing.value) for thing in DESK),
    }
    table = pd.DataFrame({name: list(cells) for name, cells in columns.items()}, [thing.name for thing in DESK])
    table.loc["what you get"] = [""] * (len(columns) - 2) + [f"{weights.sum():.4f}", vector(gains)]
    return table


def comparison(chosen: Cues) -> None:
    """Pooling, a fully connected layer and attention, on this very desk."""
    st.markdown(
        "A pooling layer follows one rule, and a fully connected layer keeps the weights it was trained to. Neither "
        "can be told what you want. Attention can: it works out its weights anew from each query and each input."
    )
    alike = (0.0,) * len(DESK)
    rows = {
        "Average pooling": ("a fixed rule", "no", _strongest(Cues(alike, None))),
        "Pooling by saliency": ("the input", "no", _strongest(replace(chosen, goal=None))),
        "Fully connected layer": ("training, then fixed", "no", "the same on every desk"),
    }
    if chosen.goal:
        rows["Attention"] = ("query and keys", "yes", _strongest(chosen))
    st.table(pd.DataFrame(rows.values(), list(rows), ["Weights come from", "Query", "Looks most at, here"]))


def formula(chosen: Cues) -> None:
    """The scores, the softmax and the sum."""
    st.latex(rf"\begin{{gathered}} {BOTH_CUES if chosen.goal else ONE_CUE} \\ {POOLED} \end{{gathered}}")


def _strongest(chosen: Cues) -> str:
    return strongest(ran(chosen).shown["weights"])


def strongest(weights: Tensor) -> str:
    """Which object gets the most, or that none does."""
    if weights.max() - weights.min() < 1e-9:
        return f"all alike, {percent(weights.max())} each"
    return f"{DESK[int(weights.argmax())].name}, {percent(weights.max())}"


def percent(weight: Tensor) -> str:
    """A weight in percent, kept on one line."""
    return f"{100 * weight:.1f}\N{NO-BREAK SPACE}%"


def vector(numbers: Iterable[float]) -> str:
    """A vector as people write it."""
    return f"({', '.join(short(float(number)) for number in numbers)})"
