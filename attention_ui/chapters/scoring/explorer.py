"""Score explorer: the same queries and keys under every score, on one scale, while the temperature moves."""

from functools import lru_cache

import streamlit as st
import torch
from torch import Tensor

from attention_core.regression.quality import sharpness
from attention_core.scores import SCORES, drawn
from attention_ui.chapters.scoring.vectors import COLUMNS, DIMENSIONS, ROWS, TEMPERATURES, temperatures, vectors
from attention_ui.controls import widgets
from attention_ui.controls.widgets import select_slider
from attention_ui.figures.charts import code
from attention_ui.numbers import short
from attention_ui.pictures import Heatmap, Picture, pack, show_picture

DRAWS = 9


def show(page: str) -> None:
    """The sliders, six heatmaps that follow the temperature, and what each score does."""
    slider = f"{page}_temperature"
    heat, width, draw = st.columns([3, 2, 1], gap="medium")
    with heat:
        texts = dict(zip(temperatures(), TEMPERATURES, strict=True))
        temperature = select_slider("Drag the temperature T of softmax(scores / T)", texts, 1.0, key=slider)
    with width:
        d = select_slider("Dimensions d of queries and keys", {d: str(d) for d in DIMENSIONS}, 8, key=f"{page}_d")
    with draw:
        seed = widgets.slider("Another draw", 0, DRAWS, 0, key=f"{page}_draw")
    show_picture(f"{page}_explorer_picture", packed(d, seed, slider))
    for column, chosen in zip(st.columns(2, gap="large"), (list(SCORES)[:3], list(SCORES)[3:]), strict=True):
        column.markdown(
            "\n\n".join(f"**{SCORES[name].label}** ${SCORES[name].formula}$: {SCORES[name].note}" for name in chosen)
        )
    st.info("Set d to 512. Which scores still listen to more than one key at T = 1, and which T wakes the others up?")
    code(page, lambda: snippet(d, seed, texts[temperature]))


def scored(name: str, d: int, seed: int) -> Tensor:
    """Scores (Q, K) of the drawn queries and keys; a learned score's parameters come from the same seed."""
    queries, keys = vectors(d, seed)
    return SCORES[name](queries, keys, *drawn(name, d, d, seed=seed))


def heated(scores: Tensor) -> Tensor:
    """softmax(scores / T) at every temperature, (F, Q, K)."""
    heat = torch.tensor(temperatures(), dtype=torch.float64)[:, None, None]
    return (scores / heat).softmax(-1)


def note(weights: Tensor) -> str:
    """How sharp attention (Q, K) is, in two numbers."""
    entropy, neighbours, _ = sharpness(weights)
    count = short(neighbours)
    keys = "key" if count == "1" else "keys"
    return f"listens to {count} {keys} · entropy\N{NO-BREAK SPACE}{entropy:.2f}"


@lru_cache(64)
def packed(d: int, seed: int, slider: str) -> bytes:
    """The picture of all scores at this width, as bytes."""
    panels = []
    for name, score in SCORES.items():
        frames = heated(scored(name, d, seed))
        panels.append(Heatmap(score.label, frames, ROWS, COLUMNS, notes=tuple(map(note, frames))))
    captions = tuple(f"T = {text}" for text in TEMPERATURES)
    return pack(Picture(tuple(panels), captions, slider=slider, low=0.0, high=1.0, height=490))


def snippet(d: int, seed: int, temperature: str) -> str:
    """A script that prints the weights of every heatmap."""
    return f"""import torch

from attention_core.scores import SCORES, drawn

generator = torch.Generator().manual_seed({seed})
vectors = torch.randn(18, 512, dtype=torch.float64, generator=generator)[:, :{d}]
queries, keys = vectors[:8], vectors[8:]

named = SCORES.items()
scores = torch.stack([score(queries, keys, *drawn(name, {d}, {d}, seed={seed})) for name, score in named])
weights = (scores / {temperature}).softmax(-1)  # (scores, queries, keys)

for score, matrix in zip(SCORES.values(), weights):
    print(score.label, matrix)
"""
