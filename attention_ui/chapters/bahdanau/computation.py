"""What each view runs: the page takes its numbers from here, "The code" shows it, Download gives it away."""

from functools import lru_cache

from attention_core.demos.alignment import alignment, exact_by_length, explanation
from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_core.sequences.occlusion import Occlusion
from attention_core.sequences.tasks import TASKS
from attention_core.sequences.trained import MODELS, answers, held_by, held_with_swaps, one_answer, swapped_by, traced
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field, FromFile

LONGEST, COUNT = 15, 100  # digits of the longest strings, and how many of each length
LABELS = {
    "with_attention": "With attention",
    "fixed_context": "Fixed context",
    "fixed_longer": f"Fixed context, {CHECKPOINTS['reverse-fixed-long'].config.steps:,} steps",
}
SIDES = {"across": "read", "down": "written"}


@lru_cache(256)
def aligned(task_name: str, text: str) -> Computation:
    """Scores, weights, contexts and probabilities of every symbol that is written for a text."""
    call = Call(alignment, held=FromFile(held_by, task_name, text), names=TASKS[task_name].target.symbols)
    return Computation(call, "heatmaps", {"matrices": {"Attention weights": Field("weights")}, **SIDES})


@lru_cache(256)
def explained(task_name: str, text: str, row: int = 0) -> Computation:
    """Attention beside effect, how far they agree, and how often swaps change one written symbol."""
    held, after = FromFile(held_with_swaps, task_name, text), FromFile(swapped_by, task_name, text, row)
    call = Call(explanation, held=held, after=after)
    matrices = {"Attention weights": Field("weights"), "Effect of a swap": Field("effects")}
    return Computation(call, "heatmaps", {"matrices": matrices, **SIDES})


def occluded(task_name: str, text: str) -> Occlusion:
    """What was written for a text, and how much each symbol of it owes to each symbol read."""
    return Occlusion(traced(task_name, text), explained(task_name, text).shown["effects"])


@lru_cache(LONGEST)
def compared(length: int) -> Computation:
    """Exact match by length with attention and with a fixed context, and each at one string of this length."""
    call = Call(exact_by_length, answers=FromFile(answers, LONGEST, COUNT), one=FromFile(one_answer, length))
    lines = {LABELS[name]: Field(name) for name in MODELS}
    return Computation(call, "graphs", {"x": Field("digits"), "lines": lines, "across": "digits in the string"})
