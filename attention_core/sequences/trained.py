"""What the trained decoders that come with the app do with a text, as tensors; shared by all, so never changed."""

from functools import lru_cache

import torch
from torch import Tensor
from torch.nn.functional import pad

from attention_core.sequences.checkpoint import CHECKPOINTS, load
from attention_core.sequences.decoding import MOST_WRITTEN, Trace, greedy, trace, write_symbols
from attention_core.sequences.occlusion import Swap, chances_of_swaps, swap_most_attended
from attention_core.sequences.seq2seq import Seq2Seq
from attention_core.sequences.tasks import TASKS, Lengths, strings
from attention_core.sequences.vocabulary import padded

# Those that reverse digits; the last was trained longer than the others.
MODELS = {"with_attention": "reverse", "fixed_context": "reverse-fixed", "fixed_longer": "reverse-fixed-long"}


@lru_cache
def model_of(name: str) -> Seq2Seq:
    """The stored model of this name."""
    return load(name)


@lru_cache(256)
def traced(name: str, text: str) -> Trace:
    """How a model writes the answer to a text."""
    return trace(model_of(name), CHECKPOINTS[name].task, text)


@lru_cache(256)
def held_by(name: str, text: str) -> dict[str, Tensor]:
    """What a model holds while it writes the answer to a text: the states of decoder and encoder, and its maps."""
    model = model_of(name)
    sources = torch.tensor([CHECKPOINTS[name].task.source.encode(text)])
    memory, first = model.remember(sources, torch.tensor([sources.shape[1]]))
    states = torch.cat([first, greedy(model, sources).decoded.states[0]])  # (written + 1, H)
    maps: dict[str, Tensor] = dict(model.decoder.attention.named_parameters()) if model.decoder.attention else {}
    maps |= {"W_o": model.decoder.output.weight, "b_o": model.decoder.output.bias}
    return {"decoder": states, "encoder": memory.states[0]} | {key: each.detach() for key, each in maps.items()}


@lru_cache(256)
def held_with_swaps(name: str, text: str) -> dict[str, Tensor]:
    """The same, how likely the written symbols are for the text and with every swap, and the position of each swap."""
    chances, positions = chances_of_swaps(model_of(name), CHECKPOINTS[name].task, traced(name, text))
    return held_by(name, text) | {"chances": chances, "positions": positions}


def swapped_by(name: str, text: str, row: int) -> dict[str, Tensor]:
    """The symbol of this row, and what stands there after each swap of the most and of the least attended symbol."""
    number = CHECKPOINTS[name].task.target.symbols.index
    most, least = ([number(swap.symbol) for swap in swaps(name, text, row, each)] for each in (False, True))
    written = number(traced(name, text).symbols[row])
    return {"written": torch.tensor(written), "most": torch.tensor(most), "least": torch.tensor(least)}


@lru_cache(1024)
def swaps(name: str, text: str, row: int, least: bool) -> list[Swap]:
    """What is written when the most, or the least, attended symbol is replaced."""
    return swap_most_attended(model_of(name), CHECKPOINTS[name].task, text, row, least)


def answers(longest: int, count: int) -> dict[str, Tensor]:
    """So many unseen strings of each length up to this, and what each model that reverses digits writes; padded."""
    parts = [answers_at(length, count) for length in range(1, longest + 1)]
    sizes = {"read": longest} | dict.fromkeys(MODELS, MOST_WRITTEN)
    return {name: torch.stack([_filled_up(part[name], size) for part in parts]) for name, size in sizes.items()}


def one_answer(length: int) -> dict[str, Tensor]:
    """An unseen string of this many digits, and as many of the symbols that each model writes for it."""
    return {name: _filled_up(symbols[0], length)[:length] for name, symbols in answers_at(length, 1).items()}


@lru_cache(256)
@torch.no_grad()
def answers_at(length: int, count: int) -> dict[str, Tensor]:
    """Unseen strings (count, length), and the symbols (count, written) that each model writes for them."""
    task = TASKS["reverse"]
    texts = strings(task, count, 0, "unseen", Lengths(length, length))
    sources, lengths = padded([task.source.encode(text) for text in texts])
    written = {name: write_symbols(model_of(file).writer(sources, lengths), count) for name, file in MODELS.items()}
    return {"read": sources} | written


def _filled_up(symbols: Tensor, size: int) -> Tensor:
    """The symbols with padding after them, so many at least."""
    return pad(symbols, (0, max(0, size - symbols.shape[-1])))
