"""The code behind the views: short, runnable, with the values that are on the screen."""

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.figures_blocks import HIDDEN, Chain
from attention_ui.chapters.scoring.masked import LENGTHS, SEED, TOKENS, WIDTH, WRITTEN, Masking

TRICK = f"{WRITTEN:.0e}".replace("e+0", "e")  # as people write it: -1e6


def blocks_snippet(chain: Chain) -> str:
    """Scores, weights and output of one's own matrices."""
    parameters = SCORES[chain.score].parameters
    drawn = f"parameters = drawn({chain.score!r}, {chain.queries.shape[1]}, {chain.keys.shape[1]}, hidden={HIDDEN})\n"
    return f"""import torch

from attention_core.pooling import attend
from attention_core.scores import SCORES{", drawn" if parameters else ""}

queries = torch.tensor({chain.queries.tolist()}, dtype=torch.float64)
keys = torch.tensor({chain.keys.tolist()}, dtype=torch.float64)
values = torch.tensor({chain.values.tolist()}, dtype=torch.float64)
{drawn if parameters else ""}
scores = SCORES[{chain.score!r}](queries, keys{", *parameters" if parameters else ""})  # (queries, keys)
output, weights = attend(scores, values)
weighted = weights[{chain.row}, :, None] * values  # of query q{chain.row}; their sum is its output

print(scores)
print(weights, weights.sum(-1))  # every row sums to 1
print(output)
"""


def masks_snippet(masking: Masking, example: bool = False) -> str:
    """Masked attention of the two sentences, the usual trick and torch's own beside it; if asked, d2l's example too."""
    lengths = [list(row) for row in masking.lengths]
    return f"""import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.masks import allowed, masked_attend
from attention_core.scoring import {"AdditiveAttention, " if example else ""}scaled_dot

generator = torch.Generator().manual_seed({SEED})
tokens = torch.randn(2, {TOKENS}, {WIDTH}, dtype=torch.float64, generator=generator)  # queries and keys
values = torch.arange(1, {TOKENS + 1}, dtype=torch.float64)
lengths = torch.tensor({lengths})  # (batch, queries)

scores = scaled_dot(tokens, tokens)
output, weights = masked_attend(scores, values, lengths, causal={masking.causal})
seen = allowed(tuple(scores.shape), lengths, causal={masking.causal})
leaked = scores.masked_fill(~seen, {TRICK}).softmax(-1)  # the usual trick: wrong where a query sees nothing
theirs = scaled_dot_product_attention(tokens, tokens, values.expand(2, -1)[..., None], seen)

print(weights.sum(-1))  # 1, or 0 where a query sees nothing
print((output - theirs[..., 0]).abs().max())
{EXAMPLE if example else ""}"""


EXAMPLE = f"""
# d2l's example: ten equal keys, of which {LENGTHS[0]} and {LENGTHS[1]} count.
generator = torch.Generator().manual_seed({SEED})
queries = torch.randn(2, 1, 20, generator=generator)
keys, values = torch.ones(2, 10, 2), torch.arange(40.0).view(1, 10, 4).expand(2, -1, -1)
attention = AdditiveAttention(20, 2, 8, generator)
with torch.no_grad():
    example_output, example_weights = attention(queries, keys, values, torch.tensor({list(LENGTHS)}))
example_output, example_weights = example_output[:, 0], example_weights[:, 0]  # of the one query

print(example_output)
"""
