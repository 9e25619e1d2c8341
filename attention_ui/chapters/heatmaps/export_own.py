"""A visitor's own weights to take home."""

import base64

import torch
from torch import Tensor

from attention_ui.chapters.heatmaps.figures import in_rows
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.export.export import Export
from attention_ui.export.points import plain_tensor
from attention_ui.export.tables import stacked_table

MOST_WRITTEN = 5_000  # numbers written out; more travel as the bytes of their float64
LINE = 100

SCRIPT = """{imports}

{numbers}
weights = numbers.reshape{shape}  # (rows, columns, queries, keys)

positive = weights.clamp(min=0)
shares = positive / positive.sum(-1, keepdim=True).clamp(min=1e-300)
listened = torch.special.entr(shares).sum(-1).exp()  # as many equal weights would be as spread out

print(weights.sum(-1))  # every row of attention weights sums to 1
print(listened)         # how many keys every query listens to
"""
MEAN = "print([[sharpness(one).neighbours for one in row] for row in shares])  # the same over all queries\n"
PACKED = """packed = (
{lines}
)
numbers = torch.frombuffer(bytearray(base64.b64decode(packed)), dtype=torch.float64)"""


def exported_own(matrix: OwnMatrix, titles: list[str], shared: bool) -> Export:
    """The picture, and the numbers as they were read."""
    weights = matrix.weights
    flat = weights.flatten(0, 1)  # (M, Q, K)
    return Export(
        name="own-weights",
        title="Your own weights",
        figure=in_rows(flat, titles, shared),
        tables={"weights": stacked_table(titles, flat)},
        script=_script(weights, ["from attention_core.regression.quality import sharpness"]) + MEAN,
        plain=_script(weights, []),
        results={"weights": weights, "listened": listened(weights)},
    )


def listened(weights: Tensor) -> Tensor:
    """How many keys every query listens to (..., Q): exp of the entropy of its shares of the weight."""
    positive = weights.clamp(min=0)
    shares = positive / positive.sum(-1, keepdim=True).clamp(min=1e-300)
    counted: Tensor = torch.special.entr(shares).sum(-1).exp()
    return counted


def _script(weights: Tensor, ours: list[str]) -> str:
    packed, flat = weights.numel() > MOST_WRITTEN, weights.flatten()
    imports = [*(["import base64", ""] if packed else []), "import torch", *(["", *ours] if ours else [])]
    numbers = _packed(flat) if packed else f"numbers = {plain_tensor(flat)}"
    return SCRIPT.format(imports="\n".join(imports), numbers=numbers, shape=tuple(weights.shape))


def _packed(flat: Tensor) -> str:
    text = base64.b64encode(flat.contiguous().numpy().tobytes()).decode()
    return PACKED.format(lines="\n".join(f'    "{text[at : at + LINE]}"' for at in range(0, len(text), LINE)))
