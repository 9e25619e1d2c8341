"""What an opened Transformer shows: each block by itself, all heads, and how a symbol is chosen.

What goes into a block comes as tensors without a batch: see transformer.opening.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot, pad

from attention_core.sequences.vocabulary import END

Given = dict[str, Tensor]
Names = tuple[str, ...]  # of the symbols


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


def attention(given: Given) -> dict[str, Tensor]:
    """softmax(Q K^T / sqrt(D)) V in every head."""
    scores = given["queries"] @ given["keys"].mT / given["queries"].shape[-1] ** 0.5  # (heads, queries, keys)
    weights = scores.softmax(-1)  # every row sums to 1
    heads = weights @ given["values"]
    merged = heads.transpose(0, 1).flatten(1)  # side by side again
    output = merged @ given["W_o"].mT + given["b_o"]
    return {"scores": scores, "weights": weights, "heads": heads, "merged": merged, "output": output}


def causal_attention(given: Given) -> dict[str, Tensor]:
    """softmax(Q K^T / sqrt(D)) V in every head, where no symbol sees a later one."""
    scores = given["queries"] @ given["keys"].mT / given["queries"].shape[-1] ** 0.5  # (heads, queries, keys)
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    weights = scores.masked_fill(later, -torch.inf).softmax(-1)  # every row sums to 1
    heads = weights @ given["values"]
    merged = heads.transpose(0, 1).flatten(1)  # side by side again
    output = merged @ given["W_o"].mT + given["b_o"]
    return {"scores": scores, "weights": weights, "heads": heads, "merged": merged, "output": output}


def next_symbol(given: Given) -> dict[str, Tensor]:
    """A score for every symbol that could come next, and its chance."""
    logits = given["x"] @ given["W"].mT + given["b"]
    return {"logits": logits, "probabilities": logits.softmax(-1)}


def every_head(given: Given) -> dict[str, Tensor]:
    """The weights (layers, heads, queries, keys) of all heads: among what is read, among what is written, between."""
    encoder, decoder, cross = (
        given[f"{part}_queries"] @ given[f"{part}_keys"].mT / given[f"{part}_keys"].shape[-1] ** 0.5
        for part in ("encoder", "decoder", "cross")
    )
    later = torch.ones(decoder.shape[-2:], dtype=torch.bool).triu(1)  # no symbol sees one that is written later
    masked = decoder.masked_fill(later, -torch.inf)
    return {"encoder": encoder.softmax(-1), "decoder": masked.softmax(-1), "cross": cross.softmax(-1)}


def writing(given: Given, names: Names, temperature: float) -> dict[str, Any]:
    """The chance of every symbol at each place, softmax(logits / T), and the likeliest ones, which are written."""
    cross = given["cross_queries"] @ given["cross_keys"].mT / given["cross_keys"].shape[-1] ** 0.5  # scores
    logits = given["logits"][:, END:]  # padding and begin are never written
    probabilities = (logits / temperature).softmax(-1)
    symbols = [names[END + place] for place in logits.argmax(-1).tolist()]
    return {"symbols": symbols, "probabilities": probabilities, "cross": cross.softmax(-1)}


def cold_writing(given: Given, names: Names) -> dict[str, Any]:
    """At T = 0 the likeliest symbol at each place has every chance."""
    cross = given["cross_queries"] @ given["cross_keys"].mT / given["cross_keys"].shape[-1] ** 0.5  # scores
    likeliest = given["logits"][:, END:].argmax(-1)  # padding and begin are never written
    probabilities = one_hot(likeliest, len(names) - END).float()
    symbols = [names[END + place] for place in likeliest.tolist()]
    return {"symbols": symbols, "probabilities": probabilities, "cross": cross.softmax(-1)}


def drawn_writing(given: Given, names: Names, temperature: float, seed: int) -> dict[str, Any]:
    """The chance of every symbol at each place, softmax(logits / T), and symbols that are drawn by these chances."""
    cross = given["cross_queries"] @ given["cross_keys"].mT / given["cross_keys"].shape[-1] ** 0.5  # scores
    logits = given["logits"][:, END:]  # padding and begin are never written
    probabilities = (logits / temperature).softmax(-1)
    generator, rows = torch.Generator().manual_seed(seed), pad(probabilities, (END, 0))
    symbols = [names[int(torch.multinomial(row, 1, generator=generator))] for row in rows]
    return {"symbols": symbols, "probabilities": probabilities, "cross": cross.softmax(-1)}
