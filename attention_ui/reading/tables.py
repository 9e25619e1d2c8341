"""A user's own table: a CSV or TSV file, or pasted text, becomes named columns, and two of them Samples.

Rows are numbered as a spreadsheet does, header and blank rows included; the index keeps these numbers.
"""

import csv
import io
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from attention_core.checks import LARGEST, InputError
from attention_core.data import FEWEST, MOST_READ, Samples, samples_from
from attention_ui.reading.decoding import (
    LINE_END,
    as_numbers,
    checked_text,
    decoded,
    is_missing,
    looks_grouped,
    looks_like_number,
    quoted,
)

MOST_BYTES, MOST_COLUMNS = 50_000_000, 200
# Of plain numbers, and of text, which takes ten times as much memory.
MOST_CELLS, MOST_TEXTS = 10_000_000, 2_500_000
LONGEST_LINE = 1_000_000  # characters
MOST_LOOSE, BETWEEN = 50_000, "\x1f"  # cells, and a sign that is in none: a text with such a sign is refused
MOST_BLANKS = 2 * MOST_READ  # rows, with all that are blank
PLAIN = b"0123456789+-.eE\r\n "
EXTENSIONS = (".csv", ".tsv", ".txt")
BLANKS = " "
BLANK_SIGNS = " \t,;\r\n"  # a line of these alone is a blank row
DELIMITERS = ("\t", ";", ",", BLANKS)  # where two fit equally well, the first
SAMPLE_CHARACTERS, SAMPLE_ROWS = 65_536, 50
MOST_LISTED = 5


class Row(NamedTuple):
    """One row that holds something, with its number in the file."""

    number: int
    cells: list[str]


class Rows:
    """Every row that holds something: the first, then the numbers of the others, and their cells by columns.

    A cell of its own would take 60 bytes: those of a column are held as a few long texts.
    """

    def __init__(self, first: Row) -> None:
        self.first, self.has_header = first, not _is_data(first.cells)  # names, not numbers
        self.numbers = array("q", [] if self.has_header else [first.number])
        self.texts: list[list[str]] = [[] for _ in first.cells]
        self._cells = [] if self.has_header else [*first.cells]

    def add(self, number: int, cells: list[str]) -> None:
        """Take one more row of as many cells."""
        self.numbers.append(number)
        self._cells += cells
        if len(self._cells) > MOST_LOOSE:
            self.pack()

    def pack(self) -> None:
        """Put the cells that are loose into the texts of their columns."""
        for place, texts in enumerate(self.texts):
            if self._cells:
                texts.append(BETWEEN.join(self._cells[place :: len(self.texts)]))
        self._cells = []


class Columns(Mapping[str, list[str]]):
    """The cells of the columns by their names, made of their texts when they are asked for."""

    def __init__(self, texts: Mapping[str, list[str]]) -> None:
        self.texts = texts

    def __getitem__(self, name: str) -> list[str]:
        """The cells of one column."""
        return [cell for text in self.texts[name] for cell in text.split(BETWEEN)]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.texts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.texts)


def read_table(content: bytes, name: str) -> pd.DataFrame:
    """Every column of an uploaded file: numbers as float64, blanks among them as NaN, the rest as text."""
    subject = quoted(name.replace("\\", "/").rsplit("/", 1)[-1])
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{subject} has {len(content):,} bytes; the most is {MOST_BYTES:,} ({MOST_BYTES // 10**6} MB)."
        )
    text = decoded(content, subject)
    if not name.lower().endswith(EXTENSIONS):
        raise InputError(f"{subject} cannot be read; choose a file whose name ends in .csv, .tsv or .txt.")
    return _table(text, subject)


def read_pasted(text: str) -> pd.DataFrame:
    """Every column of pasted text with tabs, semicolons, commas or blanks between; a header is optional."""
    subject = "The pasted text"
    content = text.encode("utf-8", "replace")  # half of a surrogate pair is not a character
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{subject} has {len(content):,} bytes; the most is {MOST_BYTES:,} ({MOST_BYTES // 10**6} MB)."
        )
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
    text = text.rstrip("\r\n")
    delimiter = _delimiter(text.lstrip("\r\n")[:SAMPLE_CHARACTERS])
    plain = _plain_table(text, delimiter, subject)
    if plain is not None:
        return plain
    _check_lines(text, subject)
    rows = _read_rows(text, delimiter, subject)
    index = pd.Index(np.frombuffer(rows.numbers, "int64"), name="row")
    _check_length(len(index), subject)
    header = rows.first.cells if rows.has_header else [""] * len(rows.texts)
    places = _named(header, [not any(map(str.strip, texts)) for texts in rows.texts], subject)
    columns = Columns({name: rows.texts[place] for name, place in places.items()})
    numbers = as_numbers(columns, delimiter)
    read = {name: numbers[name] if name in numbers else pd.array(columns[name], dtype="str") for name in columns}
    table = pd.DataFrame(read, index=index)
    _check_choice_of_columns(table, subject)
    return table


def _plain_table(text: str, delimiter: str, subject: str) -> pd.DataFrame | None:
    """The table where all below the header is plain numbers, quickly; None where there is anything to be said."""
    head, _, below = text.partition("\n")
    if '"' in head or len(head) > LONGEST_LINE:
        return None
    _, first = next(_rows(head, delimiter), (1, []))
    has_header = not _is_data(first)
    numbers = _plain_numbers(below if has_header else text, delimiter)
    if numbers is None or numbers.shape[1] != len(first) or not 1 < len(first) <= MOST_COLUMNS:
        return None
    if not FEWEST <= len(numbers) <= MOST_READ:
        return None
    places = _named(first if has_header else [""] * len(first), [False] * len(first), subject)
    index = pd.RangeIndex(1 + has_header, 1 + has_header + len(numbers), name="row")
    return pd.DataFrame({name: numbers[place].to_numpy() for name, place in places.items()}, index=index)


def _plain_numbers(text: str, delimiter: str) -> pd.DataFrame | None:
    """Rows of numbers, each read as float reads it; None where a cell is not one, or a row is blank, short or long."""
    content = text.encode(errors="replace")
    if content.translate(None, PLAIN + delimiter.encode()) or content.count(delimiter.encode()) > MOST_CELLS:
        return None
    sign = r"\s+" if delimiter == BLANKS else delimiter
    try:
        found = pd.read_csv(
            io.BytesIO(content), sep=sign, header=None, dtype="float64", na_filter=False, skipinitialspace=True
        )
    except ValueError:
        return None
    return found if len(found) == content.count(b"\n") + 1 else None


def _read_rows(text: str, delimiter: str, subject: str) -> Rows:
    """Every row as text; of the first that is longer or shorter than the others, a quotation mark may be the cause."""
    found, fault, width, most = None, "", 0, 0
    for number, cells in islice(_rows(text, delimiter), MOST_READ + 2):  # a header and one row too many
        if found is None:
            _check_columns(len(cells), subject)
            found, width, most = Rows(Row(number, cells)), len(cells), MOST_TEXTS // len(cells)
        elif len(cells) != width:
            fault = fault or _shape_fault(Row(number, cells), found)
            if '"' not in text:
                break
        elif not fault:
            found.add(number, cells)
            if len(found.numbers) > most:
                raise InputError(f"{subject} has more than {MOST_TEXTS:,} cells; leave out columns you do not need.")
    if found is None:
        raise InputError(f"{subject} is empty.")
    if fault:
        raise InputError(fault)
    if len(found.first.cells) == 1:
        raise InputError(f"{subject} has only one column; put a comma, semicolon or tab between x and y.")
    found.pack()
    return found


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
    _check_long_lines(text)
    if delimiter != BLANKS:
        return io.StringIO(text, newline=""), delimiter
    return ("\t".join(line.split()) for line in io.StringIO(text, newline=None)), "\t"


def _check_long_lines(text: str) -> None:
    """Refuse a line of a length that nobody may have meant."""
    begin = 0
    while len(text) - begin > LONGEST_LINE:
        end = 1 + max(text.rfind(sign, begin, begin + LONGEST_LINE) for sign in "\r\n")
        if not end:
            number = len(LINE_END.findall(text, 0, begin)) + 1
            raise InputError(f"Line {number} has over {LONGEST_LINE:,} characters; are the line breaks missing?")
        begin = end


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that holds something, with its number; no Row, which takes as long to make as to read."""
    lines, sign = _lines_and_sign(text, delimiter)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)
    number = lines_before = 0
    try:
        for number, cells in enumerate(reader, 1):
            lines_before = reader.line_num
            if number > MOST_BLANKS:
                raise InputError(f"There are more than {MOST_BLANKS:,} rows, blank ones among them.")
            if cells and (cells[0].strip() or "".join(cells).strip()):
                yield number, cells
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


def _check_columns(fields: int, subject: str) -> None:
    if fields > MOST_COLUMNS:
        raise InputError(f"{subject} has {fields:,} columns; the most is {MOST_COLUMNS}.")


def _shape_fault(row: Row, found: Rows) -> str:
    """What is wrong with a row of another length than the first."""
    top = "the header" if found.has_header else f"row {found.first.number}"
    return f"Row {row.number} has {_counted(len(row.cells), 'field')}, but {top} has {len(found.first.cells):,}."


def _check_lines(text: str, subject: str) -> None:
    """Refuse far too many rows before they are cut into cells, where no quotation mark holds lines together."""
    if text.count("\n") > MOST_READ and '"' not in text:
        filled = sum(1 for line in islice(io.StringIO(text), MOST_BLANKS) if line.strip(BLANK_SIGNS))
        if filled > MOST_READ + 1:  # one may be a header
            _check_length(filled - 1, subject)


def _check_length(rows: int, subject: str) -> None:
    if not rows:
        raise InputError(f"{subject} has a header but no rows below it.")
    if rows < FEWEST:
        raise InputError(f"{subject} has only {_counted(rows, 'row')} of data; at least {FEWEST} are needed.")
    if rows > MOST_READ:
        raise InputError(f"{subject} has more than {MOST_READ:,} rows of data, which is the most.")


def _named(header: Sequence[str], blank: Sequence[bool], subject: str) -> dict[str, int]:
    """The place of every column by its name; a nameless one is called by its place, or left out when it is blank."""
    places: dict[str, int] = {}
    for place, title in enumerate(header):
        name = " ".join(title.split())
        if not name and blank[place]:
            continue
        name = name or f"column {place + 1}"
        if name in places:
            raise InputError(f"Columns {places[name] + 1} and {place + 1} of {subject} are both called {quoted(name)}.")
        places[name] = place
    return places


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
    filled = [(row, cell) for row, cell in zip(column.index, column.tolist(), strict=True) if not is_missing(cell)]
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
    filled = {cell: count for cell, count in column.value_counts(sort=False).items() if not is_missing(str(cell))}
    numbers = sum(count for cell, count in filled.items() if looks_like_number(str(cell)))
    return bool(filled) and 2 * numbers >= sum(filled.values())


def _listed(words: Sequence[str]) -> str:
    """The first few, then how many more: 4, 9, 12, 13, 20 and 12 more."""
    if len(words) > MOST_LISTED + 1:
        words = [*words[:MOST_LISTED], f"{len(words) - MOST_LISTED:,} more"]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
