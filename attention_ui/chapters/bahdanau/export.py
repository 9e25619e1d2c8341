"""What the views give away: where the decoder looked, how it does over the length, what mattered, and a training."""

from typing import Any

import pandas as pd
from torch import Tensor

from attention_core.sequences.decoding import outputs
from attention_core.sequences.tasks import TASKS, Lengths, strings
from attention_core.sequences.trained import MODELS, model_of, swaps, traced
from attention_ui.chapters.bahdanau import explain, lengths, pictures
from attention_ui.chapters.bahdanau.choices import Asked
from attention_ui.chapters.bahdanau.computation import COUNT, aligned, compared, explained
from attention_ui.chapters.bahdanau.steps import SHOWN, output_of
from attention_ui.export.still import still
from attention_ui.export.trainings import made_by, run_tables
from attention_ui.export.view import Export
from attention_ui.live.sequences import SequenceRun
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture


def steps_export(chosen: Asked) -> Export:
    """The alignment of one text, and the chances that every symbol was chosen from."""
    made = aligned(*chosen)
    symbols, weights = made.shown["symbols"], made.shown["weights"]
    read = tuple(SHOWN.get(character, character) for character in chosen.text)
    panel = Heatmap("Attention weights", weights, tuple(symbols), read)
    chances = pd.DataFrame(made.shown["probabilities"].tolist(), columns=list(chosen.task.target.symbols))
    return Export(
        f"bahdanau-{chosen.task_name}",
        f"What the decoder attends to: {chosen.text} → {output_of(chosen)}",
        still(Picture((panel,), low=0.0, high=1.0, names=explain.NAMES._replace(cell="weight"))),
        {
            "weights": matrix(weights, symbols, chosen.text),
            "scores": matrix(made.shown["scores"], symbols, chosen.text),
            "probabilities": chances.assign(written=list(symbols)),
        },
        computation=made,
    )


def matrix(cells: Tensor, written: list[str], read: str) -> pd.DataFrame:
    """A row for each written symbol, a column for each place read; symbols repeat, so places are numbered."""
    columns = [f"{place}: {symbol}" for place, symbol in enumerate(read, 1)]
    table = pd.DataFrame(cells.tolist(), columns=columns)
    table.insert(0, "written", list(written))
    return table


def lengths_export(length: int) -> Export:
    """Exact match by length, and one string in detail."""
    shares = lengths.shares()
    return Export(
        "bahdanau-lengths",
        "Digits reversed without an error, with attention and with a fixed context",
        still(lengths.picture(shares)),
        {"exact-match": pd.DataFrame({"digits": lengths.LENGTHS, **shares}), "written": _answers()},
        computation=compared(length),
    )


def _answers() -> pd.DataFrame:
    """All unseen strings, and what each model writes for them."""
    task, rows = TASKS["reverse"], list[tuple[str, ...]]()
    for n in lengths.LENGTHS:
        texts = strings(task, COUNT, 0, "unseen", Lengths(n, n))
        rows += zip(texts, *(outputs(model_of(name), task, texts) for name in MODELS.values()), strict=True)
    return pd.DataFrame(rows, columns=["text", *MODELS])


def explain_export(chosen: Asked, row: int) -> Export:
    """Attention beside effect, how far they agree, and the swaps of one written symbol."""
    made, trace = explained(*chosen, row), traced(*chosen)
    rows = [
        (which, swap.position + 1, swap.text, swap.output, swap.changed)
        for which, least in (("most", False), ("least", True))
        for swap in swaps(*chosen, row, least)
    ]
    symbols = list(trace.symbols)
    return Export(
        f"bahdanau-explained-{chosen.task_name}",
        f"Attention beside the effect of a swap: {chosen.text} → {trace.output}",
        still(explain.compared(*chosen)),
        {
            "weights": matrix(made.shown["weights"], symbols, chosen.text),
            "effects": matrix(made.shown["effects"], symbols, chosen.text),
            "agreement": pd.DataFrame([explain.agreement(*chosen)]),
            "swaps": pd.DataFrame(rows, columns=["attended", "place", "text", "output", "changed"]),
        },
        computation=made,
    )


def training_export(run: SequenceRun[Any] | None) -> Export:
    """The run so far: the loss of every step, exact match at every check, and the last alignment."""
    made = made_by(run)
    assert run
    return Export(
        f"bahdanau-training-{run.plan.task_name}",
        f"{run.plan.task.label}: the loss, exact match and alignment after {run.step} steps of training",
        still(pictures.training_picture(run.plan, run.checks, run.losses), frame=len(run.checks) - 1),
        run_tables(run),
        computation=made,
    )
