"""Score explorer: the same queries and keys under every score, on one scale, while the temperature moves."""

import math

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.scoring import explorer, queries_and_keys
from attention_core.regression.quality import sharpness
from attention_core.scores import SCORES, Score, normal, planned
from attention_ui.chapters.scoring.choices import COLUMNS, DIMENSIONS, ROWS, TEMPERATURES, temperatures
from attention_ui.chapters.scoring.export import long, wide
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import next_seed, select_slider
from attention_ui.export.code import code
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.view import Export, View
from attention_ui.export.writing import Call, Field
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture, Readout, pack, show_picture
from attention_ui.shared import shared

NAME = "score-explorer"  # of the files
DRAWS = 9
HIDDEN = 8  # units of the additive score's network
RANDOM = (
    "Nothing is trained here: queries, keys, $W$, $W_q$, $W_k$ and $w_v$ are drawn at random. Two cosines differ by at "
    "most 2, so no weight of the cosine is more than $e^{2/T}$ times another of its row."
)
ACROSS = 3  # heatmaps in a row of the still picture


def show(page: str) -> View:
    """The sliders, six heatmaps that follow the temperature, and what each score does."""
    slider = f"{page}_temperature"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        widths = {d: str(d) for d in DIMENSIONS}
        d = select_slider("Dimensions $d$ of queries and keys", widths, 8, key=f"{page}_d", width=320)
        seed = next_seed("Draw other vectors", key=f"{page}_draw", last=DRAWS, width="content")
    with sticky(page):
        texts = dict(zip(temperatures(), TEMPERATURES, strict=True))
        label = r"Drag the temperature $T$ of $\operatorname{softmax}(\text{scores} / T)$"
        temperature = select_slider(label, texts, 1.0, key=slider)
    show_picture(f"{page}_explorer_picture", packed(d, seed, slider))
    names, half = list(SCORES), -(-len(SCORES) // 2)
    for column, chosen in zip(st.columns(2, gap="large"), (names[:half], names[half:]), strict=True):
        column.markdown(
            "\n\n".join(f"**{SCORES[name].label}** ${SCORES[name].formula}$: {SCORES[name].note}" for name in chosen)
        )
    st.markdown(RANDOM)
    words = "Set $d$ to 512. Which scores still spread their weights at $T = 1$, and which $T$ spreads the others?"
    ask_with(words, "d", "temperature")
    code(page, lambda: computation(d, seed, temperature).script(NAME, title(d, seed, temperature)).text)
    return View(lambda: exported(d, seed, temperature))


def computation(d: int, seed: int, temperature: float) -> Computation:
    """What the page runs at one temperature."""
    matrices = {score.label: Field("weights", place) for place, score in enumerate(SCORES.values())}
    return Computation(_call(d, seed, temperature), "heatmaps", {"matrices": matrices})


def frames(d: int, seed: int) -> Tensor:
    """softmax(scores / T) at every temperature, (F, S, Q, K)."""
    heat = torch.tensor(temperatures(), dtype=torch.float64)[:, None, None, None]
    weights: Tensor = _call(d, seed, heat).run()["weights"]
    return weights


def _call(d: int, seed: int, temperature: float | Tensor) -> Call:
    scores = {score.label: (score.function, _parameters(score, d, seed)) for score in SCORES.values()}
    return Call(explorer, vectors=Call(queries_and_keys, d=d, seed=seed), scores=scores, temperature=temperature)


def _parameters(score: Score, d: int, seed: int) -> Call | tuple[()]:
    """The call that draws the parameters of a learned score from this seed; () for the others."""
    plan = planned(score, d, d, HIDDEN)
    return Call(normal, plan, seed=seed) if plan else ()


def largest_ratio(temperature: float) -> float:
    """How many times larger one weight of a row may be than another when scores lie between -1 and 1."""
    return math.exp(2 / temperature)


def note(weights: Tensor) -> str:
    """How sharp attention (Q, K) is: over how many keys equal weights would be as spread out."""
    return f"effective keys {short(sharpness(weights).neighbours)}"


@shared
def packed(d: int, seed: int, slider: str) -> bytes:
    """The picture of all scores at this width, as bytes."""
    captions = tuple(f"T = {text}" for text in TEMPERATURES)
    shown = panels(frames(d, seed))
    return pack(Picture(shown, captions, readouts(), slider=slider, low=0.0, high=1.0, height=300, fills=True))


def readouts() -> tuple[Readout, ...]:
    """How far apart the cosine lets two weights of a row be at every temperature."""
    ratios = tuple(short(largest_ratio(temperature)) for temperature in temperatures())
    return (Readout("Cosine: the largest weight of a row over the smallest is at most", ratios),)


def panels(weights: Tensor) -> tuple[Heatmap, ...]:
    """A heatmap for every score, of weights (F, S, Q, K)."""
    return tuple(
        Heatmap(score.label, each, ROWS, COLUMNS, notes=tuple(map(note, each)))
        for score, each in zip(SCORES.values(), weights.unbind(1), strict=True)
    )


def title(d: int, seed: int, temperature: float) -> str:
    """What the picture shows, in a few words."""
    return f"Every score of the same queries and keys, T = {short(temperature)}, d = {d}, draw {seed}"


def exported(d: int, seed: int, temperature: float) -> Export:
    """All heatmaps at one temperature."""
    made = computation(d, seed, temperature)
    scores, weights = made.shown["scores"], made.shown["weights"]  # (S, Q, K)
    labels = [score.label for score in SCORES.values()]
    places = [str(place) for place in range(d)]
    return Export(
        name=NAME,
        title=title(d, seed, temperature),
        figure=still(Picture(panels(weights[None]), low=0.0, high=1.0, across=ACROSS), numbers=True),
        tables={
            "weights": long({"score": scores, "weight": weights}, name=labels, query=ROWS, key=COLUMNS),
            "vectors": wide(torch.cat(queries_and_keys(d, seed)), [*ROWS, *COLUMNS], places, "vector"),
        },
        computation=made,
    )
