"""The blocks of a Transformer in the order of its computation: what each does, and which tensors it makes."""

from collections.abc import Iterator
from typing import NamedTuple

from attention_core.transformer.model import TransformerConfig

CLOSING = "The last block outputs an unnormalised sum, so one more norm follows."
ATTENTION = ("weights", "queries", "keys", "values", "scores", "heads", "merged", "output")


class Block(NamedTuple):
    """A block of the diagram."""

    title: str
    side: str  # encoder or decoder
    layer: int | None  # None for what stands outside the layers
    tensors: tuple[str, ...]  # names; the first is shown when the block is opened
    formula: str  # with _{...} for what stands low
    sentence: str
    skips: int = 0  # how many blocks further down the way around begins that ends here


def blocks(config: TransformerConfig) -> tuple[Block, ...]:
    """All blocks: the encoder's, from what it reads upwards, then the decoder's."""
    return (*_encoder(config), *_decoder(config))


def _encoder(config: TransformerConfig) -> Iterator[Block]:
    yield from _read("encoder", "source", config.positions)
    for layer in range(config.encoder_layers):
        part = f"encoder.{layer}.self_attention"
        sentence = (
            "Each digit attends to all digits and averages their values: the weights say how much each value counts."
        )
        attention = _attention("Self-attention", "encoder", layer, part, sentence)
        yield from _around(attention, part, config.norm_first)
        yield from _fed("encoder", layer, config.norm_first)
    if config.norm_first:
        yield _norm("encoder", None, "memory.output", CLOSING)


def _decoder(config: TransformerConfig) -> Iterator[Block]:
    yield from _read("decoder", "target", config.positions)
    for layer in range(config.decoder_layers):
        own, cross = (f"decoder.{layer}.{name}_attention" for name in ("self", "cross"))
        sentence = "Each written symbol attends to itself and to those before it; later ones are masked, with weight 0."
        yield from _around(_attention("Masked self-attention", "decoder", layer, own, sentence), own, config.norm_first)
        sentence = (
            "Each written symbol attends to the digits read: queries from here, keys and values from the encoder."
        )
        yield from _around(_attention("Cross-attention", "decoder", layer, cross, sentence), cross, config.norm_first)
        yield from _fed("decoder", layer, config.norm_first)
    if config.norm_first:
        yield _norm("decoder", None, "next.output", CLOSING)
    scores = "Each row becomes one number for every symbol that could come next."
    yield Block("Linear", "decoder", None, ("next.logits",), "logits = x W + b", scores)
    shares = "The numbers become probabilities: each row says how likely each symbol is to come next."
    yield Block("Softmax", "decoder", None, ("next.probabilities",), "p = softmax(logits)", shares)


def _read(side: str, part: str, positions: bool) -> Iterator[Block]:
    sentence = "Every symbol is looked up in a table of learned vectors: equal symbols have equal rows."
    yield Block("Embedding", side, None, (f"{part}.embedded",), "x = √M · E[symbol],  M: width of the model", sentence)
    if positions:
        names = (f"{part}.placed", f"{part}.positions")
        sentence = "A pattern of sines and cosines is added, so that equal symbols at two positions differ."
        yield Block("Add positions", side, None, names, "x + P,  P[p, 2j] = sin(p / 10000^{2j/M})", sentence)


def _attention(title: str, side: str, layer: int, part: str, sentence: str) -> Block:
    names = tuple(f"{part}.{name}" for name in ATTENTION)
    return Block(title, side, layer, names, "weights = softmax(Q Kᵀ / √D),  head = weights V", sentence)


def _fed(side: str, layer: int, norm_first: bool) -> Iterator[Block]:
    part = f"{side}.{layer}.feed_forward"
    sentence = "Each row goes through the same small network by itself: positions exchange nothing here."
    names = (f"{part}.hidden", f"{part}.output")
    formula = "hidden = max(0, x W_{1} + b_{1}),  output = hidden W_{2} + b_{2}"
    return _around(Block("Feed-forward", side, layer, names, formula, sentence), part, norm_first)


def _around(block: Block, part: str, norm_first: bool) -> Iterator[Block]:
    """A part with the way around it: norm(x + f(x)), or x + f(norm(x)) when the norm comes first."""
    side, layer = block.side, block.layer
    if not norm_first:
        yield block
        sentence = "What came in is added to what came out, and every row is brought to the same mean and spread."
        names = (f"{part}.norm", f"{part}.sum")
        yield Block("Add & norm", side, layer, names, "norm(x + f(x))", sentence, skips=2)
        return
    yield _norm(side, layer, f"{part}.norm", "Every row is brought to the same mean and spread before it goes in.")
    yield block
    sentence = "What came in, before its norm, is added to what came out."
    yield Block("Add", side, layer, (f"{part}.sum",), "x + f(norm(x))", sentence, skips=3)


def _norm(side: str, layer: int | None, name: str, sentence: str) -> Block:
    return Block("Norm", side, layer, (name,), "γ (x − mean) / √(variance + ε) + β", sentence)
