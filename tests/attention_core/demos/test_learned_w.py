"""The errors of many points, some rows after the others: the same numbers and slopes as of all pairs at once."""

import pytest
import torch

from attention_core.data import generate
from attention_core.demos import learned_heads, learned_w


@pytest.mark.parametrize("name", ["left_out_error", "training_error"])
@pytest.mark.parametrize(
    ("demo", "learned"), [(learned_w, ([2.5],)), (learned_heads, ([1.0, 6.0], [0.3, 0.7]))], ids=["one", "heads"]
)
def test_errors_and_slopes_by_rows_are_those_of_all_pairs(name, demo, learned):
    x, y = generate(n=2_100)  # two blocks of rows
    found = []
    for function in (getattr(demo, name), getattr(demo, f"{name}_by_rows")):
        given = [torch.tensor(each, dtype=torch.float64).requires_grad_() for each in learned]
        error = function(x, y, *(each.squeeze() for each in given))
        error.backward()
        found.append([error.detach(), *(each.grad for each in given)])
    torch.testing.assert_close(*found)
