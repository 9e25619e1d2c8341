"""Learned w: press Train and see gradient descent find how sharply to attend."""

import streamlit as st

from attention_core.learning.presets import PRESETS
from attention_core.learning.stretch import MOST_TRAINED
from attention_ui.chapters.learned_w.choices import preset_control, run_controls
from attention_ui.chapters.learned_w.earlier import keep_earlier
from attention_ui.chapters.learned_w.export import script
from attention_ui.chapters.learned_w.runs import Plan, finish, run_of, show_stopped
from attention_ui.chapters.learned_w.views import ONE_HEAD, SEVERAL_HEADS, STRETCHED, VIEWS, question
from attention_ui.controls.data import data_controls
from attention_ui.controls.tabs import open_tab
from attention_ui.export.code import code
from attention_ui.export.dialog import close
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment
from attention_ui.link.lesson import ask_with, hides
from attention_ui.shown import show_formula

tools = open_page(
    "Learn how sharply to attend",
    "How sharply to attend, $w = 1/\\sigma$, **is learned**: each step of training changes $w$ to lower the loss.",
)
tabs, *above = st.columns([2.2, 1, 1], vertical_alignment="bottom")
with st.sidebar:
    presets = st.container()
    config, heads = run_controls("lw", above)
    dataset = data_controls("lw", MOST_TRAINED, MOST_TRAINED)
    with presets:
        preset = preset_control("lw", config, dataset)
        if not hides("preset"):
            st.caption(PRESETS[preset].why if preset else "Your own settings.")

with tabs:
    opened = open_tab("lw", ONE_HEAD if heads == 1 else SEVERAL_HEADS)
run = run_of("lw", Plan(dataset, config, heads))
keep_earlier("lw")
if run.running:
    finish(run)
if not run.complete:
    show_stopped(run)


@fragment  # where the run is played to touches nothing outside
def show() -> View:
    """The open view of the run, which alone computes and draws, and a question that fits it."""
    drawn = VIEWS[opened](run)
    with st.container(horizontal=True, horizontal_alignment="center", gap="small"):
        show_formula(
            r"f_w(q) = \sum_i \operatorname{softmax}_i\!\Big(\!-\tfrac12\big((q - k_i)\,w\big)^2\Big)\, v_i",
            width="content",
        )
        show_formula(r"w \leftarrow w - \eta\,\frac{dL}{dw}", width="content")
    if not dataset.has_truth:
        st.caption(f"For training, points that are not made up are {STRETCHED}.")
    ask_with(*question(opened, heads, bool(st.session_state.get("lw_reveal"))))
    return drawn


view: View = show()  # Download runs the whole page again, so this is what is open when it is pressed
code("lw", lambda: script(run.trained()))
close(tools, view)
