"""What an opened Transformer shows: each block by itself, all heads, and how a symbol is chosen.

What goes into a block comes as tensors without a batch: see transformer.opening.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from attention_core.sequences.vocabulary import END

Given = dict[str, Tensor]


def embedding(given: Given) -> dict[str, Tensor]:
    """A learned vector for every symbol."""
    return {"embedded": given["E"][given["symbols"]] * given["E"].shape[1] ** 0.5}  # (symbols, width)


def placing(given: Given) -> dict[str, Tensor]:
    """The vectors of the symbols, and added to them sines and cosines that tell their places."""
    embedded = given["E"][given["symbols"]] * given["E"].shape[1] ** 0.5  # (symbols, width)
    width = embedded.shape[1]
    speeds = 10_000 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.arange(len(embedded))[:, None] * speeds
    positions = torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float()
    return {"embedded": embedded, "positions": positions, "placed": embedded + positions}


def norm(given: Given) -> dict[str, Tensor]:
    """Every row with mean 0 and variance 1, then stretched and moved as was learned."""
    centred = given["x"] - given["x"].mean(-1, keepdim=True)
    spread = (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()
    return {"norm": given["gamma"] * centred / spread + given["beta"]}


def around(given: Given) -> dict[str, Tensor]:
    """The way around a part: what came in, and what came out."""
    return {"sum": given["x"] + given["output"]}


def feed_forward(given: Given) -> dict[str, Tensor]:
    """A small network for each row by itself."""
    hidden = (given["x"] @ given["W_1"].mT + given["b_1"]).relu()
    return {"hidden": hidden, "output": hidden @ given["W_2"].mT + given["b_2"]}


def projection(given: Given, heads: int) -> dict[str, Tensor]:
    """Queries, keys or values: a linear map, cut into one strip for each head."""
    rows = given["x"] @ given["W"].mT + given["b"]
    return {"projected": rows.unflatten(-1, (heads, -1)).transpose(0, 1)}  # (heads, rows, width of a head)


def attention(given: Given, causal: bool = False) -> dict[str, Tensor]:
    """softmax(Q K^T / sqrt(D)) V in every head; causal: no symbol sees a later one."""
    scores = given["queries"] @ given["keys"].mT / given["queries"].shape[-1] ** 0.5  # (heads, queries, keys)
    weights = weights_of(scores, causal)
    heads = weights @ given["values"]
    merged = heads.transpose(0, 1).flatten(1)  # side by side again
    output = merged @ given["W_o"].mT + given["b_o"]
    return {"scores": scores, "weights": weights, "heads": heads, "merged": merged, "output": output}


def weights_of(scores: Tensor, causal: bool = False) -> Tensor:
    """Every row sums to 1, over all keys or over those up to its own place."""
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    return scores.softmax(-1)


def next_symbol(given: Given) -> dict[str, Tensor]:
    """A score for every symbol that could come next, and its chance."""
    logits = given["x"] @ given["W"].mT + given["b"]
    return {"logits": logits, "probabilities": logits.softmax(-1)}


def every_head(given: Given) -> dict[str, Tensor]:
    """The weights (layers, heads, queries, keys) of all heads: among what is read, among what is written, between."""
    shown = {}
    for kind in ("encoder", "decoder", "cross"):
        queries, keys = given[f"{kind}_queries"], given[f"{kind}_keys"]
        shown[kind] = weights_of(queries @ keys.mT / queries.shape[-1] ** 0.5, causal=kind == "decoder")
    return shown


def writing(given: Given, names: tuple[str, ...], temperature: float, seed: int | None = None) -> dict[str, Any]:
    """The chance of every symbol at each place, softmax(logits / T); the likeliest are written, or drawn ones.

    At T = 0 all is on the likeliest. The heads' weights (layers, heads, written, read) tell where each of them looked.
    """
    queries, logits = given["cross_queries"], given["logits"][:, END:]  # padding and begin are never written
    cross = weights_of(queries @ given["cross_keys"].mT / queries.shape[-1] ** 0.5)
    chances = (logits / temperature).softmax(-1) if temperature else one_hot(logits.argmax(-1), len(logits[0])).float()
    symbols = logits.argmax(-1) + END
    if temperature and seed is not None:
        generator = torch.Generator().manual_seed(seed)
        rows = torch.nn.functional.pad(chances, (END, 0))
        symbols = torch.cat([torch.multinomial(row, 1, generator=generator) for row in rows])
    return {"symbols": [names[symbol] for symbol in symbols.tolist()], "probabilities": chances, "cross": cross}
