"""The chain of matrices to take home."""

import pandas as pd
import torch

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.export_tables import long, wide
from attention_ui.chapters.scoring.figures_blocks import HIDDEN, Chain, chain_grids, named
from attention_ui.chapters.scoring.figures_numbered import from_grid, side_by_side
from attention_ui.chapters.scoring.plain_scores import PLAIN_SCORES, parameters
from attention_ui.chapters.scoring.snippet import blocks_snippet
from attention_ui.export import Export

NARROW = 4  # matrices in a row


def exported(chain: Chain) -> Export:
    """Queries, keys and values, and every step from them to the output."""
    q, k = named("q", len(chain.queries)), named("k", len(chain.keys))
    return Export(
        name="attention-building-blocks",
        title=f"Attention step by step: {SCORES[chain.score].label.lower()}, {len(q)} queries, {len(k)} keys",
        figure=side_by_side([from_grid(grid) for grid in chain_grids(chain)], NARROW, sides=None),
        tables={
            "queries": wide(chain.queries, q, named("q_", chain.queries.shape[1])),
            "pairs": _pairs(chain, k),
            "weights": long({"score": chain.scores, "weight": chain.weights}, query=q, key=k),
            "output": wide(chain.output, q, named("output_", chain.values.shape[1])),
        },
        script=blocks_snippet(chain),
        plain=plain(chain),
        results={
            "scores": chain.scores, "weights": chain.weights, "weighted": chain.weighted, "output": chain.output,
        },
    )  # fmt: skip


def _pairs(chain: Chain, names: list[str]) -> pd.DataFrame:
    """Every key beside its value."""
    columns = [*named("k_", chain.keys.shape[1]), *named("v_", chain.values.shape[1])]
    return wide(torch.cat([chain.keys, chain.values], -1), names, columns, "pair")


def plain(chain: Chain) -> str:
    """The same in torch alone."""
    score = PLAIN_SCORES[chain.score]
    cosine = "\nfrom torch.nn.functional import normalize" if chain.score == "cosine" else ""
    width = "d = queries.shape[1]\n" if "d" in _words(score.expression + score.parameters) else ""
    drawn = (
        f"# Nothing is trained here: the parameters are drawn.\n{parameters(chain.score, 0, HIDDEN)}\n"
        if score.parameters
        else ""
    )
    return f"""import torch{cosine}

queries = torch.tensor({chain.queries.tolist()}, dtype=torch.float64)
keys = torch.tensor({chain.keys.tolist()}, dtype=torch.float64)
values = torch.tensor({chain.values.tolist()}, dtype=torch.float64)
{width}
{drawn}# 1 Score every query against every key: {score.comment}.
scores = {score.expression}  # (queries, keys)

# 2 Softmax: exp(score) over the sum of its row, so that every row sums to 1.
weights = scores.softmax(-1)

# 3 Weigh the values, here for query q{chain.row}, and 4 sum them; for all queries at once that is one product.
weighted = weights[{chain.row}, :, None] * values
output = weights @ values

print(scores)
print(weights)
print(output)
print(weighted.sum(0) - output[{chain.row}])  # 0: the same sum
"""


def _words(source: str) -> set[str]:
    """The single names in a line of code."""
    return set("".join(sign if sign.isalnum() or sign == "_" else " " for sign in source).split())
