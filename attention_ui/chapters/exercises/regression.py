"""Exercises on kernel regression and on batches."""

import torch

from attention_core.data import generate, query_grid, truth
from attention_core.experiments import Finding
from attention_core.experiments.kernel_or_width import COMPARED, FACTORS
from attention_core.kernels import KERNELS
from attention_ui.chapters.exercises.exercise import Choice, Drawing, Exercise, bar_panels, graphs
from attention_ui.chapters.exercises.judging import found
from attention_ui.export.writing import Field
from attention_ui.numbers import short
from attention_ui.pictures.charts import bars, curves, lines, maps
from attention_ui.pictures.heatmap import Names
from attention_ui.pictures.picture import Picture


def points(seed: int, n: int = 50) -> Picture:
    """The points that the experiment begins with, and the truth behind them."""
    queries = query_grid()
    return curves(generate("wave", n=n, noise=0.5, seed=seed), queries, truth("wave", queries), {})


def _fitted(finding: Finding, names: dict[str, str]) -> Picture:
    drawn = finding.drawn
    shown = {label: drawn[name] for label, name in names.items()}
    return curves((drawn["x"], drawn["y"]), drawn["queries"], drawn["truth"], shown)


def _shapes_of_kernels(seed: int) -> Picture:
    u = torch.linspace(-2.5, 2.5, 201, dtype=torch.float64)
    return lines(u, {KERNELS[name].label: KERNELS[name](u).exp() for name in COMPARED}, ("u = (q − k) / σ", "K(u)"))


def _more(finding: Finding) -> Picture:
    errors = {"σ = 1": finding.drawn["fixed"], "σ by leave-one-out": finding.drawn["free"]}
    return lines(finding.drawn["sizes"], errors, ("points", "true error"), "xy")


def _spread(finding: Finding) -> Picture:
    names = [KERNELS[name].label for name in COMPARED] + [f"σ × {factor:g}" for factor in FACTORS]
    gap = torch.full((5,), torch.nan)
    groups = {
        "Five kernels, each at its leave-one-out width": torch.cat([finding.drawn["kernels"], gap]),
        "The Gaussian at five widths": torch.cat([gap, finding.drawn["widths"]]),
    }
    return bars(names, groups, "true error")


def _matrices(finding: Finding, names: tuple[str, ...]) -> Picture:
    drawn = finding.drawn
    titles = [f"{name}: {' × '.join(map(str, drawn[name].shape))}" for name in names]
    return maps([drawn[name][0] for name in names], titles, Names("row", "column", "number", "rows", "columns"))


def _lab(seed: int) -> dict[str, str]:
    return {"kr_seed": str(seed)}


EXERCISES = (
    Exercise(
        "average",
        "kernel_regression",
        "Better than the average",
        "Average pooling predicts the mean of all 50 values everywhere. Attention with a Gaussian kernel of **width** "
        r"$\sigma = 1$ gives near points more weight. **How large is its true error, compared with average pooling?**",
        Choice(
            {
                "same": "About the same",
                "few": "Smaller, but less than ten times",
                "many": "More than ten times smaller",
            },
            "few",
        ),
        points,
        "The points, and the truth, which the model does not see.",
        lambda finding: _fitted(finding, {"Attention, σ = 1": "attention", "Average pooling": "average"}),
        lambda finding: (
            f"It is {short(finding.numbers['times smaller'])} times smaller. More weight on near keys helps, but "
            r"$\sigma = 1$ is a fifth of the whole range, so peaks and valleys are still averaged away."
        ),
        lambda seed: _lab(seed) | {"kr_width": "1"},
        drawing=graphs(Field("queries"), ("truth", "average", "attention")),
    ),
    Exercise(
        "narrow",
        "kernel_regression",
        "Ever narrower",
        "The width that leave-one-out chooses is narrowed **to a tenth**. The training error is measured on the "
        "model's "
        "own 50 points, the true error against the truth. **Which of the two falls?**",
        Choice(
            {
                "both": "Both fall",
                "seen": "Only the training error",
                "unseen": "Only the true error",
                "neither": "Neither",
            },
            "seen",
        ),
        lambda seed: _fitted(found("narrow", seed), {"Leave-one-out width": "chosen"}),
        "Attention at the width that leave-one-out chooses.",
        lambda finding: _fitted(finding, {"A tenth of it": "narrow", "Leave-one-out width": "chosen"}),
        lambda finding: (
            "At this width each point attends almost only to itself and repeats its own noise, so the training error "
            f"falls to {short(finding.numbers['training error, narrow'])}. Between the points the curve follows the "
            f"noise of the nearest one, so the true error grows to {short(finding.numbers['true error, narrow'])}."
        ),
        _lab,
        drawing=graphs(Field("queries"), ("truth", "chosen", "narrow")),
    ),
    Exercise(
        "more_data",
        "kernel_regression",
        "More data",
        "The data grow from 5 points to **500**. One model keeps the width $\\sigma = 1$; for the other, leave-one-out "
        "chooses the width again. **Whose true error falls to less than a fifth?**",
        Choice(
            {
                "both": "Both: more data always helps",
                "fixed": "Only that of the model with σ = 1",
                "free": "Only that of the model with leave-one-out",
                "neither": "Neither: the noise stays",
            },
            "free",
        ),
        lambda seed: points(seed, 5),
        "The first 5 points.",
        _more,
        lambda finding: (
            "With more data the noise averages out, but a fixed width still blurs the peaks: the error of "
            f"{short(finding.numbers['error of width 1, 500 points'])} that remains is nearly all bias. "
            f"Leave-one-out narrows the width from {short(finding.numbers['its width, 5 points'])} to "
            f"{short(finding.numbers['its width, 500 points'])}, so both noise and blur become smaller."
        ),
        lambda seed: _lab(seed) | {"kr_n": "500"},
        drawing=graphs(Field("sizes"), ("fixed", "free"), across="points", scale="log"),
    ),
    Exercise(
        "kernel_or_width",
        "kernel_regression",
        "Kernel or width",
        "First, five kernels are compared, each at the width that leave-one-out chooses for it. Then the Gaussian "
        "kernel is compared at five widths, from a quarter of its leave-one-out width to four times that width. **What "
        "changes the true error more?**",
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
            f"width {short(finding.numbers['worst over best, five widths'])} times that of the "
            "best. How far a query reaches matters more than how exactly the weights fade with the distance."
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
        r"$n$ matrices of shape $a \times b$ are multiplied with $n$ matrices of shape $b \times c$ in **one batch "
        "multiplication**. **What is the shape of the result?**",
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
            r"The matrices are multiplied in pairs, first with first, second with second: $n$ products of shape "
            rf"$a \times c$, here ({', '.join(str(int(finding.numbers[f'size {place}'])) for place in range(3))}). "
            "Attention multiplies weights of shape (queries, keys) with values of shape (keys, width) in this way, "
            "once "
            "for each text of a batch."
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
