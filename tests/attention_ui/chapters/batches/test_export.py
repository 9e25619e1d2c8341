"""Scripts taken home from the batches make the numbers of the screen again."""

import numpy as np
import pytest

from attention_core.checks import InputError
from attention_ui.chapters.batches import export as batches
from attention_ui.chapters.batches.choices import Sizes
from tests.attention_ui.export.exported import drawn, said


@pytest.mark.parametrize(
    ("sizes", "place", "tilt"),
    [(Sizes(), (0, 1, 1), 0.0), (Sizes(6, 1, 5, 6), (5, 0, 4), -0.7), (Sizes(1, 1, 1, 1), (0, 0, 0), None)],
)
def test_batches(agree, sizes, place, tilt):
    export = agree(batches.exported(sizes, place, tilt))
    product = export.computation.shown["product"]
    assert export.tables["product"]["value"].tolist() == product.flatten().tolist()
    assert np.array_equal([drawn(export.figure, "heatmap", 3 * n + 2).z for n in range(sizes.n)], product)
    assert ("averages" in export.tables) == (tilt is not None)
    n, row, column = place
    assert f"first[{n}, {row}] @ second[{n}, :, {column}]" in export.alone().text
    assert any(text in said(export.alone().text) for text in (f"({tilt} * torch", f"tilt={tilt}")) == (tilt is not None)
    assert export.title.endswith(f"is {product[place]:g}")


def test_batches_that_do_not_fit_say_why():
    with pytest.raises(InputError, match="no product to download"):
        batches.exported(Sizes(mismatch=True), (0, 0, 0), 0.0)


def test_the_code_of_batches_that_do_not_fit_is_refused_by_torch():
    with pytest.raises(RuntimeError, match="Expected size for first two dimensions of batch2"):
        exec(compile(batches.script(Sizes(mismatch=True), (0, 0, 0), None), "shown", "exec"), {})
