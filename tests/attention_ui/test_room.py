"""Data that visitors bring take no more memory than there is room for, and leave it when nobody holds them."""

import gc

import pandas as pd
import pytest
import streamlit
import torch

from attention_core.checks import InputError
from attention_ui import room
from attention_ui.chapters.heatmaps import own_matrix
from attention_ui.controls import own_data
from attention_ui.controls.remembered_data import Kept
from attention_ui.room import LITTLE, Room

MEGABYTE = 1_000_000


def test_one_visitor_and_all_have_so_much_room_and_leave_it_when_they_go() -> None:
    store = Room(5 * MEGABYTE, 3 * MEGABYTE)
    first = store.take("a", 2 * MEGABYTE)
    with pytest.raises(InputError, match="as much data as one visitor may"):
        store.take("a", 2 * MEGABYTE)
    second = store.take("b", 3 * MEGABYTE)
    with pytest.raises(InputError, match="The server holds as much"):
        store.take("c", MEGABYTE)
    little = store.take("c", LITTLE)
    assert store.held == 5 * MEGABYTE + LITTLE
    del second
    assert store.held == 2 * MEGABYTE + LITTLE
    third = store.take("c", 2 * MEGABYTE)
    del first, little, third
    assert store.held == 0


def test_other_data_take_the_place_of_those_before_and_a_refusal_changes_nothing() -> None:
    store = Room(5 * MEGABYTE, 3 * MEGABYTE)
    place = store.take("a", 2 * MEGABYTE)
    place = store.take("a", 3 * MEGABYTE, place)
    assert store.held == 3 * MEGABYTE
    with pytest.raises(InputError):
        store.take("a", 4 * MEGABYTE, place)
    assert store.held == 3 * MEGABYTE
    place = store.take("a", MEGABYTE, place)
    assert store.held == MEGABYTE
    del place
    assert store.held == 0


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """A session, and room for 10 MB."""
    state: dict[str, object] = {}
    monkeypatch.setattr(streamlit, "session_state", state)
    monkeypatch.setattr(streamlit, "query_params", {})
    small = Room(10 * MEGABYTE, 10 * MEGABYTE)
    for module in (own_data, own_matrix):
        monkeypatch.setattr(module, "ROOM", small)
    state["room"] = small
    return state


def test_a_table_is_counted_with_its_points_and_without_its_text(state: dict[str, object]) -> None:
    rows = 50_000
    table = pd.DataFrame({"x": range(rows), "y": range(rows), "t": ["a word"] * rows}).astype({"x": float, "y": float})
    own_data._take("p", table, "here")
    kept, small = state["p_kept"], state["room"]
    assert isinstance(kept, Kept)
    assert isinstance(small, Room)
    assert kept.table is not None
    assert list(kept.table) == ["x", "y"]
    assert 48 * rows <= small.held < 57 * rows, "a table of 16 bytes a row, an index of 8, and twice the points"
    with pytest.raises(InputError):
        own_data._take("q", pd.concat([table] * 5, ignore_index=True), "there")
    own_data._refuse("p", "")
    assert own_data.recall("p").table is None
    assert own_data.recall("p").read == kept.read, "the points stay in use"
    del kept
    gc.collect()
    assert small.held == 32 * rows
    state.pop("p_kept")
    gc.collect()
    assert small.held == 0


def test_a_matrix_is_counted(state: dict[str, object]) -> None:
    small = state["room"]
    assert isinstance(small, Room)
    weights = torch.zeros(1, 1, 1000, 1000, dtype=torch.float64)
    matrix = own_matrix.OwnMatrix(weights, "here", own_matrix._place("p", weights))
    assert small.held == 8 * MEGABYTE
    with pytest.raises(InputError):
        own_matrix._place("q", weights)
    del matrix
    gc.collect()
    assert small.held == 0


def test_the_largest_table_has_room() -> None:
    assert 10_000_000 * 8 + own_data.BYTES * MEGABYTE < room.MOST_OF_ONE < room.MOST
