"""The diagram on a page: the frames of a whole space, which travel once, and a small answer for every question."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import torch

from attention_core.demos.qkv import closeness, pooled
from attention_ui.chapters.qkv.calls import answer
from attention_ui.chapters.qkv.choices import TEMPERATURE, query_text, temperature_text
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, VALUE_AXIS, Asked
from attention_ui.component import component
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import send_message

HERE = Path(__file__).parent
LEVELS = 65_520  # steps of a weight in flight, so that halves, thirds and sixths are whole; the answer is exact

DIAGRAM = component("qkv", HERE / "js" / "qkv.js", HERE / "qkv.css")


@lru_cache(len(SPACES))
def packed(name: str) -> bytes:
    """Scores, outputs and weights for every temperature T and every place N of a query, as torch made them."""
    space = SPACES[name]
    nodes = space.nodes()
    pools = [pooled(nodes, temperature, space.pairs) for temperature in TEMPERATURES]
    weights = torch.stack([pool.weights for pool in pools])  # (T, N, K)
    header = {
        "space": name,
        "levels": LEVELS,
        "counts": space.counts,
        "perUnit": space.per_unit,
        "names": space.pairs.names,
        "keys": space.pairs.keys.tolist(),
        "values": space.pairs.values.tolist(),
        "valueAxis": VALUE_AXIS,
        "temperatures": [temperature_text(temperature) for temperature in TEMPERATURES],
        "slider": TEMPERATURE,
    }
    return framed(
        header,
        closeness(nodes, space.pairs.keys).float(),  # (N, K)
        torch.stack([pool.output for pool in pools]).float(),  # (T, N)
        (weights * LEVELS).round().int().to(torch.uint16),
    )


def show(key: str, asked: Asked, text: str, looked: int | None, on_change: Callable[[], None]) -> None:
    """Show a question and its answer; where the query is let go arrives in session_state[key]."""
    DIAGRAM(key=key, data=packed(asked.space.name), on_query_change=on_change)
    output, weights = answer(asked)
    header = {
        "space": asked.space.name,
        "query": query_text(asked.query),
        "temperature": TEMPERATURES.index(asked.temperature),
        "looked": looked,
        "text": text,
    }
    send_message(key, header, output.view(1).float(), weights.float())
