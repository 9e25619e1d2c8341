"""What the desk gives away: its attention in bars, its numbers, and the code that made them."""

import pandas as pd

from attention_core.demos.cues import GAINS, KEYS, PURPOSES, VALUES
from attention_ui.chapters.cues.choices import Cues
from attention_ui.chapters.cues.computation import NAMES, computation
from attention_ui.export.still import still
from attention_ui.export.view import Export
from attention_ui.pictures.charts import bars
from attention_ui.pictures.picture import Picture

NAME = "two-cues"  # of the files


def exported(chosen: Cues) -> Export:
    """What the desk shows at this blend."""
    made = computation(chosen)
    output, weights = made.shown["output"], made.shown["weights"]  # (V,), (K,)
    (attention,) = bars(NAMES, {"attention": weights}, "weight").graphs
    (amounts,) = bars(GAINS, {"amount": output}, "amount").graphs
    return Export(
        name=NAME,
        title=title(chosen),
        figure=still(
            Picture((), graphs=(attention._replace(title="Attention"), amounts._replace(title="What you get")))
        ),
        tables={"objects": _objects(chosen), "gains": pd.DataFrame({"gain": GAINS, "amount": output.tolist()})},
        computation=made,
    )


def title(chosen: Cues) -> str:
    """The goal and the blend in a few words."""
    wanted = f"{chosen.percent} % of the wish to {chosen.goal}" if chosen.goal else "nothing wanted in particular"
    return f"Attention on the desk: {wanted}"


def script(chosen: Cues) -> str:
    """The code that ran, as the page shows it."""
    return computation(chosen).script(NAME, title(chosen)).text


def _objects(chosen: Cues) -> pd.DataFrame:
    """One row per object: what it is good for, how it is scored and weighed, what it gives."""
    shown = computation(chosen).shown
    keys = {f"key {purpose}": KEYS[:, place].tolist() for place, purpose in enumerate(PURPOSES)}
    values = {f"value {gain}": VALUES[:, place].tolist() for place, gain in enumerate(GAINS)}
    numbers = {"score": shown["scores"].tolist(), "weight": shown["weights"].tolist()}
    return pd.DataFrame({"object": NAMES, "saliency": chosen.saliency, **keys, **numbers, **values})
