"""Every block of the Transformer again in torch alone: what goes into it is embedded, what it makes is written out."""

from typing import NamedTuple

from torch import Tensor

from attention_core.transformer.model import Transformer, TransformerConfig
from attention_ui.chapters.transformer.models import Look
from attention_ui.export.snippets import written
from attention_ui.export.tensors import embedded, reading

TOTAL = {"sum": "total"}  # what a script calls a tensor whose name means something else in Python
NORM = """centred = x - x.mean(-1, keepdim=True)
{name} = gamma * centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt() + beta"""
POSITIONS = """speeds = 10_000 ** (-torch.arange(0, {width}, 2, dtype=torch.float64) / {width})
angles = torch.arange(len(symbols))[:, None] * speeds
positions = torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float()
placed = embedded + positions"""
MASKED = """later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
weights = scores.masked_fill(later, -torch.inf).softmax(-1)  # no symbol sees a later one"""


class Piece(NamedTuple):
    """One block as code."""

    given: dict[str, Tensor]  # without the batch
    lines: str
    made: tuple[str, ...]  # the last words of the names of the tensors that the lines make


def piece(model: Transformer, seen: Look, name: str) -> Piece:
    """The block that makes the tensor of this name."""
    part, _, word = name.rpartition(".")
    if part in ("source", "target"):
        return _reader(model, seen, part)
    if part == "next" and word != "output":
        lines = "logits = x @ W.T + b\nprobabilities = logits.softmax(-1)"
        given = {"x": seen.tensors["next.output"][0], "W": model.output.weight, "b": model.output.bias}
        return Piece(given, lines, ("logits", "probabilities"))
    if word == "norm" or part in ("memory", "next"):
        return _norm(model, seen, part, word)
    if word == "sum":
        given = {"x": seen.tensors[before(model.config, part)][0], "output": seen.tensors[f"{part}.output"][0]}
        return Piece(given, "total = x + output  # what came in, and what came out", ("sum",))
    if part.endswith("feed_forward"):
        return _fed(model, seen, part)
    return _projection(model, seen, part, word) if word in ("queries", "keys", "values") else _attention(
        model, seen, part, word
    )  # fmt: skip


def before(config: TransformerConfig, part: str) -> str:
    """The name of the rows that go into a part of a layer, before any norm."""
    side = part.partition(".")[0]
    names = ("self_attention", "feed_forward") if side == "encoder" else (
        "self_attention", "cross_attention", "feed_forward"
    )  # fmt: skip
    layers = config.encoder_layers if side == "encoder" else config.decoder_layers
    parts = [f"{side}.{layer}.{name}" for layer in range(layers) for name in names]
    at = parts.index(part) if part in parts else len(parts)  # beyond the last for what closes the stack
    if at == 0:
        return "source.placed" if side == "encoder" else "target.placed"
    return f"{parts[at - 1]}.{'sum' if config.norm_first else 'norm'}"


def _learned(model: Transformer, module: str, **names: str) -> dict[str, Tensor]:
    """Parameters of a module, by the names that a script gives them."""
    return {variable: model.get_parameter(f"{module}.{name}") for variable, name in names.items()}


def _reader(model: Transformer, seen: Look, part: str) -> Piece:
    table, width = model.get_parameter(f"{part}.embedding.weight"), model.config.width
    symbols = seen.tensors[f"{part}.symbols"][0].tolist()
    lines = f"""symbols = torch.tensor({written(symbols)})  # 0 padding, 1 begin, 2 end, 3 the digit 0
embedded = E[symbols] * {width} ** 0.5"""
    if not model.config.positions:
        return Piece({"E": table}, lines, ("embedded",))
    return Piece(
        {"E": table}, f"{lines}\n{POSITIONS.format(width=width)}", ("embedded", "positions", "placed")
    )  # fmt: skip


def _norm(model: Transformer, seen: Look, part: str, word: str) -> Piece:
    if part in ("memory", "next"):
        side = "encoder" if part == "memory" else "decoder"
        norm, rows = f"{side}_norm", before(model.config, f"{side}.end")
    else:
        layer, _, name = part.rpartition(".")
        norm = f"{layer}.around_{name.removesuffix('_attention').removesuffix('_forward')}.norm"
        rows = before(model.config, part) if model.config.norm_first else f"{part}.sum"
    given = {"x": seen.tensors[rows][0], **_learned(model, norm, gamma="weight", beta="bias")}
    return Piece(given, NORM.format(name=word), (word,))


def _fed(model: Transformer, seen: Look, part: str) -> Piece:
    given = {"x": _inside(model, seen, part), **_learned(model, f"{part}.inner", W_1="weight", b_1="bias")}
    given |= _learned(model, f"{part}.outer", W_2="weight", b_2="bias")
    return Piece(given, "hidden = (x @ W_1.T + b_1).relu()\noutput = hidden @ W_2.T + b_2", ("hidden", "output"))


def _inside(model: Transformer, seen: Look, part: str) -> Tensor:
    """The rows that a part itself is given: normed where the norm comes first."""
    return seen.tensors[f"{part}.norm" if model.config.norm_first else before(model.config, part)][0]


def _projection(model: Transformer, seen: Look, part: str, word: str) -> Piece:
    """Queries, keys or values: a linear map, cut into one strip for each head."""
    from_memory = part.endswith("cross_attention") and word != "queries"
    rows = seen.tensors["memory.output"][0] if from_memory else _inside(model, seen, part)
    lines = f"{word} = (x @ W.T + b).unflatten(-1, ({model.config.heads}, -1)).transpose(0, 1)  # (heads, rows, width)"
    return Piece({"x": rows, **_learned(model, f"{part}.W_{word[0]}", W="weight", b="bias")}, lines, (word,))


def _attention(model: Transformer, seen: Look, part: str, word: str) -> Piece:
    given = {name: seen.tensors[f"{part}.{name}"][0] for name in ("queries", "keys", "values")}
    masked = part.startswith("decoder") and part.endswith("self_attention")
    lines = [
        "scores = queries @ keys.mT / queries.shape[-1] ** 0.5  # (heads, queries, keys)",
        MASKED if masked else "weights = scores.softmax(-1)  # every row sums to 1",
        "heads = weights @ values",
        "merged = heads.transpose(0, 1).flatten(1)  # side by side again",
    ]
    made: tuple[str, ...] = ("scores", "weights", "heads", "merged")
    if word == "output":
        given |= _learned(model, f"{part}.W_o", W_o="weight", b_o="bias")
        lines.append("output = merged @ W_o.T + b_o")
        made = (*made, "output")
    return Piece(given, "\n".join(lines), made)


def block_plain(found: Piece, title: str, shown: str) -> str:
    """A script of the block alone."""
    return f'''"""{title}: PyTorch alone."""

import base64

import torch


{reading()}


# What goes into the block, and what it has learned.
{embedded(**found.given)}

{found.lines}

print({shown}.shape)
print({shown})
'''
