"""Exercises on kernel regression and on batches."""

import plotly.graph_objects as go
import torch

from attention_core.data import generate, query_grid, truth
from attention_core.experiments import Finding
from attention_core.experiments.kernel_or_width import FACTORS
from attention_core.experiments.kernel_or_width import KERNELS as COMPARED
from attention_core.kernels import KERNELS
from attention_ui.chapters.exercises.exercise import Choice, Drawing, Exercise, bar_panels, graphs
from attention_ui.chapters.exercises.figures import bars, curves, lines, maps
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short


def points(seed: int, n: int = 50) -> go.Figure:
    """The points that the experiment begins with, and the truth behind them."""
    queries = query_grid()
    return curves(generate("wave", n=n, noise=0.5, seed=seed), queries, truth("wave", queries), {})


def _fitted(finding: Finding, names: dict[str, str]) -> go.Figure:
    drawn = finding.drawn
    shown = {label: drawn[name] for label, name in names.items()}
    return curves((drawn["x"], drawn["y"]), drawn["queries"], drawn["truth"], shown)


def _shapes_of_kernels(seed: int) -> go.Figure:
    u = torch.linspace(-2.5, 2.5, 201, dtype=torch.float64)
    return lines(u, {KERNELS[name].label: KERNELS[name](u).exp() for name in COMPARED}, ("u = (q − k) / σ", "K(u)"))


def _more(finding: Finding) -> go.Figure:
    errors = {"σ = 1": finding.drawn["fixed"], "σ by leave-one-out": finding.drawn["free"]}
    return lines(finding.drawn["sizes"], errors, ("points", "error against the truth"), "xy")


def _spread(finding: Finding) -> go.Figure:
    names = [KERNELS[name].label for name in COMPARED] + [f"σ × {factor:g}" for factor in FACTORS]
    gap = torch.full((5,), torch.nan)
    groups = {
        "Five kernels, each at its leave-one-out width": torch.cat([finding.drawn["kernels"], gap]),
        "The Gaussian at five widths": torch.cat([gap, finding.drawn["widths"]]),
    }
    return bars(names, groups, "error against the truth")


def _matrices(finding: Finding, names: tuple[str, ...]) -> go.Figure:
    drawn = finding.drawn
    titles = [f"{name}: {' × '.join(map(str, drawn[name].shape))}" for name in names]
    return maps([drawn[name][0] for name in names], titles, ("columns", "rows"))


def _lab(seed: int) -> dict[str, str]:
    return {"kr_seed": str(seed)}


EXERCISES = (
    Exercise(
        "average",
        "kernel_regression",
        "Better than the average",
        "Average pooling predicts the mean of all 50 values everywhere. Attention with a Gaussian of **width σ = 1** "
        "weighs near points more. **Its squared error against the truth is ...**",
        Choice(
            {
                "same": "about the same",
                "few": "smaller, but not ten times",
                "many": "more than ten times smaller",
            },
            "few",
        ),
        points,
        "The points of your seed, and the truth nobody shows the model.",
        lambda finding: _fitted(finding, {"Attention, σ = 1": "attention", "Average pooling": "average"}),
        lambda finding: (
            f"It is {short(finding.numbers['times smaller'])} times smaller. Looking at the keys helps, but σ = 1 is a "
            "fifth of the whole range: peaks and valleys are still averaged away."
        ),
        lambda seed: _lab(seed) | {"kr_width": "1"},
        drawing=graphs(Field("queries"), ("truth", "average", "attention")),
    ),
    Exercise(
        "narrow",
        "kernel_regression",
        "Ever narrower",
        "Start at the width that leave-one-out chooses and narrow it **to a tenth**. There is an error on the model's "
        "own 50 points, and an error against the truth. **Which of the two falls?**",
        Choice(
            {
                "both": "Both fall",
                "seen": "Only the one on its own points",
                "unseen": "Only the one against the truth",
                "neither": "Neither",
            },
            "seen",
        ),
        lambda seed: _fitted(found("narrow", seed), {"Leave-one-out width": "chosen"}),
        "Attention at the width that leave-one-out chooses.",
        lambda finding: _fitted(finding, {"A tenth of it": "narrow", "Leave-one-out width": "chosen"}),
        lambda finding: (
            "So narrow, each point listens almost only to itself: it repeats its own noise, and its error falls to "
            f"{short(finding.numbers['error on its own points, narrow'])}. Between the points nothing was learned, so "
            f"the error against the truth grows to {short(finding.numbers['error against the truth, narrow'])}."
        ),
        _lab,
        drawing=graphs(Field("queries"), ("truth", "chosen", "narrow")),
    ),
    Exercise(
        "more_data",
        "kernel_regression",
        "More data",
        "From 20 points to **2,000**. Once the width stays at σ = 1, once leave-one-out chooses it anew. **Whose error "
        "falls to less than a fifth?**",
        Choice(
            {
                "both": "Both: more data always helps",
                "fixed": "Only that of σ = 1",
                "free": "Only that of leave-one-out",
                "neither": "Neither: the noise stays",
            },
            "free",
        ),
        lambda seed: points(seed, 20),
        "The first 20 points.",
        _more,
        lambda finding: (
            "More data average the noise away, but a fixed width keeps blurring the peaks: "
            f"{short(finding.numbers['error of width 1, 2,000 points'])} is pure bias. Leave-one-out narrows its width "
            f"from {short(finding.numbers['its width, 20 points'])} to "
            f"{short(finding.numbers['its width, 2,000 points'])}: so the model is consistent."
        ),
        lambda seed: _lab(seed) | {"kr_n": "500"},
        drawing=graphs(Field("sizes"), ("fixed", "free"), across="points", log=True),
    ),
    Exercise(
        "kernel_or_width",
        "kernel_regression",
        "Kernel or width",
        "Five kernels, each at the width that leave-one-out chooses for it. And one kernel, the Gaussian, at five "
        "widths, from a quarter of its leave-one-out width to four times it. **What changes the error more?**",
        Choice(
            {
                "kernel": "The kernel",
                "same": "Both about the same",
                "width": "The width",
            },
            "width",
        ),
        _shapes_of_kernels,
        "The five kernels.",
        _spread,
        lambda finding: (
            "The worst kernel has "
            f"{short(finding.numbers['worst over best, five kernels'])} times the error of the best one, the worst "
            f"width {short(finding.numbers['worst over best, five widths'])} times. How far to look matters; how "
            "exactly the weights fade hardly does."
        ),
        _lab,
        drawing=bar_panels(
            error_of_every_kernel=(COMPARED, Field("kernels")),
            error_at_every_width=([f"σ × {factor:g}" for factor in FACTORS], Field("widths")),
        ),
    ),
    Exercise(
        "shapes",
        "batches",
        "A batch of products",
        "n matrices of shape a × b meet n matrices of shape b × c in **one batch multiplication**. **What is the shape "
        "of the result?**",
        Choice(
            {
                "nac": "(n, a, c)",
                "nnac": "(n, n, a, c)",
                "ac": "(a, c)",
                "nbb": "(n, b, b)",
            },
            "nac",
        ),
        lambda seed: _matrices(found("shapes", seed), ("first", "second")),
        "The first matrix of each batch; above it the shape of the whole batch.",
        lambda finding: _matrices(finding, ("first", "second", "product")),
        lambda finding: (
            "Matrices meet in pairs, first with first, second with second: n products of shape a × c, here "
            f"{', '.join(str(int(finding.numbers[f'size {place}'])) for place in range(3))}. Attention does that with "
            "(queries, keys) weights and (keys, width) values, once for each text of the batch."
        ),
        drawing=Drawing(
            "heatmaps",
            {
                "matrices": {name: Field(name, 0) for name in ("first", "second", "product")},
                "across": "columns",
                "down": "rows",
            },
        ),
    ),
)  # fmt: skip
