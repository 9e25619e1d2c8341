"""Scripts taken home from the heatmaps make the numbers of the screen again."""

import numpy as np
import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.computation import lab_widths
from attention_ui.chapters.heatmaps.export import (
    exported_lab,
    exported_own,
    exported_patterns,
    lab_script,
    own_script,
    patterns_script,
)
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from tests.attention_ui.export.exported import drawn


@pytest.mark.parametrize(
    ("chosen", "sharpness"),
    [(Chosen(), 1.0), (Chosen(("repeats", "uniform", "blocks", "causal", "previous"), 7, 2, False), 2.15)],
)
def test_patterns(agree, chosen, sharpness):
    export = agree(exported_patterns(chosen, sharpness))
    weights = torch.stack(list(export.computation.shown["weights"].values()))
    for place in range(len(chosen.names)):
        assert np.array_equal(drawn(export.figure, "heatmap", place).z, weights[place])
    assert np.array_equal(export.tables["weights"].filter(like="key_").to_numpy(), weights.flatten(0, 1))
    assert export.tables["weights"]["pattern"].unique().tolist() == list(chosen.names)
    assert export.with_core().text == patterns_script(chosen, sharpness)
    assert len({trace.coloraxis for trace in export.figure.data}) == (1 if chosen.shared else len(chosen.names))


def test_the_labs_own_heatmaps(agree):
    export = agree(exported_lab())
    samples, queries = generate(), query_grid()
    for weights, width in zip(export.computation.shown["weights"], lab_widths(), strict=True):
        torch.testing.assert_close(weights, kernel_pool(queries, *samples, width).weights)
    assert export.with_core().text == lab_script()


@pytest.mark.parametrize("shape", [(1, 1, 3, 4), (2, 3, 40, 50)])
def test_own_weights_are_written_out_or_stand_beside_the_script(agree, shape):
    weights = torch.rand(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 0.2
    matrix = OwnMatrix(weights, "a file")
    export = agree(exported_own(matrix, shared=False))
    assert bool(export.alone().numbers) == (weights.numel() > 1000)
    assert export.with_core().text == own_script(matrix)
    assert '-high, "RdBu"' in own_script(matrix), "numbers below 0 have a colour of their own"
    assert np.array_equal(export.tables["weights"].filter(like="key_").to_numpy(), weights.reshape(-1, shape[-1]))
    assert list(export.computation.shown["effective"]) == matrix.titles


def test_the_effective_number_of_keys_is_how_many_share_the_weight():
    matrix = OwnMatrix(torch.tensor([[[[0.25] * 4, [0.5, 0.5, 0, 0], [0, 0, 3.0, -1.0]]]]), "pasted")
    shown = matrix.computation.shown
    assert shown["effective"]["Your matrix"].tolist() == pytest.approx([4, 2, 1])
    assert shown["sums"]["Your matrix"].tolist() == [1, 1, 2]
