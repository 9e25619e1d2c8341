"""Exercises on the first ideas: cues, temperature, and what a row of weights is."""

import plotly.graph_objects as go

from attention_core.demos.cues import DESK
from attention_core.experiments import Finding
from attention_core.experiments.cues import BOOK, CUP, saliencies
from attention_ui.chapters.exercises.exercise import Choice, Exercise, Guess, bar_panels, graphs, heatmaps
from attention_ui.chapters.exercises.figures import bars, lines, maps
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short

NAMES = [thing.name for thing in DESK]
KEYS = list("ABCDEF")


def _will(finding: Finding) -> go.Figure:
    weights = finding.drawn["weights"]
    named = {"Book": weights[:, BOOK], "Coffee cup": weights[:, CUP], "Newspaper": weights[:, 0]}
    place = {"the book leads from": float(finding.answer)}
    return lines(
        finding.drawn["blends"], named, ("blend: from what stands out to what you want", "weight"), places=place
    )


def _cooled(finding: Finding) -> go.Figure:
    numbers = finding.numbers
    levels = {
        "mean": "mean of the values",
        "nearest key's value": "value of the nearest key",
        "largest": "largest value",
    }
    return lines(
        finding.drawn["temperatures"],
        {"output": finding.drawn["outputs"]},
        ("temperature T, cooling to the right", "output"),
        "x",
        {name: numbers[number] for name, number in levels.items()},
    )


def _keys(seed: int) -> go.Figure:
    drawn = found("temperature", seed).drawn
    names = [f"{key}: {value:g}" for key, value in zip(KEYS, drawn["values"].tolist(), strict=True)]
    warm = int((drawn["temperatures"] - 1).abs().argmin())
    return bars(names, {"weight": drawn["weights"][warm]}, "weight at T = 1")


EXERCISES = (
    Exercise(
        "cues",
        "cues",
        "Cup or book",
        "The red cup stands out, but you want to read. The blend goes from 0 (only what stands out counts) to 1 (only "
        "your goal counts). **From which blend on does the book get the most attention?**",
        Guess(tuple(step / 20 for step in range(21)), 0.5, 0.1),
        lambda seed: bars(NAMES, {"saliency": saliencies(seed)}, "how much it stands out"),
        "How much each thing stands out. Made for reading, the book would score 6 by your goal alone, the cup 0.",
        _will,
        lambda finding: (
            "The score is (1 − b) · saliency + b · 6 · fit. The cup's head start has to be paid back by the book's "
            f"fit: that happens at b = {short(float(finding.answer))}. Without a query only saliency is left, and no "
            "wish can change where you look."
        ),
        drawing=heatmaps("weights", across="things", down="blends"),
    ),
    Exercise(
        "temperature",
        "qkv",
        "Cool it down",
        "Six keys, each with its value. Divide the scores by a temperature T before softmax, and let **T go to 0. "
        "What does the output become?**",
        Choice(
            {
                "mean": "The mean of all values",
                "nearest": "The value of the nearest key",
                "largest": "The largest value",
                "zero": "0",
            },
            "nearest",
        ),
        _keys,
        "Weights of one query at T = 1. Below each key: its name and its value.",
        _cooled,
        lambda finding: (
            f"Cold softmax gives everything to the highest score: {short(finding.numbers['output at T = 0.01'])} is "
            "the value of the nearest key. Values have no say in who is heard, so the largest one is not special. Hot "
            "softmax is average pooling."
        ),
        drawing=graphs(Field("temperatures"), ("outputs",), across="temperature", log=True),
    ),
    Exercise(
        "columns",
        "heatmaps",
        "Rows and columns",
        "Softmax along every row of a random 10 × 10 matrix. Each row sums to 1. **And each column?**",
        Choice(
            {
                "one": "Each sums to 1 as well",
                "below": "Each sums to 1 or less",
                "any": "Some to more than 1, some to less",
            },
            "any",
        ),
        lambda seed: maps([found("columns", seed).drawn["weights"]], ["weights"]),
        "Ten queries, ten keys.",
        lambda finding: bars(
            [f"key {key}" for key in range(10)], {"sum": finding.drawn["columns"]}, "sum of the column", 1.0
        ),
        lambda finding: (
            "Each query has exactly 1 to give away, and no key is owed a share: popular keys collect "
            f"{short(finding.numbers['largest column sum'])}, others {short(finding.numbers['smallest column sum'])}. "
            "Only the total is fixed: ten queries, 10 in all."
        ),
        drawing=bar_panels(sums_of_the_columns=([f"key {key}" for key in range(10)], Field("columns"))),
    ),
)  # fmt: skip
