"""The pictures of heads of different widths: a frame per share of the first; no Streamlit."""

from dataclasses import replace

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.demos.multihead import mixed
from attention_core.regression.frames import Frames
from attention_ui.chapters.multihead.choices import LEAST, MOST, SHARES, Mixture
from attention_ui.chapters.multihead.computation import all_shares
from attention_ui.chapters.multihead.mixing import Heads, best_single, errors, heads_of
from attention_ui.numbers import short
from attention_ui.pictures.charts import bars
from attention_ui.pictures.curve import Line, curve_and_weights, weights_heatmap
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture, Readout, pack
from attention_ui.pictures.regression import axes_of, held_frames
from attention_ui.shared import shared

ROLES = ("reference", "average", "ink", "query")  # of the heads' own curves
ROOM = 1.2  # above and below the errors
TINY = 1e-12  # the smallest error that an axis by powers of ten shows


def share_text(share: float) -> str:
    """A share as the slider writes it."""
    return f"{share:g}"


@shared
def packed(mixture: Mixture, slider: str) -> bytes:
    """The mixture at every share, as bytes for the browser."""
    return pack(mixture_picture(mixture, slider))


def mixture_picture(mixture: Mixture, slider: str) -> Picture:
    """Curve and attention at every share, every head's own curve, and the errors over the share."""
    dataset, heads = mixture.dataset, heads_of(mixture.dataset, mixture.widths)
    lines, queries = known_lines(mixture, heads), (heads.fine, heads.coarse)
    held, places = held_frames(torch.tensor(SHARES, dtype=torch.float64))
    return Picture(
        curve_and_weights(dataset.samples(), mixed_frames(mixture, held), queries, axes_of(dataset, lines), lines),
        captions=tuple(f"share {share_text(share)}" for share in SHARES),
        slider=slider,
        readouts=readouts(mixture),
        graphs=graphs(mixture),
        small=True,
        beside=True,
        places=places,
    )


def mixed_frames(mixture: Mixture, frames: Tensor) -> Frames:
    """Curve and attention at some of the shares."""
    heads, shares = heads_of(mixture.dataset, mixture.widths), all_shares(mixture)[frames]
    return Frames(shares @ heads.curves, mixed(shares, heads.weights), heads.groups)


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


@shared
def packed_heads(mixture: Mixture, slider: str, stage: str) -> bytes:
    """Every head's own attention, as bytes for the browser; only the shares below move."""
    captions = ("",) * len(SHARES)  # every panel has its own share above it
    return pack(Picture(head_panels(mixture), captions, slider=slider, small=True, follows=stage))


def head_panels(mixture: Mixture) -> tuple[Heatmap, ...]:
    """Every head's own attention, on the axes and the scale of the mixture's, with its share in every frame."""
    heads, shares = heads_of(mixture.dataset, mixture.widths), all_shares(mixture)
    return tuple(
        weights_heatmap(
            f"Head {h + 1}: σ = {short(width)}", heads.weights[h], heads.coarse, mixture.dataset.samples().x,
            heads.groups,
        )._replace(notes=tuple(f"share {share:.2f}".replace("-", "−") for share in shares[:, h].tolist()))
        for h, width in enumerate(mixture.widths)
    )  # fmt: skip


# What every head adds to one token's output.

PART_ROLES, HATCHES = ("prediction", "reference", "truth", "average"), ("", "/", "x", "-")
WIDE = 0.75  # of the room of a number


def parts_picture(parts: Tensor, output: Tensor, full: Tensor) -> Picture:
    """Parts (H, M) of one token stacked above and below 0, their sum (M,), and the sum with all heads on (M,)."""
    numbers = torch.arange(1, len(output) + 1, dtype=torch.float64)
    traces = [
        Trace(
            f"head {head + 1}", PART_ROLES[head % 4], numbers, base + part, kind="bars", wide=WIDE, base=base,
            hatch=HATCHES[(head // 4 + head) % 4],
        )
        for head, (part, base) in enumerate(zip(parts, _bases(parts), strict=True))
    ]  # fmt: skip
    traces += [
        Trace("all heads", "ink", numbers, full, kind="signs", sign="dash"),
        Trace("output", "query", numbers, output, kind="signs", sign="diamond"),
    ]
    ends = torch.cat([trace.y for trace in traces])
    low, high = min(ends.min().item(), 0.0), max(ends.max().item(), 0.0)
    room = 0.05 * (high - low) or 1.0
    told = ", ".join(short(number) for number in output.tolist())
    x = Axis("number of the output", 0.4, len(output) + 0.6, ticks=tuple((n, f"{n:g}") for n in numbers.tolist()))
    text = f"What each of {len(parts)} heads adds to the {len(output)} numbers of the output, which are {told}."
    return Picture((), graphs=(Graph("", x, Axis("value", low - room, high + room), tuple(traces), text=text),))


def _bases(parts: Tensor) -> Tensor:
    """Where each part (H, M) begins: on the parts of its sign before it."""
    ends = torch.where(parts > 0, parts.clamp(min=0).cumsum(0), parts.clamp(max=0).cumsum(0))
    return ends - parts


def sizes_picture(whole: Tensor, on: tuple[bool, ...]) -> Picture:
    """How much each head adds over all tokens, |part| (H,); a head that is off is hatched."""
    sizes, lit = whole.flatten(1).norm(dim=1), torch.tensor(on)
    made = bars([str(head + 1) for head in range(len(on))], {"size": sizes}, "size of its part")
    (graph,) = made.graphs
    (every,) = graph.traces
    on_and_off = (
        every._replace(name="on", y=sizes.where(lit, torch.nan)),
        every._replace(name="off", y=sizes.where(~lit, torch.nan), hatch="/", texts=("off",) * len(on)),
    )
    traces = (every,) if all(on) else on_and_off
    named = graph._replace(x=graph.x._replace(label="head"), traces=traces)
    return replace(made, graphs=(named,), fills=False)
