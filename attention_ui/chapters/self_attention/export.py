"""What the views on self-attention give away: words that ask each other, positions, and what a longer text costs."""

from collections.abc import Mapping

import pandas as pd
import torch
from torch import Tensor

from attention_core.transformer.cost import LAYERS, LENGTHS, counts
from attention_core.transformer.positions import similarity
from attention_ui.chapters.self_attention.attending import WIDTH, Asked, attended, changes, hidden
from attention_ui.chapters.self_attention.export_plain import cost_plain, positions_plain, tokens_plain
from attention_ui.chapters.self_attention.figures_costs import counted_and_measured
from attention_ui.chapters.self_attention.figures_positions import SHOWN, position_picture, rotated
from attention_ui.chapters.self_attention.snippet import cost_snippet, positions_snippet, tokens_snippet
from attention_ui.export import Export
from attention_ui.export.still import still
from attention_ui.pictures import Heatmap, Names, Picture

LOOKS = Names("word", "word", "weight", "words that ask", "words that answer")
GETS = Names("word", "number", "value", "words", "numbers of their outputs")


def tokens_export(asked: Asked, percent: int) -> Export:
    """Who looks at whom at this strength, and what each gets; beside it as typed, where the order is new."""
    typed = tuple(range(len(asked.words)))
    orders = {"": asked.order} if asked.order == typed else {"": asked.order, "typed_": typed}
    results: dict[str, Tensor] = {}
    tables: dict[str, pd.DataFrame] = {}
    looks, gets = [], []
    for prefix, order in orders.items():
        seen, words = attended(asked, order), tuple(asked.words[place] for place in order)
        weights, output = seen.weights[percent], seen.output[percent]
        results |= {f"{prefix}weights": weights, f"{prefix}output": output}
        numbers = tuple(map(str, range(1, WIDTH + 1)))
        title = "as typed" if order == typed else "in the new order"
        looks.append(Heatmap(f"Weights, {title}", weights, words, words, hidden(asked)))
        gets.append(Heatmap(f"Outputs, {title}", output, words, numbers))
        tables |= {
            f"{prefix.replace('_', '-')}weights": _table(weights, words, words),
            f"{prefix.replace('_', '-')}output": _table(output, words, numbers),
        }
    far = max(panel.frames.abs().max().item() for panel in gets)
    if "typed_" in orders:
        results["change"] = changes(asked)[percent]
    return Export(
        "self-attention-tokens",
        f"Self-attention, positions counted {percent} %: {' '.join(asked.words[place] for place in asked.order)}",
        still(
            Picture(tuple(looks), low=0.0, high=1.0, names=LOOKS, across=2),
            Picture(tuple(gets), low=-far, high=far, names=GETS),
        ),
        tables,
        tokens_snippet(asked, percent),
        tokens_plain(asked, percent),
        results,
    )


def _table(cells: Tensor, rows: tuple[str, ...], columns: tuple[str, ...]) -> pd.DataFrame:
    """Words down; a word may come twice, so columns are numbered."""
    table = pd.DataFrame(cells.tolist(), columns=[f"{place}: {name}" for place, name in enumerate(columns, 1)])
    table.insert(0, "word", list(rows))
    return table


def positions_export(width: int, position: int, columns: tuple[int, ...], offset: int) -> Export:
    """The encoding, the same rotated by the offset, and the products of all positions."""
    turned, _ = rotated(width)
    P, moved = turned[0], turned[offset]  # noqa: N806
    numbers = [f"dimension_{place}" for place in range(width)]
    tables = {
        name: pd.DataFrame(cells.tolist(), columns=names).rename_axis("position").reset_index()
        for name, cells, names in (
            ("P", P, numbers),
            ("rotated", moved, numbers),
            ("products", P @ P.mT / (width / 2), [f"position_{place}" for place in range(SHOWN)]),
        )
    }
    return Export(
        "self-attention-positions",
        f"Positions as sines and cosines in {width} dimensions, and a step of {offset} as one rotation",
        still(position_picture(width, position, columns, ""), frame=offset),
        tables,
        positions_snippet(width, position, offset),
        positions_plain(width, offset),
        {
            "P": P,
            "rotated": moved,
            "products": P @ P.mT / (width / 2),
            "product": similarity(torch.tensor(offset), width),
        },
    )


def cost_export(width: int, length: int, best: Mapping[str, Mapping[int, float]] | None) -> Export:
    """What the three layers cost, counted and, where it was done, measured; a clock cannot be read again."""
    found = {name: [counts(name, n, width).multiplications for n in LENGTHS] for name in LAYERS}
    at = {name: counts(name, length, width) for name in LAYERS}
    tables = {
        "counted": pd.DataFrame({"length": LENGTHS, **found}),
        "table": pd.DataFrame(
            [(name, row.order, row.steps, row.path) for name, row in at.items()],
            columns=["layer", "operations", "steps", "path"],
        ),
    }
    if best:
        rows = [(name, n, seconds) for name, times in best.items() for n, seconds in times.items()]
        tables["measured"] = pd.DataFrame(rows, columns=["layer", "length", "seconds"])
    return Export(
        "self-attention-cost",
        f"What a longer text costs at width {width}",
        counted_and_measured(width, best),
        tables,
        cost_snippet(width, length),
        cost_plain(width, length),
        {
            "multiplications": torch.tensor(list(found.values())),
            "table": torch.tensor([(row.order, row.steps, row.path) for row in at.values()]),
        },
    )
