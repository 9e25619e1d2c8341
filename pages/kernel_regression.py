"""The kernel-regression lab: drag the width and watch attention sharpen."""

from contextlib import suppress

import streamlit as st

from attention_core.regression.estimator import Estimator
from attention_core.regression.frames import key_groups, summed
from attention_ui.chapters.kernel_regression import views as lab
from attention_ui.chapters.kernel_regression.choices import MOST_POINTS, ONE_QUERY, TABS, TIME, Asked, looked_at
from attention_ui.controls.data import data_controls
from attention_ui.controls.editing import offers_for, take_edit, take_tried
from attention_ui.controls.model import model_controls
from attention_ui.controls.pinned_query import pinned_row, take_click
from attention_ui.controls.sticky import sticky
from attention_ui.controls.stretch import stretched, take_stretch
from attention_ui.controls.tabs import below_picture, open_tab
from attention_ui.controls.width import keep_width, width_positions, width_rules, width_slider, width_style
from attention_ui.controls.widths import usual_width
from attention_ui.export.dialog import close
from attention_ui.export.lab import computation
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment
from attention_ui.link.lesson import ask_with
from attention_ui.pictures import cache
from attention_ui.pictures.picture import Update, send_update, show_frames
from attention_ui.pictures.regression import ALL_HELD, fine_grid, queries_for, texts
from attention_ui.pictures.waiting import waiting, waiting_for_widths
from attention_ui.seams import NoPlace
from attention_ui.shown import show_formula

tools = open_page(
    "Drag the width, watch attention sharpen",
    "Every prediction weights the points **by closeness**. The width decides what counts as close.",
)
st.html(f"<style>{width_style('kr')}</style>")
with st.sidebar:
    dataset = data_controls("kr", MOST_POINTS)
    kernel, linear = model_controls("kr")
    width_rules("kr", lambda: lab.chosen_widths(dataset, kernel, linear))

# What holds every width at once is drawn here, once; what one width changes is drawn by the fragment below.
widths, queries = width_positions("kr", dataset), queries_for(dataset)
control = sticky("kr")
with waiting_for_widths("kr", dataset, kernel, linear, tuple(widths)):
    frames = cache.packed_widths(dataset, kernel, linear, tuple(widths), "kr_width")
    show_frames(
        "kr_stage",
        frames,
        on_query=lambda: take_click("kr", queries),
        on_stretch=lambda: take_stretch("kr"),
        on_edit=lambda: take_edit("kr"),
    )
query = float(queries[looked_at(pinned_row("kr", queries), queries)])
asked = Asked("kr", dataset, kernel, linear, tuple(widths), query)
with below_picture("kr"):
    tab = open_tab("kr", TABS)
    view = lab.VIEWS[tab](asked)
    below = st.container(key="kr_width_waits")
drawn_at = st.session_state["kr_width"]


@fragment
def attend() -> None:
    """The slider, and what follows from the width."""
    width = width_slider("kr", widths)
    if tab == TIME and width != drawn_at:
        st.rerun()  # what that tab measures and draws belongs to one width
    estimator = Estimator(width, kernel, linear)
    n, at = len(dataset.samples().x), widths.index(width)
    with waiting("kr_release", dataset, "Working it out ...", many=MOST_POINTS):
        shown = computation(dataset, estimator).shown
    output, weights = shown["output"], shown["weights"]
    pinned, groups = pinned_row("kr", queries), summed(weights, key_groups(n))
    row = looked_at(pinned, queries) if tab == ONE_QUERY else pinned
    listened = float(cache.swept(dataset, kernel, linear, tuple(widths)).neighbours[at])
    told = row, *texts(output, weights, n, listened), *offers_for("kr", dataset)
    dragged = take_tried("kr")
    tried = None if dragged is None else estimator.predict(fine_grid(dataset), dragged.samples())
    curve = estimator.predict(fine_grid(dataset), dataset.samples()) if len(widths) > ALL_HELD else None
    send_update("kr_stage", frames, Update(at, output, groups, *told, tried, stretched("kr"), curve))
    with below, suppress(NoPlace):  # it has no place any more once another tab is opened
        lab.captions(asked, output)
        view.follow()
    keep_width("kr", width, usual_width(dataset))


with control:
    attend()
show_formula(lab.equation(kernel, linear))
ask_with(lab.QUESTION, "width")
close(tools, view)
