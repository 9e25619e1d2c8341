"""Exercises on scores and masks."""

import torch

from attention_core.experiments import Finding
from attention_ui.chapters.exercises.exercise import Choice, Exercise, bar_panels, graphs
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short
from attention_ui.pictures.charts import bars, lines
from attention_ui.pictures.picture import Picture

KEYS = [f"key {key}" for key in range(1, 7)]


def _reach(finding: Finding, names: dict[str, str]) -> Picture:
    drawn = {label: finding.drawn[name] for label, name in names.items()}
    return lines(finding.drawn["dimensions"], drawn, ("dimensions d", "effective number of keys, of 32"), "x")


def _around_the_mask(finding: Finding) -> Picture:
    drawn = finding.drawn
    names = [name if seen else f"{name}, masked" for name, seen in zip(KEYS, drawn["seen"].tolist(), strict=True)]
    return bars(names, {"Before": drawn["before"], "With the mask": drawn["after"]}, "weight")


def _to_be_masked(seed: int) -> Picture:
    drawn = found("masked", seed).drawn
    names = [name if seen else f"{name}: to mask" for name, seen in zip(KEYS, drawn["seen"].tolist(), strict=True)]
    return bars(names, {"weight": drawn["before"]}, "weight")


def _as_drawn(seed: int) -> Picture:
    drawn = found("lengths", seed).drawn
    return bars(
        ["dot product", "additive"],
        {"keys": torch.stack([drawn["dot"][0], drawn["additive"][0]])},
        "effective number of keys, of 16",
    )


def _longer(finding: Finding) -> Picture:
    named = {"Scaled dot product": finding.drawn["dot"], "Additive": finding.drawn["additive"]}
    return lines(finding.drawn["factors"], named, ("length of the queries, times", "effective number of keys, of 16"))


EXERCISES = (
    Exercise(
        "sqrt_d",
        "scoring",
        "Why divide by √d?",
        r"Queries and keys are random vectors of **512 dimensions**, and their dot product is **not divided** by "
        r"$\sqrt{d}$. **What is the effective number of keys of a query, out of 32?**",
        Choice(
            {
                "many": "12 or more",
                "some": "From 3 to 12",
                "one": "Fewer than 3",
            },
            "one",
        ),
        lambda seed: _reach(found("sqrt_d", seed), {"q · k / √d": "scaled"}),
        "With the division, the effective number of keys hardly depends on d.",
        lambda finding: _reach(finding, {"q · k": "plain", "q · k / √d": "scaled"}),
        lambda finding: (
            "A dot product of $d$ random terms has variance $d$: here "
            f"{short(finding.numbers['variance of the scores, not divided'])}. With such scores softmax gives nearly "
            "all the weight to one key, and its derivative is small: its norm is "
            f"{short(finding.numbers['norm of the derivative of softmax, not divided'])} instead of "
            f"{short(finding.numbers['norm of the derivative of softmax, divided'])}, so training gets little signal. "
            r"Dividing by $\sqrt{d}$ brings the variance back to 1."
        ),
        lambda seed: {"scoring_tab": "scaling"},
        drawing=graphs(Field("dimensions"), ("plain", "scaled"), across="dimensions", scale="log"),
    ),
    Exercise(
        "masked",
        "scoring",
        "What a mask does",
        "One of six keys is masked. **Where does its weight go?**",
        Choice(
            {
                "lost": "It is lost: the others sum to less than 1",
                "equal": "Each other key gets an equal part of it",
                "share": "The weight of each other key grows by the same factor",
                "first": "The other key with the largest weight gets it",
            },
            "share",
        ),
        _to_be_masked,
        "The weights of one query before the mask.",
        _around_the_mask,
        lambda finding: (
            r"A mask sets the score to $-\infty$ before softmax, so the masked key gets exactly 0 and the others are "
            f"normalised without it: each weight is multiplied by $1 / (1 - "
            f"{short(finding.numbers['weight before the mask'])}) = {short(finding.numbers['1 / (1 - its weight)'])}$. "
            "Their order and their ratios stay the same."
        ),
        lambda seed: {"scoring_tab": "masks"},
        drawing=bar_panels(before=(KEYS, Field("before")), behind_the_mask=(KEYS, Field("after"))),
    ),
    Exercise(
        "lengths",
        "scoring",
        "Longer queries",
        r"Two scores are compared: the scaled dot product, and the additive score $w_v^\top \tanh(W_q q + W_k k)$. "
        "Every query becomes **ten times as long**. **For which score does the effective number of keys fall below 3, "
        "of 16?**",
        Choice(
            {
                "both": "For both",
                "dot": "Only for the dot product",
                "additive": "Only for the additive score",
                "neither": "For neither",
            },
            "dot",
        ),
        _as_drawn,
        "The effective number of keys before.",
        _longer,
        lambda finding: (
            "A dot product grows with the length of the query, so softmax sharpens: the effective number of keys is "
            f"{short(finding.numbers['dot product, ten times as long'])}. $\\tanh$ never exceeds 1: a long query "
            "saturates it, the keys change little, and all of them get nearly the same score. The effective number of "
            f"keys of the additive score is {short(finding.numbers['additive, ten times as long'])}."
        ),
        drawing=graphs(Field("factors"), ("dot", "additive"), across="length of the queries"),
    ),
)  # fmt: skip
