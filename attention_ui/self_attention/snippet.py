"""The code behind the views on self-attention: short, runnable, with the values that are on the screen."""

from attention_ui.self_attention.attending import ALIKE, BASE, BEFORE, PLACE, STEPS, WIDTH, Asked

WAYS = {
    ALIKE: f"""W_k = W_v = torch.eye({WIDTH}, dtype=torch.float64)
W_q = 2 * W_k""",
    BEFORE: f"""W_k = W_v = torch.eye({WIDTH}, dtype=torch.float64)
W_q = torch.zeros({WIDTH}, {WIDTH}, dtype=torch.float64)
W_q[:{PLACE}, :{PLACE}] = 48 * shift_rotation({PLACE}, -1, base={BASE:g})  # one place back""",
}


def tokens_snippet(asked: Asked, percent: int) -> str:
    """A script that prints the weights and the outputs of the words in their order."""
    words = [asked.words[place] for place in asked.order]
    drawn = f"""generator = torch.Generator().manual_seed({asked.seed})
W_q, W_k, W_v = torch.randn(3, {WIDTH}, {WIDTH}, dtype=torch.float64, generator=generator) / {WIDTH}**0.5
W_q = 2 * W_q"""
    rotation = ", shift_rotation" if asked.projection == BEFORE else ""
    return f"""import zlib

import torch

from attention_core.masks import masked_attend
from attention_core.positional import encoding{rotation}
from attention_core.scoring import scaled_dot

words = {words!r}
X = torch.zeros({len(words)}, {WIDTH}, dtype=torch.float64)
for row, word in zip(X, words):  # the same word has the same vector
    letters = torch.Generator().manual_seed(zlib.crc32(f"{asked.seed} {{word.lower()}}".encode()))
    row[{PLACE}:] = torch.randn({WIDTH - PLACE}, dtype=torch.float64, generator=letters)
X[:, :{PLACE}] = {percent / (STEPS - 1):g} * encoding({len(words)}, {PLACE}, base={BASE:g})  # positions
{WAYS.get(asked.projection, drawn)}

output, weights = masked_attend(scaled_dot(X @ W_q.mT, X @ W_k.mT), X @ W_v.mT, causal={asked.causal})
print(weights)  # (words, words); every row sums to 1
print(output)   # (words, numbers)
"""


def positions_snippet(width: int, position: int, offset: int) -> str:
    """A script that prints how far the rotated encoding is from the encoding of the shifted position."""
    return f"""import torch

from attention_core.positional import encoding, shift_rotation, similarity

P = encoding(100, {width})  # (positions, dimensions)
rotation = shift_rotation({width}, {offset})
here, there = P[{position}], P[{position} + {offset}]

print((rotation @ here - there).abs().max())
print(here @ there, similarity(torch.tensor({offset}), {width}))  # the same for every position
"""


def cost_snippet(width: int) -> str:
    """A script that prints the table and measures the times."""
    return f"""from attention_core.cost import LAYERS, LENGTHS, counts, measure

for name in LAYERS:
    print(name, [counts(name, n, width={width}).multiplications for n in LENGTHS])

best = {{(timing.layer, timing.length): timing.seconds for timing in measure(width={width}, budget=2.0)}}
print(best)
"""
