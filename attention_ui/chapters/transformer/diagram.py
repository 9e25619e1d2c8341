"""The opened Transformer on a page: every tensor of one pass is sent once, and a click shows it without the server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from torch import Tensor

from attention_core.transformer.model import Transformer
from attention_core.transformer.recorder import axes
from attention_ui.chapters.transformer.blocks import blocks
from attention_ui.chapters.transformer.flow import flow, made_of
from attention_ui.chapters.transformer.models import REVERSE, Look, look
from attention_ui.component import component
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import STYLE, send_message
from attention_ui.shared import shared

HERE = Path(__file__).parent
STYLES = STYLE, HERE / "transformer.css"
AXIS_NAMES = {
    "B": "batch",
    "H": "heads",
    "Q": "queries",
    "K": "keys",
    "D": "dimensions",
    "T": "positions",
    "M": "dimensions",
    "F": "hidden dimensions",
    "L": "symbols",
}
FIRST = "decoder.0.cross_attention.weights"  # what is open to begin with
SHARES = ("weights", "probabilities")  # whose scale ends at 1

OPENED = component("opened", HERE / "js" / "opened.js", *STYLES)


def show(key: str, model: Transformer, text: str, tensor: str, on_tensor: Callable[[], None]) -> None:
    """Show the blocks, with this tensor open; one that is clicked arrives in session_state[key]["tensor"]."""
    OPENED(key=key, data=packed(model, text), on_tensor_change=on_tensor)
    send_message(key, {"tensor": tensor})


def names(model: Transformer) -> tuple[str, ...]:
    """The tensors that can be opened, in the order of the pass."""
    return tuple(name for block in blocks(model.config) for name in block.tensors)


@shared
def packed(model: Transformer, text: str) -> bytes:
    """The blocks and all their tensors, as bytes."""
    seen = look(model, text)
    shown = {name: seen.tensors[name] for name in names(model)}
    header = {
        "blocks": [block._asdict() for block in blocks(model.config)],
        "shown": {name: described(name, tensor, seen) for name, tensor in shown.items()},
        "read": tuple(seen.text.text),
        "before": seen.text.before,
        "written": seen.text.symbols,
        "first": FIRST,
        "sources": flow(model.config),
    }
    return framed(header, *(tensor.float() for tensor in shown.values()))


def described(name: str, tensor: Tensor, seen: Look) -> dict[str, Any]:
    """Its shape, what its axes mean and are labelled with, and the ends of its colour scale."""
    letters, last = axes(name), name.rpartition(".")[2]
    rows, columns = _labels(name, tensor, seen)
    farthest = tensor.abs().max().item() or 1.0
    return {
        "word": last,
        "made": made_of(name),
        "shape": tuple(tensor.shape),
        "axes": [AXIS_NAMES[letter] for letter in letters],
        "rows": rows,
        "columns": columns,
        "panels": tensor.shape[1] if "H" in letters else 1,
        "low": 0.0 if tensor.min() >= 0 else -farthest,
        "high": 1.0 if last in SHARES else farthest,
        "causal": last == "weights" and ".self_attention" in name and name.startswith("decoder"),
    }


def _labels(name: str, tensor: Tensor, seen: Look) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands at its rows and columns: symbols where they mean positions or symbols, else plain numbers."""
    letters, read, before = axes(name), tuple(seen.text.text), seen.text.before
    reading = name.startswith(("source", "encoder", "memory"))
    from_encoder = ".cross_attention" in name
    keys = read if reading or from_encoder else before
    known = {"Q": read if reading else before, "T": read if reading else before, "K": keys}
    known["L"] = REVERSE.target.symbols
    sides = []
    for letter, size in list(zip(letters, tensor.shape, strict=True))[-2:]:
        sides.append(known.get(letter) or tuple(map(str, range(size))))
    rows, columns = sides
    return rows, columns
