"""Average pooling against attention of width 1."""

from attention_core.data import noisy, query_grid, wave
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian
from attention_core.pooling import attend


def experiment(seed: int) -> Finding:
    """Predict d2l's 50 test points both ways from 50 noisy ones, and compare with the truth."""
    (x, y), queries = noisy(wave, n=50, noise=0.5, seed=seed), query_grid()
    known = wave(queries)
    flat = y.mean().expand(len(queries))
    near = attend(gaussian(queries[:, None] - x), y).output
    of_average, of_attention = ((curve - known).square().mean().item() for curve in (flat, near))
    ratio = of_average / of_attention
    answer = "same" if ratio < 1.25 else "few" if ratio < 10 else "many"
    numbers = {
        "error of average pooling": of_average,
        "error of attention": of_attention,
        "times smaller": ratio,
    }
    curves = {"queries": queries, "truth": known, "average": flat, "attention": near}
    return Finding(answer, numbers, {"x": x, "y": y, **curves})
