"""A user's own table: a CSV or TSV file, or pasted text, becomes named columns, and two of them Samples.

Rows are numbered as a spreadsheet does, header and blank rows included; the index keeps these numbers.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import pandas as pd
import torch
from torch import Tensor

from attention_core.checks import LARGEST, InputError
from attention_core.data import FEWEST, MOST_READ, Samples, samples_from
from attention_ui.reading.decoding import (
    as_numbers,
    checked_text,
    decoded,
    is_missing,
    looks_grouped,
    looks_like_number,
    quoted,
)

MOST_BYTES, MOST_COLUMNS = 5_000_000, 200
EXTENSIONS = (".csv", ".tsv", ".txt")
BLANKS = " "
DELIMITERS = ("\t", ";", ",", BLANKS)  # where two fit equally well, the first
SAMPLE_CHARACTERS, SAMPLE_ROWS = 65_536, 50
MOST_LISTED = 5


class Row(NamedTuple):
    """One row that holds something, with its number in the file."""

    number: int
    cells: list[str]


def read_table(content: bytes, name: str) -> pd.DataFrame:
    """Every column of an uploaded file: numbers as float64, blanks among them as NaN, the rest as text."""
    subject = quoted(name.replace("\\", "/").rsplit("/", 1)[-1])
    if len(content) > MOST_BYTES:
        raise InputError(f"{subject} has {len(content):,} bytes; the most is {MOST_BYTES:,} (5 MB).")
    text = decoded(content, subject)
    if not name.lower().endswith(EXTENSIONS):
        raise InputError(f"{subject} cannot be read; choose a file whose name ends in .csv, .tsv or .txt.")
    return _table(text, subject)


def read_pasted(text: str) -> pd.DataFrame:
    """Every column of pasted text with tabs, semicolons, commas or blanks between; a header is optional."""
    subject = "The pasted text"
    content = text.encode("utf-8", "replace")  # half of a surrogate pair is not a character
    if len(content) > MOST_BYTES:
        raise InputError(f"{subject} has {len(content):,} bytes; the most is {MOST_BYTES:,} (5 MB).")
    return _table(checked_text(content.decode("utf-8").removeprefix("\ufeff"), subject), subject)


def numeric_columns(table: pd.DataFrame) -> list[str]:
    """The columns to choose from: at least half of the cells that are filled in must look like numbers."""
    return [name for name in table.columns if _is_numbers(table[name]) or _is_mostly_numbers(table[name])]


def choose(table: pd.DataFrame, x: str, y: str) -> Samples:
    """Two columns as Samples sorted by x, or one sentence that names the column and the rows at fault."""
    for name in (x, y):
        if name not in table.columns:
            names = _listed([quoted(str(column)) for column in table.columns])
            raise InputError(f"There is no column {quoted(str(name))}; the columns are {names}.")
    if x == y:
        raise InputError(f"x and y are both column {quoted(x)}; choose two different columns.")
    return samples_from(_values(table[x]), _values(table[y]), f"Column {quoted(x)}", f"Column {quoted(y)}")


# From text to rows.


def _table(text: str, subject: str) -> pd.DataFrame:
    delimiter = _delimiter(text.lstrip("\r\n")[:SAMPLE_CHARACTERS])
    rows = list(islice(_rows(text, delimiter), MOST_READ + 2))  # a header and one row too many
    if not rows:
        raise InputError(f"{subject} is empty.")
    if (fields := len(rows[0].cells)) > MOST_COLUMNS:
        raise InputError(f"{subject} has {fields:,} columns; the most is {MOST_COLUMNS}.")
    has_header = not _is_data(rows[0].cells)
    body = rows[1:] if has_header else rows
    _check_shape(rows, has_header, subject)
    _check_length(len(body), subject)
    cells = list(zip(*(row.cells for row in body), strict=True))
    columns = _named(rows[0].cells if has_header else [""] * len(cells), cells, subject)
    index = pd.Index([row.number for row in body], name="row")
    table = pd.DataFrame(as_numbers(columns, delimiter), index=index)
    _check_choice_of_columns(table, subject)
    return table


def _delimiter(sample: str) -> str:
    # Two tabs in a row are a blank cell, so blanks are not lumped together where there are tabs.
    candidates = DELIMITERS[:-1] if "\t" in sample else DELIMITERS
    fits = {delimiter: _fit(sample, delimiter) for delimiter in candidates}
    return max(fits, key=fits.__getitem__) if any(fits.values()) else ","


def _fit(sample: str, delimiter: str) -> float:
    """How well a delimiter fits: the share of rows with equally many fields, more if these are numbers."""
    lines, sign = _lines_and_sign(sample, delimiter)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=True)
    rows = [row for row in islice(reader, SAMPLE_ROWS) if row]
    fields, agreeing = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if fields < 2:
        return 0
    cells = [cell for row in rows for cell in row if cell.strip()]
    numbers = sum(map(looks_like_number, cells)) / max(len(cells), 1)
    return agreeing / len(rows) * (1 + numbers)


def _lines_and_sign(text: str, delimiter: str) -> tuple[Iterator[str], str]:
    """The lines and the sign that parts their fields; a line may end as on any system, blanks become tabs."""
    if delimiter != BLANKS:
        return io.StringIO(text, newline=""), delimiter
    return ("\t".join(line.split()) for line in io.StringIO(text, newline=None)), "\t"


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    lines, sign = _lines_and_sign(text, delimiter)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)
    number = lines_before = 0
    try:
        for number, cells in enumerate(reader, 1):
            lines_before = reader.line_num
            if any(cells) and not "".join(cells).isspace():
                yield Row(number, cells)
    except csv.Error as error:
        raise InputError(_quoting_fault(str(error), number + 1, reader.line_num - lines_before)) from None


def _quoting_fault(reason: str, row: int, lines: int) -> str:
    """What went wrong in a row that was read for some lines until the quotation marks made no sense."""
    if reason.startswith("field larger"):
        longest = csv.field_size_limit()
        return f"Row {row} has a cell of over {longest:,} characters; is a quotation mark left open?"
    if reason.startswith("unexpected end"):
        return f"The quotation mark that opens in row {row} is never closed."
    if lines > 1:
        return f"The quotation mark that opens in row {row} is still open in row {row + lines - 1}."
    return f"Row {row} has text right after a closing quotation mark."


def _is_data(cells: Sequence[str]) -> bool:
    """Whether a first row is numbers, not names."""
    filled = [cell for cell in cells if not is_missing(cell)]
    return bool(filled) and all(map(looks_like_number, filled))


def _check_shape(rows: Sequence[Row], has_header: bool, subject: str) -> None:
    fields = len(rows[0].cells)
    for number, cells in rows:
        if len(cells) != fields:
            top = "the header" if has_header else f"row {rows[0].number}"
            raise InputError(f"Row {number} has {_counted(len(cells), 'field')}, but {top} has {fields:,}.")
    if fields == 1:
        raise InputError(f"{subject} has only one column; put a comma, semicolon or tab between x and y.")


def _check_length(rows: int, subject: str) -> None:
    if not rows:
        raise InputError(f"{subject} has a header but no rows below it.")
    if rows < FEWEST:
        raise InputError(f"{subject} has only {_counted(rows, 'row')} of data; at least {FEWEST} are needed.")
    if rows > MOST_READ:
        raise InputError(f"{subject} has more than {MOST_READ:,} rows of data, which is the most.")


def _named(header: Sequence[str], cells: Sequence[Sequence[str]], subject: str) -> dict[str, Sequence[str]]:
    """The columns by name; a nameless one is called by its place, or left out when it is blank throughout."""
    columns: dict[str, Sequence[str]] = {}
    places: dict[str, int] = {}
    for place, (title, column) in enumerate(zip(header, cells, strict=True), 1):
        name = " ".join(title.split())
        if not name and not "".join(column).strip():
            continue
        name = name or f"column {place}"
        if name in columns:
            raise InputError(f"Columns {places[name]} and {place} of {subject} are both called {quoted(name)}.")
        columns[name], places[name] = column, place
    return columns


def _check_choice_of_columns(table: pd.DataFrame, subject: str) -> None:
    names = numeric_columns(table)
    if len(names) < 2:
        found = f"only {quoted(names[0])} does" if names else "none does"
        raise InputError(f"Two columns of {subject} must hold numbers, one for x and one for y; {found}.")


# From columns to Samples.


def _values(column: pd.Series) -> Tensor:
    if not _is_numbers(column):
        raise InputError(_text_fault(column))
    _refuse(column, column.isna(), "has no number")
    _refuse(column, column.abs() > LARGEST, f"is infinite or beyond {LARGEST:g}")
    return torch.from_numpy(column.to_numpy(copy=True))


def _refuse(column: pd.Series, bad: pd.Series, fault: str) -> None:
    rows = [str(row) for row in column.index[bad]]
    if rows:
        where = f"row {rows[0]}" if len(rows) == 1 else f"{len(rows):,} rows: {_listed(rows)}"
        raise InputError(f"Column {quoted(str(column.name))} {fault} in {where}.")


def _text_fault(column: pd.Series) -> str:
    """Why a column of text is not numbers: the first cell that is none, or that may be read in two ways."""
    name = quoted(str(column.name))
    filled = [(row, cell) for row, cell in column.items() if not is_missing(cell)]
    if not filled:
        return f"Column {name} has no number in any row."
    for row, cell in filled:
        if not looks_like_number(cell):
            return f"Row {row} of column {name} reads {quoted(cell)}, which is not a plain number."
    for row, cell in filled:
        if looks_grouped(cell):
            advice = "write thousands without a separator, decimals with a point"
            return f"Row {row} of column {name} reads {quoted(cell)}; {advice}."
    signs = (next(f"{quoted(cell)} in row {row}" for row, cell in filled if sign in cell) for sign in ",.")
    return f"Column {name} has both decimal commas and decimal points: {' and '.join(signs)}."


def _is_numbers(column: pd.Series) -> bool:
    return column.dtype == "float64"


def _is_mostly_numbers(column: pd.Series) -> bool:
    filled = [cell for cell in column if not is_missing(cell)]
    return bool(filled) and 2 * sum(map(looks_like_number, filled)) >= len(filled)


def _listed(words: Sequence[str]) -> str:
    """The first few, then how many more: 4, 9, 12, 13, 20 and 12 more."""
    if len(words) > MOST_LISTED + 1:
        words = [*words[:MOST_LISTED], f"{len(words) - MOST_LISTED:,} more"]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
