"""What matters more, the kernel or its width?"""

import torch

from attention_core.data import Samples, generate, query_grid, truth
from attention_core.experiments.finding import Finding
from attention_core.kernels import KERNELS
from attention_core.pooling import predict_in_blocks
from attention_core.regression.selection import least_loo_width

COMPARED = ("gaussian", "epanechnikov", "triangular", "tricube", "laplace")
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
DRAWS = 5


def error(samples: Samples, kernel: str, width: float) -> float:
    """Mean squared, against the truth; a query without a key in reach gets the mean of all values."""
    queries = query_grid()
    output = predict_in_blocks(queries, *samples, width, kernel)
    curve = output.where(output.isfinite(), samples.y.mean())
    return (curve - truth("wave", queries)).square().mean().item()


def experiment(seed: int) -> Finding:
    """Five kernels at their leave-one-out widths, against one kernel at five widths; medians over five data sets."""
    data = [generate("wave", n=50, noise=0.5, seed=seed + draw) for draw in range(DRAWS)]
    chosen = {kernel: [least_loo_width(samples, KERNELS[kernel].log) for samples in data] for kernel in COMPARED}

    def errors(kernel: str, factor: float) -> list[float]:
        return [error(samples, kernel, factor * width) for samples, width in zip(data, chosen[kernel], strict=True)]

    by_kernel = torch.tensor([errors(kernel, 1.0) for kernel in COMPARED]).median(1).values
    by_width = torch.tensor([errors("gaussian", factor) for factor in FACTORS]).median(1).values
    of_kernel, of_width = ((each.max() / each.min()).item() for each in (by_kernel, by_width))
    answer = "kernel" if of_kernel > 1.5 * of_width else "width" if of_width > 1.5 * of_kernel else "same"
    numbers = {
        "worst over best, five kernels": of_kernel,
        "worst over best, five widths": of_width,
        "error of the Gaussian at its leave-one-out width": by_width[2].item(),
    }
    return Finding(answer, numbers, {"kernels": by_kernel, "widths": by_width})
