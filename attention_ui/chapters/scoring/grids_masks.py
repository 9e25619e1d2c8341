"""Masked weights as grids: hidden cells are crossed out, sums stand at the right edge, empty rows are flagged."""

from collections.abc import Sequence

from torch import Tensor

from attention_ui.chapters.scoring.computation_masks import Masked
from attention_ui.chapters.scoring.grids_blocks import Grid, Texts, cells, named, row_sums, shaded
from attention_ui.numbers import short, two

HIDDEN = "×"
PADDING = "pad"


def mask_grids(masked: Masked, sentences: Sequence[Sequence[str]]) -> list[Grid]:
    """Weights of either sentence; beside one with an empty row, what the usual trick makes of it."""
    grids = []
    for batch, sentence in enumerate(sentences):
        grids.append(_weights(masked, batch, sentence))
        if masked.empty[batch].any():
            grids.append(_leaked(masked, batch, sentence))
    return grids


def padded(sentence: Sequence[str], count: int) -> list[str]:
    """The words, then padding up to so many tokens."""
    return [*sentence, *[PADDING] * (count - len(sentence))]


def _weights(masked: Masked, batch: int, sentence: Sequence[str]) -> Grid:
    weights, hidden = masked.weights[batch], ~masked.seen[batch]
    tokens, empty = padded(sentence, len(weights)), masked.empty[batch].nonzero().flatten().tolist()
    texts = _crossed(cells(weights, two), hidden)
    sums = [
        f"{total}, output {two(out)}"
        for total, out in zip(row_sums(weights), masked.output[batch].tolist(), strict=True)
    ]
    return Grid(
        f"weights {batch}", f"Sentence {batch}: weights, their sum, output", tokens, tokens, texts,
        _tips(weights, hidden, tokens), weights.tolist(), sums=sums, masked=hidden.tolist(), faded=(PADDING,),
        flagged=empty,
    )  # fmt: skip


def _leaked(masked: Masked, batch: int, sentence: Sequence[str]) -> Grid:
    """The same sentence with -1e6 for hidden scores: its empty rows attend to what is hidden."""
    weights, hidden = masked.leaked[batch], ~masked.seen[batch]
    tokens, empty = padded(sentence, len(weights)), masked.empty[batch].nonzero().flatten().tolist()
    none = hidden & (weights == 0)
    out = masked.leaked_output[batch].tolist()
    sums = [f"= {short(total, 6)}, output {two(o)}" for total, o in zip(weights.sum(-1).tolist(), out, strict=True)]
    return Grid(
        f"leaked {batch}", "With −1e6 for hidden scores", tokens, tokens, _crossed(cells(weights, two), none),
        _tips(weights, none, tokens), weights.tolist(), sums=sums, masked=hidden.tolist(), faded=(PADDING,),
        flagged=empty,
    )  # fmt: skip


def _crossed(texts: Texts, hidden: Tensor) -> Texts:
    pairs = zip(texts, hidden.tolist(), strict=True)
    return [[HIDDEN if gone else text for text, gone in zip(line, row, strict=True)] for line, row in pairs]


def _tips(weights: Tensor, hidden: Tensor, tokens: Sequence[str]) -> Texts:
    gone = hidden.tolist()
    return [
        [
            f"query {i} ({tokens[i]}) may not attend to key {j} ({tokens[j]}): its weight is exactly 0"
            if gone[i][j]
            else f"query {i} ({tokens[i]}) gives key {j} ({tokens[j]}) the weight {short(weight, 5)}"
            for j, weight in enumerate(line)
        ]
        for i, line in enumerate(weights.tolist())
    ]


def mask_words(masked: Masked) -> str:
    """The picture in words."""
    hidden, empty = int((~masked.seen).sum()), int(masked.empty.sum())
    return (
        f"Attention weights of two sentences: {hidden} of {masked.seen.numel()} cells are hidden, "
        f"{empty} queries have no key, all other rows sum to 1."
    )


def example_grids(output: Tensor, weights: Tensor, lengths: Sequence[int]) -> list[Grid]:
    """d2l's example: the weights (2, 10) with what is hidden, and the output (2, 4)."""
    batches, keys = ["0", "1"], named("k", weights.shape[1])
    hidden = weights == 0
    tips = [
        [f"batch {i}, key {j}: weight {short(w, 5)}" for j, w in enumerate(row)]
        for i, row in enumerate(weights.tolist())
    ]
    sums = row_sums(weights)
    told = [
        [f"batch {i}: average of the first {n} values[{c}]" for c in range(output.shape[1])]
        for i, n in enumerate(lengths)
    ]
    shown, columns = _crossed(cells(weights, two), hidden), [str(column) for column in range(output.shape[1])]
    return [
        Grid(
            "example",
            "Weights (batch, keys)",
            batches,
            keys,
            shown,
            tips,
            weights.tolist(),
            sums=sums,
            masked=hidden.tolist(),
        ),
        Grid(
            "outputs",
            "Output (batch, values)",
            batches,
            columns,
            cells(output, short),
            told,
            shaded(output),
            "× values →",
        ),
    ]
