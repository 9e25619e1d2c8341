"""The code behind the views: short, runnable, with the values that are on the screen."""

from attention_core.scores import SCORES
from attention_ui.figures.blocks import HIDDEN, Chain
from attention_ui.scoring.masked import SEED, TOKENS, WIDTH, Masking


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

print(scores)
print(weights, weights.sum(-1))  # every row sums to 1
print(output)
"""


def masks_snippet(masking: Masking) -> str:
    """Masked attention of the two sentences, and torch's own beside it."""
    lengths = [list(row) for row in masking.lengths]
    return f"""import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.masks import allowed, masked_attend
from attention_core.scoring import scaled_dot

generator = torch.Generator().manual_seed({SEED})
tokens = torch.randn(2, {TOKENS}, {WIDTH}, dtype=torch.float64, generator=generator)  # queries and keys
values = torch.arange(1, {TOKENS + 1}, dtype=torch.float64)
lengths = torch.tensor({lengths})  # (batch, queries)

scores = scaled_dot(tokens, tokens)
output, weights = masked_attend(scores, values, lengths, causal={masking.causal})
seen = allowed(tuple(scores.shape), lengths, causal={masking.causal})
theirs = scaled_dot_product_attention(tokens, tokens, values.expand(2, -1)[..., None], seen)

print(weights.sum(-1))  # 1, or 0 where a query sees nothing
print((output - theirs[..., 0]).abs().max())
"""
