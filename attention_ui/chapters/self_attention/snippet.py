"""The code behind the views on self-attention: short, runnable, with the values that are on the screen."""

from collections.abc import Sequence
from pprint import pformat

from attention_ui.chapters.self_attention.attending import ALIKE, BASE, BEFORE, PLACE, STEPS, WIDTH, Asked
from attention_ui.chapters.self_attention.figures_positions import MOST, SHOWN

WAYS = {
    ALIKE: f"""W_k = W_v = torch.eye({WIDTH}, dtype=torch.float64)
W_q = 2 * W_k""",
    BEFORE: f"""W_k = W_v = torch.eye({WIDTH}, dtype=torch.float64)
W_q = torch.zeros({WIDTH}, {WIDTH}, dtype=torch.float64)
W_q[:{PLACE}, :{PLACE}] = 48 * shift_rotation({PLACE}, -1, base={BASE:g})  # one place back""",
}


def tokens_snippet(asked: Asked, percent: int) -> str:
    """A script that prints the weights and the outputs of the words in their order, and as typed where that differs."""
    rotation = ", shift_rotation" if asked.projection == BEFORE else ""
    return f'''import zlib

import torch

from attention_core.masks import masked_attend
from attention_core.transformer.positions import encoding{rotation}
from attention_core.scoring import scaled_dot

{ways(asked)}


def attended(words):
    """The output and the weights of these words in this order."""
    X = torch.zeros(len(words), {WIDTH}, dtype=torch.float64)
    for row, word in zip(X, words):  # the same word has the same vector
        letters = torch.Generator().manual_seed(zlib.crc32(f"{asked.seed} {{word.lower()}}".encode()))
        row[{PLACE}:] = torch.randn({WIDTH - PLACE}, dtype=torch.float64, generator=letters)
    X[:, :{PLACE}] = {percent / (STEPS - 1):g} * encoding(len(words), {PLACE}, base={BASE:g})  # positions
    return masked_attend(scaled_dot(X @ W_q.mT, X @ W_k.mT), X @ W_v.mT, causal={asked.causal})


{asking(asked)}'''


def ways(asked: Asked) -> str:
    """The lines that make W_q, W_k and W_v."""
    drawn = f"""generator = torch.Generator().manual_seed({asked.seed})
W_q, W_k, W_v = torch.randn(3, {WIDTH}, {WIDTH}, dtype=torch.float64, generator=generator) / {WIDTH}**0.5
W_q = 2 * W_q"""
    return WAYS.get(asked.projection, drawn)


def asking(asked: Asked) -> str:
    """The words, their weights and outputs; in a new order beside those as typed, and by how much they differ."""
    words, order = [asked.words[place] for place in asked.order], list(asked.order)
    compared = f"""
typed = {_listed(asked.words)}
typed_output, typed_weights = attended(typed)
order = {order}  # where each of the words stood
change = (output - typed_output[order]).abs().max()  # of any word's output"""
    return f"""words = {_listed(words)}
output, weights = attended(words){"" if order == sorted(order) else compared}

print(weights)  # (words, words); every row sums to 1
print(output)   # (words, numbers)
"""


def _listed(words: Sequence[str]) -> str:
    """A list in Python, over several lines where it is long."""
    return pformat(list(words), width=80, compact=True)


def positions_snippet(width: int, position: int, offset: int) -> str:
    """A script that prints how far the rotated encoding is from the encoding of the shifted position."""
    return f"""import torch

from attention_core.transformer.positions import encoding, shift_rotation, similarity

P = encoding({SHOWN}, {width})  # (positions, dimensions)
rotated = P @ shift_rotation({width}, {offset}).mT  # every pair of every position turned by the offset
products = P @ P.mT / ({width} / 2)
whole = encoding({SHOWN + MOST}, {width})
here, there = whole[{position}], whole[{position} + {offset}]
product = similarity(torch.tensor({offset}), {width})

print((rotated - whole[{offset} : {offset} + {SHOWN}]).abs().max())  # a step of {offset} is one rotation
print(here @ there, product)  # the same for every position
"""


def cost_snippet(width: int, length: int = 256) -> str:
    """A script that prints the table and measures the times."""
    return f"""import torch

from attention_core.transformer.cost import LAYERS, LENGTHS, counts, measure

multiplications = torch.tensor([[counts(name, n, width={width}).multiplications for n in LENGTHS] for name in LAYERS])
table = torch.tensor([counts(name, {length}, width={width}) for name in LAYERS])[:, [0, 2, 3]]
print(multiplications)  # (layers, lengths)
print(table)            # at length {length}: operations, steps that wait for each other, longest path

best = {{(timing.layer, timing.length): timing.seconds for timing in measure(width={width}, budget=2.0)}}
print(best)
"""
