"""A kernel beside attention: three things that only attention can do, and one that neither can."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.beyond import (
    definiteness,
    drawn_tokens,
    drawn_with_one_map,
    previous_token,
    shuffled,
    symmetry,
)
from attention_ui.chapters.scoring.export import long
from attention_ui.controls import widgets
from attention_ui.controls.sticky import sticky
from attention_ui.export.code import code
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.view import Export, View
from attention_ui.export.writing import Call, Field
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import ask

LETTERS = "ABCDEFGH"
TOKENS, POINTS = 6, 8
NAMES, POINT_NAMES = tuple(LETTERS[:TOKENS]), tuple(LETTERS[:POINTS])
PLACES = tuple(str(place + 1) for place in range(TOKENS))
FUTURE = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
KINDS = ("kernel", "attention")
SIDES = ("Gaussian kernel", "Attention")
METRICS = ("Kernel: W = I", "Attention: W = diag(1, −1)")
STRONGEST = 16
EXCESS = Names(cell="S − Sᵀ")
SIMILARITIES = Names("point", "point", "similarity", "points", "points")
ROUNDING = 1e-9


def asymmetric(page: str) -> View:
    """The view that shows that learned scores have a direction, while a kernel has none."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        shared = widgets.toggle("One matrix for both: $W_k = W_q$", key=f"{page}_shared", width="content")
        seed = _draw(page)
    made = symmetric(seed, shared)
    trips = [reading(trip) for trip in made.shown["trips"].tolist()]
    maps = "$W_k = W_q$ (drawn" if shared else "two matrices $W_q$ and $W_k$ (drawn"
    titles = "Gaussian kernel", "Attention, scaled dot product"
    show_picture(f"{page}_pair_picture", pack(excess_picture(made.shown, titles)))
    st.markdown(
        "**A kernel is symmetric; attention need not be.** A cell is $S - S^\\top$: the score of its query with its "
        "key minus the score the other way round. For any three tokens, add the cells $A \\to B$, $B \\to C$ and "
        "$C \\to A$. The largest such sum is 0 exactly when some symmetric kernel gives the same weights. It is "
        f"**{trips[0]}** for the kernel and **{trips[1]}** for attention with {maps} at random here; a model learns "
        f"{'it' if shared else 'them'})."
    )
    ask_with("Switch **One matrix for both** on and off. When is the largest sum 0, and why?", "shared")
    return _left(page, lambda: asymmetric_export(seed, shared))


def excess_picture(shown: Mapping[str, Tensor], titles: tuple[str, str]) -> Picture:
    """The score of a query with a key minus the score the other way round, under a kernel and under attention."""
    limit = max(1.0, shown["excess"].abs().max().item())
    notes = [f"largest sum over three tokens {reading(trip)}" for trip in shown["trips"].tolist()]
    return pair(shown["excess"], titles, notes, EXCESS, -limit, limit)


def unlike(page: str) -> View:
    """The view that shows that a query may attend to something unlike itself."""
    slider = f"{page}_strength"
    with sticky(page):
        strength = widgets.slider("Drag the strength of $W_q$", 0, STRONGEST, 8, key=slider)
    show_picture(f"{page}_likeness_picture", previous_picture(slider))
    st.markdown(
        "**Attention can give most weight to a token unlike the query.** The tokens differ only in their place, and "
        "$W_q$, set by hand here, turns place $i$ into place $i - 1$: the stronger it is, the more each token attends "
        "to the one before. A kernel gives most weight to the token itself."
    )
    ask_with("Set the strength to 0. Which weights does attention have then, and the kernel?", "strength")
    return _left(page, lambda: unlike_export(strength))


@shared
def previous_picture(slider: str) -> bytes:
    """Causal weights at every strength, as bytes."""
    captions = tuple(f"strength {strength}" for strength in range(STRONGEST + 1))
    shown = [before(strength).shown for strength in range(STRONGEST + 1)]
    return pack(Picture(causal_panels(shown), captions, slider=slider, low=0.0, high=1.0, height=340, fills=True))


def causal_panels(shown: Sequence[Mapping[str, Tensor]]) -> tuple[Heatmap, Heatmap]:
    """Weights at these strengths, beside the kernel's, which stay."""
    weights = torch.stack([each["weights"] for each in shown])  # (F, 2, T, T)
    told = [[f"on the token before: {short(share)}" for share in each["before"].tolist()] for each in shown]
    kernel, attention = zip(*told, strict=True)
    return (
        Heatmap("Gaussian kernel", weights[0, 0], PLACES, PLACES, FUTURE, kernel[:1]),
        Heatmap("Attention", weights[:, 1], PLACES, PLACES, FUTURE, attention),
    )


def order(page: str) -> View:
    """The view that shows that shuffled tokens get shuffled outputs, from a kernel and from attention."""
    seed = _draw(page)
    panels = shuffled_panels(mixed(seed).shown, ("Kernel", "Attention"))
    show_picture(f"{page}_order_picture", pack(Picture(panels, height=340, fills=True)))
    st.markdown(
        "**Here the analogy holds.** When the tokens are shuffled, rows and columns change places and nothing else: "
        "every token gets the same output as before, from the kernel and from attention. Neither notices the order, "
        "which is why a Transformer adds positions."
    )
    ask("Find the row of A in both pictures of attention. Which weights does it have before and after?")
    return _left(page, lambda: order_export(seed))


def shuffled_panels(found: Mapping[str, Tensor], sides: tuple[str, str]) -> tuple[Heatmap, ...]:
    """The weights of either side, in order and shuffled."""
    after, panels = _mixed_names(found), []
    for side, first, second, gap in zip(sides, found["before"], found["after"], found["gaps"].tolist(), strict=True):
        panels.append(Heatmap(f"{side}, in order", first, NAMES, NAMES))
        note = (f"outputs differ by {reading(gap)}",)
        panels.append(Heatmap(f"{side}, shuffled", second, after, after, notes=note))
    return tuple(panels)


def definite(page: str) -> View:
    """The view that shows that a kernel is a dot product of features, while attention need not be."""
    seed = _draw(page)
    found = similar(seed).shown
    smallest = [reading(number) for number in found["smallest"].tolist()]
    show_picture(f"{page}_pair_picture", pack(similarity_picture(found)))
    st.markdown(
        "**The Gaussian kernel is a dot product of features**, as every positive-definite kernel is, so its matrix of "
        "similarities has no negative eigenvalue. (Boxcar and Epanechnikov are not positive-definite.) "
        r"$\exp(x^\top W y)$ may have one: with $W = \operatorname{diag}(1, -1)$, set by hand, "
        f"the smallest is **{smallest[1]}**, against **{smallest[0]}** for the Gaussian. No dot product of features, "
        "however many, gives these similarities. Both matrices are rescaled so that every point has the similarity 1 "
        "to itself, which keeps the signs of the eigenvalues."
    )
    ask("Each point has the similarity 1 to itself. Can you find two points whose similarity to each other is larger?")
    return _left(page, lambda: definite_export(seed))


def similarity_picture(shown: Mapping[str, Tensor]) -> Picture:
    """The similarities of all points under a kernel and under attention."""
    notes = [f"smallest eigenvalue {reading(number)}" for number in shown["smallest"].tolist()]
    return pair(shown["similarities"], METRICS, notes, SIMILARITIES)


def pair(
    found: Tensor, titles: tuple[str, str], notes: list[str], names: Names,
    low: float | None = None, high: float | None = None,
) -> Picture:  # fmt: skip
    """Kernel beside attention, a number under each."""
    labels = tuple(LETTERS[: found.shape[-1]])
    panels = tuple(
        Heatmap(title, matrix, labels, labels, notes=(note,))
        for title, matrix, note in zip(titles, found, notes, strict=True)
    )
    return Picture(panels, names=names, low=low, high=high, height=340, fills=True)


def _draw(page: str) -> int:
    return widgets.next_seed("Draw other tokens", key=f"{page}_tokens")


def reading(number: float) -> str:
    """A number as it is shown: with a true minus sign, and 0 where only rounding is left."""
    return "0" if abs(number) < ROUNDING else short(number).replace("-", "−")


def _left(page: str, export: Callable[[], Export]) -> View:
    """Show the code, and return what the view leaves to the page."""
    code(page, lambda: export().with_core().text)
    return View(export)


def _mixed_names(found: Mapping[str, Tensor]) -> tuple[str, ...]:
    return tuple(LETTERS[place] for place in found["order"].tolist())


# What the page runs.


@lru_cache(32)
def symmetric(seed: int, shared: bool) -> Computation:
    """Scores and their direction, for these tokens."""
    drawn = Call(drawn_with_one_map if shared else drawn_tokens, count=TOKENS, seed=seed)
    return _pair_computation(Call(symmetry, drawn), "excess", SIDES)


@lru_cache(STRONGEST + 1)
def before(strength: int) -> Computation:
    """Weights on the token before, for this strength."""
    return _pair_computation(Call(previous_token, count=TOKENS, strength=float(strength)), "weights", SIDES)


@lru_cache(16)
def mixed(seed: int) -> Computation:
    """Weights before and after a shuffle of these tokens."""
    matrices = {
        f"{side}, {words}": Field(name, place)
        for place, side in enumerate(SIDES)
        for name, words in (("before", "in order"), ("after", "shuffled"))
    }
    return Computation(Call(shuffled, count=TOKENS, seed=seed), "heatmaps", {"matrices": matrices})


@lru_cache(16)
def similar(seed: int) -> Computation:
    """Similarities of these points."""
    call = Call(definiteness, count=POINTS, seed=seed)
    return _pair_computation(call, "similarities", METRICS, across="points", down="points")


def _pair_computation(call: Call, name: str, titles: tuple[str, str], **options: Any) -> Computation:
    """The kernel's heatmap beside attention's."""
    matrices = {title: Field(name, place) for place, title in enumerate(titles)}
    return Computation(call, "heatmaps", {"matrices": matrices, **options})


# What can be taken home.


def asymmetric_export(seed: int, shared: bool) -> Export:
    """The score of a query with a key minus the score the other way round."""
    made = symmetric(seed, shared)
    numbers = {"score": made.shown["scores"], "excess": made.shown["excess"]}
    return Export(
        name="attention-has-a-direction",
        title=f"A score minus the score the other way round, W_k {'=' if shared else '≠'} W_q",
        figure=still(excess_picture(made.shown, SIDES), numbers=True),
        tables={"scores": long(numbers, kind=KINDS, query=NAMES, key=NAMES)},
        computation=made,
    )


def unlike_export(strength: int) -> Export:
    """The weights on the token before."""
    made = before(strength)
    return Export(
        name="attention-to-the-token-before",
        title=f"Attention of strength {strength} to the token before",
        figure=still(Picture(causal_panels([made.shown]), low=0.0, high=1.0), numbers=True),
        tables={"weights": long({"weight": made.shown["weights"]}, kind=KINDS, query=PLACES, key=PLACES)},
        computation=made,
    )


def order_export(seed: int) -> Export:
    """The weights in order and shuffled."""
    made = mixed(seed)
    first, second, names = made.shown["before"], made.shown["after"], _mixed_names(made.shown)
    return Export(
        name="attention-knows-no-order",
        title="Shuffle the tokens: rows and columns change places, nothing more",
        figure=still(Picture(shuffled_panels(made.shown, SIDES), across=2), numbers=True),
        tables={
            "in-order": long({"weight": first}, kind=KINDS, query=NAMES, key=NAMES),
            "shuffled": long({"weight": second}, kind=KINDS, query=names, key=names),
        },
        computation=made,
    )


def definite_export(seed: int) -> Export:
    """The similarities of the points under a kernel and under attention."""
    made = similar(seed)
    similarities = made.shown["similarities"]
    return Export(
        name="attention-is-no-kernel",
        title="A kernel has no negative eigenvalue; attention may have one",
        figure=still(similarity_picture(made.shown), numbers=True),
        tables={"similarities": long({"similarity": similarities}, kind=KINDS, point=POINT_NAMES, other=POINT_NAMES)},
        computation=made,
    )
