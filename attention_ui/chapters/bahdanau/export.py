"""What the views of ready models give away: where they looked, how they do over the length, and what mattered."""

import pandas as pd
import torch
from torch import Tensor

from attention_core.sequences.occlusion import agreement
from attention_ui.chapters.bahdanau import explain, lengths
from attention_ui.chapters.bahdanau.export_plain import answers, explain_plain, lengths_plain, steps_plain
from attention_ui.chapters.bahdanau.figures import lengths_chart
from attention_ui.chapters.bahdanau.models import exact_at, occluded, swaps, traced
from attention_ui.chapters.bahdanau.snippets import explain_snippet, lengths_snippet, steps_snippet
from attention_ui.chapters.bahdanau.state import Asked
from attention_ui.chapters.bahdanau.steps import SHOWN
from attention_ui.export import Export
from attention_ui.export.still import still
from attention_ui.pictures import Heatmap, Picture


def steps_export(chosen: Asked) -> Export:
    """The alignment of one text, and the chances that every symbol was chosen from."""
    trace = traced(*chosen)
    read = tuple(SHOWN.get(character, character) for character in trace.text)
    panel = Heatmap("Where it looked", trace.weights, trace.symbols, read)
    chances = pd.DataFrame(trace.probabilities.tolist(), columns=list(chosen.task.target.symbols))
    return Export(
        f"bahdanau-{chosen.task_name}",
        f"Where the decoder looks: {chosen.text} → {trace.output}",
        still(Picture((panel,), low=0.0, high=1.0, names=explain.NAMES._replace(cell="weight"))),
        {
            "weights": matrix(trace.weights, trace.symbols, trace.text),
            "scores": matrix(trace.scores, trace.symbols, trace.text),
            "probabilities": chances.assign(written=list(trace.symbols)),
        },
        steps_snippet(chosen),
        steps_plain(chosen),
        {name: getattr(trace, name) for name in ("scores", "weights", "contexts", "probabilities")},
    )


def matrix(cells: Tensor, written: tuple[str, ...], read: str) -> pd.DataFrame:
    """A row for each written symbol, a column for each place read; symbols repeat, so places are numbered."""
    columns = [f"{place}: {symbol}" for place, symbol in enumerate(read, 1)]
    table = pd.DataFrame(cells.tolist(), columns=columns)
    table.insert(0, "written", list(written))
    return table


def lengths_export(length: int) -> Export:
    """Exact match by length, and one string in detail."""
    shares = {
        label: [exact_at(name, n, lengths.COUNT) for n in lengths.LENGTHS] for label, name in lengths.MODELS.items()
    }
    table = pd.DataFrame({"digits": lengths.LENGTHS, **shares})
    written = pd.DataFrame(
        [row for texts in answers() for row in zip(*texts, strict=True)], columns=["text", *lengths.MODELS]
    )
    one = lengths.unseen(length)
    in_place = [
        sum(map(str.__eq__, traced("reverse", one, name).output, one[::-1])) for name in lengths.MODELS.values()
    ]
    ours, fixed = (torch.tensor(share, dtype=torch.float64) for share in shares.values())
    return Export(
        "bahdanau-lengths",
        "Digits reversed without an error, with attention and with a fixed context",
        lengths_chart(lengths.LENGTHS, shares, lengths.TRAINED_UP_TO),
        {"exact-match": table, "written": written},
        lengths_snippet(length),
        lengths_plain(length),
        {"with_attention": ours, "fixed_context": fixed, "in_place": torch.tensor(in_place)},
    )


def explain_export(chosen: Asked, row: int) -> Export:
    """Attention beside effect, how far they agree, and the swaps of one written symbol."""
    trace, effects = occluded(*chosen)
    tried = [swaps(*chosen, row, least) for least in (False, True)]
    rows = [
        (which, swap.position + 1, swap.text, swap.output, swap.changed)
        for which, found in zip(("most", "least"), tried, strict=True)
        for swap in found
    ]
    agreed = agreement(trace.weights, effects)
    return Export(
        f"bahdanau-explained-{chosen.task_name}",
        f"Attention beside the effect of a swap: {chosen.text} → {trace.output}",
        still(explain.compared(*chosen)),
        {
            "weights": matrix(trace.weights, trace.symbols, trace.text),
            "effects": matrix(effects, trace.symbols, trace.text),
            "agreement": pd.DataFrame([agreed]),
            "swaps": pd.DataFrame(rows, columns=["attended", "place", "text", "output", "changed"]),
        },
        explain_snippet(chosen, row),
        explain_plain(chosen, row),
        {
            "weights": trace.weights,
            "effects": effects,
            "agreed": torch.tensor(agreed),
            "changes": torch.tensor([sum(swap.changed for swap in found) for found in tried]),
        },
    )
