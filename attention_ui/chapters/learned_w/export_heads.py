"""A run of several heads to take home: every head's w and share, and what they attend to together or alone."""

import torch

from attention_core.learning.heads import head_weights, predict_heads
from attention_ui.chapters.learned_w.graphs import Path, epoch_graph, heads_graph
from attention_ui.chapters.learned_w.heads_scripts import epochs_of, our_script, plain_script
from attention_ui.chapters.learned_w.runs import Trained
from attention_ui.export.export import Export
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, run_table, stacked_table, weights_table
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.numbers import short
from attention_ui.pictures.scenes import fine_grid, one_frame, queries_for


def exported_heads(run: Trained, epoch: int) -> Export:
    """The run with the curve and the mixed weights of the epoch that is shown."""
    w, shares, losses = epochs_of(run)
    dataset = run.plan.dataset
    queries, own = queries_for(dataset), w[epoch] / dataset.trained().x_scale
    output, weights = predict_heads(queries, dataset.samples(), own, shares[epoch])
    curve = predict_heads(fine_grid(dataset), dataset.samples(), own, shares[epoch]).output
    epochs = torch.arange(len(w), dtype=torch.float64)
    graphs = epoch_graph("loss", Path(epochs, losses, losses), losses, ()), heads_graph("w", epochs, w)
    ours = f"output, weights = predict_heads(queries, samples, w[{epoch}] / x_scale, shares[{epoch}])\n"
    plain = (
        f"weights = torch.einsum('h,hqk->qk', shares[{epoch}], attended(queries, keys, w[{epoch}] / x_scale))\n"
        "output = weights @ values\n"
    )
    printed = "\nprint(w[-1], shares[-1], losses[-1])  # where it ended\nprint(output)\n"
    return Export(
        name="learned-w-heads",
        title=f"{dataset.title}, {run.plan.heads} heads: epoch {epoch}, loss {short(float(losses[epoch]), 4)}",
        figure=still(one_frame(dataset, curve, weights, graphs), frame=epoch),
        tables={
            "data": points_table(dataset),
            "run": run_table(w, losses, shares),
            "predictions": outputs_table(queries, prediction=output),
            "weights": weights_table(queries, weights),
        },
        script=our_script(run, "predict_heads") + ours + printed,
        plain=plain_script(run) + plain + printed,
        results={"w": w, "shares": shares, "losses": losses, "output": output, "weights": weights},
    )


def exported_head_by_head(run: Trained) -> Export:
    """What every head attends to at the end."""
    w, shares, losses = epochs_of(run)
    dataset = run.plan.dataset
    weights = head_weights(queries_for(dataset), dataset.samples().x, w[-1] / dataset.trained().x_scale)  # (H, Q, K)
    ended = zip(w[-1].tolist(), shares[-1].tolist(), strict=True)
    titles = [f"w = {short(each, 3)}, share {share:.0%}" for each, share in ended]
    names = [f"head {head}" for head in range(1, run.plan.heads + 1)]
    printed = "\nprint(w[-1], shares[-1])\nprint(weights.amax((1, 2)))  # the largest weight of every head\n"
    return Export(
        name="learned-w-head-by-head",
        title=f"{dataset.title}: what each of {run.plan.heads} heads attends to",
        figure=show_heatmaps(weights[None], titles, "keys", "queries"),
        tables={
            "data": points_table(dataset),
            "run": run_table(w, losses, shares),
            "weights": stacked_table(names, weights, "head"),
        },
        script=our_script(run, "head_weights")
        + "weights = head_weights(queries, samples.x, w[-1] / x_scale)  # (heads, queries, keys)\n"
        + printed,
        plain=plain_script(run) + "weights = attended(queries, keys, w[-1] / x_scale)\n" + printed,
        results={"w": w, "shares": shares, "losses": losses, "weights": weights},
    )
