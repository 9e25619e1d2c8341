"""The views of the chapter by their ids; each module draws one."""

from collections.abc import Callable

from attention_core.learning.presets import PRESETS
from attention_ui.chapters.learned_w import before_after, by_hand, compared_runs, head_by_head, one_step, train
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View
from attention_ui.link.lesson import hides

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
STRETCHED = "stretched to $x$ from 0 to 5, so that a learning rate means the same for all data"
SEVERAL_HEADS = {"train": "Train", "head_by_head": "Head by head", "runs": "Runs"}


def question(view: str, heads: int, revealed: bool) -> tuple[str, ...]:
    """A question to try that fits what is shown, and the controls that it needs."""
    if heads > 1:
        words = "Choose the data **Step**, then **Wave**. With which does one head take over nearly the whole share?"
        return words, "function"
    if view != "by_hand" and hides("preset"):
        return ("Press **Train** and follow $w$. Where does it end, and why there?",)
    if view != "by_hand":
        leap, back = (PRESETS[name].label for name in ("d2l", "fifty_epochs"))
        words = "Why does the first step go so far, and why is the way back so slow?"
        return f"Press **{leap}**, then **{back}**. {words}", "preset"
    if revealed:
        return "Which side of the valley is steeper? Drag $w$ to both sides and see what the curve does there.", "hand"
    words = "Drag $w$ to where you think the loss is least. Then switch on **Show the best w**: how close are you?"
    return words, "hand", "reveal"
