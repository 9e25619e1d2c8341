"""Exercises on the learned w."""

import plotly.graph_objects as go
import torch

from attention_core.data import generate, query_grid, truth
from attention_core.experiments import Finding
from attention_core.experiments.hyper import CHAPTER
from attention_core.experiments.leave_out import EPOCHS
from attention_core.learning.training import TrainingConfig, train
from attention_core.pooling import kernel_pool
from attention_ui.chapters.exercises.exercise import Choice, Exercise, Guess, graphs, heatmaps
from attention_ui.chapters.exercises.figures import curves, dots, lines, maps
from attention_ui.chapters.exercises.judging import found
from attention_ui.chapters.exercises.regression import points
from attention_ui.export.writing import Call
from attention_ui.numbers import short


def _untrained(seed: int) -> go.Figure:
    samples, queries = generate("wave", n=50, noise=0.5, seed=seed), query_grid()
    flat = kernel_pool(queries, *samples, width=1.0).output
    return curves(samples, queries, truth("wave", queries), {"Attention at w = 1": flat})


def _two_runs(finding: Finding) -> go.Figure:
    start = torch.ones(1)
    named = {"May look at itself": "itself", "Left out": "others"}
    runs = {name: torch.cat([start, finding.drawn[run]]) for name, run in named.items()}
    return lines(torch.arange(1 + len(finding.drawn["itself"])), runs, ("epoch", "w"))


def _before_and_after(finding: Finding, w: float) -> go.Figure:
    return maps([finding.drawn["before"], finding.drawn["after"]], ["w = 1", f"w = {short(w)}"])


def _chapters_run(seed: int) -> go.Figure:
    samples = generate("wave", n=50, noise=0.5, seed=seed)
    path = torch.tensor([CHAPTER["w0"], *(step.w for step in train(samples, TrainingConfig(**CHAPTER)))])
    return lines(torch.arange(len(path)), {"w on the first data set": path}, ("epoch", "w"))


def _train(seed: int) -> dict[str, str]:
    return {"lw_seed": str(seed), "lw_loss": "sum", "lw_rate": "0.1", "lw_epochs": "50"}


EXERCISES = (
    Exercise(
        "leave_out",
        "learned_w",
        "Why leave oneself out",
        "While w is learned, each point is predicted from the others. **Let every point attend to itself too: where "
        "does w go in 300 epochs?**",
        Choice(
            {
                "zero": "Down to 0",
                "settles": "It settles near the same w",
                "grows": "It grows and does not stop",
            },
            "grows",
        ),
        _untrained,
        "Where training begins: w = 1.",
        _two_runs,
        lambda finding: (
            "A point that sees itself predicts itself best by listening to nobody else: the sharper, the smaller the "
            f"loss. So w climbs to {short(finding.numbers['w after 300 epochs, attending to itself'])} and on, and "
            f"learns nothing; left out, it settles at {short(finding.numbers['w after 300 epochs, left out'])}."
        ),
        lambda seed: _train(seed) | {"lw_loo": "false", "lw_epochs": "300"},
        drawing=graphs(Call(torch.arange, 1, EPOCHS + 1), ("itself", "others"), across="epoch"),
    ),
    Exercise(
        "learned_w",
        "learned_w",
        "Guess the learned w",
        "The chapter multiplies the distance by a learned w. It starts at w = 1, the curve you see. **Which w does "
        "gradient descent find?**",
        Guess((0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20), 1, 1.5, factor=True),
        _untrained,
        "Attention at w = 1, before training.",
        lambda finding: _before_and_after(finding, float(finding.answer)),
        lambda finding: (
            f"It found w = {short(float(finding.answer))}, a width of {short(finding.numbers['width 1 / w'])}: at w = "
            "1 the curve is far too flat, and every sharper step lowers the loss until the noise begins to show. So "
            "the bright band of the heatmap narrows."
        ),
        _train,
        drawing=heatmaps("before", "after"),
    ),
    Exercise(
        "sharper",
        "learned_w",
        "Why the heatmap sharpens",
        "The score is −((q − k) w)² / 2. Make **w four times as large. To how many keys does a query listen then?**",
        Choice(
            {
                "same": "To as many, just others",
                "half": "To half as many",
                "quarter": "To about a quarter",
                "sixteenth": "To a sixteenth: w is squared",
            },
            "quarter",
        ),
        lambda seed: maps([found("sharper", seed).drawn["before"]], ["w = 1"]),
        "The weights at w = 1. Keys are counted as exp(entropy) of a row.",
        lambda finding: _before_and_after(finding, 4.0),
        lambda finding: (
            f"From {short(finding.numbers['keys at w = 1'])} keys to {short(finding.numbers['keys at w = 4'])}. w only "
            "rescales distance: a key four times as near gets the old score, so the band is four times as narrow. "
            "At w = 1 it reached beyond the data, where there are no keys, so a little more than a quarter is left."
        ),
        _train,
        drawing=heatmaps("before", "after"),
    ),
    Exercise(
        "hyper",
        "learned_w",
        "Which setting helps",
        "The chapter trains with learning rate 0.5 for 5 epochs from w = 0.38, and ends far from the best w. **Which "
        "one change brings it closest?**",
        Choice(
            {
                "rate": "A tenth of the learning rate",
                "epochs": "Ten times the epochs",
                "start": "A start at w = 1",
            },
            "epochs",
        ),
        _chapters_run,
        "The chapter's run on the first of ten data sets: one leap, then a slow way back.",
        lambda finding: dots(
            ["chapter", "rate 0.05", "50 epochs", "start 1"],
            finding.drawn["factors"], "w misses the best by a factor of", log=True,
        ),
        lambda finding: (
            "The first step leaps over the valley onto its flat far side, where slopes are small. With 50 epochs there "
            f"is time to walk back: off by a factor of {short(finding.numbers['with 50 epochs'])}. A start at 1 leaps "
            "even further, and small steps alone are still under way after 5."
        ),
        lambda seed: _train(seed) | {"lw_rate": "0.5", "lw_epochs": "5", "lw_w0": "0.375558"},
        drawing=heatmaps("factors", across="data sets", down="changes"),
    ),
    Exercise(
        "design",
        "kernel_regression",
        "Design another pooling",
        "Four ways to put learned numbers into attention. All learn from the same 50 points, on seven data sets. "
        "**Which one is closest to the truth?**",
        Choice(
            {
                "one": "One w, as in the chapter",
                "heads": "Two heads: two w and their shares",
                "own": "A w for each query: sharper where keys are dense",
                "line": "One w and a line instead of a mean",
            },
            "line",
        ),
        points,
        "The first of the seven data sets.",
        lambda finding: dots(
            ["one w", "two heads", "own w", "local line"], finding.drawn["errors"], "error against the truth"
        ),
        lambda finding: (
            "A weighted mean is pulled inward at both ends, where all keys lie on one side; a weighted line is not: "
            f"{short(finding.numbers['error of a local line'])} against {short(finding.numbers['error of one w'])}. "
            "One width suits this curve, so a second head has little to add: more parameters need not help, the right "
            "ones do."
        ),
        lambda seed: {"kr_seed": str(seed), "kr_linear": "true"},
        drawing=heatmaps("errors", across="data sets", down="designs"),
    ),
)  # fmt: skip
