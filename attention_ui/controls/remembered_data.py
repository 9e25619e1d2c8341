"""What one page remembers of its data from run to run: what was read, and what was edited."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from attention_core.checks import InputError
from attention_ui.controls.dataset import Dataset
from attention_ui.link.choice import text_in_link
from attention_ui.link.held import asked_name, held_text
from attention_ui.link.points import MOST_HELD, MOST_LINKED, Linked, unpacked_points
from attention_ui.room import Place


@dataclass(frozen=True, eq=False)
class Kept:
    """What one page remembers of its data, under one key of st.session_state."""

    base: Dataset = field(default_factory=Dataset)  # what the controls say, without edits, when they were last drawn
    current: Dataset = field(default_factory=Dataset)  # in use at that time: the newest edit of it
    read: Dataset | None = None  # from a file, pasted, or brought by a link
    edits: Mapping[Dataset, Dataset] = field(default_factory=dict)  # by what was edited: what came of it
    tried: Dataset | None = None  # with a point that is being dragged
    brought: tuple[str, Dataset] | None = None  # the points in the link that was opened: their text, and what it means
    link_read: bool = False
    table: pd.DataFrame | None = None  # the columns to choose from
    table_origin: str = ""
    place: Place | None = None  # what was read takes in the process
    fault: str = ""  # of the newest input
    openings: int = 0  # of the editor


def recall(page: str) -> Kept:
    """What this page remembers."""
    kept: Kept = st.session_state.get(f"{page}_kept", Kept())
    return kept


def keep(page: str, **changes: object) -> None:
    """Remember these changes for this page."""
    st.session_state[f"{page}_kept"] = replace(recall(page), **changes)  # type: ignore[arg-type]


def points_in_link(page: str) -> tuple[str, Linked] | None:
    """The points that the link brought, with their text, the first time they are there; None where it has none."""
    if recall(page).link_read:
        return None
    text, most = text_in_link(f"{page}_points"), MOST_LINKED
    if not text and asked_name(f"{page}_held"):
        text, most = held_text(f"{page}_held"), MOST_HELD
        if not text:
            return None  # the browser may bring it yet
    keep(page, link_read=True)
    with suppress(InputError):  # what cannot be read is named above with all that was ignored in the link
        return (text, unpacked_points(text, most)) if text else None
    return None
