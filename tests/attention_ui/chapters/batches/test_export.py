"""Scripts taken home from the batches make the numbers of the screen again."""

import numpy as np
import pytest

from attention_core.checks import InputError
from attention_ui.chapters.batches import export as batches
from attention_ui.chapters.batches.choices import Sizes
from tests.attention_ui.export.exported import drawn


@pytest.mark.parametrize(
    ("sizes", "place", "tilt"),
    [(Sizes(), (0, 1, 1), 0.0), (Sizes(6, 1, 5, 6), (5, 0, 4), -0.7), (Sizes(1, 1, 1, 1), (0, 0, 0), None)],
)
def test_batches(agree, sizes, place, tilt):
    export = agree(batches.exported(sizes, place, tilt))
    product = export.results["product"]
    assert export.tables["product"]["value"].tolist() == product.flatten().tolist()
    assert np.array_equal([drawn(export.figure, "heatmap", 2 * sizes.n + n).z for n in range(sizes.n)], product)
    assert ("averages" in export.results) == (tilt is not None)


def test_batches_that_do_not_fit_say_why():
    with pytest.raises(InputError, match="no product to take home"):
        batches.exported(Sizes(mismatch=True), (0, 0, 0), 0.0)
