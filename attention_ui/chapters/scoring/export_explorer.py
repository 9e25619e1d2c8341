"""The score explorer to take home: six scores of the same queries and keys at one temperature."""

import pandas as pd
import torch
from torch import Tensor

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.explorer import heated, note, scored, snippet
from attention_ui.chapters.scoring.export_tables import long, wide
from attention_ui.chapters.scoring.figures_numbered import Shades, numbered, side_by_side
from attention_ui.chapters.scoring.plain_scores import PLAIN_SCORES, parameters
from attention_ui.chapters.scoring.vectors import COLUMNS, KEYS, QUERIES, ROWS, TEMPERATURES, WIDEST, vectors
from attention_ui.export import Export

HIDDEN = 8  # units of the additive score's network, as `drawn` has them
ACROSS = 3


def exported(d: int, seed: int, temperature: str) -> Export:
    """All six heatmaps."""
    scores = torch.stack([scored(name, d, seed) for name in SCORES])  # (S, Q, K)
    weights = torch.stack([heated(each)[TEMPERATURES.index(temperature)] for each in scores])  # (S, Q, K)
    labels = [score.label for score in SCORES.values()]
    queries, keys = vectors(d, seed)
    shown = [
        numbered(f"{label}: {note(each)}", each, ROWS, COLUMNS) for label, each in zip(labels, weights, strict=True)
    ]
    return Export(
        name="score-explorer",
        title=f"Six scores of the same queries and keys, T = {temperature}, d = {d}, draw {seed}",
        figure=side_by_side(shown, ACROSS, Shades(name="weight")),
        tables={
            "weights": long({"score": scores, "weight": weights}, name=labels, query=ROWS, key=COLUMNS),
            "vectors": _vectors(torch.cat([queries, keys])),
        },
        script=snippet(d, seed, temperature),
        plain=plain(d, seed, temperature),
        results={"scores": scores, "weights": weights},
    )


def _vectors(both: Tensor) -> pd.DataFrame:
    return wide(both, [*ROWS, *COLUMNS], [str(place) for place in range(both.shape[1])], "vector")


def plain(d: int, seed: int, temperature: str) -> str:
    """The same in torch alone: every score written out."""
    lines = "".join(
        f'    # {PLAIN_SCORES[name].comment}\n    "{score.label}": {PLAIN_SCORES[name].expression},\n'
        for name, score in SCORES.items()
    )
    return f"""import torch
from torch.nn.functional import normalize

d, temperature = {d}, {temperature}

# At every d these are the first coordinates of the same vectors.
generator = torch.Generator().manual_seed({seed})
vectors = torch.randn({QUERIES + KEYS}, {WIDEST}, dtype=torch.float64, generator=generator)[:, :d]
queries, keys = vectors[:{QUERIES}], vectors[{QUERIES}:]

# Two of the scores learn; nothing is trained here, so their parameters are drawn.
{parameters("bilinear", seed, HIDDEN)}
{parameters("additive", seed, HIDDEN)}
named_scores = {{
{lines}}}
scores = torch.stack(list(named_scores.values()))  # (scores, queries, keys)

# The hotter, the more alike the weights; every row sums to 1.
weights = (scores / temperature).softmax(-1)

for name, matrix in zip(named_scores, weights):
    print(name, matrix)
"""
