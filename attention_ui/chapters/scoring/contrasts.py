"""A kernel beside attention: three things that only attention can do, and one that neither can."""

import streamlit as st
import torch

from attention_core.demos.beyond import Contrast, circulation, definiteness, previous_token, shuffled, symmetry
from attention_ui.controls import widgets
from attention_ui.figures.charts import code
from attention_ui.numbers import short
from attention_ui.pictures import Heatmap, Names, Picture, pack, show_picture

LETTERS = "ABCDEFGH"
TOKENS, POINTS = 6, 8
STRONGEST = 16
EXCESS = Names(cell="S − Sᵀ")
SIMILARITIES = Names("point", "point", "similarity", "points", "points")
ROUNDING = 1e-9


def asymmetric(page: str) -> None:
    """Scores from learned projections have a direction; a kernel has none."""
    choice, draw = st.columns([1, 2], vertical_alignment="center", gap="medium")
    with choice:
        shared = widgets.toggle("Share one projection: W_k = W_q", key=f"{page}_shared")
    with draw:
        seed = _draw(page)
    found = symmetry(TOKENS, seed, shared)
    trips = [reading(circulation(picture.matrix)) for picture in found]
    excess = Contrast(*(picture._replace(matrix=picture.matrix - picture.matrix.mT) for picture in found))
    limit = max(1.0, *(picture.matrix.abs().max().item() for picture in excess))
    titles = "Gaussian kernel", "Attention: S = (W_q x) · (W_k y) / √d"
    show_picture(
        f"{page}_pair_picture", pair(excess, titles, [f"round trip {trip}" for trip in trips], EXCESS, -limit, limit)
    )
    st.markdown(
        "**A looks at B, but does B look back?** A cell is S − Sᵀ: how much more its query looks at its key than is "
        "returned. Walk round three tokens, A to B to C to A, and add up their cells. The largest such round trip is 0 "
        f"exactly when *some* symmetric kernel gives the same weights: **{trips[0]}** for the kernel, **{trips[1]}** "
        "for attention with learned projections W_q and W_k."
    )
    st.info("Share one projection between queries and keys. What becomes of the round trip, and why?")
    _code(
        page, "circulation, symmetry", f"symmetry({TOKENS}, seed={seed}, shared={shared})", "circulation(side.matrix)"
    )


def unlike(page: str) -> None:
    """A query may look for something unlike itself."""
    slider = f"{page}_strength"
    strength = widgets.slider("Strength of the learned projection", 0, STRONGEST, 8, key=slider)
    show_picture(f"{page}_likeness_picture", previous_picture(slider))
    st.markdown(
        "**Look for what you are not.** The tokens are alike but for their place, and W_q turns place i into place "
        "i − 1: every token attends to the one before. Under a kernel nothing is nearer to a token than itself."
    )
    st.info("Set the strength to 0. What does attention do then, and what does the kernel still do?")
    _code(page, "previous_token", f"previous_token({TOKENS}, strength={strength})", "side.matrix, side.number")


def previous_picture(slider: str) -> bytes:
    """Causal weights at every strength, beside the kernel's, which stay."""
    found = [previous_token(TOKENS, float(strength)) for strength in range(STRONGEST + 1)]
    labels = tuple(str(place + 1) for place in range(TOKENS))
    future = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    told = [tuple(f"on the token before: {short(side.number)}" for side in sides) for sides in zip(*found, strict=True)]
    panels = (
        Heatmap("Gaussian kernel", found[0].kernel.matrix, labels, labels, future, told[0][:1]),
        Heatmap("Attention", torch.stack([f.attention.matrix for f in found]), labels, labels, future, told[1]),
    )
    captions = tuple(f"strength {strength}" for strength in range(STRONGEST + 1))
    return pack(Picture(panels, captions, slider=slider, low=0.0, high=1.0, height=380))


def order(page: str) -> None:
    """Shuffled tokens get shuffled answers: neither a kernel nor attention knows order."""
    seed = _draw(page)
    found = shuffled(TOKENS, seed)
    before = tuple(LETTERS[:TOKENS])
    after = tuple(LETTERS[i] for i in found.order.tolist())
    panels = []
    for name, side in (("Kernel", found.kernel), ("Attention", found.attention)):
        panels.append(Heatmap(f"{name}, in order", side.before, before, before))
        note = (f"answers differ by {reading(side.gap)}",)
        panels.append(Heatmap(f"{name}, shuffled", side.after, after, after, notes=note))
    show_picture(f"{page}_order_picture", pack(Picture(tuple(panels), height=380)))
    st.markdown(
        "**Here the analogy holds.** Shuffle the tokens and rows and columns change places, nothing more: every token "
        "gets the answer it had, from kernel and attention alike. Order means nothing to either, "
        "which is why a Transformer has to be told positions."
    )
    st.info("Find the row of A in both pictures of attention. Which weights has it kept?")
    _code(page, "shuffled", f"shuffled({TOKENS}, seed={seed})[1:]", "side.before, side.after, side.gap")


def definite(page: str) -> None:
    """A kernel is a dot product of features; attention need not be."""
    seed = _draw(page)
    found = definiteness(POINTS, seed)
    smallest = [reading(picture.number) for picture in found]
    titles = "Kernel: W = I", "Attention: W = diag(1, −1)"
    notes = [f"smallest eigenvalue {number}" for number in smallest]
    show_picture(f"{page}_pair_picture", pair(found, titles, notes, SIMILARITIES))
    st.markdown(
        "**A kernel is a dot product of features**, so its matrix of similarities has no negative eigenvalue. "
        f"exp(xᵀ W y) with a learned W need not: here the smallest is **{smallest[0]}** for the kernel "
        f"and **{smallest[1]}** for attention. No features, however many, have these similarities."
    )
    st.info(
        "A point's similarity to itself is 1. Can you find two points that are more similar to each other than that?"
    )
    _code(page, "definiteness", f"definiteness({POINTS}, seed={seed})", "side.matrix, side.number")


def pair(
    found: Contrast, titles: tuple[str, str], notes: list[str], names: Names,
    low: float | None = None, high: float | None = None,
) -> bytes:  # fmt: skip
    """Kernel beside attention, a number under each, as bytes."""
    labels = tuple(LETTERS[: len(found.kernel.matrix)])
    panels = tuple(
        Heatmap(title, picture.matrix, labels, labels, notes=(note,))
        for title, picture, note in zip(titles, found, notes, strict=True)
    )
    return pack(Picture(panels, names=names, low=low, high=high, height=380))


def _draw(page: str) -> int:
    return widgets.slider("Draw other tokens", 0, 9, 0, key=f"{page}_tokens")


def reading(number: float) -> str:
    """With a true minus sign; rounding alone reads 0."""
    return "0" if abs(number) < ROUNDING else short(number).replace("-", "−")


def _code(page: str, names: str, call: str, printed: str) -> None:
    """A script that prints what stands in the picture, for the kernel and for attention."""
    text = f"""from attention_core.demos.beyond import {names}

for side in {call}:  # the kernel, then attention
    print({printed})
"""
    code(page, lambda: text)
