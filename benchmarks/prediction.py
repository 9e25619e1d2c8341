"""`predict` against statsmodels, numpy broadcasting, the d2l way, and the bare cost of an exponential a pair."""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from statsmodels.nonparametric.kernel_regression import KernelReg

from attention_core.data import generate
from attention_core.pooling import predict_in_blocks
from attention_core.regression.prediction import Predictions, predict
from attention_core.regression.sums import kernel_sums
from benchmarks.measure import peak_megabytes, side_by_side
from tests.attention_core.regression.sums.test_kernel_sums import LAYOUTS, drawn

# statsmodels on its own future default of a random seed, which plays no part here
warnings.filterwarnings("ignore", "After 0.17", FutureWarning)

WIDTH = 0.2  # 4 % of the range of the keys
MANY, SHARES = 100_000, (1e-4, 1e-2, 1.0)  # keys and queries of every layout, and widths as shares of their range
CHECKED = 100  # queries held against every key
SIZES = (50, 500, 5_000, 20_000, 100_000, 1_000_000)
PAIRS = 20_000**2  # above this, whoever looks at every pair would take minutes
WHOLE = 20_000 // 2  # above this, the ways that hold all pairs at once would need several gigabytes


def problem(n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    keys = torch.rand(n, dtype=torch.float64, generator=generator) * 5
    queries = torch.rand(n, dtype=torch.float64, generator=generator) * 5
    return queries, keys, torch.sin(keys)


def ours(n: int) -> Callable[[], Any]:
    return partial(predict, *problem(n), WIDTH)


def statsmodels(n: int) -> Callable[[], Any]:
    queries, keys, values = (t.numpy() for t in problem(n))
    regression = KernelReg(values, keys, "c", reg_type="lc", bw=[WIDTH])
    estimate, width = regression.est["lc"], np.array([WIDTH])
    # Its own estimator query by query: fit() would also compute marginal effects that nobody asked for.
    endog, exog = regression.endog, regression.exog
    return lambda: [estimate(width, endog, exog, queries[i : i + 1])[0] for i in range(n)]


def numpy_broadcast(n: int) -> Callable[[], Any]:
    queries, keys, values = (t.numpy() for t in problem(n))

    def call() -> Any:
        kernel = np.exp(-(((queries[:, None] - keys) / WIDTH) ** 2) / 2)
        return kernel @ values / kernel.sum(1)

    return call


def d2l_style(n: int) -> Callable[[], Any]:
    queries, keys, values = problem(n)

    def call() -> Any:
        repeated = queries.repeat_interleave(n).reshape((-1, n))
        weights = torch.nn.functional.softmax(-(((repeated - keys) / WIDTH) ** 2) / 2, dim=1)
        return torch.matmul(weights, values)

    return call


def exponentials(n: int) -> Callable[[], Any]:
    """The floor: n * n exponentials in cache, and nothing else."""
    block = torch.linspace(-5, 0, min(n * n, 2**14), dtype=torch.float64)
    out, turns = torch.empty_like(block), max(1, n * n // 2**14)

    def call() -> Any:
        for _ in range(turns):
            torch.exp(block, out=out)

    return call


def narrow(n: int) -> Callable[[], Any]:
    """Even keys, with a width of 1 % of their range."""
    queries, _, values = problem(n)
    return partial(predict, queries, torch.linspace(0, 5, n, dtype=torch.float64), values, 0.05)


def layout_rows() -> Iterator[dict[str, Any]]:
    """A hundred thousand keys and queries in nine layouts, and the largest error as a share of the range of values."""
    for layout in LAYOUTS:
        samples = drawn(layout, MANY)
        span = float(samples.x[-1] - samples.x[0])
        queries = samples.x[0] + span * (1.2 * torch.rand(MANY, dtype=torch.float64) - 0.1)
        for share in SHARES:
            width, some = share * span, queries[:: MANY // CHECKED]
            begun = time.process_time()
            found = predict(queries, *samples, width)
            seconds = time.process_time() - begun
            off = (found[:: MANY // CHECKED] - predict_in_blocks(some, *samples, width)).abs().max()
            error = float(off / (samples.y.max() - samples.y.min()))
            yield {
                "size": f"{layout}, width {share:g}",
                "seconds": {"predict": seconds},
                "against": "predict",
                "error": error,
            }


def way_rows() -> Iterator[dict[str, Any]]:
    """Every way on both sides of where another one gets cheaper; `kernel_sums` chooses by an estimate of these."""
    never, ways = 2**62, {"chosen": {"SETUP": kernel_sums.SETUP}, "pairs": {"SETUP": 2**62}}
    ways |= {"cells": {"SETUP": -1, "CROWD": 0}, "tree": {"SETUP": -1, "NODES": 0, "CROWD": never}}
    for n, count, widths in ((1_000, 262, 1), (1_000, 1_050, 1), (3_000, 50, 1), (12_000, 50, 1), (700, 50, 61)):
        samples, queries = generate(n=n), torch.linspace(0, 5, count, dtype=torch.float64)
        some = torch.logspace(-1, 0.5, widths, dtype=torch.float64)

        def summed(settings: dict[str, float], given=(samples, queries, some)) -> Any:
            with patch.multiple(kernel_sums, **settings):
                return Predictions(given[0]).outputs(*given[1:])

        rivals = {name: partial(summed, settings) for name, settings in ways.items()}
        size = f"{n} keys, {count} queries, {widths} widths"
        yield {"size": size, "seconds": side_by_side(rivals, 0.3), "against": "chosen"}


def rows() -> Iterator[dict[str, Any]]:
    """One row per size: seconds of each way, ratios to ours, and the memory at the peak."""
    for n in SIZES:
        rivals = {"predict": ours(n)}
        if n * n <= PAIRS:
            rivals |= {"statsmodels": statsmodels(n), "exp limit": exponentials(n)}
        if n <= WHOLE:
            rivals |= {"numpy broadcast": numpy_broadcast(n), "d2l style": d2l_style(n)}
        times = side_by_side(rivals)
        memory = peak_megabytes("prediction", "ours", n)
        yield {"size": f"{n} x {n}", "seconds": times, "against": "predict", "peak MB": memory}
    times, memory = side_by_side({"predict": narrow(SIZES[-1])}), peak_megabytes("prediction", "narrow", SIZES[-1])
    yield {"size": "even keys, width 1 %", "seconds": times, "against": "predict", "peak MB": memory}
