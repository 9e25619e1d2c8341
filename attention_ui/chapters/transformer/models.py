"""Who reverses the digits: the model that comes with the app or the visitor's own, and one look through all of it."""

from functools import lru_cache
from typing import NamedTuple

from torch import Tensor

from attention_core.checks import InputError
from attention_core.sequences.tasks import TASKS, check_text
from attention_core.transformer.checkpoint import load_transformer
from attention_core.transformer.decoding import LIKELIEST, Choice, Text, write_text
from attention_core.transformer.model import Transformer
from attention_core.transformer.recorder import Recorder
from attention_ui.shared import shared

REVERSE = TASKS["reverse"]
LONGEST = 16  # digits that are taken; a few more than any model here was trained on


class Look(NamedTuple):
    """What a model wrote for a text, and every tensor of the pass that wrote it, by name."""

    text: Text
    tensors: dict[str, Tensor]  # see attention_core.transformer.recorder for their axes


@lru_cache(1)
def ready() -> Transformer:
    """The model that comes with the app; shared, so leave it unchanged."""
    return load_transformer()


@shared
def look(model: Transformer, text: str, choice: Choice = LIKELIEST) -> Look:
    """Let the model write, and keep all of its last pass, whose row t is what it saw when it wrote symbol t."""
    tensors: dict[str, Tensor] = {}
    return Look(write_text(model, REVERSE, text, choice, Recorder(tensors)), tensors)


def checked(text: str) -> str:
    """The digits without spaces around them, or one sentence that says what is wrong."""
    if len(text.strip()) > LONGEST:
        raise InputError(f"The text must have 1 to {LONGEST} digits; it has {len(text.strip()):,} characters.")
    return check_text(REVERSE, text)
