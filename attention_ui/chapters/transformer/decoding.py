"""Writing symbol by symbol, as the browser plays it: for every temperature the distribution, and what is written."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attention_core.sequences.vocabulary import END
from attention_core.transformer.decoding import LIKELIEST, Choice
from attention_core.transformer.model import Transformer
from attention_ui.chapters.transformer.diagram import HERE, STYLES
from attention_ui.chapters.transformer.models import REVERSE, Look, look
from attention_ui.chapters.transformer.pictures import head_names
from attention_ui.component import component
from attention_ui.controls.player_position import played_to, take_frame
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import Player, send_message
from attention_ui.shared import shared

TEMPERATURES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 7.0, 10.0)

DECODING = component("decoding", HERE / "js" / "decoding.js", *STYLES)


@dataclass(frozen=True)
class Writing:
    """How a text is written: the likeliest symbols, or drawn ones."""

    model: Transformer
    text: str
    seed: int | None = None  # draws with this seed; None takes the likeliest


def temperature_text(temperature: float) -> str:
    """How a place of the slider reads."""
    return f"T = {temperature:g}"


def probabilities(logits: Tensor, temperature: float) -> Tensor:
    """softmax(logits / T) over the symbols that may be written; at T = 0 all is on the likeliest."""
    if temperature:
        return Choice(temperature).probabilities(logits)
    likeliest = LIKELIEST.probabilities(logits).argmax(-1)
    return torch.nn.functional.one_hot(likeliest, logits.shape[-1]).to(logits.dtype)


def written(writing: Writing, temperature: float) -> Look:
    """What is written at a temperature; without draws it does not matter which."""
    drawn = writing.seed is not None and temperature > 0
    return look(writing.model, writing.text, Choice(temperature, writing.seed) if drawn else LIKELIEST)


@shared
def packed(writing: Writing, slider: str) -> bytes:
    """Every temperature's distributions, and what every writing's heads looked at, as bytes."""
    looks = [written(writing, temperature) for temperature in TEMPERATURES]
    runs = list({id(seen): seen for seen in looks}.values())  # without draws they are one
    chances = [
        probabilities(seen.tensors["next.logits"][0], temperature)[:, END:]
        for seen, temperature in zip(looks, TEMPERATURES, strict=True)
    ]  # (T, symbols) each
    header = {
        **_words(writing),
        "heads": head_names(runs[0].text.cross),
        "runs": [{"symbols": seen.text.symbols} for seen in runs],
        "runOf": [next(i for i, run in enumerate(runs) if run is seen) for seen in looks],
        "slider": slider,
        **_player(longest(writing)),
    }
    return framed(header, *(seen.text.cross.float() for seen in runs), *(chance.float() for chance in chances))


def _words(writing: Writing) -> dict[str, Any]:
    return {
        "read": tuple(writing.text),
        "right": (*REVERSE.solve(writing.text), "end"),
        "symbols": REVERSE.target.symbols[END:],
        "temperatures": [temperature_text(temperature) for temperature in TEMPERATURES],
        "temperature": TEMPERATURES.index(1.0),
        "sampled": writing.seed is not None,
        "name": f"{writing.text} {writing.seed}",
    }


def _player(steps: int) -> dict[str, Any]:
    captions = tuple(f"symbol {step + 1}" for step in range(steps))
    return {"frames": steps, "captions": captions, "player": Player(1.2, "symbol", first=steps - 1)._asdict()}


def show(page: str, writing: Writing, slider: str) -> None:
    """Show the writing; it is played in the browser, and follows the slider of the temperature."""
    key, symbols = f"{page}_decoding", range(1, 1 + longest(writing))
    frame = played_to(f"{page}_at", (writing.text, writing.seed), symbols, first=len(symbols) - 1)
    DECODING(key=key, data=packed(writing, slider), on_frame_change=partial(take_frame, f"{page}_at", key, symbols))
    send_message(key, {"frame": frame})


def longest(writing: Writing) -> int:
    """How many symbols are written at most, at whatever temperature."""
    return max(len(written(writing, temperature).text.symbols) for temperature in TEMPERATURES)
