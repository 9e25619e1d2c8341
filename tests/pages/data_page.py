"""A stand-in page: the data controls, and what they chose."""

import streamlit as st

from attention_ui.controls.data import data_controls
from attention_ui.controls.editing import edit, take_edit
from attention_ui.link.choice import page_in_link, undo


def show(page: str) -> None:
    """One page with controls of its own."""
    with st.sidebar:
        dataset = data_controls(page)
    st.title(page)
    st.json({"name": dataset.name, "title": dataset.title, "points": dataset.points[:500]}, expanded=False)
    st.text(f"{len(dataset.points)} points, sum of y {sum(y for _, y in dataset.points):.6f}")
    st.button("Add a point", key=f"{page}_add", on_click=lambda: edit(page, dataset.changed(added=(2.5, 9.0))))
    st.button("Take an edit", key=f"{page}_take", on_click=take_edit, args=(page,))
    st.button("Undo", key=f"{page}_undo", on_click=undo)


def first() -> None:
    """The page that opens."""
    show("first")


def second() -> None:
    """Another page."""
    show("second")


page = st.navigation([st.Page(first, default=True), st.Page(second)], position="top")
with page_in_link():
    page.run()
