"""Where a symbol stands, told by sines and cosines: attention alone does not see the order of what it reads.

P[p, 2j] = sin(p w_j), P[p, 2j + 1] = cos(p w_j), with w_j = base^(-2j / width). Each pair is a point on a circle that
turns by w_j with every position: so a step of any size is one rotation, whatever the position it is taken from.
"""

import torch
from torch import Tensor, nn

from attention_core.checks import InputError, check_number, check_whole
from attention_core.transformer.recorder import NO_RECORDER, Recorder

BASE = 10_000.0
MOST_POSITIONS = 100_000


def frequencies(width: int, base: float = BASE) -> Tensor:
    """w_j = base^(-2j / width), (width / 2,) float64: the angle that pair j turns by from one position to the next."""
    check_whole("width", width, 2, 4096)
    check_number("base", base, 1, 1e9)
    if width % 2:
        raise InputError(f"width must be even, a sine and a cosine for every frequency, not {width}.")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def on_circles(angles: Tensor) -> Tensor:
    """Sine and cosine of every angle (N, width / 2), pair by pair: (N, width)."""
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


def turning(angles: Tensor) -> Tensor:
    """R (width, width) that turns each pair by its angle (width / 2,): [[cos, sin], [-sin, cos]]."""
    sine, cosine = angles.sin(), angles.cos()
    pairs = torch.stack([torch.stack([cosine, sine], -1), torch.stack([-sine, cosine], -1)], -2)  # (width / 2, 2, 2)
    return torch.block_diag(*pairs)  # type: ignore[no-any-return]


def encoding(positions: Tensor | int, width: int, base: float = BASE) -> Tensor:
    """P (N, width) float64 for positions (N,), or for 0 ... N - 1; fractions are welcome."""
    if isinstance(positions, int):
        positions = torch.arange(check_whole("positions", positions, 0, MOST_POSITIONS))
    return on_circles(positions.double()[:, None] * frequencies(width, base))


def shift_rotation(width: int, offset: float, base: float = BASE) -> Tensor:
    """R (width, width) with R P[p] = P[p + offset] for every p: pair j is turned by offset w_j."""
    return turning(offset * frequencies(width, base))


def similarity(offsets: Tensor, width: int, base: float = BASE) -> Tensor:
    """P[p] . P[p + offset] = sum_j cos(offset w_j), the same for every p, for offsets of any shape."""
    return (offsets.double()[..., None] * frequencies(width, base)).cos().sum(-1)


class PositionalEncoding(nn.Module):
    """x + P: adds to each row (B, T, width) the encoding of its position, from 0; nothing is learned."""

    P: Tensor  # (most, width)

    def __init__(self, width: int, most: int = 1000, base: float = BASE) -> None:
        super().__init__()
        # Not persistent: a checkpoint need not hold what a formula gives.
        self.register_buffer("P", encoding(most, width, base).float(), persistent=False)

    def forward(self, rows: Tensor, recorder: Recorder = NO_RECORDER) -> Tensor:
        """The rows (..., T, width), each with its position added."""
        if rows.shape[-2] > len(self.P):
            raise InputError(f"There may be at most {len(self.P):,} positions, not {rows.shape[-2]:,}.")
        positions = self.P[: rows.shape[-2]].to(rows.dtype)  # (T, width)
        recorder.note("positions", positions)
        return rows + positions
