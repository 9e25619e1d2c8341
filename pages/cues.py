"""Two cues on one desk: what stands out catches your eye, what you want directs it."""

import streamlit as st

from attention_ui.chapters.cues import desk, views
from attention_ui.chapters.cues.choices import Cues, blend_slider, goal_choice, reset_button, saliency_sliders
from attention_ui.chapters.cues.export import exported, script
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.figures.charts import code
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "What catches your eye, and what you look for",
    "The red cup stands out, so your eye goes there. Then you want something, and **your will moves the light**.",
)
with st.sidebar:
    st.subheader("What stands out", anchor=False)
    st.caption("The nonvolitional cue: it acts whether you want it or not.")
    saliency = saliency_sliders()
    reset_button()


@fragment  # a new goal or blend touches nothing outside, so only this much runs again
def attend() -> View:
    """The goal, the blend, the desk, and what follows from them."""
    goal = goal_choice()
    chosen = Cues(saliency, goal, blend_slider(goal))
    desk.show(chosen)
    views.kind_of_pooling(chosen)
    views.tabs(chosen)
    views.formula(chosen)
    st.info(
        "You want to read, but the cup is red: how far must you drag until the book gets more light than the cup? "
        "Then want nothing, and in the sidebar let all five stand out equally: which pooling is that?"
    )
    code("cues", lambda: script(chosen))
    return View(lambda: exported(chosen))


view = attend()
offer(tools, view.export)
view.afterwards()
