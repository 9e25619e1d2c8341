"""What the chapters on several heads and on self-attention give away: scripts make the numbers of every view again."""

import pytest
import torch

from attention_core.data import generate
from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_core.transformer.positions import encoding
from attention_ui.chapters.multihead.export import mixing_export, vectors_export
from attention_ui.chapters.multihead.layer import Layer, as_torch, built
from attention_ui.chapters.multihead.mixing import Mixture
from attention_ui.chapters.self_attention.attending import ALIKE, BEFORE, DRAWN, Asked, attended
from attention_ui.chapters.self_attention.export import cost_export, positions_export, tokens_export
from attention_ui.controls.dataset import Dataset
from tests.attention_ui.export.exported import cells, compare

WORDS = ("the", "cat", "sat", "on", "the", "mat")
TYPED = tuple(range(6))
LONG = tuple(f"<b>it's{place}" + "x" * 7 for place in range(12))
MIXTURES = [
    (Mixture(Dataset(), (0.355, 0.562)), "0.5"),
    (Mixture(Dataset("doppler", 120, 0.25, 5), (0.2, 0.5, 1 / 3), (1 / 1.7, 0.7 / 1.7)), "1.8"),
    (Mixture(Dataset.measured("faithful"), (0.2, 0.123456789)), "-0.24"),
    (Mixture(Dataset.own(generate(n=70), "do<b>se", "it's 'quoted'", "a file"), (0.2, 0.5)), "0"),
]


@pytest.mark.parametrize(("mixture", "share"), MIXTURES, ids=lambda case: getattr(case, "dataset", case))
def test_heads_that_are_mixed(mixture, share, monkeypatch):
    export = mixing_export(mixture, share)
    compare(export, monkeypatch)
    keys = len(mixture.dataset.samples().x)
    assert torch.equal(cells(export.tables["weights"], keys), export.results["weights"])
    assert export.tables["predictions"].mixture.tolist() == export.results["output"].tolist()
    assert ("test_error" in export.results) == mixture.dataset.has_truth
    drawn = {trace.name: trace for trace in export.figure.data}
    assert list(drawn["points"].y) == mixture.dataset.samples().y.tolist()


@pytest.mark.parametrize(
    "layer", [Layer(), Layer(8, 7, (True,) * 3 + (False,) * 5), Layer(1, 2, (False,))], ids=lambda layer: layer.heads
)
def test_heads_on_vectors_are_torchs_own(layer, monkeypatch):
    export = vectors_export(layer)
    compare(export, monkeypatch)
    attention, rows = built(layer.heads, layer.seed)
    output, weights = as_torch(attention)(rows, rows, rows, average_attn_weights=False)
    torch.testing.assert_close(export.results["weights"], weights[0])
    if all(layer.on):
        torch.testing.assert_close(export.results["output"], output[0])
    assert torch.equal(cells(export.tables["output"], 16), export.results["output"])
    torch.testing.assert_close(torch.tensor(export.figure.data[-1].z).double(), weights[0, -1])


@pytest.mark.parametrize(
    ("asked", "percent"),
    [
        (Asked(WORDS, TYPED), 0),
        (Asked(WORDS, TYPED[::-1], DRAWN, True, 3), 29),
        (Asked(WORDS, (1, 0, 2, 3, 4, 5), BEFORE), 100),
        (Asked(LONG, tuple(range(12))[::-1], ALIKE), 7),
    ],
    ids=["default", "drawn", "before", "long"],
)
def test_words_that_ask_each_other(asked, percent, monkeypatch):
    export = tokens_export(asked, percent)
    compare(export, monkeypatch)
    expected = attended(asked, asked.order)
    assert torch.equal(export.results["weights"], expected.weights[percent])
    assert torch.equal(cells(export.tables["output"], 16), expected.output[percent])
    assert ("change" in export.results) == (asked.order != tuple(sorted(asked.order)))
    first = [[float(cell or 0) for cell in row] for row in export.figure.data[0].z]
    assert torch.equal(torch.tensor(first, dtype=torch.float64), expected.weights[percent])
    assert not any("<b>" in (text or "") for text in export.figure.layout.xaxis.ticktext)


@pytest.mark.parametrize(("width", "position", "columns", "offset"), [(32, 0, (0, 4, 6, 8), 8), (8, 39, (1,), 40)])
def test_positions(width, position, columns, offset, monkeypatch):
    export = positions_export(width, position, columns, offset)
    compare(export, monkeypatch)
    assert torch.equal(export.results["P"], encoding(40, width))
    torch.testing.assert_close(export.results["rotated"], encoding(40 + offset, width)[offset:])
    assert torch.equal(cells(export.tables["rotated"], width), export.results["rotated"])
    assert torch.equal(torch.tensor(export.figure.data[1].z, dtype=torch.float64), export.results["rotated"])


MEASURED = {name: {n: 1e-6 * n for n in LENGTHS} for name in LAYERS}


@pytest.mark.parametrize(("width", "length", "best"), [(64, 256, None), (16, 1024, MEASURED)])
def test_costs(width, length, best, monkeypatch):
    monkeypatch.setattr("attention_core.transformer.cost.ROUNDS", 1)  # of the clock, which no script can repeat
    export = cost_export(width, length, best)
    compare(export, monkeypatch)
    counted = export.tables["counted"]
    assert counted[list(LAYERS)].to_numpy().T.tolist() == export.results["multiplications"].tolist()
    assert export.tables["table"].operations.tolist() == export.results["table"][:, 0].tolist()
    assert len(export.figure.data) == (6 if best else 3)
    assert ("measured" in export.tables) == (best is not None)
