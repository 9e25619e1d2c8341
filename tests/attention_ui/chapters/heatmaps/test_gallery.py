"""Heatmaps: large ones become block means and say so, and the gallery carries torch's numbers."""

import pytest
import torch

from attention_core.data import generate
from attention_core.demos.attending import attending
from attention_core.demos.patterns import pattern_frames
from attention_ui.chapters.heatmaps.choices import SHARPNESSES, Chosen
from attention_ui.chapters.heatmaps.computation import lab_picture
from attention_ui.chapters.heatmaps.gallery import (
    MOST_SENT,
    own_drawn,
    packed_own,
    packed_patterns,
    row_table,
)
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.chapters.heatmaps.reduced import MOST_CELLS, reduced
from tests.attention_ui.pictures.reading import opened


def test_small_matrices_are_drawn_as_they_are():
    matrices = torch.rand(1, 2, MOST_CELLS, 3)
    assert reduced(matrices).matrices is matrices
    assert reduced(matrices)[1:] == (1, 1)


def test_large_matrices_are_drawn_as_the_means_of_blocks():
    matrix = torch.rand(1, 1, 300, 500, dtype=torch.float64)
    drawn = reduced(matrix)
    assert drawn.matrices.shape == (1, 1, 100, 125)
    assert drawn[1:] == (3, 4)
    assert drawn.matrices[0, 0, 2, 5].item() == pytest.approx(matrix[0, 0, 6:9, 20:24].mean().item())
    left_over = reduced(torch.rand(1, 1, 257, 1, dtype=torch.float64).add(1))
    assert left_over.matrices.shape == (1, 1, 86, 1)
    assert (left_over.matrices >= 1).all(), "a block that is cut off must not average over nothing"


def test_the_gallery_carries_every_pattern_at_every_sharpness():
    chosen = Chosen(("causal", "previous"), n=6, band=2)
    header, patterns = opened(packed_patterns(chosen, "heatmaps"))
    assert [weights.shape for weights in patterns] == [(len(SHARPNESSES), 6, 6)] * 2
    assert header["titles"] == ["Causal mask", "Previous"]
    assert SHARPNESSES[header["start"]] == 1.0
    for frame, sharpness in enumerate(SHARPNESSES):
        (expected,) = pattern_frames(chosen.names, 6, 2, [sharpness]).float()
        for weights, tops, made in zip(patterns, header["tops"], expected, strict=True):
            assert torch.equal(weights[frame], made)
            assert tops[frame] == pytest.approx(made.max().item(), rel=1e-6)


def test_own_weights_travel_in_a_bounded_number_of_cells():
    many = OwnMatrix(torch.rand(8, 8, 200, 300, dtype=torch.float64), "heads")
    assert own_drawn(many).matrices.numel() <= MOST_SENT
    header, _ = opened(packed_own(many, "heatmaps", shared=True))
    assert (header["queries"], header["keys"]) == (200, 300)
    assert header["titles"][:2] == ["0, 0", "0, 1"]
    one = OwnMatrix(torch.tensor([[[[1.0, 0.0], [0.25, 0.75]]]]), "pasted")
    header, (weights,) = opened(packed_own(one, "heatmaps", shared=False))
    assert header["titles"] == ["Your matrix"]
    assert header["tops"] == [[1.0]]
    assert weights.tolist() == [[[1.0, 0.0], [0.25, 0.75]]]


def test_the_table_counts_keys_by_entropy_whatever_the_row_sums_to():
    rows = {"even": [[0.5, 0.5]], "double": [[2.0, 2.0]], "one": [[0.0, 1.0]]}
    table = row_table(attending({title: torch.tensor(row) for title, row in rows.items()}), 0)
    even, double, one = (line.strip("| ").split(" | ") for line in table.splitlines()[2:])
    assert even == ["even", "0.5", "2 keys", "2", "1"]
    assert double == ["double", "2", "2 keys", "2", "4"]
    assert one == ["one", "1", "1", "1", "1"]


def test_the_labs_weights_stand_side_by_side():
    blurred, sharp = lab_picture().heatmaps
    assert blurred.frames.max() < sharp.frames.max()
    assert blurred.by_root, "as in the lab, shades go by roots, up to 1"
    assert torch.equal(blurred.columns, generate().x), "and the keys are told by their x"
