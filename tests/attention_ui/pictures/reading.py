"""What was packed for the browser, read back as attention_ui/pictures/js/packing.js reads it."""

import json
import struct

import torch

from attention_ui.pictures.curve import NONE


def opened(data):
    """The header, and the tensors in the order in which they were packed."""
    (length,) = struct.unpack_from("<I", data)
    header, at, tensors = json.loads(data[4 : 4 + length]), 4 + length, []
    assert at % 4 == 0, "the numbers start on a multiple of four"
    for each in header.pop("tensors"):
        kind, shape = getattr(torch, each["kind"]), each["shape"]
        count = torch.Size(shape).numel()
        tensor = torch.frombuffer(bytearray(data), dtype=kind, count=count, offset=at) if count else torch.empty(0)
        tensors.append(tensor.view(shape))
        at += -(-count * kind.itemsize // 4) * 4
    assert at == len(data), "nothing is left over"
    return header, tensors


def panels(data, kind):
    """The header of a picture, and each of its panels of this kind with its tensors."""
    header, tensors = opened(data)
    left = iter(tensors)
    taken = [(panel, [next(left) for _ in range(panel["count"])]) for panel in header["panels"]]
    return header, [(panel, parts) for panel, parts in taken if panel["kind"] == kind]


def heatmaps(data):
    """The header of a picture, the cells of its heatmaps, and their masks."""
    header, found = panels(data, "heatmap")
    return header, [parts[0] for _, parts in found], [parts[1] if len(parts) > 1 else None for _, parts in found]


def curve(data):
    """The header of a picture's curve, with its samples, lines and bell, and its heights at every frame."""
    _, ((header, (values, lines, points, *bell)),) = panels(data, "curve")
    low, high = header["levels"]

    def heights(levels):
        read = low + levels.double() / (NONE - 1) * (high - low)
        return read.where(levels.int() != NONE, torch.nan)

    named = dict(zip(("u", "values", "widths"), bell, strict=True)) if bell else None
    return {**header, "points": points.tolist(), "heights": heights(lines), "bell": named}, heights(values)
