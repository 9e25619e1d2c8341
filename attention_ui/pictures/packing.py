"""How numbers travel to the browser: a header in JSON, then tensors as they lie in memory. js/packing.js reads it."""

import json
import struct
import zlib
from typing import Any, NamedTuple

import torch
from torch import Tensor


class Packed(NamedTuple):
    """A part of a picture on its way: what JSON can carry, and its tensors."""

    header: dict[str, Any]
    tensors: tuple[Tensor, ...] = ()


def framed(header: dict[str, Any], *tensors: Tensor) -> bytes:
    """A JSON header behind its length, then the tensors' own bytes; each part begins at a multiple of 4 bytes."""
    kinds = [{"kind": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)} for tensor in tensors]
    written = json.dumps({**header, "tensors": kinds}, ensure_ascii=False, separators=(",", ":"))
    text = _padded(written.encode(errors="replace"), b" ")
    body = b"".join(_padded(tensor.contiguous().numpy().tobytes(), b"\0") for tensor in tensors)
    return struct.pack("<I", len(text)) + text + body


def named(header: dict[str, Any], *tensors: Tensor) -> bytes:
    """The same with a name made from its content, by which a script knows data that it had before."""
    return framed({**header, "name": zlib.crc32(framed(header, *tensors))}, *tensors)


def name_of(packed: bytes) -> int:
    """The name that `named` gave to these bytes."""
    (length,) = struct.unpack_from("<I", packed)
    name: int = json.loads(packed[4 : 4 + length])["name"]
    return name


def kept_apart(packed: bytes) -> Tensor:
    """Packed bytes as a tensor, so that they can be a part of another message."""
    return torch.frombuffer(bytearray(packed), dtype=torch.uint8)


def rounded(values: Tensor) -> list[float | None]:
    """The numbers to seven digits, which is more than a screen shows; None for NaN, which JSON does not have."""
    return [None if value != value else float(f"{value:.7g}") for value in values.tolist()]


def _padded(content: bytes, filler: bytes) -> bytes:
    return content + filler * (-len(content) % 4)
