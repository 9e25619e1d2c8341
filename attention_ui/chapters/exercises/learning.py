"""Exercises on the learned w."""

import torch

from attention_core.data import generate, query_grid, truth
from attention_core.experiments import Finding
from attention_core.experiments.hyper import CHAPTER
from attention_core.experiments.leave_out import EPOCHS
from attention_core.learning.training import TrainingConfig, train
from attention_core.pooling import kernel_pool
from attention_ui.chapters.exercises.exercise import Choice, Exercise, Guess, graphs, heatmaps
from attention_ui.chapters.exercises.judging import found
from attention_ui.chapters.exercises.regression import points
from attention_ui.export.writing import Call
from attention_ui.numbers import short
from attention_ui.pictures.charts import curves, dots, lines, maps
from attention_ui.pictures.picture import Picture


def _untrained(seed: int) -> Picture:
    samples, queries = generate("wave", n=50, noise=0.5, seed=seed), query_grid()
    flat = kernel_pool(queries, *samples, width=1.0).output
    return curves(samples, queries, truth("wave", queries), {"Attention at w = 1": flat})


def _two_runs(finding: Finding) -> Picture:
    start = torch.ones(1)
    named = {"Point included": "itself", "Leave-one-out": "others"}
    runs = {name: torch.cat([start, finding.drawn[run]]) for name, run in named.items()}
    return lines(torch.arange(1 + len(finding.drawn["itself"])), runs, ("epoch", "w"))


def _before_and_after(finding: Finding, w: float) -> Picture:
    return maps([finding.drawn["before"], finding.drawn["after"]], ["w = 1", f"w = {short(w)}"])


def _chapters_run(seed: int) -> Picture:
    samples = generate("wave", n=50, noise=0.5, seed=seed)
    path = torch.tensor([CHAPTER["w0"], *(step.w for step in train(samples, TrainingConfig(**CHAPTER)))])
    return lines(torch.arange(len(path)), {"w on the first data set": path}, ("epoch", "w"))


def _train(seed: int) -> dict[str, str]:
    return {"lw_seed": str(seed), "lw_loss": "sum", "lw_rate": "0.1", "lw_epochs": "50"}


EXERCISES = (
    Exercise(
        "leave_out",
        "learned_w",
        "Why each point is left out",
        "While $w$ is learned, each point is predicted from the others. Now let every point attend to itself too. "
        "**Where does $w$ go in 300 epochs?**",
        Choice(
            {
                "zero": "Down to 0",
                "settles": "It settles near the same w",
                "grows": "It keeps growing",
            },
            "grows",
        ),
        _untrained,
        "Where training begins: $w = 1$.",
        _two_runs,
        lambda finding: (
            "A point that attends to itself predicts its own value best when it attends to nothing else, so a sharper "
            f"attention has a smaller loss. $w$ climbs to "
            f"{short(finding.numbers['w after 300 epochs, attending to itself'])} and is still growing, and the curve "
            f"repeats the noise. With each point left out, $w$ settles at "
            f"{short(finding.numbers['w after 300 epochs, left out'])}."
        ),
        lambda seed: _train(seed) | {"lw_loo": "false", "lw_epochs": "300"},
        drawing=graphs(Call(torch.arange, 1, EPOCHS + 1), ("itself", "others"), across="epoch"),
    ),
    Exercise(
        "learned_w",
        "learned_w",
        "Guess the learned w",
        "The distance between query and key is multiplied by a learned $w$. Training starts at $w = 1$, the curve in "
        "the picture. **Which $w$ does gradient descent find?**",
        Guess((0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20), 1, 1.5, factor=True),
        _untrained,
        "Attention at $w = 1$, before training.",
        lambda finding: _before_and_after(finding, float(finding.answer)),
        lambda finding: (
            f"It found $w = {short(float(finding.answer))}$, a width of {short(finding.numbers['width 1 / w'])}. At "
            "$w = 1$ the curve is too flat. A larger $w$ lowers the leave-one-out loss until the curve begins to "
            "follow "
            "the noise. The band of large weights in the heatmap becomes narrower."
        ),
        _train,
        drawing=heatmaps("before", "after"),
    ),
    Exercise(
        "sharper",
        "learned_w",
        "Why the heatmap sharpens",
        r"The score is $-\tfrac12 \big((q - k)\, w\big)^2$. Now **$w$ becomes four times as large. What happens to the "
        "effective number of keys of a query?**",
        Choice(
            {
                "same": "It stays the same",
                "half": "It falls to about a half",
                "quarter": "It falls to about a quarter",
                "sixteenth": "It falls to about a sixteenth, since w is squared",
            },
            "quarter",
        ),
        lambda seed: maps([found("sharper", seed).drawn["before"]], ["w = 1"]),
        r"The weights at $w = 1$. The effective number of keys of a row is $e^{\text{entropy}}$.",
        lambda finding: _before_and_after(finding, 4.0),
        lambda finding: (
            f"It falls from {short(finding.numbers['effective keys at w = 1'])} to "
            f"{short(finding.numbers['effective keys at w = 4'])}. $w$ only rescales the distance: a key at a "
            "quarter of "
            "the distance gets the old score, so the band is a quarter as wide. At $w = 1$ the band reached beyond the "
            "ends of the data, where there are no keys, so somewhat more than a quarter is left."
        ),
        _train,
        drawing=heatmaps("before", "after"),
    ),
    Exercise(
        "hyper",
        "learned_w",
        "Which setting helps",
        "The book's run starts at $w = 0.38$, trains for 5 epochs with learning rate 0.5, and ends far from the $w$ "
        "with the smallest leave-one-out loss. **Which single change brings it closest to that $w$?**",
        Choice(
            {
                "rate": "A tenth of the learning rate",
                "epochs": "Ten times the epochs",
                "start": "A start at w = 1",
            },
            "epochs",
        ),
        _chapters_run,
        "The book's run on the first of ten data sets: one large step, then a slow way back.",
        lambda finding: dots(
            ["book", "rate 0.05", "50 epochs", "start 1"],
            finding.drawn["factors"], "w misses the best by a factor of", log=True,
        ),
        lambda finding: (
            "The first step overshoots the valley of the loss and lands on its flat far side, where the slope is "
            "small. "
            "In 50 epochs the run comes back: $w$ then misses by a factor of "
            f"{short(finding.numbers['with 50 epochs'])}. From $w = 1$ the first step overshoots even further, and "
            "with "
            "a tenth of the rate the run has not arrived after 5 epochs."
        ),
        lambda seed: _train(seed) | {"lw_rate": "0.5", "lw_epochs": "5", "lw_w0": "0.375558"},
        drawing=heatmaps("factors", across="data sets", down="changes"),
    ),
    Exercise(
        "design",
        "kernel_regression",
        "Design another pooling",
        "Four designs put learned numbers into attention. Each of them learns from the same 50 points, on seven data "
        "sets. **Which one has the smallest true error?**",
        Choice(
            {
                "one": "One w for all queries",
                "heads": "Two heads: two w and their shares",
                "own": "A w for each query: sharper where keys are dense",
                "line": "One w and a line instead of a mean",
            },
            "line",
        ),
        points,
        "The first of the seven data sets.",
        lambda finding: dots(
            ["one w", "two heads", "own w", "local line"], finding.drawn["errors"], "true error"
        ),
        lambda finding: (
            "A weighted mean is pulled inward at both ends, where all keys lie on one side; a weighted line is not. "
            "The true "
            "errors are "
            f"{short(finding.numbers['error of a local line'])} for the line and "
            f"{short(finding.numbers['error of one w'])} for one w. "
            "One width suits this curve, so a second head adds little."
        ),
        lambda seed: {"kr_seed": str(seed), "kr_linear": "true"},
        drawing=heatmaps("errors", across="data sets", down="designs"),
    ),
)  # fmt: skip
