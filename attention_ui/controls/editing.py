"""Points that are edited in a table, or added, moved and removed on a stage; Undo takes each step back."""

import math
from contextlib import suppress
from typing import NamedTuple

import pandas as pd
import streamlit as st
import torch

from attention_core.checks import InputError
from attention_core.data import FEWEST, Samples
from attention_ui.component import told
from attention_ui.controls.dataset import OWN, Dataset
from attention_ui.controls.remembered_data import keep, points_in_link, recall
from attention_ui.link.choice import MOST_UNDONE, note_text
from attention_ui.link.held import asked_name, bring_text, hold_text, let_go, wait
from attention_ui.link.lesson import hides
from attention_ui.link.points import MOST_HELD, MOST_LINKED, packed_points
from attention_ui.reading.literal import literal
from attention_ui.reading.tables import choose

MOST_EDITED = MOST_HELD  # rows: more is slow to send and no pleasure to scroll
MOST_BASES = 10  # data whose edits are remembered
TOO_MANY = (
    f"More than {MOST_LINKED} points are too many for a link: this browser holds them for a week. To share them, "
    "download the CSV."
)
# What a stage may send: whether it names a point that is there, and a place for one.
NEEDED = {
    "add": (False, True),
    "move": (True, True),
    "try": (True, True),
    "remove": (True, False),
    "reset": (False, False),
}
NEAR = 1e-4  # of the range: a stage knows a point by fewer digits than we do


Pair = tuple[float, float] | None


class Offers(NamedTuple):
    """What a stage may do with the points, and why it may not do more."""

    acts: tuple[str, ...] = ()  # of add, move, remove and reset
    why: str = ""


def edited(page: str, base: Dataset) -> Dataset:
    """What came of the edits of these data, else the data themselves."""
    if base.name != OWN and (found := points_in_link(page)):
        text, linked = found
        after = base.edited(linked.samples)
        keep(page, edits={base: after}, brought=(text, after))
    return recall(page).edits.get(base, base)


def edit(page: str, after: Dataset) -> None:
    """Put these data in the place of those in use."""
    base, edits = recall(page).base, dict(recall(page).edits)
    edits.pop(base, None)
    keep(page, edits={**dict(list(edits.items())[-MOST_BASES:]), base: after}, current=after, tried=None)


def reset_points(page: str) -> None:
    """Go back to the data without any edit."""
    edit(page, recall(page).base)


# Points in the link.


def keep_points(page: str, dataset: Dataset) -> None:
    """Let own and edited points travel in the link while they are few, and no others; let Undo take edits back.

    Some more are held by the browser.
    """
    few, key = dataset.n <= MOST_LINKED, f"{page}_held"
    text, brought = recall(page).brought or ("", None)
    if dataset is not brought:  # else as it was: another zlib may write the same points otherwise
        own = dataset.packed
        text = packed_points(own, dataset.x_label, dataset.y_label, dataset.curve, MOST_HELD) or "" if own else ""
    note_text(f"{page}_points", text if few else "")
    if text and not few:
        hold_text(key, text)
    elif asked_name(key) and not recall(page).link_read and dataset == recall(page).base:
        if bring_text(key):
            wait()
    else:
        let_go(key)
    _note_edits(page, dataset)


def _note_edits(page: str, dataset: Dataset) -> None:
    """Give the edits of this moment a name that the link never shows, by which Undo finds them again."""
    kept = recall(page)
    known: dict[str, tuple[Dataset, Dataset, Dataset | None]]
    known = st.session_state.setdefault(f"{page}_known", {})
    name = f"{hash(kept.base):x}.{hash(dataset):x}"
    known[name] = kept.base, dataset, kept.read
    for oldest in list(known)[: -MOST_UNDONE - 1]:
        del known[oldest]

    def restore(older: str) -> None:
        if older in known:
            base, after, read = known[older]
            keep(
                page,
                base=base,
                current=after,
                read=read,
                edits={**recall(page).edits, base: after},
                tried=None,
                fault="",
            )

    note_text(f"{page}_edits", name, usual=name, restore=restore)


# The editor in the sidebar.


def edit_controls(page: str, dataset: Dataset) -> None:
    """Draw what opens the editor, and what takes its changes back."""
    changed = dataset != recall(page).base
    if changed and dataset.n > MOST_LINKED:
        st.caption(TOO_MANY)
    with st.container(horizontal=True):
        if len(dataset.samples().x) > MOST_EDITED and not hides("edit"):
            st.caption(f"More than {MOST_EDITED} points are too many to edit here.")
        elif len(dataset.samples().x) <= MOST_EDITED and st.button(
            "Edit points", key=f"{page}_edit", help="Change, add or delete points in a table."
        ):
            keep(page, openings=recall(page).openings + 1)
            _edit(page, dataset, f"{page}_editor_{recall(page).openings}")  # a used key would bring old edits back
        if changed:
            st.button("Reset points", key=f"{page}_reset", on_click=reset_points, args=(page,), help="Undo all edits.")


@st.dialog("Edit points")
def _edit(page: str, dataset: Dataset, key: str) -> None:
    st.caption("Change cells, add rows below, mark rows to delete.")
    rows = st.data_editor(_rows(dataset), num_rows="dynamic", hide_index=False, key=key)
    # Not a form: the editor sends its last cell a moment late, and a form would not wait for it.
    if st.button("Apply", type="primary", key=f"{page}_apply"):
        try:
            samples = _points(rows)
        except InputError as fault:
            st.error(literal(str(fault)))
        else:
            edit(page, dataset.edited(samples))
            st.rerun()


def _rows(dataset: Dataset) -> pd.DataFrame:
    names = [dataset.x_label, dataset.y_label]
    distinct = names if len(set(names)) == 2 else ["x", "y"]
    return pd.DataFrame(dataset.points, columns=distinct, index=range(1, len(dataset.points) + 1))


def _points(rows: pd.DataFrame) -> Samples:
    """The rows of the editor as points, or one sentence that names the row by the number shown beside it."""
    return choose(rows.astype("float64"), *rows.columns)  # a column of blanks alone is none of numbers yet


# The stage.


def offers_for(page: str, dataset: Dataset) -> Offers:
    """What a stage may do with these points: nothing where a lesson hides the data or their editor."""
    if hides("function", "edit"):
        return Offers(why="This lesson locks the points.")
    count = len(dataset.samples().x)
    reset = ["reset"] if dataset != recall(page).base else []
    if count > MOST_EDITED:
        return Offers(tuple(reset), f"More than {MOST_EDITED} points cannot be moved.")
    acts = ["move", *(["add"] if count < MOST_EDITED else []), *(["remove"] if count > FEWEST else [])]
    return Offers((*acts, *reset), "" if "add" in acts else f"{MOST_EDITED} points are the most.")


def take_edit(page: str, stage: str = "stage") -> None:
    """Do what was done to the points on the stage."""
    asked = told(f"{page}_{stage}", "edit")
    # A stage sends what it was offered, with numbers inside its picture; what sends anything else is none.
    with suppress(InputError, TypeError, ValueError, KeyError, AttributeError):
        _act(page, asked["do"], _pair(asked.get("from")), _pair(asked.get("to")))


def _pair(sent: object) -> tuple[float, float] | None:
    """Two finite numbers, or None where nothing was sent."""
    if sent is None:
        return None
    if not isinstance(sent, list) or len(sent) != 2 or not all(map(math.isfinite, sent)):
        raise InputError("A point has two numbers.")
    return float(sent[0]), float(sent[1])


def _act(page: str, do: str, start: Pair, end: Pair) -> None:
    current = recall(page).current
    if ("move" if do == "try" else do) not in offers_for(page, current).acts:
        return
    if (start is not None, end is not None) != NEEDED[do]:
        raise InputError("This needs other points.")
    if do == "reset":
        reset_points(page)
    elif do == "try":
        keep(page, tried=_changed(current, start, end))
    else:
        edit(page, _changed(current, start, end))


def _changed(dataset: Dataset, start: Pair, end: Pair) -> Dataset:
    """The data without the point at the start, where there is one, and with one at the end, where there is one."""
    if end and not dataset.low <= end[0] <= dataset.high:
        raise InputError("A point must lie inside the picture.")
    return dataset.changed(None if start is None else _nearest(dataset, *start), end)


def _nearest(dataset: Dataset, x: float, y: float) -> int:
    """The position of the point that is meant."""
    seen, meant = torch.stack(dataset.samples()), torch.tensor([[x], [y]], dtype=torch.float64)  # (2, n), (2, 1)
    span = (seen.amax(1) - seen.amin(1)).clamp(min=1e-30)
    far = ((seen - meant).abs() / span[:, None]).amax(0)  # (n,)
    found = int(far.argmin())
    if not float(far[found]) < NEAR:
        raise InputError("There is no such point.")
    return found


def take_tried(page: str) -> Dataset | None:
    """The data with the point that is being dragged, once."""
    tried = recall(page).tried
    if tried is not None:
        keep(page, tried=None)
    return tried
