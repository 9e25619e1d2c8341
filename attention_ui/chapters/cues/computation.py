"""What the desk runs: its attention at one blend."""

from functools import lru_cache

import torch

from attention_core.demos.cues import DESK, GAINS, KEYS, QUERIES, VALUES, desk_attention, without_query
from attention_ui.chapters.cues.choices import Cues
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field

NAMES = tuple(thing.name for thing in DESK)
DRAWN = {"Attention": (NAMES, Field("weights")), "What you get": (GAINS, Field("output"))}


@lru_cache(64)
def computation(chosen: Cues) -> Computation:
    """The scores and weights (K,) of the things on the desk, and what they bring (V,)."""
    saliency = torch.tensor(chosen.saliency, dtype=torch.float64)
    call = Call(without_query, scores=saliency, values=VALUES)
    if chosen.goal:
        query, blend = QUERIES[chosen.goal], chosen.percent / 100
        call = Call(desk_attention, saliency=saliency, keys=KEYS, values=VALUES, query=query, blend=blend)
    return Computation(call, "bars", {"panels": DRAWN})
