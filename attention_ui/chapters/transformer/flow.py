"""Where the numbers of a Transformer come from: what each tensor is made of, and which part of that a cell takes."""

from collections.abc import Iterator
from typing import NamedTuple

from attention_core.transformer.model import TransformerConfig
from attention_core.transformer.opening import before
from attention_ui.chapters.transformer.blocks import blocks

# What a cell of row r and column c takes of a source, in the same head where both have heads.
CELL = "cell"  # its own cell
ROW = "row"  # all of row r
KEY = "key"  # all of row c: the key that a score is for
COLUMN = "column"  # all of column c
STRIP = "strip"  # one cell of one head: the heads stand side by side

ATTENTION = {
    "scores": (("queries", ROW), ("keys", KEY)),
    "weights": (("scores", ROW),),
    "heads": (("weights", ROW), ("values", COLUMN)),
    "merged": (("heads", STRIP),),
    "output": (("merged", ROW),),
}
MADE = {  # by the last word of a tensor's name, or by its last two
    "embedded": "√M times the symbol's row of the table E",
    "positions": "sines and cosines of the position",
    "placed": "embedding + position",
    "queries": "row · W_{q} + b_{q}",
    "keys": "row · W_{k} + b_{k}",
    "values": "row · W_{v} + b_{v}",
    "scores": "query · key / √D",
    "weights": "softmax of a row of scores",
    "heads": "sum of weight · value over the keys",
    "merged": "the heads side by side",
    "output": "row · W_{o} + b_{o}",
    "hidden": "max(0, row · W_{1} + b_{1})",
    "feed_forward.output": "row · W_{2} + b_{2}",
    "sum": "what came in + what came out",
    "norm": "norm of a row",
    "memory.output": "norm of a row",
    "next.output": "norm of a row",
    "logits": "row · W + b",
    "probabilities": "softmax of a row of logits",
}


class Source(NamedTuple):
    """A tensor that another is made of, and the part of it that one cell takes."""

    tensor: str
    part: str


def made_of(name: str) -> str:
    """How a tensor is made, in a few words with _{...} for what stands low."""
    return MADE.get(".".join(name.split(".")[-2:])) or MADE[name.rpartition(".")[2]]


def flow(config: TransformerConfig) -> dict[str, tuple[Source, ...]]:
    """What every tensor that can be opened is made of."""
    names = [name for block in blocks(config) for name in block.tensors]
    return {name: tuple(_sources(config, name)) for name in names}


def _sources(config: TransformerConfig, name: str) -> Iterator[Source]:
    part, _, word = name.rpartition(".")
    if word == "placed":
        yield from (Source(f"{part}.embedded", CELL), Source(f"{part}.positions", CELL))
    elif part in ("memory", "next"):
        yield Source(_closing(config, part, word), ROW)
    elif word == "sum":
        yield from (Source(_before(config, part), CELL), Source(f"{part}.output", CELL))
    elif word == "norm":
        yield Source(_before(config, part) if config.norm_first else f"{part}.sum", ROW)
    elif word in ("queries", "keys", "values", "hidden"):
        from_memory = part.endswith("cross_attention") and word != "queries"
        yield Source(_memory(config) if from_memory else _inside(config, part), ROW)
    elif part.endswith("feed_forward"):
        yield Source(f"{part}.hidden", ROW)
    else:
        yield from (Source(f"{part}.{source}", taken) for source, taken in ATTENTION.get(word, ()))


def _closing(config: TransformerConfig, part: str, word: str) -> str:
    """What goes into the norm that closes a stack, into the linear map after it, and into the last softmax."""
    if word == "probabilities":
        return "next.logits"
    if word == "logits" and config.norm_first:
        return "next.output"
    return _before(config, f"{'encoder' if part == 'memory' else 'decoder'}.end")


def _memory(config: TransformerConfig) -> str:
    return "memory.output" if config.norm_first else _before(config, "encoder.end")


def _inside(config: TransformerConfig, part: str) -> str:
    return f"{part}.norm" if config.norm_first else _before(config, part)


def _before(config: TransformerConfig, part: str) -> str:
    """The rows that go into a part, by the name of the block that makes them."""
    name = before(config, part)
    return name if config.positions else name.replace(".placed", ".embedded")
