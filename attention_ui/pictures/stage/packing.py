"""How numbers travel to the browser: a header in JSON, then tensors as they lie in memory. bytes.js reads it."""

import json
import struct
from typing import Any

from torch import Tensor


def framed(header: dict[str, Any], *tensors: Tensor) -> bytes:
    """A JSON header padded to 4 bytes behind its length, then the tensors' own bytes."""
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<I", len(text)) + text + b"".join(t.contiguous().numpy().tobytes() for t in tensors)


def rounded(values: Tensor) -> list[float | None]:
    """Seven digits are more than a screen shows; JSON has no NaN, so a gap is null."""
    return [None if value != value else float(f"{value:.7g}") for value in values.tolist()]
