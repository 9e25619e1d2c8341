"""Scripts taken home from the heatmaps make the numbers of the screen again."""

import numpy as np
import pytest
import torch

from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.export import exported_lab, exported_patterns
from attention_ui.chapters.heatmaps.export_own import exported_own
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from tests.attention_ui.export.exported import drawn


@pytest.mark.parametrize(
    ("chosen", "sharpness"),
    [(Chosen(), 1.0), (Chosen(("repeats", "uniform", "blocks", "causal", "previous"), 7, 2, False), 2.15)],
)
def test_patterns(agree, chosen, sharpness):
    export = agree(exported_patterns(chosen, sharpness))
    for place in range(len(chosen.names)):
        assert np.array_equal(drawn(export.figure, "heatmap", place).z, export.results["weights"][place])
    table = export.tables["weights"]
    assert np.array_equal(table.filter(like="key_").to_numpy(), export.results["weights"].flatten(0, 1))
    assert (drawn(export.figure, "heatmap").coloraxis is None) == (not chosen.shared)


def test_the_labs_own_heatmaps(agree):
    export = agree(exported_lab())
    assert export.results["weights"].shape == (2, 50, 50)


@pytest.mark.parametrize("shape", [(1, 1, 3, 4), (2, 3, 40, 50)])
def test_own_weights_written_out_or_packed(agree, shape):
    weights = torch.rand(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 0.2
    titles = [f"m{number}" for number in range(shape[0] * shape[1])]
    export = agree(exported_own(OwnMatrix(weights, "a file"), titles, shared=False))
    assert ("base64" in export.plain) == (weights.numel() > 5000)
    assert np.array_equal(export.tables["weights"].filter(like="key_").to_numpy(), weights.reshape(-1, shape[-1]))
