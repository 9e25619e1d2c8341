"""What the chapter on self-attention gives away: scripts make the numbers of every view again."""

import pytest
import torch

from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_core.transformer.positions import encoding
from attention_ui.chapters.self_attention.attending import ALIKE, BEFORE, DRAWN, Asked, attended
from attention_ui.chapters.self_attention.export import cost_export, positions_export, tokens_export
from tests.attention_ui.export.exported import cells, compare

WORDS = ("the", "cat", "sat", "on", "the", "mat")
TYPED = tuple(range(6))
LONG = tuple(f"<b>it's{place}" + "x" * 7 for place in range(12))


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
