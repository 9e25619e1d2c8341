"""The living pictures in a notebook, for weights and data of one's own: no server, nothing to install beside it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_width
from attention_core.data import Samples, samples_from
from attention_core.kernels import KERNELS
from attention_core.regression.selection import best_width
from attention_core.regression.sweep import sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import LABEL, steps_for, width_options, width_text
from attention_ui.export.living import living_page
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.packing import framed, kept_apart
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.regression import queries_for, readouts, width_picture
from attention_ui.snapshot import Part, Shown, Slider

KEY = "shown"
MOST_HEADS, MOST_SIDE, MOST_CELLS = 64, 512, 1_000_000  # of more weights some are shown
MOST_POINTS = 20_000  # of a regression: some seconds at most, whatever the kernel
SUM = 1e-3  # that a row of weights may miss 1 by: half precision does
ROW, FRAME = 330, 230  # pixels of a row of heatmaps, and of what stands around the picture
AXES = ("heads", "queries", "keys")
Words = Sequence[str] | None


class Living:
    """A page that a notebook shows in a frame; `save` writes it to a file."""

    def __init__(self, title: str, page: bytes, height: int) -> None:
        self.title, self.page, self.height = title, page, height

    def __repr__(self) -> str:
        return f"{self.title}: a picture for a notebook; .save(path) writes it as a page ({len(self.page):,} bytes)"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that neither disturbs the other."""
        allowed = "allow-scripts allow-downloads"
        frame = f'width="100%" height="{self.height}" style="border: 0" sandbox="{allowed}"'
        return f'<iframe title="{escape(self.title)}" {frame} srcdoc="{escape(self.page.decode())}"></iframe>'

    def save(self, path: str) -> None:
        """Write the page to a file that any browser opens."""
        with open(path, "wb") as file:
            file.write(self.page)


def show(
    weights: Any, queries: Words = None, keys: Words = None, heads: Words = None, title: str = "Attention weights"
) -> Living:
    """Attention weights (queries, keys), or of several heads (heads, queries, keys): tensors, arrays or lists.

    Of a batch (batch, heads, queries, keys) one at a time: weights[0].
    """
    every = _every_head(_numbers("weights", weights))
    given = zip(AXES, (heads, queries, keys), every.shape, strict=True)
    named = [_names(what, names, count) for what, names, count in given]
    words = ["One row per query, one column per key.", _sums(every)]
    every, names, sampled = _sampled(every, named)
    panels = tuple(Heatmap(head, each, names[1], names[2]) for head, each in zip(names[0], every, strict=True))
    low, high = min(0.0, every.min().item()), max(1.0, every.max().item())
    height = ROW * math.ceil(len(panels) / math.ceil(math.sqrt(len(panels))))
    picture = Picture(panels, low=low, high=high, height=height)
    claim = " ".join(filter(None, [*words, sampled]))
    return _living(picture, Shown(title, claim), height + FRAME)


def show_regression(
    x: Any, y: Any, width: Any = None, kernel: str = "gaussian", title: str = "Kernel regression"
) -> Living:
    """Kernel regression of y on x with a slider over widths: one that it begins at, or several that it has.

    Without a width it begins at the one that leave-one-out chooses.
    """
    check_choice("kernel", kernel, tuple(KERNELS))
    samples, sampled = _some(samples_from(_numbers("x", x).flatten(), _numbers("y", y).flatten()))
    dataset = Dataset.own(samples, "x", "y", "your data")
    widths, position = _widths(width, dataset, kernel)
    every = torch.tensor(widths, dtype=torch.float64)
    told = readouts(sweep(samples, queries_for(dataset), None, every, kernel, False))
    picture = width_picture(dataset, kernel, False, widths, f"{KEY}_width")
    claim = "Every prediction is an average of values, **weighted by closeness**."
    shown = Shown(title, f"{claim} {sampled}".strip())
    shown.sliders.append(Slider(f"{KEY}_width", LABEL, position, tuple(map(width_text, widths))))
    shown.settings |= {"Points": f"{len(samples.x):,}", "Kernel": KERNELS[kernel].label}
    return _living(replace(picture, readouts=told), shown, 720)


def _living(picture: Picture, shown: Shown, height: int) -> Living:
    """The picture as a page."""
    name = f"frames_{KEY}"
    shown.parts += [
        Part("update", f"update_{name}", framed({"to": name}, kept_apart(pack(picture)))),
        Part("picture", KEY, {"frames": name}),
    ]
    return Living(shown.title, living_page(shown, shown.title, ""), height)


def _every_head(weights: Tensor) -> Tensor:
    """Weights as (heads, queries, keys)."""
    if weights.ndim == 4 and len(weights) == 1:
        weights = weights[0]
    if weights.ndim not in (2, 3) or not weights.numel():
        one = " Show one of the batch: weights[0]." if weights.ndim == 4 else ""
        shape = tuple(weights.shape)
        raise InputError(f"Weights are (queries, keys) or (heads, queries, keys); these are {shape}.{one}")
    return weights if weights.ndim == 3 else weights[None]


def _sums(every: Tensor) -> str:
    """A sentence where rows do not sum to 1, which weights of attention do."""
    sums = every.sum(-1)
    low, high = sums.min().item(), sums.max().item()
    if low > 1 - SUM and high < 1 + SUM:
        return ""
    return f"The rows do **not** all sum to 1: their sums are between {low:.3g} and {high:.3g}."


def _sampled(every: Tensor, names: list[tuple[str, ...]]) -> tuple[Tensor, list[tuple[str, ...]], str]:
    """As many heads, queries and keys as can be shown, their names, and a sentence about what is left out."""
    count = min(len(every), MOST_HEADS)
    side = min(MOST_SIDE, math.isqrt(MOST_CELLS // count))
    steps = [1, *(math.ceil(size / side) for size in every.shape[1:])]
    kept = every[:count, :: steps[1], :: steps[2]]
    shown = [names[0][:count], names[1][:: steps[1]], names[2][:: steps[2]]]
    told = [f"Of {len(every)} heads, the first {count} are shown."] if count < len(every) else []
    for axis, step, size in zip(AXES[1:], steps[1:], every.shape[1:], strict=True):
        told += [f"Of {size:,} {axis}, one in {step} is shown."] if step > 1 else []
    return kept, shown, " ".join(told)


def _some(samples: Samples) -> tuple[Samples, str]:
    """As many points as can be shown at every width, and a sentence about what is left out."""
    step = math.ceil(len(samples.x) / MOST_POINTS)
    told = f"Of {len(samples.x):,} points, one in {step} is taken." if step > 1 else ""
    return Samples(samples.x[::step], samples.y[::step]), told


def _widths(asked: Any, dataset: Dataset, kernel: str) -> tuple[list[float], int]:
    """Every position of the slider, from blurred to sharp, and the one that it begins at."""
    if asked is not None and (several := _numbers("width", asked)).ndim:
        if not several.numel():
            raise InputError("width must be a number, or some of them.")
        return sorted({check_width(each).item() for each in several.flatten()}, reverse=True), 0
    samples = dataset.samples()
    start = best_width(samples, kernel) if asked is None else check_width(float(asked)).item()
    widths = width_options(dataset.high - dataset.low, steps_for(len(samples.x)), start)
    return widths, widths.index(start)


def _numbers(name: str, values: Any) -> Tensor:
    """Numbers of any kind as float64; one sentence where they are none."""
    try:
        found = values.detach().cpu() if isinstance(values, Tensor) else torch.as_tensor(values)
        numbers = found.double()
    except (TypeError, ValueError, RuntimeError):
        raise InputError(f"{name} must be numbers in rows of equal length: a tensor, an array or a list.") from None
    if not numbers.isfinite().all():
        place = (~numbers.isfinite()).nonzero()[0]
        where = f"[{', '.join(map(str, place.tolist()))}]" if numbers.ndim else ""
        raise InputError(f"{name} must be finite; {name}{where} is {numbers[tuple(place)].item()}.")
    return numbers


def _names(what: str, names: Words, count: int) -> tuple[str, ...]:
    """What rows, columns or heads are called: by their numbers, where nobody says otherwise."""
    if names is None and what == "heads":
        return tuple(f"head {i}" for i in range(count)) if count > 1 else ("",)
    if names is None:
        return tuple(map(str, range(count)))
    if isinstance(names, str):
        raise InputError(f"Names of {what} are a list of words, not one text.")
    if len(names) != count:
        raise InputError(f"There are {count} {what} but {len(names)} names for them.")
    return tuple(map(str, names))
