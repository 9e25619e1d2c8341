"""Kernel regression as torch's own attention, to take home."""

import pandas as pd

from attention_core.data import generate
from attention_ui.chapters.scoring.analogy import both_curves, snippet
from attention_ui.chapters.scoring.figures_analogy import same_curve
from attention_ui.export import Export


def exported(width: str) -> Export:
    """Both curves at this width."""
    (queries, kernel, attention), samples = both_curves(float(width)), generate()
    return Export(
        name="kernel-regression-is-attention",
        title=f"Kernel regression of width {width} by torch's own attention",
        figure=same_curve(queries, samples, kernel, attention),
        tables={
            "curves": pd.DataFrame(
                {"query": queries.tolist(), "kernel regression": kernel.tolist(), "attention": attention.tolist()}
            ),
            "samples": pd.DataFrame({"x": samples.x.tolist(), "y": samples.y.tolist()}),
        },
        script=snippet(width),
        plain=plain(width),
        results={"queries": queries, "kernel": kernel, "attention": attention},
    )


def plain(width: str) -> str:
    """The same in torch alone."""
    return f"""import torch
from torch.nn.functional import scaled_dot_product_attention

# 50 noisy points of 2 sin(x) + x^0.8: their inputs are the keys, their outputs the values.
generator = torch.Generator().manual_seed(0)
x = torch.sort(5 * torch.rand(50, generator=generator)).values
y = 2 * torch.sin(x) + x**0.8 + torch.normal(0.0, 0.5, (50,), generator=generator)
keys, values = x.double(), y.double()
queries = torch.linspace(0, 5, 201, dtype=torch.float64)
width = {width}

# Nadaraya-Watson: the values, weighted by a Gaussian of the distance between query and key.
scores = -(queries[:, None] - keys).square() / (2 * width**2)  # (queries, keys)
kernel = scores.softmax(-1) @ values

# The same by dot products: -(q - k)^2 / 2 = q k - k^2 / 2 - q^2 / 2, and softmax over the keys does not see q^2.
# Distances do not care where 0 is, but squares lose digits far from it: put it in the middle.
middle = (keys.min() + keys.max()) / 2
q, k = queries - middle, keys - middle
longer_queries = torch.stack([q / width**2, torch.ones_like(q)], -1)  # (queries, 2)
longer_keys = torch.stack([k, -k.square() / (2 * width**2)], -1)  # (keys, 2)
attention = scaled_dot_product_attention(
    longer_queries[None], longer_keys[None], values[None, :, None], scale=1.0
)[0, :, 0]

print((kernel - attention).abs().max())
"""
