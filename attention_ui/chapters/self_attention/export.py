"""What the views on self-attention give away: weights and outputs of words, positions, what a longer text costs."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
from torch import Tensor

from attention_core.demos.self_attention import WIDTH
from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_ui.chapters.self_attention import pictures_cost
from attention_ui.chapters.self_attention.choices import Asked
from attention_ui.chapters.self_attention.computation import (
    cost_computation,
    hidden,
    positions_computation,
    tokens_computation,
)
from attention_ui.chapters.self_attention.pictures_positions import SHOWN, position_picture
from attention_ui.export.still import still
from attention_ui.export.view import Export
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture

TOKENS, POSITIONS, COST = "self-attention-tokens", "self-attention-positions", "self-attention-cost"  # of the files
LOOKS = Names("query", "key", "weight", "words as queries", "words as keys")
GETS = Names("word", "number", "value", "words", "numbers of their outputs")


def tokens_title(asked: Asked, percent: int) -> str:
    """What the words show, in a few words of ours."""
    return f"Self-attention, positions counted {percent} %: {' '.join(asked.words[place] for place in asked.order)}"


def tokens_script(asked: Asked, percent: int) -> str:
    """The code that ran for the words, as the page shows it."""
    return tokens_computation(asked, percent).script(TOKENS, tokens_title(asked, percent)).text


def tokens_export(asked: Asked, percent: int) -> Export:
    """The weights and the outputs at this strength; beside them those as typed, where the order is new."""
    made, numbers = tokens_computation(asked, percent), tuple(map(str, range(1, WIDTH + 1)))
    orders = {"": tuple(asked.words[place] for place in asked.order)} | ({"typed_": asked.words} if asked.moved else {})
    tables: dict[str, pd.DataFrame] = {}
    looks, gets = [], []
    for prefix, words in orders.items():
        weights, output = made.shown[f"{prefix}weights"], made.shown[f"{prefix}output"]
        title = "in the new order" if asked.moved and not prefix else "as typed"
        looks.append(Heatmap(f"Weights, {title}", weights, words, words, hidden(asked)))
        gets.append(Heatmap(f"Outputs, {title}", output, words, numbers))
        tables |= {
            f"{prefix.replace('_', '-')}weights": _table(weights, words, words),
            f"{prefix.replace('_', '-')}output": _table(output, words, numbers),
        }
    far = max(panel.frames.abs().max().item() for panel in gets)
    return Export(
        TOKENS,
        tokens_title(asked, percent),
        still(
            Picture(tuple(looks), low=0.0, high=1.0, names=LOOKS, across=2),
            Picture(tuple(gets), low=-far, high=far, names=GETS),
        ),
        tables,
        computation=made,
    )


def _table(cells: Tensor, rows: tuple[str, ...], columns: tuple[str, ...]) -> pd.DataFrame:
    """Words down; a word may come twice, so columns are numbered."""
    table = pd.DataFrame(cells.tolist(), columns=[f"{place}: {name}" for place, name in enumerate(columns, 1)])
    table.insert(0, "word", list(rows))
    return table


def positions_title(width: int, offset: int) -> str:
    """What the positions show, in a few words."""
    return f"Positions as sines and cosines in {width} dimensions, and a step of {offset} as one rotation"


def positions_script(width: int, offset: int) -> str:
    """The code that ran for the positions, as the page shows it."""
    return positions_computation(width, offset).script(POSITIONS, positions_title(width, offset)).text


def positions_export(width: int, position: int, columns: tuple[int, ...], offset: int) -> Export:
    """The encoding, the same rotated by the offset, and the products of all positions."""
    made, dimensions = positions_computation(width, offset), [f"dimension_{place}" for place in range(width)]
    across = {"P": dimensions, "rotated": dimensions, "products": [f"position_{place}" for place in range(SHOWN)]}
    return Export(
        POSITIONS,
        positions_title(width, offset),
        still(position_picture(width, position, columns, ""), frame=offset),
        {
            name: pd.DataFrame(made.shown[name].tolist(), columns=names).rename_axis("position").reset_index()
            for name, names in across.items()
        },
        computation=made,
    )


def cost_title(width: int) -> str:
    """What the costs show, in a few words."""
    return f"What a longer text costs at width {width}"


def cost_script(width: int, length: int) -> str:
    """The code that counted, as the page shows it."""
    return cost_computation(width, length).script(COST, cost_title(width)).text


def cost_export(width: int, length: int, best: Mapping[str, Mapping[int, float]] | None) -> Export:
    """What the layers cost, counted and, where it was done, measured; scripts only count."""
    made = cost_computation(width, length)
    counted = dict(zip(LAYERS, made.shown["multiplications"].tolist(), strict=True))
    rows = [(name, *numbers) for name, numbers in zip(LAYERS, made.shown["table"].tolist(), strict=True)]
    tables = {
        "counted": pd.DataFrame({"length": LENGTHS, **counted}),
        "table": pd.DataFrame(rows, columns=["layer", "operations", "steps", "path"]),
    }
    if best:
        times = [(name, n, seconds) for name, times in best.items() for n, seconds in times.items()]
        tables["measured"] = pd.DataFrame(times, columns=["layer", "length", "seconds"])
    shown = pictures_cost.counted(made.shown["multiplications"])
    if best:
        shown = replace(shown, graphs=(*shown.graphs, *pictures_cost.measured(best).graphs))
    return Export(COST, cost_title(width), still(shown), tables, computation=made)
