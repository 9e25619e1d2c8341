"""The views of ready models again in torch alone: what the model holds is embedded, what it does is written out."""

import base64
import json
import zlib
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.sequences.decoding import greedy, outputs
from attention_core.sequences.occlusion import alternatives, replaced
from attention_core.sequences.tasks import TASKS, Lengths, strings
from attention_core.sequences.vocabulary import END
from attention_ui.chapters.bahdanau.lengths import COUNT, LENGTHS, MODELS, unseen
from attention_ui.chapters.bahdanau.models import model_of, swaps, traced
from attention_ui.chapters.bahdanau.state import Asked
from attention_ui.export.tensors import embedded, reading, wrapped

ATTENTION = '''def additive_attention(queries, states, W_q, W_k, w_v):
    """e = w_v . tanh(W_q s + W_k h), weights = softmax(e), context = weights @ h."""
    hidden = (queries @ W_q.T)[:, None] + states @ W_k.T  # (written, read, width)
    scores = hidden.tanh() @ w_v                          # (written, read)
    weights = scores.softmax(-1)                          # one text has no padding, so nothing is masked
    return scores, weights, weights @ states'''


class Decoding(NamedTuple):
    """What a model held while it wrote one text."""

    decoder: Tensor  # (T + 1, H) the states s_0 ... s_T
    states: Tensor  # (S, C) of the encoder, h_1 ... h_S
    parts: dict[str, Tensor]  # W_q, W_k and w_v


def decoded(chosen: Asked) -> Decoding:
    """Write the text once more, and keep the states."""
    model = model_of(chosen.task_name)
    sources = torch.tensor([chosen.task.source.encode(chosen.text)])
    memory, first = model.remember(sources, torch.tensor([sources.shape[1]]))
    states = torch.cat([first, greedy(model, sources).decoded.states[0]])
    attention = model.decoder.attention
    assert attention is not None
    parts = {name: getattr(attention, name) for name in ("W_q", "W_k", "w_v")}
    return Decoding(states, memory.states[0], parts)


def steps_plain(chosen: Asked) -> str:
    """Scores, weights, contexts and the chance of every symbol, from the states of encoder and decoder."""
    kept, output = decoded(chosen), model_of(chosen.task_name).decoder.output
    data = embedded(s=kept.decoder, h=kept.states, **kept.parts, W_o=output.weight, b_o=output.bias)
    return f'''"""Bahdanau's attention while {chosen.text!r} is rewritten symbol by symbol: PyTorch alone."""

import base64

import torch


{reading()}


{ATTENTION}


# What the trained model holds: the decoder's states s_0 ... s_T, the encoder's states h, and its learned matrices.
{data}

queries, after = s[:-1], s[1:]  # it looks with the state before it writes, and writes with the one after
scores, weights, contexts = additive_attention(queries, h, W_q, W_k, w_v)
probabilities = (torch.cat([after, contexts], 1) @ W_o.T + b_o).softmax(-1)

names = {list(chosen.task.target.symbols)!r}
symbols = [names[i] for i in (probabilities[:, {END}:].argmax(-1) + {END}).tolist()]  # never padding or begin
for symbol, row in zip(symbols, weights):
    print(symbol, [round(weight, 4) for weight in row.tolist()])
'''


def explain_plain(chosen: Asked, row: int) -> str:
    """Weights from the states, effects from the probabilities under every swap, and how far both agree."""
    kept, (chances, counts) = decoded(chosen), swapped_chances(chosen)
    data = embedded(queries=kept.decoder[:-1], h=kept.states, **kept.parts, chances=chances)
    written = [{swap.text: swap.output for swap in swaps(*chosen, row, least)} for least in (False, True)]
    output, symbol = traced(*chosen).output, traced(*chosen).symbols[row]
    return f'''"""Attention beside the effect of swapping what was read, for {chosen.text!r}: PyTorch alone."""

import base64

import torch


{reading()}


{ATTENTION}


def correlation(a, b):
    """cov(a, b) / (sd(a) sd(b))"""
    a, b = a.double().flatten(), b.double().flatten()
    a, b = a - a.mean(), b - b.mean()
    return a @ b / (a.norm() * b.norm())


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = values.flatten().unique(return_inverse=True, return_counts=True)
    return (counts.cumsum(0) - (counts - 1) / 2)[inverse]


# What the trained model holds, and how likely each written symbol is: in the first row of `chances` for the text as
# it is, then for every text with one symbol swapped for another of its kind, position by position.
{data}
swaps_of = torch.tensor({counts})  # so many texts for each position

scores, weights, contexts = additive_attention(queries, h, W_q, W_k, w_v)
drops = chances[0] - chances[1:]  # (swaps, written)
position = torch.arange({len(counts)}).repeat_interleave(swaps_of)  # that each of these texts is about
total = torch.zeros({len(counts)}, drops.shape[1]).index_add_(0, position, drops)  # (read, written)
effects = (total / swaps_of[:, None]).T  # (written, read): what a swap takes from the probability, on average
same_peak = (weights.argmax(-1) == effects.argmax(-1)).double().mean()
agreed = torch.stack([correlation(weights, effects), correlation(ranks(weights), ranks(effects)), same_peak]).float()

# Symbol {row + 1} of {output!r} put to the test: what is written when the most, then the least attended is swapped.
most, least = (
    {_lines(written[0])},
    {_lines(written[1])},
)
changes = torch.tensor(
    [sum((output[{row}:{row + 1}] or "end") != {symbol!r} for output in texts.values()) for texts in (most, least)]
)

print("Pearson, Spearman, same peak:", agreed)
print("the symbol changes in", changes, "of", [len(most), len(least)])
'''


def _lines(texts: dict[str, str]) -> str:
    """A dictionary over several short lines."""
    pairs = [f"{text!r}: {output!r}" for text, output in texts.items()]
    lines = [", ".join(pairs[start : start + 3]) for start in range(0, len(pairs), 3)]
    return "{\n        " + ",\n        ".join(lines) + ",\n    }"


@torch.no_grad()
def swapped_chances(chosen: Asked) -> tuple[Tensor, list[int]]:
    """How likely the written symbols are for the text and for each swap of it (1 + N, T); swaps of each position."""
    task, model = chosen.task, model_of(chosen.task_name)
    others = [alternatives(task, read) for read in chosen.text]
    texts = [chosen.text, *(replaced(chosen.text, i, each) for i, row in enumerate(others) for each in row)]
    symbols = [task.target.symbols.index(symbol) for symbol in traced(*chosen).symbols]
    sources = torch.tensor([task.source.encode(text) for text in texts])  # (1 + N, S)
    targets = torch.tensor(symbols).expand(len(texts), -1)  # (1 + N, T)
    logits: Tensor = model(sources, torch.full((len(texts),), sources.shape[1]), targets).logits
    return logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1), list(map(len, others))


def lengths_plain(length: int) -> str:
    """Count: what both models wrote for all unseen strings is embedded, as two models would fill a book."""
    one = unseen(length)
    wrote = [traced("reverse", one, name).output for name in MODELS.values()]
    return f'''"""Exact match over the length, with attention and with a fixed context: PyTorch alone.

The models themselves would make this file long, so here is what they wrote for {len(LENGTHS) * COUNT:,} strings
that they had never seen.
"""

import base64
import json
import zlib

import torch

# For every length: the strings, what the model with attention wrote, and what the one with a fixed context wrote.
written = json.loads(zlib.decompress(base64.b64decode("""
{wrapped(_packed_answers())}
""")))


def exact_match(texts, outputs):
    """The share of strings that came out reversed without an error."""
    return sum(output == text[::-1] for text, output in zip(texts, outputs)) / len(texts)


with_attention = torch.tensor([exact_match(texts, ours) for texts, ours, _ in written], dtype=torch.float64)
fixed_context = torch.tensor([exact_match(texts, fixed) for texts, _, fixed in written], dtype=torch.float64)

# One string of length {length}, and how many digits of it either model wrote in their place.
text, outputs = {one!r}, {wrote!r}
in_place = torch.tensor([sum(a == b for a, b in zip(output, text[::-1])) for output in outputs])

for length, ours, fixed in zip(range(1, {LENGTHS[-1] + 1}), with_attention.tolist(), fixed_context.tolist()):
    print(f"{{length}} digits: {{ours:.0%}} with attention, {{fixed:.0%}} with a fixed context")
print(text, outputs, in_place)
'''


def answers() -> list[list[list[str]]]:
    """For every length the unseen strings, and what each model writes for them."""
    task, found = TASKS["reverse"], []
    for n in LENGTHS:
        texts = strings(task, COUNT, 0, "unseen", Lengths(n, n))
        found.append([texts, *(outputs(model_of(name), task, texts) for name in MODELS.values())])
    return found


def _packed_answers() -> str:
    return base64.b64encode(zlib.compress(json.dumps(answers()).encode(), 9)).decode()
