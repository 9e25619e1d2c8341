"""Words that attend to each other: type a sentence, change its order, and drag how strongly positions count."""

import streamlit as st
from torch import Tensor

from attention_core.demos.self_attention import PLACE, PROJECTIONS, WIDTH
from attention_ui.chapters.self_attention.choices import Asked, controls
from attention_ui.chapters.self_attention.computation import STEPS, frames, hidden
from attention_ui.chapters.self_attention.export import LOOKS, tokens_export, tokens_script
from attention_ui.controls import widgets
from attention_ui.controls.sticky import sticky
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with, hides
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import show_formula

OUTPUTS = Names("word", "number", "value", "words", f"the {WIDTH} numbers of their outputs")
ROUNDING = 1e-12  # a smaller change is none
HEIGHT = 300  # pixels of the pictures in a window of 720
FORMULA = r"""\begin{gathered}
x_i = \text{word}_i + s\,P_i \\
\text{output} = \operatorname{softmax}\!\Big(\frac{(X W_q)(X W_k)^\top}{\sqrt d}\Big) X W_v
\end{gathered}"""
QUESTION = (
    "Press **Shuffle** at strength 0 %: what changes, and what does not? "
    "Choose **Word before** and drag the strength: why are all weights of a row equal at 0 %?"
)


def show(page: str) -> View:
    """The sentence, the live strength, the weights and the outputs that follow it."""
    asked = controls(page)
    slider = f"{page}_strength"
    with sticky(page):
        label = "Drag the strength $s$ of the positions, from words alone to words in their places"
        strength = widgets.slider(label, 0, STEPS - 1, 0, format="%d %%", key=slider)
    heatmaps, outputs = st.columns(2, gap="medium")
    with heatmaps:
        show_picture(f"{page}_weights_picture", packed_weights(asked, slider))
    with outputs:
        show_picture(f"{page}_outputs_picture", packed_outputs(asked, slider))
    st.markdown(in_words(asked))
    show_formula(FORMULA)
    st.caption(
        f"A word's vector is drawn from its letters and fills the numbers {PLACE + 1} to {WIDTH}; its position, "
        f"sines and cosines, fills the numbers 1 to {PLACE}. $d = {WIDTH}$."
    )
    ask_with(QUESTION, "shuffle", "look", "strength")
    code(page, lambda: tokens_script(asked, strength))
    return View(lambda: tokens_export(asked, strength))


@shared
def packed_weights(asked: Asked, slider: str) -> bytes:
    """The weights at every strength, as typed and in the new order, as bytes."""
    shown = frames(asked)
    panels = tuple(
        Heatmap(title, shown[f"{prefix}weights"], words, words, hidden(asked))
        for prefix, title, words in _orders(asked)
    )
    return pack(Picture(panels, _captions(), slider=slider, low=0.0, high=1.0, names=LOOKS, height=HEIGHT, fills=True))


@shared
def packed_outputs(asked: Asked, slider: str) -> bytes:
    """Every word's output at every strength, as typed and in the new order, as bytes; 0 in the middle of the scale."""
    columns = tuple(str(number + 1) for number in range(WIDTH))
    titles = ("Outputs, as typed", "Outputs, in the new order") if asked.moved else ("Outputs",)
    notes = (*((),) * (len(titles) - 1), _notes(asked))  # below the last one
    panels = tuple(
        Heatmap(title, frames(asked)[f"{prefix}output"], words, columns, notes=note)
        for title, note, (prefix, _, words) in zip(titles, notes, _orders(asked), strict=True)
    )
    far = max(panel.frames.abs().max().item() for panel in panels)
    return pack(
        Picture(panels, _captions(), slider=slider, low=-far, high=far, names=OUTPUTS, height=HEIGHT, fills=True)
    )


def _orders(asked: Asked) -> list[tuple[str, str, tuple[str, ...]]]:
    """What its numbers are called, the title and the words of each picture."""
    if not asked.moved:
        return [("", "Weights", asked.words)]
    moved = tuple(asked.words[place] for place in asked.order)
    return [("typed_", "As typed", asked.words), ("", "In the new order", moved)]


def _notes(asked: Asked) -> tuple[str, ...]:
    """What the order does to the outputs, at every strength."""
    return tuple(
        f"{name} {change_text(change)}" for name, found in differences(asked).items() for change in found.tolist()
    )


def _captions() -> tuple[str, ...]:
    return tuple(f"position strength {percent} %" for percent in range(STEPS))


def change_text(change: float) -> str:
    """The change in words: 0 where only rounding is left."""
    return "0" if change < ROUNDING else short(change)


def differences(asked: Asked) -> dict[str, Tensor]:
    """What the order does to the outputs at every strength (F,), by its name; nothing where no word comes twice."""
    shown = frames(asked)
    if asked.moved:
        return {"The new order changes outputs by at most": shown["change"]}
    if (pair := repeated(asked.words)) is None:
        return {}
    first, second = pair
    apart = (shown["output"][:, first] - shown["output"][:, second]).abs().amax(-1)
    return {f"Words {first + 1} and {second + 1} are the same; their outputs differ by": apart}


def repeated(words: tuple[str, ...]) -> tuple[int, int] | None:
    """The places of the first word that comes again."""
    lower = [word.lower() for word in words]
    twice = next((i for i, word in enumerate(lower) if word in lower[:i]), None)
    return None if twice is None else (lower.index(lower[twice]), twice)


def in_words(asked: Asked) -> str:
    """What the matrices do, and what the order does to the outputs without positions and with them."""
    note, found = PROJECTIONS[asked.projection].note, differences(asked)
    if not found:
        return note if hides("shuffle") else f"{note} Change the order of the words and compare their outputs."
    (changes,) = found.values()
    without, full = changes[0].item(), change_text(changes[-1].item())
    if not asked.moved:
        return (
            f"{note} The same word in two places: the two outputs differ by **{change_text(without)}** without "
            f"positions, and by **{full}** at full strength."
        )
    if without < ROUNDING:
        said = f"changes no output (by **0**; {without:.0e} before rounding): each word gets the same output as before"
    else:
        said = f"changes outputs by up to **{short(without)}**: the causal mask hides other words in another order"
    return f"{note} **Without positions the new order {said}.** At full strength it changes them by up to **{full}**."
