"""What goes into each block of a trained Transformer while it writes the answer to a text, as tensors without a batch.

Tensors are named as a Recorder names them; learned ones as in the formulas: W, b, gamma, beta, E.
"""

import torch
from torch import Tensor

from attention_core.sequences.tasks import TASKS
from attention_core.transformer.decoding import LIKELIEST, Choice, write_text
from attention_core.transformer.model import Transformer, TransformerConfig
from attention_core.transformer.recorder import Recorder

Given = dict[str, Tensor]
NUMBERS = ("queries", "keys", "values")
KINDS = {"encoder": "encoder.self_attention", "decoder": "decoder.self_attention", "cross": "decoder.cross_attention"}


def recorded(model: Transformer, text: str, choice: Choice = LIKELIEST) -> Given:
    """Every tensor of the pass that wrote the digits from behind."""
    tensors: Given = {}
    write_text(model, TASKS["reverse"], text, choice, Recorder(tensors))
    return tensors


def given_to(tensor: str, model: Transformer, text: str) -> Given:
    """What goes into the block that makes the tensor of this name."""
    tensors, (part, _, word) = recorded(model, text), tensor.rpartition(".")
    if part in ("source", "target"):
        return {"symbols": tensors[f"{part}.symbols"][0], **_learned(model, f"{part}.embedding", E="weight")}
    if part == "next" and word != "output":
        return {"x": tensors["next.output"][0], **_learned(model, "output", W="weight", b="bias")}
    if word == "norm" or part in ("memory", "next"):
        return _given_to_norm(model, tensors, part)
    if word == "sum":
        return {"x": tensors[before(model.config, part)][0], "output": tensors[f"{part}.output"][0]}
    if part.endswith("feed_forward"):
        first = _learned(model, f"{part}.inner", W_1="weight", b_1="bias")
        return {"x": _inside(model, tensors, part)} | first | _learned(model, f"{part}.outer", W_2="weight", b_2="bias")
    if word in NUMBERS:
        from_memory = part.endswith("cross_attention") and word != "queries"
        rows = tensors["memory.output"][0] if from_memory else _inside(model, tensors, part)
        return {"x": rows, **_learned(model, f"{part}.W_{word[0]}", W="weight", b="bias")}
    projected = {name: tensors[f"{part}.{name}"][0] for name in NUMBERS}
    return projected | _learned(model, f"{part}.W_o", W_o="weight", b_o="bias")


def _given_to_norm(model: Transformer, tensors: Given, part: str) -> Given:
    if part in ("memory", "next"):
        side = "encoder" if part == "memory" else "decoder"
        name, rows = f"{side}_norm", before(model.config, f"{side}.end")
    else:
        layer, _, inside = part.rpartition(".")
        name = f"{layer}.around_{inside.removesuffix('_attention').removesuffix('_forward')}.norm"
        rows = before(model.config, part) if model.config.norm_first else f"{part}.sum"
    return {"x": tensors[rows][0], **_learned(model, name, gamma="weight", beta="bias")}


def before(config: TransformerConfig, part: str) -> str:
    """The name of the rows that go into a part of a layer, before any norm."""
    side = part.partition(".")[0]
    names = {"encoder": ("self_attention", "feed_forward")}.get(
        side, ("self_attention", "cross_attention", "feed_forward")
    )
    layers = config.encoder_layers if side == "encoder" else config.decoder_layers
    parts = [f"{side}.{layer}.{name}" for layer in range(layers) for name in names]
    at = parts.index(part) if part in parts else len(parts)  # beyond the last for what closes the stack
    if at == 0:
        return "source.placed" if side == "encoder" else "target.placed"
    return f"{parts[at - 1]}.{'sum' if config.norm_first else 'norm'}"


def _inside(model: Transformer, tensors: Given, part: str) -> Tensor:
    """The rows that a part itself is given: normed where the norm comes first."""
    return tensors[f"{part}.norm" if model.config.norm_first else before(model.config, part)][0]


def _learned(model: Transformer, module: str, **names: str) -> Given:
    """Parameters of a module, by the names that formulas give them."""
    return {variable: model.get_parameter(f"{module}.{name}").detach() for variable, name in names.items()}


def given_to_heads(model: Transformer, text: str) -> Given:
    """The queries and keys (layers, heads, rows, width) of every kind of attention."""
    tensors, config = recorded(model, text), model.config
    layers = {"encoder": config.encoder_layers, "decoder": config.decoder_layers, "cross": config.decoder_layers}
    return {name: each for kind in KINDS for name, each in _projected(tensors, kind, layers[kind]).items()}


def given_to_writing(model: Transformer, text: str, temperature: float = 1.0, seed: int | None = None) -> Given:
    """The logits (written, symbols) of the likeliest answer, or with a seed of one that is drawn; and its cross heads'
    queries and keys."""
    drawn = temperature > 0 and seed is not None
    tensors = recorded(model, text, Choice(temperature, seed) if drawn else LIKELIEST)
    return {"logits": tensors["next.logits"][0]} | _projected(tensors, "cross", model.config.decoder_layers)


def _projected(tensors: Given, kind: str, layers: int) -> Given:
    side, part = KINDS[kind].split(".")
    return {
        f"{kind}_{word}": torch.cat([tensors[f"{side}.{layer}.{part}.{word}"] for layer in range(layers)])
        for word in ("queries", "keys")
    }
