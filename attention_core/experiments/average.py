"""Average pooling against attention of width 1."""

from attention_core.data import generate, query_grid, truth
from attention_core.experiments.finding import Finding
from attention_core.pooling import average, kernel_pool


def experiment(seed: int) -> Finding:
    """Predict d2l's 50 test points both ways from 50 noisy ones, and compare with the truth."""
    samples, queries = generate("wave", n=50, noise=0.5, seed=seed), query_grid()
    known = truth("wave", queries)
    flat = average(queries, *samples).output
    near = kernel_pool(queries, *samples, width=1.0).output
    of_average, of_attention = ((curve - known).square().mean().item() for curve in (flat, near))
    ratio = of_average / of_attention
    answer = "same" if ratio < 1.25 else "few" if ratio < 10 else "many"
    numbers = {
        "error of average pooling": of_average,
        "error of attention": of_attention,
        "times smaller": ratio,
    }
    curves = {"queries": queries, "truth": known, "average": flat, "attention": near}
    return Finding(answer, numbers, {"x": samples.x, "y": samples.y, **curves})
