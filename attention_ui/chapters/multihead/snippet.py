"""The code behind the views on several heads: short, runnable, with the values that are on the screen."""

from attention_ui.chapters.multihead.layer import SHARPER, TOKENS, WIDTH
from attention_ui.chapters.multihead.mixing import SHARES, Mixture, all_shares
from attention_ui.export.snippets import MOST_INLINE, data_imports, data_lines


def kernels_snippet(mixture: Mixture, share: str, most: int = MOST_INLINE) -> str:
    """A script that prints the mixed prediction and the attention behind it; up to `most` own points stand in it."""
    dataset = mixture.dataset
    queries = "query_grid()" if dataset.has_truth else "query_grid(samples)"
    torch_import = "" if dataset.packed is not None else "import torch\n\n"
    return f"""{torch_import}{data_imports(dataset)}
from attention_core.learning.heads import predict_heads

{data_lines(dataset, most)}
queries = {queries}
{mixture_lines(mixture, share)}
output, weights = predict_heads(queries, samples, w=1 / widths, shares=shares)

print(output)         # one prediction per query
print(weights.shape)  # (queries, keys); every row sums to 1
"""


def mixture_lines(mixture: Mixture, share: str) -> str:
    """The width and the share of every head, to the last digit that counts."""
    shares = all_shares(mixture)[[f"{each:g}" for each in SHARES].index(share)].tolist()
    widths, shares = ([float(f"{each:.15g}") for each in numbers] for numbers in (mixture.widths, shares))
    return f"widths = torch.tensor({widths}, dtype=torch.float64)\nshares = torch.tensor({shares}, dtype=torch.float64)"


def vectors_snippet(heads: int, seed: int, on: tuple[bool, ...]) -> str:
    """A script that prints the output of the heads that are on, and how far it is from all of them."""
    return f"""import torch

from attention_core.transformer.multihead import MultiHeadAttention

generator = torch.Generator().manual_seed({seed})
rows = torch.randn(1, {TOKENS}, {WIDTH}, generator=generator).double()
attention = MultiHeadAttention({WIDTH}, {heads}, generator=generator).double().requires_grad_(False)
attention.W_q.weight *= {SHARPER:g}  # as training would: sharper than a fresh layer
full = attention(rows, rows, rows)
some = attention(rows, rows, rows, on=torch.tensor({list(on)}))
weights, output, parts = full.weights[0], some.output[0], attention.parts(some.heads)[0]
damage = (some.output - full.output).norm() / full.output.norm()

print(full.weights.shape)                                              # (B, H, T, T)
print((attention.parts(full.heads).sum(1) - full.output).abs().max())  # the parts sum to the output
print(damage)
"""
