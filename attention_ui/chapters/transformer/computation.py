"""What each view runs: the page takes its numbers from here, "The code" shows it, Download gives it away."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from attention_core.demos import transformer as demo
from attention_core.sequences.checkpoint import filled, parameters_of
from attention_core.transformer.checkpoint import load_transformer
from attention_core.transformer.model import Transformer, TransformerConfig
from attention_core.transformer.opening import NUMBERS, given_to, given_to_heads, given_to_writing
from attention_core.transformer.recorder import axes
from attention_ui.chapters.transformer.choices import Asked
from attention_ui.chapters.transformer.models import REVERSE, look
from attention_ui.chapters.transformer.pictures import head_names
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field, FromFile

SIDES = {"across": "read", "down": "written"}


def model_call(asked: Asked) -> Call:
    """The call that makes the model: it is stored, or it is filled with what the visitor has trained."""
    if asked.run is None:
        return Call(load_transformer)
    return Call(filled, model=Call(Transformer, asked.model.config), parameters=parameters_of(asked.model))


@lru_cache(64)
def opened(asked: Asked, tensor: str) -> Computation:
    """The block that makes a tensor."""
    function, settings = block(asked.model.config, tensor)
    made = made_as(tensor)
    heads = {f"Head {head + 1}": Field(made, head) for head in range(asked.model.config.heads)}
    drawn = {
        "matrices": heads if "H" in axes(tensor) else {tensor: Field(made)},
        "across": "columns",
        "down": "rows",
    }
    given = FromFile(given_to, tensor, model_call(asked), asked.text)
    return Computation(Call(function, given=given, **settings), "heatmaps", drawn)


def block(config: TransformerConfig, tensor: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The function that makes a tensor from what goes into its block, and its settings."""
    part, _, word = tensor.rpartition(".")
    if part in ("source", "target"):
        return demo.placing if config.positions else demo.embedding, {}
    if part == "next" and word != "output":
        return demo.next_symbol, {}
    if word == "norm" or part in ("memory", "next"):
        return demo.norm, {}
    if word == "sum":
        return demo.around, {}
    if part.endswith("feed_forward"):
        return demo.feed_forward, {}
    if word in NUMBERS:
        return demo.projection, {"heads": config.heads}
    causal = part.startswith("decoder") and part.endswith("self_attention")
    return demo.causal_attention if causal else demo.attention, {}


def made_as(tensor: str) -> str:
    """What the function of its block calls a tensor."""
    part, _, word = tensor.rpartition(".")
    return "projected" if word in NUMBERS else "norm" if (part, word) in CLOSING else word


CLOSING = (("memory", "output"), ("next", "output"))  # made by the norm that closes a stack


@lru_cache(64)
def heads(asked: Asked) -> Computation:
    """The weights of every head."""
    call = Call(demo.every_head, given=FromFile(given_to_heads, model_call(asked), asked.text))
    text = look(asked.model, asked.text).text
    kinds = {"encoder": text.encoder, "decoder": text.decoder, "cross": text.cross}
    fields = [field for kind, weights in kinds.items() for field in head_fields(kind, weights.shape)]
    names = [name for kind, weights in kinds.items() for name in head_names(weights, kind.capitalize())]
    return Computation(call, "heatmaps", {"matrices": dict(zip(names, fields, strict=True))})


def head_fields(kind: str, shape: tuple[int, ...]) -> list[Field]:
    """Each head of weights (layers, heads, queries, keys)."""
    return [Field(kind, layer, head) for layer in range(shape[0]) for head in range(shape[1])]


@lru_cache(64)
def written(asked: Asked, temperature: float, seed: int | None) -> Computation:
    """How the symbols of one answer are chosen, and where every head looks."""
    seed = seed if temperature else None
    given = FromFile(given_to_writing, model_call(asked), asked.text, temperature, seed)
    names = REVERSE.target.symbols
    call = Call(demo.cold_writing, given=given, names=names)
    if temperature:
        call = Call(demo.writing, given=given, names=names, temperature=temperature)
    if seed is not None:
        call = Call(demo.drawn_writing, given=given, names=names, temperature=temperature, seed=seed)
    cross = look(asked.model, asked.text).text.cross
    fields = dict(zip(head_names(cross), head_fields("cross", cross.shape), strict=True))
    return Computation(call, "heatmaps", {"matrices": {**fields, "Probabilities": Field("probabilities")}, **SIDES})
