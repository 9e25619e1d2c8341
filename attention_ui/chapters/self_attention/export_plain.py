"""Self-attention, positions and costs again in torch alone."""

from attention_core.transformer.cost import LENGTHS
from attention_ui.chapters.self_attention.attending import BASE, BEFORE, PLACE, STEPS, WIDTH, Asked
from attention_ui.chapters.self_attention.figures_positions import MOST, SHOWN
from attention_ui.chapters.self_attention.snippet import asking, ways

ENCODING = """def encoding(positions, width, base={base}):
    \"\"\"P[p, 2j] = sin(p w_j) and P[p, 2j + 1] = cos(p w_j), with w_j = base^(-2j / width).\"\"\"
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.arange(positions)[:, None] * speeds
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)"""
ROTATION = """def rotation(width, offset, base={base}):
    \"\"\"R with R P[p] = P[p + offset] for every p: each pair is turned by its own angle.\"\"\"
    angles = offset * base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    pairs = [torch.stack([a.cos(), a.sin(), -a.sin(), a.cos()]).view(2, 2) for a in angles]
    return torch.block_diag(*pairs)"""


def tokens_plain(asked: Asked, percent: int) -> str:
    """Words drawn from their letters, positions added, softmax(Q K^T / sqrt(d)) V."""
    projections = ways(asked).replace(f"shift_rotation({PLACE}, -1, base={BASE:g})", f"rotation({PLACE}, -1)")
    turning = f"\n\n\n{ROTATION.format(base=f'{BASE:g}')}" if asked.projection == BEFORE else ""
    mask = """
    later = torch.ones(scores.shape, dtype=torch.bool).triu(1)
    scores = scores.masked_fill(later, -torch.inf)  # no word sees the next"""
    return f'''"""Self-attention among a few words: PyTorch alone."""

import zlib

import torch


{ENCODING.format(base=f"{BASE:g}")}{turning}


{projections}


def attended(words):
    """The output and the weights of these words in this order."""
    X = torch.zeros(len(words), {WIDTH}, dtype=torch.float64)
    for row, word in zip(X, words):  # drawn from its letters: the same word has the same vector
        letters = torch.Generator().manual_seed(zlib.crc32(f"{asked.seed} {{word.lower()}}".encode()))
        row[{PLACE}:] = torch.randn({WIDTH - PLACE}, dtype=torch.float64, generator=letters)
    X[:, :{PLACE}] = {percent / (STEPS - 1):g} * encoding(len(words), {PLACE})  # positions
    scores = (X @ W_q.T) @ (X @ W_k.T).T / {WIDTH} ** 0.5  # (words, words){mask if asked.causal else ""}
    weights = scores.softmax(-1)
    return weights @ (X @ W_v.T), weights


{asking(asked)}'''


def positions_plain(width: int, offset: int) -> str:
    """P, P rotated, and all products."""
    return f'''"""Positions as sines and cosines: PyTorch alone."""

import torch


{ENCODING.format(base="10_000.0")}


{ROTATION.format(base="10_000.0")}


whole = encoding({SHOWN + MOST}, {width})
P = whole[:{SHOWN}]  # (positions, dimensions)
rotated = P @ rotation({width}, {offset}).T  # every pair of every position turned by the offset
products = P @ P.T / ({width} / 2)
product = whole[0] @ whole[{offset}]  # the same for every position and the one {offset} after it

print((rotated - whole[{offset} : {offset} + {SHOWN}]).abs().max())  # a step of {offset} is one rotation
print(product)
'''


def cost_plain(width: int, length: int) -> str:
    """The counts by their formulas."""
    return f'''"""What a longer text costs: three layers over the length n, at width d. PyTorch alone."""

import torch

d, k = {width}, 3  # the width, and how many symbols the convolution sees at a time
lengths = torch.tensor({list(LENGTHS)})


def multiplications_at(n):
    return [
        2 * n * n * d + 4 * n * d * d,  # self-attention: scores and averages, and four linear maps
        6 * n * d * d,                  # recurrent: three gates, each from the input and from the state
        k * n * d * d,                  # convolution
    ]


n = {length}
multiplications = torch.stack(multiplications_at(lengths))  # (layers, lengths)
table = torch.tensor([
    [n * n * d, 1, 1],              # self-attention: operations, steps that wait for each other, longest path
    [n * d * d, n, n],              # recurrent
    [k * n * d * d, 1, -(-n // k)],  # convolution
])
print(multiplications)
print(table)  # at length {length}
'''
