"""What a decoder with attention shows: where it looks while it writes, how far that explains, and how it does.

What the trained models hold and write comes as tensors: see sequences.trained.
"""

from typing import Any

import torch
from torch import Tensor

from attention_core.sequences.occlusion import effects_of, pearson, same_peak, spearman
from attention_core.sequences.vocabulary import END


def alignment(held: dict[str, Tensor], names: tuple[str, ...]) -> dict[str, Any]:
    """Bahdanau's attention: the decoder attends with the state before a symbol, and writes it with the one after."""
    states, read = held["decoder"], held["encoder"]  # (written + 1, H), (read, C)
    scores = scores_of(held)
    weights = scores.softmax(-1)  # (written, read): every row sums to 1
    contexts = weights @ read  # (written, C)
    logits = torch.cat([states[1:], contexts], 1) @ held["W_o"].mT + held["b_o"]  # (written, symbols)
    written = logits[:, END:].argmax(-1) + END  # never padding or begin
    shown = {"symbols": [names[symbol] for symbol in written.tolist()], "scores": scores, "weights": weights}
    shown |= {"states": states[:-1], "contexts": contexts, "probabilities": logits.softmax(-1)}
    return shown


def scores_of(held: dict[str, Tensor]) -> Tensor:
    """How well each state read h fits the state s before each symbol: w_v . tanh(W_q s + W_k h), (written, read)."""
    hidden = (held["decoder"][:-1] @ held["W_q"].mT)[:, None] + held["encoder"] @ held["W_k"].mT
    return hidden.tanh() @ held["w_v"]


def explanation(held: dict[str, Tensor], after: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights beside what mattered: the effect of swapping a symbol on the chance of every written one."""
    scores = scores_of(held)
    weights = scores.softmax(-1)  # (written, read)
    effects = effects_of(held["chances"], held["positions"])  # (written, read)
    same, noticed = same_peak(weights, effects)
    agreed = [pearson(weights, effects), spearman(weights, effects), same, noticed]
    changes = [(after[swaps] != after["written"]).sum() for swaps in ("most", "least")]  # of one written symbol
    shown = {"weights": weights, "effects": effects}
    shown |= {"agreed": torch.tensor(agreed, dtype=torch.float64), "changes": torch.stack(changes)}
    return shown


def exact_by_length(answers: dict[str, Tensor], one: dict[str, Tensor]) -> dict[str, Tensor]:
    """The share of strings of every length that each model reversed; and of one string the digits in their place.

    The strings "read" (lengths, count, longest) and what the models wrote (lengths, count, symbols) are padded.
    """
    texts, *models = answers
    shown = {"digits": torch.arange(1, len(answers[texts]) + 1)}
    for model in models:
        pairs = zip(shown["digits"].tolist(), answers[texts], answers[model], strict=True)
        right = [is_reversed(read[:, :digits], written) for digits, read, written in pairs]
        shown[model] = torch.stack(right).double().mean(-1)
    shown |= {"in_place": torch.stack([(one[model] == one[texts].flip(-1)).sum() for model in models])}
    return shown


def is_reversed(texts: Tensor, written: Tensor) -> Tensor:
    """Whether what was written for each text (count, digits) is that text from behind, and then the end."""
    digits = texts.shape[1]
    return (written[:, :digits] == texts.flip(-1)).all(-1) & (written[:, digits] == END)
