"""Scripts taken home from the chapter on self-attention make the numbers of every view again."""

import pytest
import torch

from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_core.transformer.positions import encoding, similarity
from attention_ui.chapters.self_attention.choices import Asked
from attention_ui.chapters.self_attention.computation import frames
from attention_ui.chapters.self_attention.export import cost_export, positions_export, tokens_export
from tests.attention_ui.export.exported import cells

WORDS = ("the", "cat", "sat", "on", "the", "mat")
TYPED = tuple(range(6))
LONG = tuple(f"<b>it's{place}" + "x" * 7 for place in range(12))
MEASURED = {name: {n: 1e-6 * n for n in LENGTHS} for name in LAYERS}


@pytest.mark.parametrize(
    ("asked", "percent"),
    [
        (Asked(WORDS, TYPED), 0),
        (Asked(WORDS, TYPED[::-1], "drawn", True, 3), 29),
        (Asked(WORDS, (1, 0, 2, 3, 4, 5), "before"), 100),
        (Asked(LONG, tuple(range(12))[::-1]), 7),
    ],
    ids=["default", "drawn", "before", "long"],
)
def test_words_that_ask_each_other(agree, asked, percent):
    export = agree(tokens_export(asked, percent))
    shown, expected = export.computation.shown, {name: numbers[percent] for name, numbers in frames(asked).items()}
    torch.testing.assert_close(shown["weights"], expected["weights"])
    torch.testing.assert_close(cells(export.tables["output"], 16), expected["output"])
    assert ("change" in shown) == ("typed-weights" in export.tables) == asked.moved
    first = [[float(cell or 0) for cell in row] for row in export.figure.data[0].z]
    assert torch.equal(torch.tensor(first, dtype=torch.float64), shown["weights"])
    assert not any("<b>" in (text or "") for text in export.figure.layout.xaxis.ticktext)


@pytest.mark.parametrize(("width", "position", "columns", "offset"), [(32, 0, (0, 4, 6, 8), 8), (8, 39, (1,), 40)])
def test_positions(agree, width, position, columns, offset):
    export = agree(positions_export(width, position, columns, offset))
    shown = export.computation.shown
    torch.testing.assert_close(shown["P"], encoding(40, width))
    torch.testing.assert_close(shown["rotated"], encoding(40 + offset, width)[offset:])
    torch.testing.assert_close(shown["product"], similarity(torch.tensor(offset), width))
    assert torch.equal(cells(export.tables["rotated"], width), shown["rotated"])
    heatmaps = [trace for trace in export.figure.data if trace.type == "heatmap"]
    drawn = torch.tensor(heatmaps[1].z, dtype=torch.float64)
    torch.testing.assert_close(drawn, shown["rotated"], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("width", "length", "best"), [(64, 256, None), (16, 1024, MEASURED)])
def test_costs(agree, width, length, best):
    export = agree(cost_export(width, length, best))
    shown, found = export.computation.shown, [layer.counts(length, width, 3) for layer in LAYERS.values()]
    assert shown["table"].tolist() == [list(each[1:]) for each in found]
    assert export.tables["counted"][list(LAYERS)].to_numpy().T.tolist() == shown["multiplications"].tolist()
    assert export.tables["table"].operations.tolist() == shown["table"][:, 0].tolist()
    assert len(export.figure.data) == (6 if best else 3)
    assert ("measured" in export.tables) == (best is not None)
