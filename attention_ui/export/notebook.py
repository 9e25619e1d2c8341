"""The living pictures in a notebook, for weights and data of one's own: no server, nothing to install beside it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_width
from attention_core.data import samples_from
from attention_core.kernels import KERNELS
from attention_core.regression.selection import best_width
from attention_core.regression.sweep import sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import LABEL, STEPS, width_options, width_text
from attention_ui.export.living import living_page
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.packing import framed, kept_apart
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.regression import queries_for, readouts, width_picture
from attention_ui.shown import Part, Shown, Slider

KEY = "shown"
MOST_HEADS, MOST_SIDE = 64, 512
ROW, FRAME = 330, 230  # pixels of a row of heatmaps, and of what stands around the picture
Words = Sequence[str] | None


class Living:
    """A page that a notebook shows in a frame; `save` writes it to a file."""

    def __init__(self, page: bytes, height: int) -> None:
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that neither disturbs the other."""
        frame = f'width="100%" height="{self.height}" style="border: 0" sandbox="allow-scripts"'
        return f'<iframe {frame} srcdoc="{escape(self.page.decode())}"></iframe>'

    def save(self, path: str) -> None:
        """Write the page to a file that any browser opens."""
        with open(path, "wb") as file:
            file.write(self.page)


def show(
    weights: Any, queries: Words = None, keys: Words = None, heads: Words = None, title: str = "Attention weights"
) -> Living:
    """Attention weights (queries, keys), or of several heads (heads, queries, keys): tensors, arrays or lists."""
    every = _numbers("weights", weights)
    if every.ndim not in (2, 3) or not every.numel():
        raise InputError(f"Weights are (queries, keys) or (heads, queries, keys); these are {tuple(every.shape)}.")
    every = every if every.ndim == 3 else every[None]
    count, rows, columns = every.shape
    if count > MOST_HEADS or max(rows, columns) > MOST_SIDE:
        raise InputError(f"At most {MOST_HEADS} heads of {MOST_SIDE} queries and {MOST_SIDE} keys are shown.")
    names = [_names("heads", heads, count), _names("queries", queries, rows), _names("keys", keys, columns)]
    panels = (Heatmap(head, each, names[1], names[2]) for head, each in zip(names[0], every, strict=True))
    low, high = min(0.0, float(every.min())), max(1.0, float(every.max()))
    height = ROW * math.ceil(count / math.ceil(math.sqrt(count)))
    picture = Picture(tuple(panels), low=low, high=high, height=height)
    return _living(picture, Shown(title, "One row per query, one column per key."), height + FRAME)


def show_regression(
    x: Any, y: Any, width: float | Sequence[float] | None = None, kernel: str = "gaussian",
    title: str = "Kernel regression",
) -> Living:  # fmt: skip
    """Kernel regression of y on x with a slider over widths; it begins at this one, or at the leave-one-out width."""
    check_choice("kernel", kernel, tuple(KERNELS))
    samples = samples_from(_numbers("x", x), _numbers("y", y))
    dataset = Dataset.own(samples, "x", "y", "your data")
    if isinstance(width, Sequence):
        widths, position = sorted((check_width(each).item() for each in width), reverse=True), 0
    else:
        start = best_width(samples, kernel) if width is None else check_width(width).item()
        widths = width_options(dataset.high - dataset.low, STEPS, start)
        position = widths.index(start)
    every = torch.tensor(widths, dtype=torch.float64)
    told = readouts(sweep(samples, queries_for(dataset), None, every, kernel, False))
    picture = width_picture(dataset, kernel, False, widths, f"{KEY}_width")
    shown = Shown(title, "Every prediction is an average of values, **weighted by closeness**.")
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
    return Living(living_page(shown, shown.title, ""), height)


def _numbers(name: str, values: Any) -> Tensor:
    """Numbers of any kind as float64; one sentence where they are none."""
    try:
        found = values.detach().cpu() if isinstance(values, Tensor) else torch.as_tensor(values)
        numbers = found.double()
    except (TypeError, ValueError, RuntimeError):
        raise InputError(f"{name} must be numbers in rows of equal length: a tensor, an array or a list.") from None
    if not numbers.isfinite().all():
        raise InputError(f"{name} must be finite; some are not.")
    return numbers


def _names(what: str, names: Words, count: int) -> tuple[str, ...]:
    """What rows, columns or heads are called: by their numbers, where nobody says otherwise."""
    if names is None and what == "heads":
        return tuple(f"head {i}" for i in range(count)) if count > 1 else ("",)
    if names is None:
        return tuple(map(str, range(count)))
    if len(names) != count:
        raise InputError(f"There are {count} {what} but {len(names)} names for them.")
    return tuple(map(str, names))
