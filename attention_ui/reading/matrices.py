"""A user's own attention weights: a NumPy, CSV or TSV file, or pasted text, becomes (rows, columns, queries, keys).

Whatever is wrong is said in one sentence, and nothing is allocated before its size is known to be fair.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.reading.decoding import as_numbers, checked_text, decoded, is_missing, looks_like_number, quoted

# So many numbers take 8 MB of memory, for as long as a page is open.
MOST_NUMBERS, MOST_MATRICES, MOST_BYTES = 1_000_000, 64, 5_000_000
LARGEST = 1e30  # so that weights stay finite in the single precision they travel in
NUMPY_FILE = b"\x93NUMPY"
HEADERS = {  # by the version of the format; the third differs from the second in names of fields alone
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,
}
NUMERIC = "biuf"  # kinds of dtype: truth values, whole numbers, floats
EXTENSIONS = (".csv", ".tsv", ".txt")
PASTED = "The pasted text"
WRAPPED = re.compile(r"\s*(?:tensor|array|np\.array|torch\.tensor)?\(?\s*(\[+)")  # as Python prints a matrix
INNERMOST = re.compile(r"\[([^\[\]]*)\]")


class Line(NamedTuple):
    """One row of numbers, with its number in the text."""

    number: int
    cells: list[str]


def read_matrix(content: bytes, name: str) -> Tensor:
    """An uploaded file as (rows, columns, queries, keys) float64, or an InputError."""
    subject = quoted(name.replace("\\", "/").rsplit("/", 1)[-1])
    if not content:
        raise InputError(f"{subject} is empty.")
    if len(content) > MOST_BYTES:
        raise InputError(f"{subject} has {len(content):,} bytes; the most is {MOST_BYTES:,} (5 MB).")
    if content.startswith(NUMPY_FILE):
        return _numpy(content, subject)
    if name.lower().endswith(".npy"):
        raise InputError(f"{subject} is not a NumPy file, though its name ends in .npy; write it with numpy.save.")
    if name.lower().endswith(".npz"):
        raise InputError(f"{subject} is an archive of arrays; write one of them with numpy.save and choose that file.")
    text = decoded(content, subject)
    if not name.lower().endswith(EXTENSIONS):
        raise InputError(f"{subject} is not a matrix file; choose one whose name ends in .npy, .csv or .tsv.")
    return _text(text, subject)


def read_pasted_matrix(text: str) -> Tensor:
    """Pasted rows of numbers, or what Python prints, as (rows, columns, queries, keys); a blank line parts matrices."""
    content = text.encode("utf-8", "replace")  # half of a surrogate pair is not a character
    if len(content) > MOST_BYTES:
        raise InputError(f"{PASTED} has {len(content):,} bytes; the most is {MOST_BYTES:,} (5 MB).")
    return _text(checked_text(content.decode("utf-8").removeprefix("\ufeff"), PASTED), PASTED)


def warnings_on(weights: Tensor) -> list[str]:
    """What is odd about weights that can be shown all the same: rows that do not sum to 1, negative weights."""
    sums = weights.sum(-1)
    # Weights are often written with four digits, so a long row is off by more.
    off = (sums - 1).abs() > min(1e-3 + 5e-5 * weights.shape[-1], 1e-2)
    found = []
    if count := int(off.sum()):
        low, high = sums[off].min().item(), sums[off].max().item()
        range_ = f"to {low:.4g}" if low == high else f"to between {low:.4g} and {high:.4g}"
        found.append(f"{count:,} of {sums.numel():,} rows do not sum to 1 but {range_}: shown as they are.")
    if count := int((weights < 0).sum()):
        verb = "weight is" if count == 1 else "weights are"
        found.append(f"{count:,} {verb} negative, down to {weights.min().item():.4g}: softmax never gives that.")
    return found


# NumPy files.


def _numpy(content: bytes, subject: str) -> Tensor:
    """Read the header alone first: it says what would be allocated, and whether Python objects are inside."""
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        shape, fortran_order, dtype = HEADERS[version](stream)
    except Exception:  # numpy lets Python read it: what a crafted one raises is anybody's guess
        raise InputError(f"{subject} begins like a NumPy file, but its header is cut off or damaged.") from None
    if dtype.hasobject:
        raise InputError(f"{subject} holds pickled Python objects, which are never opened; save plain numbers.")
    if dtype.kind not in NUMERIC:
        raise InputError(f"{subject} must hold real numbers, not {quoted(str(dtype))}.")
    _check_shape(shape, subject)
    if len(content) - stream.tell() < math.prod(shape) * dtype.itemsize:
        raise InputError(f"{subject} is cut off: it should hold {math.prod(shape):,} numbers, and some are missing.")
    array = np.frombuffer(content, dtype, math.prod(shape), stream.tell())
    array = array.reshape(shape, order="F" if fortran_order else "C")
    return _checked(torch.from_numpy(array.astype(np.float64, order="C")), subject)


# Text.


def _text(text: str, subject: str) -> Tensor:
    if not text.strip():
        raise InputError(f"{subject} is empty.")
    if wrapped := WRAPPED.match(text):
        if len(wrapped[1]) == 1:
            raise InputError(_rank_fault(1, subject))
        if len(wrapped[1]) > 4:
            raise InputError(_rank_fault(len(wrapped[1]), subject))
        text = _unwrapped(text)
    blocks = _blocks(text)
    if not blocks:
        raise InputError(f"{subject} has no row of numbers.")
    lines = [line for block in blocks for line in block]
    _check_lengths(blocks)
    _check_shape((len(blocks), len(blocks[0]), len(lines[0].cells)), subject)
    return _checked(_numbers(lines).view(len(blocks), len(blocks[0]), -1), subject)


def _unwrapped(text: str) -> str:
    """Brackets turned into lines: a row per innermost list, a blank line where a matrix ends."""
    return "\n".join("" if row is None else " ".join(row.split()) for row in _innermost(text))


def _innermost(text: str) -> Iterator[str | None]:
    end = 0
    for found in INNERMOST.finditer(text):
        if end and "]" in text[end : found.start()]:
            yield None
        end = found.end()
        yield found[1]


def _blocks(text: str) -> list[list[Line]]:
    """Rows parted by blank lines; where every row stands alone, the blank lines are only spacing."""
    sign = _delimiter(text)
    blocks: list[list[Line]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split() if sign is None else _cells(line, sign, number)
        if any(cell.strip() for cell in cells):
            blocks[-1].append(Line(number, cells))
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if blocks and _is_header(blocks[0][0].cells):
        blocks = [block for block in (blocks[0][1:], *blocks[1:]) if block]
    return [[line for (line,) in blocks]] if blocks and all(len(block) == 1 for block in blocks) else blocks


def _is_header(cells: Sequence[str]) -> bool:
    return not all(map(is_missing, cells)) and not any(map(looks_like_number, cells))


def _delimiter(text: str) -> str | None:
    """The sign between cells; None stands for blanks. A comma counts last: it may be a decimal sign."""
    first = next(line for line in text.splitlines() if line.strip())
    return next((sign for sign in "\t;" if sign in first), "," if "," in first else None)


def _cells(line: str, sign: str, number: int) -> list[str]:
    try:
        return next(csv.reader([line.strip(" ")], delimiter=sign, skipinitialspace=True), [])
    except csv.Error:
        raise InputError(f"Row {number} cannot be read; is a quotation mark left open?") from None


def _check_lengths(blocks: Sequence[Sequence[Line]]) -> None:
    first = blocks[0][0]
    for block in blocks:
        for number, cells in block:
            if len(cells) != len(first.cells):
                raise InputError(
                    f"Row {number} has {_counted(len(cells), 'cell')}, but row {first.number} has {len(first.cells):,}."
                )
        if len(block) != len(blocks[0]):
            raise InputError(
                f"The matrix from row {block[0].number} on has {_counted(len(block), 'row')}, "
                f"but the first one has {len(blocks[0]):,}."
            )


def _numbers(lines: Sequence[Line]) -> Tensor:
    """Every cell as a number, (rows, columns); decimal commas are understood where nothing else can be meant."""
    every = [cell for line in lines for cell in line.cells]
    # One column for all cells: a matrix is written in one way throughout.
    numbers = as_numbers({"all": every}, ";").get("all")
    if numbers is None:
        width = len(lines[0].cells)
        place, cell = next(
            ((i, cell) for i, cell in enumerate(every) if not is_missing(cell) and not looks_like_number(cell)),
            (0, every[0]),
        )
        row, column = lines[place // width].number, place % width + 1
        raise InputError(f"Row {row}, column {column} reads {quoted(cell)}, which is not a plain number.")
    return torch.from_numpy(numbers).view(len(lines), -1)


# What every way of reading must pass.


def _check_shape(shape: Sequence[int], subject: str) -> None:
    if not 2 <= len(shape) <= 4:
        raise InputError(_rank_fault(len(shape), subject))
    if min(shape) < 1 or not all(type(length) is int for length in shape):
        raise InputError(f"{subject} is empty: its shape is {tuple(shape)}.")
    if (count := math.prod(shape)) > MOST_NUMBERS:
        raise InputError(f"{subject} holds {count:,} numbers; the most is {MOST_NUMBERS:,}.")
    if (count := math.prod(shape[:-2])) > MOST_MATRICES:
        raise InputError(f"{subject} holds {count:,} matrices; the most is {MOST_MATRICES}.")


def _rank_fault(rank: int, subject: str) -> str:
    return (
        f"{subject} has {_counted(rank, 'dimension')}; a matrix of weights has 2 (queries, keys), "
        "a list of them 3, a grid of them 4."
    )


def _checked(array: Tensor, subject: str) -> Tensor:
    """As (rows, columns, queries, keys), all of it finite."""
    bad = ~(array.abs() <= LARGEST)
    if bad.any():
        *_, row, column = bad.nonzero()[0].tolist()
        count = int(bad.sum())
        raise InputError(
            f"{subject} must hold finite numbers up to {LARGEST:g}; {_counted(count, 'cell')} of {array.numel():,} "
            f"{'is' if count == 1 else 'are'} blank, NaN or infinite, the first for query {row} and key {column}."
        )
    return array[(None,) * (4 - array.ndim)]


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
