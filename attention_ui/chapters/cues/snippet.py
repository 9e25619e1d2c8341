"""The code behind the desk: short, runnable, with the values that are on the screen."""

from attention_core.demos.cues import DESK, GAINS, KEYS, PURPOSES, QUERIES, VALUES
from attention_ui.chapters.cues.state import Cues


def snippet(chosen: Cues) -> str:
    """A script that prints the attention and the gains of the picture."""
    imported, asked, scores = "DESK, GAINS, VALUES", "", "saliency  # there is no query"
    if chosen.goal:
        imported = "DESK, GAINS, KEYS, QUERIES, VALUES"
        asked = f"query, blend = QUERIES[{chosen.goal!r}], {chosen.percent / 100:g}\n"
        scores = "(1 - blend) * saliency + blend * (KEYS @ query)  # (K,)"
    return f"""import torch

from attention_core.demos.cues import {imported}
from attention_core.pooling import attend

saliency = torch.tensor({list(chosen.saliency)}, dtype=torch.float64)
{asked}scores = {scores}
output, weights = attend(scores, VALUES)

for thing, weight in zip(DESK, weights):
    print(f"{{thing.name:15}} {{weight:.1%}}")
print(dict(zip(GAINS, output.tolist())))  # what you get
"""


def plain(chosen: Cues) -> str:
    """The same in torch alone, with everything on the desk written out."""
    return f"""import torch

names = {[thing.name for thing in DESK]}
# A value says what a thing gives you: {", ".join(GAINS)}.
values = torch.tensor({VALUES.tolist()}, dtype=torch.float64)  # (things, gains)

# How much each thing stands out: this cue acts whether you want it or not.
saliency = torch.tensor({list(chosen.saliency)}, dtype=torch.float64)

{_plain_scores(chosen)}
weights = scores.softmax(0)  # all above 0, and together 1
output = weights @ values  # what you get: an average of the values, weighted by attention

for name, weight in zip(names, weights.tolist()):
    print(f"{{name:15}} {{weight:.1%}}")
print(dict(zip({list(GAINS)}, output.tolist())))
"""


def _plain_scores(chosen: Cues) -> str:
    if not chosen.goal:
        return (
            "# You want nothing in particular: there is no query, and what stands out decides alone.\nscores = saliency"
        )
    return f"""# A key says what a thing is good for: {", ".join(PURPOSES)}. Your wish to {chosen.goal} is a query.
keys = torch.tensor({KEYS.tolist()}, dtype=torch.float64)  # (things, purposes)
query = torch.tensor({QUERIES[chosen.goal].tolist()}, dtype=torch.float64)

# A score blends both cues: at 0 only what stands out counts, at 1 only how well the key answers the query.
blend = {chosen.percent / 100:g}
scores = (1 - blend) * saliency + blend * (keys @ query)  # one for each thing"""
