"""Exercises on scores and masks."""

import plotly.graph_objects as go
import torch

from attention_core.experiments import Finding
from attention_ui.chapters.exercises.exercise import Choice, Exercise, bar_panels, graphs
from attention_ui.chapters.exercises.figures import bars, lines
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short

KEYS = [f"key {key}" for key in range(1, 7)]


def _reach(finding: Finding, names: dict[str, str]) -> go.Figure:
    drawn = {label: finding.drawn[name] for label, name in names.items()}
    return lines(finding.drawn["dimensions"], drawn, ("dimensions d", "keys a query listens to, of 32"), "x")


def _around_the_mask(finding: Finding) -> go.Figure:
    drawn = finding.drawn
    names = [name if seen else f"{name}, masked" for name, seen in zip(KEYS, drawn["seen"].tolist(), strict=True)]
    return bars(names, {"Before": drawn["before"], "Behind the mask": drawn["after"]}, "weight")


def _to_be_masked(seed: int) -> go.Figure:
    drawn = found("masked", seed).drawn
    names = [name if seen else f"{name}: to mask" for name, seen in zip(KEYS, drawn["seen"].tolist(), strict=True)]
    return bars(names, {"weight": drawn["before"]}, "weight")


def _as_drawn(seed: int) -> go.Figure:
    drawn = found("lengths", seed).drawn
    return bars(
        ["dot product", "additive"], {"keys": torch.stack([drawn["dot"][0], drawn["additive"][0]])}, "keys, of 16"
    )


def _longer(finding: Finding) -> go.Figure:
    named = {"Scaled dot product": finding.drawn["dot"], "Additive": finding.drawn["additive"]}
    return lines(finding.drawn["factors"], named, ("length of the queries, times", "keys a query listens to, of 16"))


EXERCISES = (
    Exercise(
        "sqrt_d",
        "scoring",
        "Why divide by √d",
        "Random queries and keys of **512 dimensions**, their dot product **not divided** by √d. **To how many of 32 "
        "keys does a query listen?**",
        Choice(
            {
                "many": "To more than 12",
                "some": "To 3 to 12",
                "one": "To one, or a few",
            },
            "one",
        ),
        lambda seed: _reach(found("sqrt_d", seed), {"q · k / √d": "scaled"}),
        "With the division: the same softness in every dimension.",
        lambda finding: _reach(finding, {"q · k": "plain", "q · k / √d": "scaled"}),
        lambda finding: (
            "A dot product of d random terms has variance d: here "
            f"{short(finding.numbers['variance of the scores, not divided'])}. Such scores make softmax pick one "
            "winner, and its slope falls to "
            f"{short(finding.numbers['slope through softmax, not divided'])} from "
            f"{short(finding.numbers['slope through softmax, divided'])}: little is left to learn from. Dividing by √d "
            "brings the variance back to 1."
        ),
        lambda seed: {"scoring_tab": "scaling"},
        drawing=graphs(Field("dimensions"), ("plain", "scaled"), across="dimensions", log=True),
    ),
    Exercise(
        "masked",
        "scoring",
        "Behind the mask",
        "One of six keys is masked. **Where does its weight go?**",
        Choice(
            {
                "lost": "It is lost: the others sum to less than 1",
                "equal": "Each other key gets the same part of it",
                "share": "Each other key grows by the same factor",
                "first": "The strongest other key takes it",
            },
            "share",
        ),
        _to_be_masked,
        "The weights of one query before the mask.",
        _around_the_mask,
        lambda finding: (
            "A mask sets the score to −∞ before softmax, so that key gets exactly 0 and the others are normalised "
            f"without it: each times 1 / (1 − {short(finding.numbers['weight before the mask'])}) = "
            f"{short(finding.numbers['1 / (1 - its weight)'])}. Their order and their ratios stay."
        ),
        lambda seed: {"scoring_tab": "masks"},
        drawing=bar_panels(before=(KEYS, Field("before")), behind_the_mask=(KEYS, Field("after"))),
    ),
    Exercise(
        "lengths",
        "scoring",
        "Longer queries",
        "Two scores: the scaled dot product, and the additive one, w · tanh(W q + U k). **Make every query ten times "
        "as long. Which attention narrows to fewer than 3 of 16 keys?**",
        Choice(
            {
                "both": "Both",
                "dot": "Only the dot product",
                "additive": "Only the additive one",
                "neither": "Neither",
            },
            "dot",
        ),
        _as_drawn,
        "How many of 16 keys a query listens to now.",
        _longer,
        lambda finding: (
            "A dot product grows with the length of the query, so softmax sharpens to "
            f"{short(finding.numbers['dot product, ten times as long'])} keys. tanh cannot exceed 1: a long query "
            "drowns out the keys inside it, they all score nearly the same, and attention flattens to "
            f"{short(finding.numbers['additive, ten times as long'])}."
        ),
        drawing=graphs(Field("factors"), ("dot", "additive"), across="length of the queries"),
    ),
)  # fmt: skip
