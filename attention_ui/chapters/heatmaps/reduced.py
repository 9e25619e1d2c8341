"""Large matrices, made small enough to draw."""

import math
from typing import NamedTuple

from torch import Tensor
from torch.nn.functional import avg_pool2d

MOST_CELLS = 128  # along one side of a drawn matrix; more would be finer than the screen


class Reduced(NamedTuple):
    """Matrices small enough to draw, and how many queries and keys share one of their cells."""

    matrices: Tensor  # (..., Q, K)
    queries: int
    keys: int


def reduced(matrices: Tensor, most: int = MOST_CELLS) -> Reduced:
    """At most so many cells a side: each is the mean of a block of weights, at the far edges of what is left of one."""
    *stack, queries, keys = matrices.shape
    blocks = math.ceil(queries / most), math.ceil(keys / most)
    if blocks == (1, 1):
        return Reduced(matrices, 1, 1)
    flat = matrices.reshape(-1, 1, queries, keys)
    means = avg_pool2d(flat, blocks, ceil_mode=True, count_include_pad=False)
    return Reduced(means.reshape(*stack, *means.shape[-2:]), *blocks)
