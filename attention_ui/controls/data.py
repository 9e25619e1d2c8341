"""The choice of data: one component, used by several pages under keys of their own."""

import streamlit as st

from attention_core.data import FEWEST, FUNCTIONS, LAST_SEED, MEASURED, MOST_READ, Samples
from attention_core.regression.selection import evenly
from attention_ui.controls.dataset import OWN, Dataset, labels
from attention_ui.controls.editing import edit_controls, edited, keep_points
from attention_ui.controls.own_data import own_data, say_what_is_in_use
from attention_ui.controls.remembered_data import keep
from attention_ui.controls.widgets import count, number, selectbox, slider
from attention_ui.link.lesson import hides
from attention_ui.shared import shared

MOST_POINTS, LOUDEST = 500, 2.0  # on the sliders, unless a page says otherwise
DEFAULT = Dataset()


def data_controls(page: str, most: int = MOST_POINTS, most_used: int = MOST_READ) -> Dataset:
    """Draw the choice of data; keys begin with the page, values stand in the link.

    So many points are offered at most, and of more points in a file so many are used.
    """
    name = selectbox("Data", labels(), DEFAULT.name, key=f"{page}_function")
    base = own_data(page) if name == OWN else _ready_made(page, name, most)
    dataset = edited(page, base)
    if name == OWN:
        say_what_is_in_use(page, dataset)
    keep(page, base=base, current=dataset)
    keep_points(page, dataset)
    edit_controls(page, dataset)
    if dataset.n <= most_used:
        return dataset
    st.caption(f"{most_used:,} of the {dataset.n:,} points are used here, evenly chosen.")
    return _thinned(dataset, most_used)


@shared
def _thinned(dataset: Dataset, most: int) -> Dataset:
    """So many of own points, evenly chosen by their keys."""
    x, y = dataset.samples()
    at = evenly(len(x), most)
    return Dataset.own(Samples(x[at], y[at]), dataset.x_label, dataset.y_label, dataset.title, dataset.curve)


def _ready_made(page: str, name: str, most: int) -> Dataset:
    keep(page, fault="")
    return _measured(name) if name in MEASURED else _made_up(page, name, most)


def _measured(name: str) -> Dataset:
    if not hides("function"):
        st.caption(MEASURED[name].source)
    return Dataset.measured(name)


def _made_up(page: str, name: str, most: int) -> Dataset:
    if not hides("function"):
        st.caption(f"$y = {FUNCTIONS[name].formula}$")
    n = count("Points", FEWEST, most, DEFAULT.n, key=f"{page}_n")
    noise = slider(
        "Noise", 0.0, LOUDEST, DEFAULT.noise, 0.05, key=f"{page}_noise",
        help="Standard deviation around the true curve.",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        again = st.container(width="stretch")
        seed = number(
            "Seed", 0, LAST_SEED, DEFAULT.seed, key=f"{page}_seed", width=88,
            help="The same seed draws the same points.",
        )  # fmt: skip
        again.button(
            "Regenerate data",
            key=f"{page}_regenerate",
            on_click=_regenerate,
            args=(page,),
            width="stretch",
            help="Draw new points with the next seed.",
        )
    return Dataset(name, n, noise, seed)


def _regenerate(page: str) -> None:
    """Take the next seed: a class that presses together sees the same new points."""
    st.session_state[f"{page}_seed"] = (st.session_state[f"{page}_seed"] + 1) % (LAST_SEED + 1)
