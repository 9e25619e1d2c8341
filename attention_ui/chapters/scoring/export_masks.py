"""Two masked sentences, and d2l's example below them, to take home."""

import torch

from attention_ui.chapters.scoring.export_tables import long, wide
from attention_ui.chapters.scoring.figures_masks import example_grids, mask_grids, padded
from attention_ui.chapters.scoring.figures_numbered import Matrix, from_grid, side_by_side
from attention_ui.chapters.scoring.masked import (
    LENGTHS,
    SEED,
    SENTENCES,
    TOKENS,
    WIDTH,
    Masked,
    Masking,
    masked,
    worked_example,
)
from attention_ui.chapters.scoring.snippet import TRICK, masks_snippet
from attention_ui.export import Export

PLACES = [str(place) for place in range(TOKENS)]


def exported(masking: Masking) -> Export:
    """Weights and outputs under this mask, by masking and by the usual trick, and those of the example."""
    result, (example_output, example_weights) = masked(masking), worked_example()
    numbers = {"seen": result.seen, "weight": result.weights, "weight with -1e6": result.leaked}
    outputs = torch.stack([result.output, result.leaked_output], -1)  # (2, T, 2)
    words = [word for sentence in SENTENCES for word in padded(sentence, TOKENS)]
    outcome = wide(outputs.flatten(0, 1), words, ("output", "output with -1e6"), "token")
    outcome.insert(0, "sentence", [place for place, _ in enumerate(SENTENCES) for _ in range(TOKENS)])
    return Export(
        name="masked-attention",
        title=_title(masking, int(result.empty.sum())),
        figure=side_by_side([*_sentences(result), *_example()], 2, sides=None, gap=0.2),
        tables={
            "weights": long(numbers, sentence=["0", "1"], query=PLACES, key=PLACES),
            "output": outcome,
            "example": wide(example_weights, ["0", "1"], [f"k{key}" for key in range(10)], "batch"),
        },
        script=masks_snippet(masking, example=True),
        plain=plain(masking),
        results={
            "seen": result.seen, "weights": result.weights, "output": result.output, "leaked": result.leaked,
            "example_weights": example_weights, "example_output": example_output,
        },
    )  # fmt: skip


def _sentences(result: Masked) -> list[Matrix | None]:
    """Both sentences beside each other, or each beside what the usual trick makes of it, if that is on the page."""
    shown = {grid.name: from_grid(grid) for grid in mask_grids(result, SENTENCES)}
    if not result.empty.any():
        return list(shown.values())
    return [shown.get(f"{kind} {sentence}") for sentence in range(len(SENTENCES)) for kind in ("weights", "leaked")]


def _example() -> list[Matrix]:
    return [
        from_grid(grid)._replace(title=f"d2l's example: {grid.title}")
        for grid in example_grids(*worked_example(), LENGTHS)
    ]


def _title(masking: Masking, empty: int) -> str:
    first, second = (f"{row[0]}" if len({*row}) == 1 else "one per query" for row in masking.lengths)
    causal = "causal, " if masking.causal else ""
    blind = f", {empty} queries see nothing" if empty else ""
    return f"Masked attention: {causal}valid lengths {first} and {second}{blind}"


def plain(masking: Masking) -> str:
    """The same in torch alone."""
    lengths = [list(row) for row in masking.lengths]
    causal = "\n# Causal: no query looks ahead.\nseen = seen & torch.ones_like(seen).tril()\n" if masking.causal else ""
    return f"""import torch

# Two sentences of {TOKENS} tokens, padding included; every token is a query and a key, and its value is its place.
generator = torch.Generator().manual_seed({SEED})
tokens = torch.randn(2, {TOKENS}, {WIDTH}, dtype=torch.float64, generator=generator)
values = torch.arange(1, {TOKENS + 1}, dtype=torch.float64)
scores = tokens @ tokens.mT / {WIDTH}**0.5  # (sentences, queries, keys)

# How many tokens each query may see.
lengths = torch.tensor({lengths})  # (sentences, queries)
seen = torch.arange({TOKENS}) < lengths[..., None]  # (sentences, queries, keys)
{causal}
# exp(-inf) is 0: a hidden key gets no weight at all. A query that sees nothing would get 0 / 0; it gets zeros.
weights = scores.masked_fill(~seen, -torch.inf).softmax(-1).nan_to_num(0.0)
output = weights @ values

# The usual trick writes {TRICK} instead. It does the same, but where a query sees nothing padding leaks in.
leaked = scores.masked_fill(~seen, {TRICK}).softmax(-1)

print(weights.sum(-1))  # 1, or 0 where a query sees nothing
print(output)
print((weights - leaked).abs().amax(-1))

{PLAIN_EXAMPLE}"""


PLAIN_EXAMPLE = f"""# d2l's example: additive attention, w_v . tanh(W_q q + W_k k), over ten equal keys.
# In the first batch {LENGTHS[0]} of them count, in the second {LENGTHS[1]}.
generator = torch.Generator().manual_seed({SEED})
queries = torch.randn(2, 20, generator=generator)  # one query for each of two batches
keys, values = torch.ones(2, 10, 2), torch.arange(40.0).view(10, 4)
W_q = (2 * torch.rand(8, 20, generator=generator) - 1) / 20**0.5
W_k = (2 * torch.rand(8, 2, generator=generator) - 1) / 2**0.5
w_v = (2 * torch.rand(8, generator=generator) - 1) / 8**0.5
scores = ((queries @ W_q.T)[:, None] + keys @ W_k.T).tanh() @ w_v  # (batches, keys)
counted = torch.arange(10) < torch.tensor({[[length] for length in LENGTHS]})
example_weights = scores.masked_fill(~counted, -torch.inf).softmax(-1)
example_output = example_weights @ values  # equal scores, so the plain average of what counts

print(example_output)
"""
