"""The code behind the desk: short, runnable, with the values that are on the screen."""

from attention_ui.cues.state import Cues


def snippet(chosen: Cues) -> str:
    """A script that prints the attention and the gains of the picture."""
    imported, asked, scores = "DESK, GAINS, VALUES", "", "saliency  # there is no query"
    if chosen.goal:
        imported = "DESK, GAINS, KEYS, QUERIES, VALUES"
        asked = f"query, blend = QUERIES[{chosen.goal!r}], {chosen.percent / 100:g}\n"
        scores = "(1 - blend) * saliency + blend * (KEYS @ query)  # (K,)"
    return f"""import torch

from attention_core.cues import {imported}
from attention_core.pooling import attend

saliency = torch.tensor({list(chosen.saliency)}, dtype=torch.float64)
{asked}scores = {scores}
output, weights = attend(scores, VALUES)

for thing, weight in zip(DESK, weights):
    print(f"{{thing.name:15}} {{weight:.1%}}")
print(dict(zip(GAINS, output.tolist())))  # what you get
"""
