"""What the lab computes of many points: the same as of few, with the weights of neighbours added up."""

import pytest
import torch

from attention_core.data import generate, query_grid
from attention_core.demos.regression import local_lines, local_lines_in_groups, regression, regression_in_groups
from attention_core.kernels import KERNELS


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar"])
@pytest.mark.parametrize(
    ("apart", "together"), [(regression, regression_in_groups), (local_lines, local_lines_in_groups)]
)
def test_groups_add_up_the_weights_of_neighbours(apart, together, kernel, size):
    given = generate(n=103), query_grid(), 0.1, KERNELS[kernel].log
    one_by_one, grouped = apart(*given), together(*given, size)
    torch.testing.assert_close(grouped["output"], one_by_one["output"], equal_nan=True)
    expected = torch.stack([columns.sum(-1) for columns in one_by_one["weights"].split(size, -1)], -1)
    torch.testing.assert_close(grouped["weights"], expected)
