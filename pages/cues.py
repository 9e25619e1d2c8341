"""Two cues on one desk: what stands out catches your eye, your goal decides where you look."""

import streamlit as st

from attention_ui.chapters.cues import desk, views
from attention_ui.chapters.cues.choices import SLIDERS, Cues, controls, reset_button, saliency_sliders, was_clicked
from attention_ui.chapters.cues.export import exported, script
from attention_ui.controls.sticky import sticky
from attention_ui.export.code import code
from attention_ui.export.dialog import close
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment
from attention_ui.link.lesson import ask_with, hides

tools = open_page(
    "What stands out, and what you want",
    "What stands out catches your eye; **your goal decides where you look**. Choose a goal, or click an object.",
)
with st.sidebar:
    if not all(map(hides, SLIDERS)):
        st.subheader("What stands out", anchor=False)
        st.caption("The nonvolitional cue: it acts whether you want it or not.")
    saliency = saliency_sliders()
    reset_button()


@fragment  # a new goal or blend touches nothing outside, so only this much runs again
def attend() -> View:
    """The goal, the blend, the desk, and what follows from them."""
    if was_clicked():  # an object: its slider stands outside
        st.rerun()
    with sticky("cues"):
        goal, percent = controls()
    chosen = Cues(saliency, goal, percent)
    desk.show(chosen)
    views.kind_of_pooling(chosen)
    views.tabs(chosen)
    views.formula(chosen)
    ask_with(
        "You want to read, but the cup is red: how far must you drag until the book gets more attention than the cup? "
        "Then want nothing in particular, and set all five sliders in the sidebar to the same number: "
        "which pooling is that?",
        *SLIDERS,
        "goal",
        "blend",
    )
    code("cues", lambda: script(chosen))
    return View(lambda: exported(chosen))


view = attend()
close(tools, view)
