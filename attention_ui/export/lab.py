"""The lab and the first page: one width, its curve and its weights."""

from attention_core.demos.regression import local_lines, local_lines_in_groups, regression, regression_in_groups
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_core.regression.frames import group_size
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.model import estimator_text
from attention_ui.export.computation import Computation
from attention_ui.export.points import points_call, queries_call
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, weights_table
from attention_ui.export.view import Export
from attention_ui.export.writing import Call
from attention_ui.pictures.regression import fine_grid, one_frame

NAME = "kernel-regression"  # of the files
MOST_APART = 5_000  # keys: the weights of more are added up by groups, as the heatmap shows them


def computation(dataset: Dataset, estimator: Estimator) -> Computation:
    """What the page runs at this width: queries, output, weights, and for local lines the attention behind them."""
    given = {
        "points": points_call(dataset),
        "queries": queries_call(dataset),
        "width": estimator.width,
        "log_kernel": KERNELS[estimator.kernel].log,
    }
    n = len(dataset.samples().x)
    if n <= MOST_APART:
        call = Call(local_lines if estimator.linear else regression, **given)
    else:
        demo = local_lines_in_groups if estimator.linear else regression_in_groups
        call = Call(demo, **given, size=group_size(n))
    return Computation(call, "curve_and_heatmap")


def title(dataset: Dataset, estimator: Estimator) -> str:
    """What the picture shows, in a few words."""
    return f"{dataset.title}, {len(dataset.samples().x):,} points: {estimator_text(estimator)}"


def script(dataset: Dataset, estimator: Estimator, name: str = NAME) -> str:
    """The code that ran, as the page shows it."""
    return computation(dataset, estimator).script(name, title(dataset, estimator)).text


def exported(dataset: Dataset, estimator: Estimator, name: str = NAME) -> Export:
    """What the picture shows at this width."""
    made = computation(dataset, estimator)
    queries, output, weights = (made.shown[each] for each in ("queries", "output", "weights"))
    curve, n = estimator.predict(fine_grid(dataset), dataset.samples()), len(dataset.samples().x)
    return Export(
        name=name,
        title=title(dataset, estimator),
        figure=still(one_frame(dataset, curve, weights)),
        tables={
            "data": points_table(dataset),
            "predictions": outputs_table(queries, prediction=output),
            "weights": weights_table(queries, weights, group_size(n) if n > MOST_APART else 1),
        },
        computation=made,
    )
