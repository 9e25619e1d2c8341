"""A Transformer's weights and its training as pictures: tensors -> heatmaps and graphs; the browser only paints."""

from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor

from attention_core.transformer.decoding import Text
from attention_ui.live.sequences import Check
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Player, Readout

MOST_FRAMES = 60
FEW = 2  # heads, of all layers, for which a row of heatmaps would be short


def head_names(weights: Tensor, kind: str = "") -> list[str]:
    """What the heads of weights (N, H, Q, K) are called, layer by layer."""
    layers, heads = weights.shape[:2]
    if layers > 1:  # short: there may be eight in a row
        return [f"{kind} L{layer + 1} H{head + 1}".strip() for layer in range(layers) for head in range(heads)]
    return [f"{kind}, head {head + 1}" if kind else f"Head {head + 1}" for head in range(heads)]


def heads_picture(text: Text, height: int = 410) -> Picture:
    """Every head of every layer: the encoder's, the decoder's own, and from the decoder to the encoder."""
    read, before, written = tuple(text.text), text.before, to_write(text.symbols)
    later = torch.ones(len(before), len(before), dtype=torch.bool).triu(1)  # (T, T)
    kinds = (
        ("Encoder", text.encoder, read, read, None),
        ("Decoder", text.decoder, before, before, later),
        ("Cross", text.cross, written, read, None),
    )
    by_kind = [
        [
            Heatmap(name, weights, rows, columns, hidden)
            for name, weights in zip(head_names(of_kind, kind), of_kind.flatten(0, 1), strict=True)
        ]
        for kind, of_kind, rows, columns, hidden in kinds
    ]
    count = len(by_kind[0])
    if count <= FEW:  # a column for each kind; with many heads, a row
        return Picture(
            tuple(chain(*zip(*by_kind, strict=True))), low=0.0, high=1.0, across=len(kinds), height=height, fills=True
        )
    return Picture(tuple(chain(*by_kind)), low=0.0, high=1.0, across=count, height=height, fills=True)


def to_write(symbols: Sequence[str]) -> tuple[str, ...]:
    """The labels of the rows of cross-attention: symbols about to be written."""
    return tuple(f"→ {symbol}" for symbol in symbols)


def training_picture(
    shown: Sequence[Check], checks: Sequence[Check], losses: Sequence[float], last: int, labels: tuple[str, str]
) -> Picture:
    """The loss, the share of unseen strings that come out right, and every head's cross-attention."""
    places = torch.linspace(0, len(shown) - 1, min(len(shown), MOST_FRAMES)).round().int().tolist()
    kept = [shown[place] for place in places]
    read, answer = labels
    cross = torch.stack([look.weights for look in kept]).flatten(1, 2)  # (F, N H, T, S)
    names, rows = head_names(kept[0].weights), to_write((*answer, "end"))
    panels = tuple(Heatmap(name, cross[:, head], rows, tuple(read)) for head, name in enumerate(names))
    captions = tuple(f"step {look.step:,}: {look.exact:.1%} right" for look in kept)
    step = Readout("step", tuple(f"{look.step:,}" for look in kept))
    readouts = (
        *((step,) if len(kept) == 1 else ()),  # a player tells it
        Readout("loss", tuple(short(look.loss if look.step else losses[0]) for look in kept)),
        Readout("exact match", tuple(f"{look.exact:.1%}" for look in kept)),
    )
    return Picture(
        panels, captions, readouts, graphs=(_losses(kept, losses, last), _exact(kept, checks, last)),
        player=Player(6.0, "check", "Replay", first=len(kept) - 1) if len(kept) > 1 else None,
        low=0.0, high=1.0, names=Names("symbol written", "symbol read", "weight", "symbols written", "symbols read"),
        height=250, fills=True, beside=True,
    )  # fmt: skip


def _losses(kept: Sequence[Check], losses: Sequence[float], last: int) -> Graph:
    """The losses over the steps from 0 on, since a step tells the loss before its update."""
    x, y = torch.arange(float(len(losses))), torch.tensor(losses)
    at = torch.tensor([look.step for look in kept]).clamp(max=len(losses) - 1)
    text = f"The loss began at {losses[0]:.3g} and is {losses[-1]:.3g} after {kept[-1].step:,} of {last:,} steps."
    return Graph(
        "Loss: cross-entropy of a symbol, in nats", Axis("step", 0, last), Axis("nats", 0, max(2.6, *losses)),
        (Trace("loss", "prediction", x, y),), (at, y[at]), text=text,
    )  # fmt: skip


def _exact(kept: Sequence[Check], checks: Sequence[Check], last: int) -> Graph:
    x, y = _shares(checks)
    text = f"After {checks[-1].step:,} of {last:,} steps {checks[-1].exact:.1%} of the unseen strings come out right."
    return Graph(
        "Unseen strings that come out right", Axis("step", 0, last), Axis("share", 0, 1),
        (Trace("exact match", "prediction", x, y),), _shares(kept), text=text,
    )  # fmt: skip


def _shares(checks: Sequence[Check]) -> tuple[Tensor, Tensor]:
    """The steps of the checks, and the share of strings that came out right at each."""
    return torch.tensor([float(check.step) for check in checks]), torch.tensor([check.exact for check in checks])
