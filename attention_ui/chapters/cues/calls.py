"""What the desk runs: its attention at one blend."""

from functools import lru_cache

from attention_core.demos.cues import DESK, GAINS, QUERIES, desk_attention
from attention_ui.chapters.cues.choices import Cues
from attention_ui.export.ran import Ran
from attention_ui.export.writing import Call, Field

NAMES = tuple(thing.name for thing in DESK)
DRAWN = {"Attention": (NAMES, Field("weights")), "What you get": (GAINS, Field("output"))}


@lru_cache(64)
def ran(chosen: Cues) -> Ran:
    """The scores and weights (K,) of the things on the desk, and what they bring (V,)."""
    desk = tuple(thing._replace(saliency=own) for thing, own in zip(DESK, chosen.saliency, strict=True))
    asked = {"query": tuple(QUERIES[chosen.goal].tolist()), "blend": chosen.percent / 100} if chosen.goal else {}
    return Ran(Call(desk_attention, desk=desk, **asked), "bars", {"panels": DRAWN})
