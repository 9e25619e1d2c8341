"""The lab and the first page to take home: one width, its curve and its weights."""

from attention_core.data import MOST_READ
from attention_core.regression.estimator import Estimator
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.model import estimator_text
from attention_ui.export.drawing import curve_and_weights, fine_grid
from attention_ui.export.export import Export
from attention_ui.export.points import plain_points, plain_queries
from attention_ui.export.snippets import kernel_regression_snippet
from attention_ui.export.tables import outputs_table, points_table, weights_table
from attention_ui.pictures.scenes import queries_for

# Every kernel as its logarithm: a reader gets the one that was chosen.
BEYOND = ".masked_fill(u.abs() >= 1, -torch.inf)  # no weight at all beyond one width"
SCORES = {
    "gaussian": "-0.5 * u**2",
    "boxcar": f"torch.zeros_like(u){BEYOND}",
    "triangular": f"torch.log1p(-u.abs()){BEYOND}",
    "epanechnikov": f"torch.log1p(-(u**2)){BEYOND}",
    "tricube": f"(3 * torch.log1p(-(u.abs() ** 3))){BEYOND}",
    "laplace": "-u.abs()",
    "cauchy": "-torch.log1p(u**2)",
    "constant": "torch.zeros_like(u)  # every key counts the same: average pooling",
}

REACHED = """
# A query with no key in reach has only scores of -inf: no weights, and no answer.
reached = scores.amax(-1, keepdim=True) > -torch.inf  # (queries, 1)
weights = weights.where(reached, 0.0)"""

TILT = """

# A weighted line at every query instead of a weighted average: tilt the weights until a straight line is met exactly.
# Distances are measured from the strongest key, so that the variance keeps its digits.
anchor = keys[scores.argmax(-1)]  # (queries,)
distance = keys - anchor[:, None]
mean = (weights * distance).sum(-1, keepdim=True)
centred = distance - mean
spread = (weights * centred**2).sum(-1, keepdim=True)
lean = (queries - anchor)[:, None] - mean
weights = weights * (1 + (lean * centred / spread).where(spread > 0, 0.0))"""


def exported(dataset: Dataset, estimator: Estimator, name: str = "kernel-regression") -> Export:
    """What the stage shows at this width."""
    queries, samples = queries_for(dataset), dataset.samples()
    output, weights = estimator.pool(queries, samples)
    curve = estimator.predict(fine_grid(dataset), samples)
    return Export(
        name=name,
        title=f"{dataset.title}, {len(samples.x):,} points: {estimator_text(estimator)}",
        figure=curve_and_weights(dataset, curve, queries, weights),
        tables={
            "data": points_table(dataset),
            "predictions": outputs_table(queries, prediction=output),
            "weights": weights_table(queries, weights),
        },
        script=kernel_regression_snippet(dataset, estimator, MOST_READ),
        plain=plain_script(dataset, estimator),
        results={"queries": queries, "output": output, "weights": weights},
    )


def plain_script(dataset: Dataset, estimator: Estimator) -> str:
    """The same picture in torch alone."""
    compact = BEYOND in SCORES[estimator.kernel]
    answer = "(weights @ values).where(reached[:, 0], torch.nan)" if compact else "weights @ values"
    return f"""import torch

{plain_points(dataset)}
{plain_queries(dataset)}

width = {estimator.width!r}
u = (queries[:, None] - keys) / width  # (queries, keys)
scores = {SCORES[estimator.kernel]}
weights = scores.softmax(-1)  # the scores are log K(u), so this is K / sum K: every row sums to 1
{REACHED if compact else ""}{TILT if estimator.linear else ""}
output = {answer}  # one average per query

print(output)
print(weights.shape)  # (queries, keys)
"""
