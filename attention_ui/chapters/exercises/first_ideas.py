"""Exercises on the first ideas: cues, temperature, and what a row of weights is."""

from attention_core.demos.cues import DESK
from attention_core.experiments import Finding
from attention_core.experiments.cues import BOOK, CUP, saliencies
from attention_ui.chapters.exercises.exercise import Choice, Exercise, Guess, bar_panels, graphs, heatmaps
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short
from attention_ui.pictures.charts import bars, lines, maps
from attention_ui.pictures.picture import Picture

NAMES = [thing.name for thing in DESK]
KEYS = list("ABCDEF")
COLUMNS = [f"key {key}" for key in range(1, 11)]


def _will(finding: Finding) -> Picture:
    weights = finding.drawn["weights"]
    named = {"Book": weights[:, BOOK], "Coffee cup": weights[:, CUP], "Newspaper": weights[:, 0]}
    place = "the book leads from", float(finding.answer)
    return lines(
        finding.drawn["blends"], named, ("blend: from what stands out to what you want", "weight"), place=place
    )


def _cooled(finding: Finding) -> Picture:
    numbers = finding.numbers
    levels = {
        "mean": "mean of the values",
        "nearest key's value": "value of the nearest key",
        "largest": "largest value",
    }
    return lines(
        finding.drawn["temperatures"],
        {"output": finding.drawn["outputs"]},
        ("temperature T, falling to the right", "output"),
        "x",
        {name: numbers[number] for name, number in levels.items()},
    )


def _keys(seed: int) -> Picture:
    drawn = found("temperature", seed).drawn
    names = [f"{key}: {value:g}" for key, value in zip(KEYS, drawn["values"].tolist(), strict=True)]
    warm = int((drawn["temperatures"] - 1).abs().argmin())
    return bars(names, {"weight": drawn["weights"][warm]}, "weight at T = 1")


EXERCISES = (
    Exercise(
        "cues",
        "cues",
        "Cup or book",
        "The red cup stands out, but you want to read. A blend $b$ mixes both: at 0 only what stands out counts, at 1 "
        "only your goal counts. **From which blend on does the book get the most attention?**",
        Guess(tuple(step / 20 for step in range(21)), 0.5, 0.1),
        lambda seed: bars(NAMES, {"saliency": saliencies(seed)}, "how much it stands out"),
        "How much each thing stands out. By your goal alone the book would score 6 and the cup 0.",
        _will,
        lambda finding: (
            r"The score is $(1 - b) \cdot \text{saliency} + b \cdot 6 \cdot \text{fit}$. As $b$ grows, what stands out "
            "counts less and what fits your goal counts more. The book passes the cup at "
            f"$b = {short(float(finding.answer))}$. At $b = 0$ the goal has no effect."
        ),
        drawing=heatmaps("weights", across="things", down="blends"),
    ),
    Exercise(
        "temperature",
        "qkv",
        "Cool it down",
        "Six keys have a value each. The scores are divided by a temperature $T$ before softmax. **What does the "
        "output become when $T$ goes to 0?**",
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
        "The weights of one query at $T = 1$. Below each bar stand the key and its value.",
        _cooled,
        lambda finding: (
            "As $T$ falls, softmax gives nearly all the weight to the highest score. At $T = 0.01$ the output is "
            f"{short(finding.numbers['output at T = 0.01'])}, the value of the nearest key. Values do not enter the "
            "scores, so the largest value has no advantage. At a high temperature softmax becomes average pooling."
        ),
        drawing=graphs(Field("temperatures"), ("outputs",), across="temperature", scale="log"),
    ),
    Exercise(
        "columns",
        "heatmaps",
        "Rows and columns",
        r"Softmax is applied to every row of a random $10 \times 10$ matrix, so each row sums to 1. **What do the "
        "columns sum to?**",
        Choice(
            {
                "one": "Each column sums to 1 as well",
                "below": "Each column sums to 1 or less",
                "any": "Some columns sum to more than 1, some to less",
            },
            "any",
        ),
        lambda seed: maps([found("columns", seed).drawn["weights"]], ["weights"]),
        "Ten queries, ten keys.",
        lambda finding: bars(COLUMNS, {"sum": finding.drawn["columns"]}, "sum of the column", 1.0),
        lambda finding: (
            "Each query distributes a weight of 1, but nothing fixes how much a key receives: the largest column "
            "sum is "
            f"{short(finding.numbers['largest column sum'])}, the smallest "
            f"{short(finding.numbers['smallest column sum'])}. Only the total is fixed: ten rows sum to 10."
        ),
        drawing=bar_panels(sums_of_the_columns=(COLUMNS, Field("columns"))),
    ),
)  # fmt: skip
