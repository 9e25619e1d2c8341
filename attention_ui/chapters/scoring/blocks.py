"""The building blocks of attention, one small matrix after another, with numbers of your own."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
import torch

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.arithmetic import written_out
from attention_ui.chapters.scoring.computation_blocks import Chain, chained
from attention_ui.chapters.scoring.export import long, wide
from attention_ui.chapters.scoring.grids import picked, show_grids
from attention_ui.chapters.scoring.grids_blocks import chain_grids, named, spoken, still_grids
from attention_ui.chapters.scoring.own_vectors import edit_tables, own_vectors
from attention_ui.controls.widgets import segmented
from attention_ui.export.code import code
from attention_ui.export.view import Export, View
from attention_ui.link.lesson import ask_with
from attention_ui.shown import show_formula

NAME = "attention-building-blocks"  # of the files
ACROSS = 4  # matrices in a row of the still picture
FORMULA = r"f(q) = \sum_i \operatorname{softmax}_i\big(a(q, k_i)\big)\, v_i"
QUESTION = "Type your own numbers: make **q0** twice as long. With which score do its weights stay the same, and why?"
TIP = "Choose a number to see where it comes from, and to follow its query and key."
# Written out beside the matrices where there is room, else below them, side by side.
STYLE = """<style>
.st-key-scoring_steps > :first-child { flex: 3 1 760px; }
.st-key-scoring_steps > :last-child { flex: 1 1 290px; min-width: 0; }
.st-key-scoring_written > * { flex: 1 1 280px; min-width: 0; }
</style>"""
STEPS = ("1 Score", "2 Softmax", "3 and 4 Weigh, then sum")


def show(page: str) -> View:
    """The choices, the chain of matrices, one entry written out, and the tables to type into."""
    score, row, key = choices(page)
    picture = st.container()
    tables = st.expander("Type your own $Q$, $K$ and $V$", key=f"{page}_own", on_change="rerun")
    if tables.open:
        with tables:
            edit_tables(page)  # before the picture is drawn, which stands above it and shows what was typed
    chain = chained(own_vectors(page).tensors(), score, row, key)
    with picture:
        show_chain(page, chain)
    st.markdown(described(chain))
    show_formula(FORMULA)
    ask_with(QUESTION, "own", "block_score")
    code(page, lambda: chain.computation.script(NAME, title(chain)).text)
    return View(lambda: exported(chain))


def choices(page: str) -> tuple[str, int, int]:
    """Draw the choice of a score, a query and a key."""
    vectors = own_vectors(page)
    labels = {name: score.label for name, score in SCORES.items()}
    with st.container(horizontal=True, gap="small"):
        score = segmented("Score", labels, "dot", key=f"{page}_block_score", wrap=True, width="content")
        row = _place("Query", "q", len(vectors.q), f"{page}_block_query")
        key = _place("Key", "k", len(vectors.k), f"{page}_block_key")
    return score, row, key


def show_chain(page: str, chain: Chain) -> None:
    """The matrices, and beside them the chosen entry written out."""
    key = f"{page}_chain"
    st.html(STYLE)
    steps = st.container(horizontal=True, key=f"{page}_steps")
    with steps.container():
        show_grids(
            key,
            chain_grids(chain),
            spoken(chain),
            tip=TIP,
            chosen=(chain.row, chain.key),
            on_pick=lambda: _take_pick(page, key),
        )
    with steps.container(horizontal=True, gap="small", key=f"{page}_written"):
        for title, formula in zip(STEPS, written_out(chain), strict=True):
            st.markdown(f"**{title}**\n$$\n{formula}\n$$")


def described(chain: Chain) -> str:
    """The score in a few words."""
    score = SCORES[chain.score]
    drawn = f" Nothing is trained here: {listed(score.parameters)} drawn at random." if chain.parameters else ""
    return f"**{score.label}**, $a(q, k) = {score.formula}$. {score.note}{drawn}"


def listed(parameters: Sequence[str]) -> str:
    """The names of parameters as formulas, and the verb that goes with so many."""
    *first, last = (f"${name}$" for name in parameters)
    return f"{', '.join(first)} and {last} are" if first else f"{last} is"


def _place(label: str, letter: str, count: int, key: str) -> int:
    """One of so many rows; one that is no longer there gives way to the last."""
    options = named(letter, count)
    if st.session_state.get(key, options[0]) not in options:
        st.session_state[key] = options[-1]
    return options.index(
        segmented(label, {name: name for name in options}, options[0], key=key, wrap=True, width="content")
    )


def _take_pick(page: str, component: str) -> None:
    """Follow the query, and where a cell belongs to a key, the key of the cell that was clicked."""
    if pick := picked(component):
        name, row, column = pick
        st.session_state[f"{page}_block_query"] = f"q{row}"
        if name != "output":
            st.session_state[f"{page}_block_key"] = f"k{column}"


def title(chain: Chain) -> str:
    """What the picture shows, in a few words."""
    label = SCORES[chain.score].label.lower()
    return f"Attention step by step: {label}, {len(chain.queries)} queries, {len(chain.keys)} keys"


def exported(chain: Chain) -> Export:
    """Queries, keys and values, and every step from them to the output."""
    q, k = named("q", len(chain.queries)), named("k", len(chain.keys))
    return Export(
        name=NAME,
        title=title(chain),
        figure=still_grids(chain_grids(chain), ACROSS),
        tables={
            "queries": wide(chain.queries, q, named("q_", chain.queries.shape[1])),
            "pairs": _pairs(chain, k),
            "weights": long({"score": chain.scores, "weight": chain.weights}, query=q, key=k),
            "output": wide(chain.output, q, named("output_", chain.values.shape[1])),
        },
        computation=chain.computation,
    )


def _pairs(chain: Chain, names: list[str]) -> pd.DataFrame:
    """Every key beside its value."""
    columns = [*named("k_", chain.keys.shape[1]), *named("v_", chain.values.shape[1])]
    return wide(torch.cat([chain.keys, chain.values], -1), names, columns, "pair")
