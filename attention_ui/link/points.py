"""A few own points as text that fits into a link, exact to the last digit; some more as text that a browser holds."""

import base64
import binascii
import json
import re
import zlib
from functools import lru_cache
from typing import NamedTuple

import torch

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, Samples, samples_from
from attention_ui.reading.decoding import quoted

MOST_LINKED, MOST_HELD = 200, 500  # points
LONGEST, LARGEST = 60, 100  # characters for each, bytes when unpacked: half of that is needed
ALPHABET = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class Linked(NamedTuple):
    """Points, what their axes are called, and the name of the curve behind them, where that is known."""

    samples: Samples
    x_label: str
    y_label: str
    curve: str


def packed_points(packed: bytes, x_label: str, y_label: str, curve: str = "", most: int = MOST_LINKED) -> str | None:
    """Every x and then every y, given as the bytes of their float64, as text; None when they are too many."""
    return None if len(packed) > 16 * most else _written(packed, x_label, y_label, curve)


@lru_cache(64)  # asked for on every rerun; with few points none is larger than a link
def _written(packed: bytes, x_label: str, y_label: str, curve: str) -> str:
    numbers = torch.frombuffer(bytearray(packed), dtype=torch.float64).tolist()
    half = len(numbers) // 2
    # Decimal digits, not bytes: data that people type have few of them, and repr gives each number back exactly.
    content = [x_label, y_label, numbers[:half], numbers[half:], *([curve] if curve else [])]
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked_points(text: str, most: int = MOST_LINKED) -> Linked:
    """What packed_points made; anything else raises InputError."""
    if len(text) > LONGEST * most or not ALPHABET.fullmatch(text):
        raise InputError("The link holds no points.")
    try:
        content = json.loads(_inflated(text, LARGEST * most), parse_int=float)
        x_label, y_label, *columns, curve = content if len(content) == 5 else [*content, ""]
        x, y = (torch.tensor(column, dtype=torch.float64) for column in columns)
        known = curve == "" or curve in FUNCTIONS
    except (ValueError, TypeError, RecursionError, RuntimeError):
        raise InputError("The points in the link are damaged.") from None
    if not (isinstance(x_label, str) and isinstance(y_label, str) and known and x.numel() <= most):
        raise InputError("The points in the link are damaged.")
    return Linked(samples_from(x, y), quoted(x_label)[1:-1], quoted(y_label)[1:-1], curve)


def _inflated(text: str, largest: int) -> str:
    """The text behind the letters; never more of it than a link may hold, whatever it claims."""
    try:
        content = zlib.decompressobj()
        plain = content.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), largest)
    except (binascii.Error, zlib.error) as fault:
        raise ValueError(str(fault)) from None
    if not content.eof:
        raise ValueError("cut off, or too long")
    return plain.decode()
