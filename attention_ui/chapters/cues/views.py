"""What stands below the desk: what kind of pooling it is, the vectors behind the picture, formula, and code."""

from collections.abc import Iterable

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.cues import DESK, GAINS, KEYS, PURPOSES, QUERIES, cue_scores, look
from attention_ui.chapters.cues.choices import BLEND_KEY, FRAMES, Cues
from attention_ui.controls.tabs import below_picture, open_tab
from attention_ui.numbers import short
from attention_ui.pictures.picture import Picture, Update, pack, show_picture
from attention_ui.pictures.table import Table
from attention_ui.shown import show_formula

TABS = {"vectors": "Query, keys, values", "comparison": "What sets attention apart"}
BOTH_CUES = r"\text{score}_i = (1 - b)\,\text{saliency}_i + b\;\mathbf{q}^\top \mathbf{k}_i"
ONE_CUE = r"\text{score}_i = \text{saliency}_i"
POOLED = r"\boldsymbol\alpha = \operatorname{softmax}(\text{score}) \\ \text{output} = \sum_i \alpha_i\,\mathbf{v}_i"


def kind_of_pooling(chosen: Cues) -> None:
    """Say what kind of pooling this is."""
    if chosen.goal:
        st.markdown(
            f"Your wish to {chosen.goal} is a **query**. It meets the **key** of every object, which says what the "
            "object is good for. The blend decides how much that counts; the five weights sum to 100 %."
        )
    else:
        st.markdown(
            "You want nothing in particular, so **there is no query**: only what stands out decides, and the blend has "
            "no effect."
        )


def tabs(chosen: Cues) -> None:
    """The open tab; only that one computes and draws."""
    shown = dict(zip(TABS, (vectors, comparison), strict=True))
    with below_picture("cues"):
        shown[open_tab("cues", TABS)](chosen)


def vectors(chosen: Cues) -> None:
    """The vectors: query, keys, scores, weights and values, and the average they make."""
    asked = "There is no query. "
    if chosen.goal:
        query = vector(QUERIES[chosen.goal])
        asked = rf"The query is $\mathbf{{q}} = {query}$. A query and a key list {', '.join(PURPOSES)}. "
    st.markdown(f"{asked}A value lists {', '.join(GAINS)}.")
    _show("cues_vectors", vector_table(chosen), chosen)


def comparison(chosen: Cues) -> None:
    """Pooling, a fully connected layer and attention, on this very desk."""
    st.markdown(
        "A pooling layer follows one rule, and a fully connected layer keeps the weights it was trained to. Neither "
        "can be told what you want. Attention can: it computes its weights anew from each query and each input."
    )
    _show("cues_comparison", comparison_table(chosen), chosen)


def _show(key: str, table: Table, chosen: Cues) -> None:
    """Show a table that follows the blend slider."""
    frames = tuple(str(frame) for frame in range(len(table.live)))
    show_picture(key, pack(Picture((table,), frames, slider=BLEND_KEY)), Update(chosen.percent))


def vector_table(chosen: Cues) -> Table:
    """One row per object, and what you get in the last one, at every blend."""
    scores = cue_scores(chosen.outstanding(), chosen.goal, _blends(chosen))  # (F, K)
    gains, weights = look(chosen.outstanding(), chosen.goal, _blends(chosen))  # (F, V), (F, K)
    keys: list[tuple[str, ...]] = [()] * len(DESK)
    if chosen.goal:
        answers = (KEYS @ QUERIES[chosen.goal]).tolist()  # (K,)
        keys = [(vector(key), short(answer)) for key, answer in zip(KEYS, answers, strict=True)]
    fixed = [(thing.name, short(own), *key) for thing, own, key in zip(DESK, chosen.saliency, keys, strict=True)]
    head = ("Object", "Saliency", *(("Key k", "q · k") if chosen.goal else ()), "Score", "Weight", "Value")
    blank = ("",) * (len(fixed[0]) - 1)
    live = [
        (
            *((*each, short(s), f"{w:.4f}", vector(thing.value)) for each, s, w, thing in zip(
                fixed, score, weight, DESK, strict=True
            )),
            ("what you get", *blank, "", f"{sum(weight):.4f}", vector(gain)),
        )
        for score, weight, gain in zip(scores.tolist(), weights.tolist(), gains.tolist(), strict=True)
    ]  # fmt: skip
    return Table(head, (), tuple(live))


def comparison_table(chosen: Cues) -> Table:
    """Where the weights of each kind of pooling come from, and which object gets the most, at every blend."""
    alike = torch.zeros(len(DESK), dtype=torch.float64)
    still = (
        ("Average pooling", "a fixed rule", "no", strongest(look(alike, None).weights[0])),
        ("Pooling by saliency", "the input", "no", strongest(look(chosen.outstanding(), None).weights[0])),
        ("Fully connected layer", "training, then fixed", "no", "the same on every desk"),
    )
    head = ("Kind", "Weights come from", "Query", "Largest weight here")
    if not chosen.goal:
        return Table(head, still[:-1], ((still[-1],),))
    weights = look(chosen.outstanding(), chosen.goal, _blends(chosen)).weights  # (F, K)
    return Table(head, still, tuple((("Attention", "query and keys", "yes", strongest(row)),) for row in weights))


def _blends(chosen: Cues) -> Tensor:
    """Every blend of the slider; without a goal there is nothing to blend."""
    return torch.linspace(0, 1, FRAMES if chosen.goal else 1, dtype=torch.float64)


def formula(chosen: Cues) -> None:
    """The scores, the softmax and the sum."""
    show_formula(rf"\begin{{gathered}} {BOTH_CUES if chosen.goal else ONE_CUE} \\ {POOLED} \end{{gathered}}")


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
