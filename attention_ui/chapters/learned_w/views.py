"""The views of the chapter by their ids; each module draws one."""

from collections.abc import Callable

from attention_ui.chapters.learned_w import before_after, by_hand, compared_runs, head_by_head, one_step, train
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.export.view import View

VIEWS: dict[str, Callable[[str, Run], View]] = {
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
SEVERAL_HEADS = {"train": "Train", "head_by_head": "Head by head", "runs": "Runs"}
