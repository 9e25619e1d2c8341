"""What the views give away: an opened block, all heads, the writing of a text, and a training."""

from typing import Any

import pandas as pd
from torch import Tensor

from attention_core.sequences.vocabulary import END
from attention_core.transformer.decoding import Text
from attention_core.transformer.recorder import axes
from attention_ui.chapters.transformer import diagram
from attention_ui.chapters.transformer.choices import Asked
from attention_ui.chapters.transformer.computation import heads, made_as, opened, written
from attention_ui.chapters.transformer.models import REVERSE, look
from attention_ui.chapters.transformer.pictures import head_names, heads_picture, to_write, training_picture
from attention_ui.export.still import still
from attention_ui.export.trainings import made_by, run_tables
from attention_ui.export.view import Export
from attention_ui.live.sequences import SequenceRun
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture

WRITTEN = Names("symbol written", "symbol read", "weight", "symbols written", "symbols read")
TOTAL = {"sum": "total"}  # what a table is called


def block_export(asked: Asked, tensor: str) -> Export:
    """The open tensor, and the block that makes it."""
    made, seen, (part, _, word) = opened(asked, tensor), look(asked.model, asked.text), tensor.rpartition(".")
    title = f"{_called(part)}: {word} of {asked.text}"
    cells: Tensor = made.shown[made_as(tensor)]
    header = diagram.described(tensor, seen.tensors[tensor], seen)
    titles = [f"Head {head + 1}" for head in range(len(cells))] if "H" in axes(tensor) else [title]
    panels = tuple(
        Heatmap(name, rows, header["rows"], header["columns"])
        for name, rows in zip(titles, cells.reshape(-1, *cells.shape[-2:]), strict=True)
    )
    names = Names("row", "column", word, header["axes"][-2], header["axes"][-1])
    return Export(
        f"transformer-{part.replace('.', '-').replace('_', '-')}-{word}",
        title,
        still(Picture(panels, low=header["low"], high=header["high"], names=names)),
        {TOTAL.get(word, word): _table(panels)},
        computation=made,
    )


def _called(part: str) -> str:
    """Which part of the Transformer it is, in words: Encoder, layer 1, self-attention."""
    side, *inside = part.split(".")
    words = [f"layer {int(word) + 1}" if word.isdigit() else word.replace("_", "-") for word in inside]
    return ", ".join([side.capitalize(), *words])


def _table(panels: tuple[Heatmap, ...]) -> pd.DataFrame:
    """One row for each row of each picture; labels repeat, so columns are numbered."""
    columns = [f"{place}: {label}" for place, label in enumerate(panels[0].columns)]
    parts = []
    for panel in panels:
        part = pd.DataFrame(panel.frames.tolist(), columns=columns)
        part.insert(0, "row", list(panel.rows))
        if len(panels) > 1:
            part.insert(0, "picture", panel.title)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def all_heads(asked: Asked) -> Text:
    """What is written, with the weights of every head of every layer."""
    return look(asked.model, asked.text).text._replace(**heads(asked).shown)


def heads_export(asked: Asked) -> Export:
    """The weights of every head of every layer."""
    text = all_heads(asked)
    labels = {"encoder": (text.text, text.text), "decoder": (text.before,) * 2, "cross": (text.symbols, text.text)}
    return Export(
        "transformer-heads",
        f"Every head of the Transformer: {asked.text} → {text.output}",
        still(heads_picture(text)),
        {kind: _table(_panels(heads(asked).shown[kind], *map(tuple, sides))) for kind, sides in labels.items()},
        computation=heads(asked),
    )


def _panels(weights: Tensor, rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[Heatmap, ...]:
    names = head_names(weights)
    return tuple(Heatmap(n, w, rows, columns) for n, w in zip(names, weights.flatten(0, 1), strict=True))


def decoding_export(asked: Asked, seed: int | None, temperature: float) -> Export:
    """Where every head looked for every symbol, and the distribution that it was chosen from."""
    made = written(asked, temperature, seed)
    symbols, chances, names = made.shown["symbols"], made.shown["probabilities"], REVERSE.target.symbols[END:]
    output = "".join(symbol for symbol in symbols if symbol in REVERSE.written)
    panels = _panels(made.shown["cross"], to_write(symbols), tuple(asked.text))
    chosen = Heatmap(f"Probability at T = {temperature:g}", chances, to_write(symbols), names)
    table = pd.DataFrame(chances.tolist(), columns=list(names))
    table.insert(0, "written", list(symbols))
    return Export(
        "transformer-decoding",
        f"Symbol by symbol at T = {temperature:g}: {asked.text} → {output}",
        still(Picture((*panels, chosen), low=0.0, high=1.0, names=WRITTEN._replace(columns="symbols"))),
        {"probabilities": table, "cross": _table(panels)},
        computation=made,
    )


def training_export(run: SequenceRun[Any] | None) -> Export:
    """The run so far: the loss of every step, exact match at every check, and the last look of every head."""
    made = made_by(run)
    assert run
    checks, labels = run.checks, (REVERSE.example, REVERSE.solve(REVERSE.example))
    return Export(
        "transformer-training",
        f"A Transformer learns to reverse digits: after {run.step} steps",
        still(training_picture(checks[-1:], checks, run.losses, run.total, labels)),
        run_tables(run),
        computation=made,
    )
