"""The views of the chapter by their ids; each module draws one."""

from collections.abc import Callable

from attention_core.learning.presets import PRESETS
from attention_ui.chapters.learned_w import before_after, by_hand, compared_runs, head_by_head, one_step, train
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View

VIEWS: dict[str, Callable[[Run], View]] = {
    "train": train.show,
    "by_hand": by_hand.show,
    "before_after": before_after.show,
    "one_step": one_step.show,
    "head_by_head": head_by_head.show,
    "runs": compared_runs.show,
}
ONE_HEAD = {
    "train": "Train",
    "by_hand": "By hand",
    "before_after": "Before and after",
    "one_step": "One step",
    "runs": "Runs",
}
# What happens to points of one's own before they are trained on.
STRETCHED = "stretched to x from 0 to 5, so that a learning rate means the same for all data"
SEVERAL_HEADS = {"train": "Train", "head_by_head": "Head by head", "runs": "Runs"}


def question(view: str, heads: int, revealed: bool) -> str:
    """A question to try that fits what is shown."""
    if heads > 1:
        return (
            "Choose the data **Step**, then **Wave**. Where do both heads keep a share, and where does one take over?"
        )
    if view != "by_hand":
        leap, back = (PRESETS[name].label for name in ("d2l", "fifty_epochs"))
        return f"Press **{leap}**, then **{back}**. Why does the first step go so far, and why is the way back so slow?"
    if revealed:
        return "Which side of the valley is steeper? Drag w to both sides and see what the curve does there."
    return "Drag w to where you think the loss is least. Then switch on **Show the best w**: how close are you?"
