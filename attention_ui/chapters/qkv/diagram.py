"""The diagram on a page: the frames of a whole space, which travel once, and a small answer for every question."""

from pathlib import Path

import torch
from torch import Tensor

from attention_core.demos.qkv import closeness, keys_moved, pooled, values_changed
from attention_ui.chapters.qkv.choices import (
    TEMPERATURE,
    numbers_text,
    take_key,
    take_query,
    take_value,
    temperature_text,
)
from attention_ui.chapters.qkv.computation import answer
from attention_ui.chapters.qkv.space import TEMPERATURES, VALUE_AXIS, Asked, Space
from attention_ui.component import component
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import send_message
from attention_ui.shared import shared

HERE = Path(__file__).parent
LEVELS = 65_520  # steps of a weight in flight, so that halves, thirds and sixths are whole; the answer is exact

DIAGRAM = component("qkv", HERE / "js" / "qkv.js", HERE / "qkv.css")


@shared
def packed(space: Space) -> bytes:
    """Scores, outputs and weights for every temperature T and every place N of a query, as torch made them."""
    nodes = space.nodes()
    pools = [pooled(nodes, temperature, space.pairs) for temperature in TEMPERATURES]
    weights = torch.stack([pool.weights for pool in pools])  # (T, N, K)
    header = {
        "space": space.name,
        "pairs": pairs_text(space),
        "levels": LEVELS,
        "counts": space.counts,
        "perUnit": space.per_unit,
        "keyCounts": space.key_counts(),
        "keysPerUnit": space.keys_per_unit,
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
        _levels(weights),
    )


def pairs_text(space: Space) -> str:
    """The keys and values by which a message knows the frames that it belongs to."""
    return f"{numbers_text(space.pairs.keys.flatten().tolist())};{numbers_text(space.pairs.values.tolist())}"


def show(key: str, asked: Asked, text: str, picked: int | None) -> None:
    """Show a question and its answer; the query, key or value that was moved arrives in session_state[key]."""
    DIAGRAM(
        key=key,
        data=packed(asked.space),
        on_query_change=take_query,
        on_key_change=take_key,
        on_value_change=take_value,
    )
    output, weights = answer(asked)
    header = {
        "space": asked.space.name,
        "pairs": pairs_text(asked.space),
        "query": numbers_text(asked.query),
        "temperature": TEMPERATURES.index(asked.temperature),
        "picked": picked,
        "text": text,
    }
    send_message(key, header, output.view(1).float(), weights.float(), *when_dragged(asked, weights))


def when_dragged(asked: Asked, weights: Tensor) -> tuple[Tensor, ...]:
    """What follows when a key or a value is dragged from here.

    The scores of the places of a key (P,), weights (K, P, K) and outputs (K, P); the outputs of every value (K, V).
    """
    places, pairs = asked.space.key_places(), asked.space.pairs
    moved = keys_moved(asked.place(), asked.temperature, pairs, places)
    levels = torch.arange(VALUE_AXIS[0], VALUE_AXIS[1] + 1, dtype=torch.float64)  # whole numbers
    outputs = values_changed(weights, pairs.values, levels)
    scores = closeness(asked.place(), places)[0]
    return scores.float(), _levels(moved.weights), moved.output.float(), outputs.float()


def _levels(weights: Tensor) -> Tensor:
    """Weights as whole steps from 0 to 1."""
    return (weights * LEVELS).round().int().to(torch.uint16)
