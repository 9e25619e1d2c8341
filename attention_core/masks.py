"""Masked softmax: a softmax over the keys that a query is allowed to see.

A key that is not allowed gets a weight of exactly 0. A query that may look nowhere gets zero weights all along its row,
so its output is 0, as in torch's own attention; `attended` tells such rows from the others.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.pooling import Pooled

Lengths = Tensor | Sequence[int] | int | None  # one for all, (B,), or (B, Q); without a batch: one for all, or (Q,)


def masked_softmax(
    scores: Tensor, valid_lens: Lengths = None, causal: bool = False, mask: Tensor | None = None
) -> Tensor:
    """Weights (..., Q, K) of softmax(scores) over the allowed keys; a row with none is all 0."""
    masked = scores
    if (seen := allowed(tuple(scores.shape), valid_lens, causal, mask)) is not None:
        masked = scores.masked_fill(~seen.to(scores.device), -math.inf)
    empty = (masked == -math.inf).all(-1, keepdim=True)  # (..., Q, 1); a NaN is not empty, it stays to be seen
    if not empty.any():
        return masked.softmax(-1)
    # Softmax of a row of -inf is NaN, and so is its gradient: give it a row of zeros to work on, then take it away.
    return masked.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0)


def masked_attend(
    scores: Tensor, values: Tensor, valid_lens: Lengths = None, causal: bool = False, mask: Tensor | None = None
) -> Pooled:
    """Average the values (..., K, V), (..., K) or (K,) under masked_softmax(scores): 0 where nothing may be seen."""
    scalar = values.ndim == 1 or values.ndim < scores.ndim
    columns = values.unsqueeze(-1) if scalar else values  # (..., K, V)
    _check_values(scores, columns)
    weights = masked_softmax(scores, valid_lens, causal, mask)  # (..., Q, K)
    output = weights @ columns  # (..., Q, V)
    return Pooled(output.squeeze(-1) if scalar else output, weights)


def attended(weights: Tensor) -> Tensor:
    """Which queries (..., Q) see any key at all, from weights or a mask (..., Q, K)."""
    return (weights != 0).any(-1)


def allowed(
    shape: tuple[int, ...], valid_lens: Lengths = None, causal: bool = False, mask: Tensor | None = None
) -> Tensor | None:
    """Where a query may look, bool of that shape (..., Q, K); None when nothing is masked.

    A key j of query i must pass all that is given: j < its valid length, j <= i when causal, mask[i, j] true.
    """
    parts = []
    if valid_lens is not None:
        parts.append(_within(shape, valid_lens))
    if causal:
        parts.append(torch.ones(shape[-2:], dtype=torch.bool).tril())  # from the top left, as is_causal in torch
    if mask is not None:
        _check_mask(shape, mask)
        parts.append(mask)
    if not parts:
        return None
    seen = parts[0]
    for part in parts[1:]:
        seen = seen & part
    return seen.expand(shape)


def _within(shape: tuple[int, ...], valid_lens: Tensor | Sequence[int] | int) -> Tensor:
    """True for the first keys up to each valid length, ready to broadcast to (..., Q, K)."""
    lengths = torch.as_tensor(valid_lens)
    *leading, Q, K = shape  # noqa: N806
    batch = leading[:1]
    if list(lengths.shape) not in ([], batch, [*batch, Q]):
        shapes = " or ".join(str(tuple(s)) for s in ([*batch], [*batch, Q]))
        raise InputError(f"valid_lens must have shape {shapes} for scores {shape}, not {tuple(lengths.shape)}.")
    _check_lengths(lengths, K)
    if lengths.ndim:  # (B,) or (B, Q) -> (B, 1, ..., 1 or Q, 1)
        rows = Q if lengths.ndim > len(batch) else 1
        lengths = lengths.reshape(*batch, *[1] * len(leading[1:]), rows, 1)
    return torch.arange(K, device=lengths.device) < lengths


def _check_lengths(lengths: Tensor, most: int) -> None:
    """Raise unless lengths are whole and from 0 (sees nothing) to the number of keys; more hints at a wrong axis."""
    if lengths.dtype == torch.bool or lengths.is_floating_point() or lengths.is_complex():
        raise InputError(f"valid_lens must be whole numbers, not {str(lengths.dtype).removeprefix('torch.')}.")
    if (bad := (lengths < 0) | (lengths > most)).any():
        first = int(lengths[bad].flatten()[0])
        raise InputError(f"valid_lens must be whole numbers from 0 to {most}, the number of keys, not {first}.")


def _check_mask(shape: tuple[int, ...], mask: Tensor) -> None:
    if mask.dtype != torch.bool:
        raise InputError(f"mask must be true or false for every key, not {str(mask.dtype).removeprefix('torch.')}.")
    fits = len(mask.shape) <= len(shape) and all(
        m in (1, s) for m, s in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise InputError(f"mask must fit the scores {shape}, not have shape {tuple(mask.shape)}.")


def _check_values(scores: Tensor, columns: Tensor) -> None:
    """Raise unless there is a value, or a row of values, per key, and the batches go together."""
    keys, values = scores.shape[-1], columns.shape[-2]
    if keys != values:
        raise InputError(f"keys and values come in pairs, but there are {keys} keys and {values} values.")
    check_batches("scores", scores, "values", columns)


def check_batches(first: str, a: Tensor, second: str, b: Tensor) -> None:
    """Raise unless all axes before the last two are equal, or 1, or missing."""
    pairs = zip(reversed(a.shape[:-2]), reversed(b.shape[:-2]), strict=False)
    if any(m != n and 1 not in (m, n) for m, n in pairs):
        raise InputError(f"{first} {tuple(a.shape)} and {second} {tuple(b.shape)} must have the same batch.")
