"""Multi-head attention on vectors: one heatmap for each head, what each adds, and how the output changes without it."""

from collections.abc import Mapping

import streamlit as st
import torch
from torch import Tensor

from attention_ui.chapters.multihead.choices import Layer, layer_controls
from attention_ui.chapters.multihead.computation import TOKENS, WIDTH, layer_computation
from attention_ui.chapters.multihead.export import vectors_export, vectors_script
from attention_ui.chapters.multihead.pictures import parts_picture, sizes_picture
from attention_ui.controls.widgets import segmented
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short, table
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, pack, show_picture
from attention_ui.shown import show_formula

NAMES = tuple(f"t{place}" for place in range(1, TOKENS + 1))
ACROSS = 4  # heatmaps in a row; more would be too narrow to read
FORMULA = r"""\begin{gathered}
\text{head}_h = \operatorname{softmax}\!\Big(\frac{(X W_q^h)(X W_k^h)^\top}{\sqrt{D}}\Big)\, X W_v^h \\
\text{output} = \sum_h \text{head}_h\, W_o^h
\end{gathered}"""
QUESTION = (
    "With two heads or more, switch off head 1, head 2, then both: do the changes add up? "
    "Does the output change more without one of 2 heads, or without one of 8?"
)
LETTERS = (
    f"$B$ is the size of the batch, $T = {TOKENS}$ the number of tokens, $H$ the number of heads, $D$ the width of a "
    f"head's queries, keys and values. A token has $H \\cdot D = {WIDTH}$ numbers, however many heads share them."
)
AXES = {
    "tokens": "(B, T, H·D)", "queries": "(B, H, T, D)", "keys": "(B, H, T, D)", "values": "(B, H, T, D)",
    "scores": "(B, H, T, T)", "weights": "(B, H, T, T)", "heads": "(B, H, T, D)", "merged": "(B, T, H·D)",
    "output": "(B, T, H·D)",
}  # fmt: skip


def show(page: str) -> View:
    """The choices, the heatmaps, what the heads that are off change, and how the parts make the output."""
    layer = layer_controls(page)
    shown = layer_computation(layer).shown
    show_picture(f"{page}_vectors_picture", packed(layer))
    st.markdown(damage_words(layer, shown))
    parts(page, layer, shown)
    left, right = st.columns(2)
    with left:
        st.markdown(shapes_table(shown))
        st.caption(LETTERS)
    with right:
        show_formula(FORMULA)
        st.markdown(
            f"The parts sum to the output: the largest difference is **{shown['remainder'].item():.0g}**.\n\n"
            f"`torch.nn.MultiheadAttention` with the same numbers agrees: its outputs and weights differ "
            f"by at most **{shown['gap'].item():.0g}**."
        )
    ask_with(QUESTION, "vector_heads", f"on_{layer.heads}")
    code(page, lambda: vectors_script(layer))
    return View(lambda: vectors_export(layer))


def packed(layer: Layer) -> bytes:
    """One heatmap for each head with the size of its part; one that is off is crossed out."""
    shown = layer_computation(layer).shown
    everything = torch.ones(TOKENS, TOKENS, dtype=torch.bool)
    panels = tuple(
        Heatmap(
            title, shown["weights"][0, head], NAMES, NAMES, None if lit else everything,
            (f"adds {short(shown['whole'][0, head].norm().item())}" if lit else "adds nothing",),
        )
        for head, (title, lit) in enumerate(zip(layer.titles, layer.on, strict=True))
    )  # fmt: skip
    many, names = layer.heads > ACROSS, Names(hatched="off")
    across, height = (ACROSS, 480) if many else (None, 400)
    return pack(Picture(panels, low=0.0, high=1.0, names=names, across=across, height=height))


def damage_words(layer: Layer, shown: Mapping[str, Tensor]) -> str:
    """How much the heads that are off change the output."""
    off = [str(head + 1) for head, lit in enumerate(layer.on) if not lit]
    if not off:
        own = WIDTH // layer.heads
        return (
            f"**All heads are on.** Each compares tokens by $D = {WIDTH} / {layer.heads} = {own}$ "
            f"{'number' if own == 1 else 'numbers'} of its own."
        )
    which = f"Head {off[0]} is" if len(off) == 1 else f"Heads {', '.join(off)} are"
    apart, full = (shown["output"] - shown["full"]).norm().item(), shown["full"].norm().item()
    return (
        f"**{which} off.** That changes the output by **{100 * shown['damage'].item():.1f} %** of its size: by "
        f"{short(apart, 4)} of the {short(full, 4)} that it has with all heads (norms over all tokens)."
    )


def parts(page: str, layer: Layer, shown: Mapping[str, Tensor]) -> None:
    """What each head adds over all, and to the output of one token."""
    token = segmented("Output of token", {name: name for name in NAMES}, NAMES[0], key=f"{page}_token")
    row = NAMES.index(token)
    whole, output, full = shown["whole"][0], shown["output"][0, row], shown["full"][0, row]
    sizes, stack = st.columns([1, 2])
    with sizes:
        show_picture(f"{page}_sizes", pack(sizes_picture(whole, layer.on)))
    with stack:
        show_picture(f"{page}_parts", pack(parts_picture(shown["parts"][0, :, row], output, full)))


def shapes_table(shown: Mapping[str, Tensor]) -> str:
    """Every tensor of the pass with its axes and its shape."""
    rows = [(name, axes, " × ".join(map(str, shown[name].shape))) for name, axes in AXES.items()]
    return table(("Tensor", "Axes", "Shape"), rows, words=2)
