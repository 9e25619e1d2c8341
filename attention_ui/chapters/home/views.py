"""What the first page shows: a slider with its picture, one query under six scores, and a card for every chapter."""

import streamlit as st
import torch

from attention_core.data import truth
from attention_core.demos.six_scores import twelve
from attention_core.regression.estimator import Estimator
from attention_ui.chapters.home.drawing import card, drawing
from attention_ui.chapters.home.scores import QUERY, pooled_by_score
from attention_ui.chapters.home.weight_bars import weight_bars
from attention_ui.contents import Chapter
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.pinned_query import pinned_row, take_click
from attention_ui.controls.sticky import sticky
from attention_ui.controls.stretch import stretched, take_stretch
from attention_ui.controls.width import keep_width, width_positions, width_slider, width_style
from attention_ui.controls.widths import usual_width
from attention_ui.export.code import code
from attention_ui.export.lab import computation, exported, script
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with, carried
from attention_ui.numbers import short
from attention_ui.pictures import cache
from attention_ui.pictures.picture import Update, show_picture
from attention_ui.pictures.regression import fine_grid, queries_for, texts
from attention_ui.seams import styled

NAME = "weighted-average"  # of the files
STYLE = styled("""
:st(Main) h2 { font-size: 1.75rem; padding: 0.75rem 0 1rem; letter-spacing: -0.005em; }
.st-key-home_scores, .st-key-home_cards { display: grid; gap: 1rem; align-items: stretch; }
.st-key-home_scores { grid-template-columns: repeat(6, minmax(0, 1fr)); column-gap: 1.5rem; }
.st-key-home_cards { grid-template-columns: repeat(4, minmax(0, 1fr)); }
[class*="st-key-home_score_"] p { margin-bottom: 0.4rem; }
[class*="st-key-home_score_"] p:nth-child(2) { min-height: 1.9rem; }
[class*="st-key-home_score_"] { gap: 0.5rem; }
[class*="st-key-home_card_"] { position: relative; height: 100%; gap: 0.25rem; }
[class*="st-key-home_card_"] > div { position: static; }
[class*="st-key-home_card_"]:hover { border-color: currentColor; }
[class*="st-key-home_card_"] a { padding: 0; background: none !important; }
[class*="st-key-home_card_"] a p { font-size: 1.15rem; }
[class*="st-key-home_card_"] a::after { content: ""; position: absolute; inset: 0; z-index: 1; border-radius: 0.5rem; }
[class*="st-key-home_card_"] a:focus-visible::after { outline: 3px solid currentColor; outline-offset: 2px; }
@media (max-width: 1100px) {
  .st-key-home_scores, .st-key-home_cards { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
@media (max-width: 640px) {
  .st-key-home_scores, .st-key-home_cards { grid-template-columns: minmax(0, 1fr); }
  [class*="st-key-home_score_"], [class*="st-key-home_card_"] {
    display: grid; grid-template-columns: 8rem minmax(0, 1fr); column-gap: 1rem; align-content: center; }
  [class*="st-key-home_card_"] > :first-child { grid-row: span 2; align-self: center; } }
""")


def style() -> None:
    """Put the style of the first page on it."""
    st.html(f"<style>{width_style('home')}{STYLE}</style>")


def sigma_text(width: float) -> str:
    """How the slider reads: sigma by its plain name, as the legend has it."""
    return f"width σ = {short(width)}"


def first_gesture(dataset: Dataset) -> View:
    """One big slider over the live stage, with the code that ran below it."""
    widths = width_positions("home", dataset)
    with sticky("home"):
        width = width_slider("home", widths, text=sigma_text)
    queries, estimator = queries_for(dataset), Estimator(width)
    shown = computation(dataset, estimator).shown
    output, weights = shown["output"], shown["weights"]
    pinned = pinned_row("home", queries)
    show_picture(
        "home_stage",
        cache.packed_widths(dataset, estimator.kernel, estimator.linear, tuple(widths), "home_width"),
        Update(
            widths.index(width),
            output,
            weights,
            pinned,
            *texts(output, weights),
            stretched=stretched("home"),
            curve=estimator.predict(fine_grid(dataset), dataset.samples()),
        ),
        on_query=lambda: take_click("home", queries),
        on_stretch=lambda: take_stretch("home"),
    )
    keep_width("home", width, usual_width(dataset))
    words = "Drag to the sharp end. Why does the heatmap turn into a diagonal, and why does the curve start to wiggle?"
    ask_with(words, "width")
    code("home", lambda: script(dataset, estimator, NAME))
    return View(lambda: exported(dataset, Estimator(st.session_state["home_width"]), NAME))


def score_words() -> str:
    """What the six pictures show, with the answer that a perfect score would give."""
    known = float(truth("wave", torch.tensor([QUERY]))[0])
    return (
        f"From chapter to chapter only the **score** changes. Here one query, $q = {QUERY:g}$ (dashed), attends to the "
        f"same twelve keys; the bars are its weights. The true curve is at **{short(known)}** there. "
        "In the last three pictures $q$ and $k$ are vectors: the directions of the hands of a slow and a fast clock at "
        "time $x$."
    )


def show_scores() -> None:
    """The weights of one query over twelve keys, under every score, and what comes out."""
    keys = twelve().x
    tallest = max(float(pooled.weights.max()) for _, pooled in pooled_by_score())
    with st.container(key="home_scores"):
        for i, (score, (output, weights)) in enumerate(pooled_by_score()):
            told = " and ".join(short(value) for value in output.flatten().tolist())
            alt = (
                f"{score.name}: the weights of query {QUERY:g} over {len(keys)} keys; "
                f"the largest is {short(float(weights.max()))}, the output {told}."
            )
            with st.container(key=f"home_score_{i}"):
                drawing(f"home_weights_{i}", weight_bars(alt, QUERY, keys, weights[:, 0], tallest))
                st.markdown(f"**{score.name}**\n\n${score.formula}$\n\nOutput **{told}**\n\n{score.explanation}")


def chapter_cards(chapters: tuple[Chapter, ...]) -> None:
    """A card for every chapter: a picture, its name, its claim; all of it is the link."""
    with st.container(key="home_cards"):
        for chapter in chapters:
            with st.container(key=f"home_card_{chapter.name}", border=True):
                drawing(f"home_picture_{chapter.name}", card(chapter.name))
                st.page_link(chapter.file, label=f"**{chapter.title}**", query_params=carried() or None)
                st.markdown(chapter.claim)
