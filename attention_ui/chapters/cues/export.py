"""The desk to take home: its attention in bars, its numbers, and the code that makes them again."""

import pandas as pd

from attention_core.demos.cues import DESK, GAINS, KEYS, PURPOSES, VALUES
from attention_ui.chapters.cues.figures import desk_bars
from attention_ui.chapters.cues.snippet import plain, snippet
from attention_ui.chapters.cues.state import Cues
from attention_ui.export import Export

NAMES = [thing.name for thing in DESK]


def exported(chosen: Cues) -> Export:
    """What the desk shows at this blend."""
    output, weights = (rows[0] for rows in chosen.look())  # (V,), (K,)
    return Export(
        name="two-cues",
        title=f"Attention on the desk: {in_words(chosen)}",
        figure=desk_bars(NAMES, weights, GAINS, output),
        tables={"objects": _objects(chosen), "gains": pd.DataFrame({"gain": GAINS, "amount": output.tolist()})},
        script=snippet(chosen),
        plain=plain(chosen),
        results={"scores": chosen.scores(), "weights": weights, "output": output},
    )


def in_words(chosen: Cues) -> str:
    """The goal and the blend, shortly."""
    return f"{chosen.percent} % of the wish to {chosen.goal}" if chosen.goal else "nothing wanted in particular"


def _objects(chosen: Cues) -> pd.DataFrame:
    """One row per object: what it is good for, how it is scored and weighed, what it gives."""
    keys = {f"key {purpose}": KEYS[:, place].tolist() for place, purpose in enumerate(PURPOSES)}
    values = {f"value {gain}": VALUES[:, place].tolist() for place, gain in enumerate(GAINS)}
    numbers = {"score": chosen.scores().tolist(), "weight": chosen.look().weights[0].tolist()}
    return pd.DataFrame({"object": NAMES, "saliency": chosen.saliency, **keys, **numbers, **values})
