"""The gallery to take home: the patterns, or the lab's own weights."""

import torch

from attention_core.data import generate, query_grid
from attention_core.demos.patterns import PATTERNS, pattern_weights
from attention_core.pooling import kernel_pool
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.figures import in_rows
from attention_ui.controls.dataset import Dataset
from attention_ui.export.export import Export
from attention_ui.export.points import plain_points, plain_queries
from attention_ui.export.snippets import written
from attention_ui.export.tables import points_table, stacked_table
from attention_ui.numbers import short
from attention_ui.pictures.cache import chosen_widths

# The scores of attention_core.demos.patterns, as a reader would write them: q (Q, 1) and k (1, K) are positions.
SCORES = {
    "uniform": "torch.zeros(n, n, dtype=torch.float64)",
    "identity": "allowed(q == k)",
    "causal": "allowed(k <= q)",
    "banded": "allowed((q - k).abs() <= band)",
    "blocks": "allowed(q // (band + 1) == k // (band + 1))",
    "previous": "-0.5 * (k - (q - 1).clamp(min=0)).double().square()",
    "repeats": "2 * torch.cos(2 * torch.pi * (q - k).double() / 4)",
    "untrained": "2 * asked[:n] @ offered[:n].T / 16**0.5",
}
ALLOWED = '''

def allowed(mask):
    """Equal scores where the mask is true, -inf elsewhere: softmax shares the weight among the allowed."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -torch.inf)


'''
RANDOM = """# Queries and keys that nobody has trained.
asked, offered = torch.randn(2, 64, 16, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

"""


def exported_patterns(chosen: Chosen, sharpness: float) -> Export:
    """The chosen patterns at this sharpness."""
    weights = pattern_weights(chosen.names, chosen.n, chosen.band, sharpness)  # (P, Q, K)
    ours = f"""from attention_core.demos.patterns import pattern_weights

names = {list(chosen.names)!r}
weights = pattern_weights(names, n={chosen.n}, band={chosen.band}, sharpness={sharpness!r})

print(weights.shape)    # (patterns, queries, keys)
print(weights.sum(-1))  # every row sums to 1
"""
    return Export(
        name="attention-patterns",
        title=f"Patterns of attention, sharpness {short(sharpness)}",
        figure=in_rows(weights, [PATTERNS[name].label for name in chosen.names], chosen.shared),
        tables={"weights": stacked_table(list(chosen.names), weights, "pattern")},
        script=ours,
        plain=_plain_patterns(chosen, sharpness),
        results={"weights": weights},
    )


def _plain_patterns(chosen: Chosen, sharpness: float) -> str:
    scores = "\n".join(f"    {name!r}: {SCORES[name]}," for name in chosen.names)
    mask = ALLOWED if any("allowed" in SCORES[name] for name in chosen.names) else "\n"
    band = f"band = {chosen.band}  # how far a neighbour may be\n" if "band" in scores else ""
    random = RANDOM if "untrained" in chosen.names else ""
    return f"""import torch
{mask}n, sharpness = {chosen.n}, {sharpness!r}
{band}q, k = torch.arange(n)[:, None], torch.arange(n)[None, :]  # (queries, 1), (1, keys)

{random}scores = {{
{scores}
}}
weights = torch.stack([(sharpness * each).softmax(-1) for each in scores.values()])  # (patterns, queries, keys)

print(weights.sum(-1))  # every row sums to 1
"""


def exported_lab() -> Export:
    """The lab's weights at width 1 and at the width that leave-one-out chooses."""
    dataset, queries = Dataset(), query_grid()
    widths = (1.0, chosen_widths(dataset, "gaussian", False)["leave_one_out"])
    samples = generate()
    weights = kernel_pool(queries, *samples, torch.tensor(widths, dtype=torch.float64)[:, None, None]).weights
    titles = [f"width {short(width)}" for width in widths]
    ours = f"""import torch

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool

samples, queries = generate(), query_grid()
widths = torch.tensor({written(widths)}, dtype=torch.float64)  # the second was chosen by leaving points out
weights = kernel_pool(queries, *samples, widths[:, None, None]).weights  # (widths, queries, keys)

print(weights.amax((1, 2)))  # the largest weight at either width
"""
    plain = f"""import torch

{plain_points(dataset)}
{plain_queries(dataset)}

widths = torch.tensor({written(widths)}, dtype=torch.float64)  # the second was chosen by leaving points out
u = (queries[:, None] - keys) / widths[:, None, None]  # (widths, queries, keys)
weights = (-0.5 * u**2).softmax(-1)

print(weights.amax((1, 2)))  # the largest weight at either width
"""
    return Export(
        name="lab-weights",
        title="Kernel regression on 50 points, before and after its width was chosen",
        figure=in_rows(weights, titles, shared=True),
        tables={"data": points_table(dataset), "weights": stacked_table(titles, weights, "width")},
        script=ours,
        plain=plain,
        results={"weights": weights},
    )
