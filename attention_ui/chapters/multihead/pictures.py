"""The pictures of heads of different widths: a frame per share of the first; no Streamlit."""

from functools import lru_cache

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.regression.frames import Frames
from attention_ui.chapters.multihead.calls import all_shares
from attention_ui.chapters.multihead.choices import LEAST, MOST, SHARES, Mixture
from attention_ui.chapters.multihead.mixing import Heads, best_single, errors, heads_of
from attention_ui.numbers import short
from attention_ui.pictures.curve import Line, curve_and_weights
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Readout, pack
from attention_ui.pictures.regression import axes_of

ROLES = ("reference", "average", "ink", "query")  # of the heads' own curves
ROOM = 1.2  # above and below the errors
TINY = 1e-12  # the smallest error that an axis by powers of ten shows
NAMES = Names(rows="queries from left to right", columns="keys from left to right")


def share_text(share: float) -> str:
    """A share as the slider writes it."""
    return f"{share:g}"


@lru_cache(32)
def packed(mixture: Mixture, slider: str) -> bytes:
    """The mixture at every share, as bytes for the browser."""
    return pack(mixture_picture(mixture, slider))


def mixture_picture(mixture: Mixture, slider: str) -> Picture:
    """Curve and attention at every share, every head's own curve, and the errors over the share."""
    dataset, shares = mixture.dataset, all_shares(mixture)
    heads = heads_of(dataset, mixture.widths)
    lines = known_lines(mixture, heads)
    weights = torch.einsum("fh,hqg->fqg", shares, heads.weights)
    frames, queries = Frames(shares @ heads.curves, weights, heads.groups), (heads.fine, heads.coarse)
    return Picture(
        curve_and_weights(dataset.samples(), frames, queries, axes_of(dataset, lines), lines),
        captions=tuple(f"share {share_text(share)}" for share in SHARES),
        slider=slider,
        readouts=readouts(mixture),
        graphs=graphs(mixture),
        small=True,
    )


def known_lines(mixture: Mixture, heads: Heads) -> tuple[Line, ...]:
    """The truth where it is known, and every head by itself."""
    dataset = mixture.dataset
    known = (Line("Truth", "truth", truth(dataset.name, heads.fine)),) if dataset.has_truth else ()
    return (*known, *(Line(f"Head {h}", ROLES[h - 1], curve) for h, curve in enumerate(heads.curves, 1)))


def readouts(mixture: Mixture) -> tuple[Readout, ...]:
    """Both errors at every share, beside the best that one width can do."""
    return tuple(
        Readout(f"{name} (best single width {short(best, 4)})", tuple(short(error, 4) for error in found.tolist()))
        for name, found, best in _measured(mixture)
    )


def graphs(mixture: Mixture) -> tuple[Graph, ...]:
    """Both errors over the share, with a level line for the best single width."""
    return tuple(_graph(name.capitalize(), found, best) for name, found, best in _measured(mixture))


def _measured(mixture: Mixture) -> list[tuple[str, Tensor, float]]:
    """Each error by its name, over the shares (F,), and that of the best single width."""
    by_others, against = errors(mixture)
    single = best_single(mixture.dataset)
    measured = [("leave-one-out error", by_others, single.loo_error)]
    if against is not None and single.test_error is not None:
        measured.insert(0, ("true error", against, single.test_error))
    return measured


def _graph(title: str, found: Tensor, best: float) -> Graph:
    shares = torch.tensor(SHARES, dtype=torch.float64)
    lowest = int(found.argmin())
    low, high = found.min().clamp(max=best).item() / ROOM, found.max().clamp(min=best).item() * ROOM
    ends = torch.tensor([LEAST, MOST], dtype=torch.float64)
    return Graph(
        title,
        Axis("share of head 1", LEAST, MOST),
        Axis("error", max(low, TINY), max(high, 10 * TINY), log=True),
        (
            Trace("mixture", "prediction", shares, found.clamp(min=TINY)),
            Trace("best single width", "reference", ends, torch.full_like(ends, best)),
        ),
        (shares, found.clamp(min=TINY)),
        text=f"{title} over the share of head 1: lowest, {short(found[lowest].item(), 4)}, at "
        f"{share_text(SHARES[lowest])}; the best single width has {short(best, 4)}.",
    )


@lru_cache(32)
def packed_heads(mixture: Mixture, slider: str) -> bytes:
    """Every head's own attention, as bytes for the browser; only the shares below move."""
    heads, shares = heads_of(mixture.dataset, mixture.widths), all_shares(mixture)
    rows = tuple(short(query) for query in heads.coarse.tolist())
    columns = tuple(str(column + 1) for column in range(heads.weights.shape[-1]))
    panels = tuple(
        Heatmap(
            f"Head {h + 1}: σ = {short(width)}", heads.weights[h], rows, columns,
            notes=tuple(f"share {share:.2f}".replace("-", "−") for share in shares[:, h].tolist()),
        )
        for h, width in enumerate(mixture.widths)
    )  # fmt: skip
    captions = ("",) * len(SHARES)  # every panel has its own share below it
    return pack(Picture(panels, captions, slider=slider, names=NAMES, height=300))
