"""A still picture: the panels of a frame in rows, with numbers in the cells where they are asked for."""

import torch

from attention_ui.export.still import still
from attention_ui.pictures.heatmap import Heatmap, Names, Written
from attention_ui.pictures.picture import Picture

WEIGHTS = torch.tensor([[[0.25, 0.75], [1.0, 0.0]], [[0.5, 0.5], [0.125, 0.875]]], dtype=torch.float64)  # (F, Q, K)
LATER = torch.tensor([[False, True], [False, False]])
NAMES = ("a", "<b>")
EMPTY = Heatmap("", torch.empty(0, 0), (), ())


def panel(**given):
    return Heatmap("Weights", WEIGHTS, NAMES, NAMES, **given)


def shown(*panels, frame=1, numbers=True, **given):
    return still(Picture(panels, ("first", "second"), **given), frame=frame, numbers=numbers)


def test_numbers_of_the_frame_stand_in_the_cells_and_hidden_ones_are_crossed_out():
    (drawn,) = shown(panel(hatched=LATER)).data
    assert [list(row) for row in drawn.z] == WEIGHTS[1].tolist()
    assert [list(row) for row in drawn.text] == [["0.50", "×"], ["0.12", "0.88"]]
    assert drawn.hovertext[1][1] == "&lt;b>, &lt;b>: 0.875"


def test_without_numbers_a_hidden_cell_is_empty():
    (drawn,) = shown(panel(hatched=LATER), numbers=False).data
    assert drawn.text is None
    assert [list(row) for row in drawn.z] == [[0.5, None], [0.125, 0.875]]


def test_texts_that_a_heatmap_brings_go_before_its_numbers_and_sums_stand_beside_its_rows():
    written = Written([["p", "q"], ["r", "s"]], [["1", "2"], ["3", "4"]], ["= 1", "= 1, all of it"])
    figure = shown(panel(written=written))
    assert [list(row) for row in figure.data[0].text] == [["p", "q"], ["r", "s"]]
    beside = [note for note in figure.layout.annotations if note.yref == "y"]
    assert [(note.text, note.y) for note in beside] == [("= 1", 0), ("= 1, all of it", 1)]
    assert figure.layout.xaxis.domain[1] < shown(panel()).layout.xaxis.domain[1]


def test_a_long_note_has_a_line_of_its_own_above_numbers():
    short, long = ("", "short"), ("", "so long a note that it finds no room beside its title")
    assert [note.text for note in shown(panel(notes=short)).layout.annotations] == ["Weights: short"]
    narrow = [panel(notes=long)] * 3
    assert {note.text for note in shown(*narrow, numbers=False).layout.annotations} == {"Weights"}
    wide = [panel(notes=("", "a note of some thirty letters"))] * 3
    assert {note.text for note in shown(*wide).layout.annotations} == {"Weights<br>a note of some thirty letters"}


def test_a_heatmap_without_rows_leaves_its_place_free():
    figure = shown(panel(), EMPTY, panel(), across=2)
    assert [trace.xaxis for trace in figure.data] == ["x", "x3"]


def test_cells_without_a_name_need_no_colour_bar_and_labels_are_no_markup():
    assert shown(panel()).layout.coloraxis.showscale
    figure = shown(panel(), names=Names(cell="", rows="", columns=""))
    assert not figure.layout.coloraxis.showscale
    assert figure.layout.xaxis.ticktext == ("a", "&lt;b>")
