"""The picture of a batch product and what stands below it: a weighted average, and a race against a loop."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
import torch

from attention_core.demos.batching import (
    COUNTS,
    Race,
    batch_product,
    complaint,
    example,
    races,
    terms,
    weighted_averages,
    why_not,
)
from attention_ui.chapters.batches import export
from attention_ui.chapters.batches.choices import Chosen, Sizes, take_pick
from attention_ui.component import component
from attention_ui.controls.widgets import segmented, slider
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.numbers import short
from attention_ui.pictures.charts import lines
from attention_ui.pictures.graph import Axis
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import Picture, pack, show_picture
from attention_ui.shared import shared

HERE = Path(__file__).parent
RACED = (4, 16, 64)  # rows and columns of a matrix

FORMULA = r"C_{n,a,c} = \sum_b A_{n,a,b}\, B_{n,b,c}"
TILTS, TILT_STEP = (-1.0, 1.0), 0.1

PICTURE = component("batches", HERE / "js" / "batches.js", HERE / "batches.css")
AVERAGES = component("averages", HERE / "js" / "averages.js", HERE / "averages.css")


@shared
def packed(sizes: Sizes, page: str) -> bytes:
    """Both batches, every product before it is summed, and the sums, as bytes for the browser."""
    first, second = example(sizes.n, sizes.a, sizes.b, sizes.c, sizes.second_b)
    header = {"shapes": sizes.shapes, "sliders": [f"{page}_{name}" for name in ("batch", "row", "column")]}
    if sizes.mismatch:
        return framed({**header, "fits": False}, first.float(), second.float())
    parts = first, second, terms(first, second), batch_product(first, second)
    return framed({**header, "fits": True}, *(part.float() for part in parts))


def show(page: str, sizes: Sizes) -> None:
    """Show the batches; the sliders move what is highlighted, and a click on the product moves the sliders."""
    key = f"{page}_picture"
    PICTURE(key=key, data=packed(sizes, page), on_pick_change=lambda: take_pick(page, key))


def refusal(sizes: Sizes) -> tuple[str, str]:
    """What torch says about sizes that do not fit, and the same in plain words."""
    first, second = example(sizes.n, sizes.a, sizes.b, sizes.c, sizes.second_b)
    return complaint(first, second) or "", why_not(first.shape, second.shape) or ""


def average_tab(chosen: Chosen) -> View:
    """Ten values averaged under ten weights, twice, in one batch of one-row products."""
    tilt = slider(
        "Tilt the weights towards the later values",
        *TILTS,
        0.0,
        TILT_STEP,
        key=f"{chosen.page}_tilt",
        help="The scores are tilt × position; at 0 all ten weights are 0.1.",
    )
    AVERAGES(key=f"{chosen.page}_averages", data=packed_averages(chosen.page))
    st.caption("Attention is such a weighted average. Its weights come from scores of a query and the keys.")
    return _view(chosen, tilt)


@shared
def packed_averages(page: str) -> bytes:
    """Weights and averages at every tilt of the slider, as bytes for the browser."""
    low, high = TILTS
    steps = round((high - low) / TILT_STEP)
    shown = [weighted_averages({}, low + (high - low) * step / steps) for step in range(steps + 1)]
    weights, averages = (torch.stack([each[name] for each in shown]) for name in ("weights", "averages"))
    values = shown[0]["values"]
    header = {
        "slider": f"{page}_tilt",
        "low": low,
        "step": TILT_STEP,
        "x": Axis("value", -0.7, values.max().item() + 0.7)._asdict(),
        "y": Axis("weight", 0.0, 1.05 * weights.max().item())._asdict(),
    }
    # (2, 10), (F, 2, 10), (F, 2)
    return framed(header, values[..., 0].float(), weights[:, :, 0].float(), averages[:, :, 0, 0].float())


def race_tab(chosen: Chosen) -> View:
    """A loop of mm against one bmm, measured here and now."""
    page = chosen.page
    size = segmented("Size of the matrices", {n: f"{n} × {n}" for n in RACED}, 16, key=f"{page}_size")
    kept: dict[int, list[Race]] = st.session_state.get(f"{page}_raced", {})
    if st.button(f"Run the race: 1 to {COUNTS[-1]:,} products", key=f"{page}_race"):
        kept = st.session_state[f"{page}_raced"] = {**kept, size: _run(size)}
    if found := kept.get(size):
        words = race_words(found[-1])
        show_picture(f"{page}_race_picture", pack(race_picture(found)))
        st.markdown(words)
    st.caption("Every call costs a few microseconds before it multiplies anything; a batch pays that once.")
    return _view(chosen, None)


def race_picture(found: Sequence[Race]) -> Picture:
    """Milliseconds over the number of products, both by powers of ten, a line for either way."""
    counts = torch.tensor([each.n for each in found])
    ways = {"a loop of mm": [each.loop for each in found], "one bmm": [each.batched for each in found]}
    named = {way: 1000 * torch.tensor(seconds, dtype=torch.float64) for way, seconds in ways.items()}
    return lines(counts, named, ("products", "milliseconds"), "xy")


def _view(chosen: Chosen, tilt: float | None) -> View:
    page, sizes, place = chosen
    return View(
        lambda: export.exported(sizes, place, tilt),
        lambda: code(page, lambda: export.script(sizes, place, tilt)),  # the last thing on the page
    )


def race_words(last: Race) -> str:
    """The result of a race in one sentence."""
    loop, batched = (f"{short(1000 * seconds, 2)} ms" for seconds in (last.loop, last.batched))
    longer = f"{short(last.ratio, 2)} times as long" if last.ratio >= 1.05 else "no longer"
    return f"{last.n:,} products of {last.size} × {last.size}: one bmm takes {batched}, the loop {loop}, **{longer}**."


def _run(size: int) -> list[Race]:
    """Race with a progress bar; a visitor who leaves stops it at the next step."""
    found, bar = [], st.progress(0.0, "Multiplying ...")
    for each in races(size):
        found.append(each)
        bar.progress(len(found) / len(COUNTS), f"{each.n:,} products")
    bar.empty()
    return found


VIEWS: dict[str, Callable[[Chosen], View]] = {"average": average_tab, "race": race_tab}
TABS = {"average": "A weighted average", "race": "Loop or batch"}
