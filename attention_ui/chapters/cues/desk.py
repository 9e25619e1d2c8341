"""The desk on the page: a drawing lit by attention, which follows the blend slider without a trip to the server."""

from pathlib import Path

import torch

from attention_core.demos.cues import DESK, GAINS, VALUES, look
from attention_ui.chapters.cues.choices import BLEND_KEY, DESK_KEY, FRAMES, Cues, stands_out, take_click
from attention_ui.component import component
from attention_ui.pictures.packing import framed

HERE = Path(__file__).parent
# Where the name of each object stands in the drawing (desk.html), which is 800 by 530.
TAGS = {
    "newspaper": (132, 240),
    "research paper": (266, 487),
    "coffee cup": (400, 240),
    "notebook": (534, 487),
    "book": (668, 240),
}

HTML = (HERE / "desk.html").read_text("utf-8")
COMPONENT = component("cues", HERE / "js" / "cues.js", HERE / "cues.css", html=HTML)


def show(chosen: Cues) -> None:
    """Show the desk; it follows the blend slider by itself, and a click on an object moves that object's slider."""
    COMPONENT(key=DESK_KEY, data=pack(chosen), on_object_change=take_click)


def pack(chosen: Cues) -> bytes:
    """Weights and gains at every blend, 4 kB in all: little enough to carry the committed blend along."""
    blends = torch.linspace(0, 1, FRAMES, dtype=torch.float64)
    gains, weights = look(chosen.outstanding(), chosen.goal, blends)  # (F, V), (F, K)
    header = {
        "frames": FRAMES,
        "frame": chosen.percent,  # shown where the slider cannot be read
        "slider": BLEND_KEY,
        "goal": chosen.goal,
        "saliency": chosen.saliency,
        "salient": [stands_out(own) for own in chosen.saliency],
        "names": [thing.name for thing in DESK],
        "places": [TAGS[thing.name] for thing in DESK],
        "gains": GAINS,
        "largest": float(VALUES.max()),
    }
    return framed(header, weights.float(), gains.float())
