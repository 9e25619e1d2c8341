"""The trained models that come with the app, and what they do with a text; shared by all visitors, never changed."""

from functools import lru_cache

from attention_core.sequences import checkpoint
from attention_core.sequences.decoding import Trace, exact_match_by_length, trace
from attention_core.sequences.occlusion import Occlusion, Swap, occlude, swap_most_attended
from attention_core.sequences.seq2seq import Seq2Seq
from attention_core.sequences.tasks import TASKS


@lru_cache
def model_of(name: str) -> Seq2Seq:
    """The stored model of this name."""
    return checkpoint.load(name)


@lru_cache(256)
def traced(task_name: str, text: str, name: str | None = None) -> Trace:
    """How the task's model, or the one of this name, writes the answer to a text."""
    return trace(model_of(name or task_name), TASKS[task_name], text)


@lru_cache(256)
def occluded(task_name: str, text: str) -> Occlusion:
    """How much each written symbol owes to each symbol of the text."""
    return occlude(model_of(task_name), TASKS[task_name], text)


@lru_cache(1024)
def swaps(task_name: str, text: str, row: int, least: bool) -> list[Swap]:
    """What is written when the most, or the least, attended symbol is replaced."""
    return swap_most_attended(model_of(task_name), TASKS[task_name], text, row, least)


@lru_cache(256)
def exact_at(name: str, length: int, count: int) -> float:
    """The share of unseen digit strings of this length that a stored model gets right."""
    return exact_match_by_length(model_of(name), TASKS["reverse"], [length], count)[0]
