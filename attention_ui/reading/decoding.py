"""How a user's file was written: its bytes as text, its cells as numbers; what is doubtful is not guessed."""

import codecs
import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from attention_core.checks import InputError

Numbers = NDArray[np.float64]
LONGEST_QUOTE = 40

# UTF-32 first: its little-endian mark begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
ARCHIVE = b"PK\x03\x04"
SIGNATURES = {
    ARCHIVE: "a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF87a": "a GIF picture",
    b"GIF89a": "a GIF picture",
    b"%PDF-": "a PDF document",
    b"\x1f\x8b": "a gzip archive",
    b"SQLite format 3": "an SQLite database",
    b"<!doctype html": "a web page",
    b"<html": "a web page",
}
LINE_END = re.compile(r"\r\n|\r|\n")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

# Python's float also takes 1_000 and the digits of other scripts, so the spelling is checked first.
PLAIN_SIGNS = frozenset("0123456789+-.eE ")
NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.ASCII | re.IGNORECASE)
GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}([,.'’_\s])[0-9]{3}(?:\1[0-9]{3})*(?:[.,][0-9]+)?")
MISSING = frozenset(("", "na", "n/a", "#n/a", "nan", "null", "none"))


def quoted(text: str) -> str:
    """A cell or a name as a message shows it: one line, printable, at most 40 characters."""
    start = "".join(sign if sign.isprintable() else " " for sign in text.strip()[: 2 * LONGEST_QUOTE])
    start = " ".join(start.split())
    return f"'{start}'" if len(start) <= LONGEST_QUOTE else f"'{start[: LONGEST_QUOTE - 3]}...'"


def decoded(content: bytes, subject: str) -> str:
    """The text of a file in UTF-8, UTF-16, UTF-32 or Windows-1252, with or without a byte order mark."""
    _refuse_known_formats(content, subject)
    encoding = _encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(_damaged(content, error, subject)) from None
    return checked_text(text, subject)


def checked_text(text: str, subject: str) -> str:
    """The text itself when it holds no control characters, which no table needs."""
    if control := CONTROL.search(text):
        raise InputError(
            f"{subject} does not look like text: row {_row(text, control.start())} "
            f"holds the control character number {ord(control[0])}."
        )
    return text


def _refuse_known_formats(content: bytes, subject: str) -> None:
    start = content[:20].lstrip().lower()
    kind = next((kind for sign, kind in SIGNATURES.items() if start.startswith(sign.lower())), None)
    if kind and content.startswith(ARCHIVE):
        kind = _archive(content)
    if kind and ("Excel" in kind or "spreadsheet" in kind):
        raise InputError(f"{subject} looks like {kind}; save it as CSV and choose that file.")
    if kind:
        raise InputError(f"{subject} looks like {kind}, not a table; choose a CSV or TSV file.")


def _archive(content: bytes) -> str:
    """Spreadsheets are zip archives; the names of their parts tell which."""
    if b"xl/" in content:
        return "an Excel workbook"
    return "an OpenDocument spreadsheet" if b"opendocument.spreadsheet" in content else SIGNATURES[ARCHIVE]


def _encoding(content: bytes) -> str:
    for mark, encoding in MARKS.items():
        if content.startswith(mark):
            return encoding
    # Digits and commas in UTF-16 have a zero in every other byte; which one tells the order.
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if 2 * content[first::2].count(0) > len(content[first::2]):
            return encoding
    return "utf-8" if _is_utf8(content) else "cp1252"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _damaged(content: bytes, error: UnicodeDecodeError, subject: str) -> str:
    if error.encoding.startswith("utf"):
        return f"{subject} begins like {error.encoding.upper()[:6]} text but is cut off or damaged."
    row = _row(content.decode("latin-1"), error.start)
    return f"{subject} has characters in row {row} that cannot be read; save it as CSV UTF-8."


def _row(text: str, position: int) -> int:
    return len(LINE_END.findall(text, 0, position)) + 1


def is_missing(cell: str) -> bool:
    """Whether a cell is blank or says that there is nothing."""
    return cell.strip().lower() in MISSING


def looks_grouped(cell: str) -> bool:
    """Whether a cell may be a number with separated thousands: 1,234 or 1.234,5 or 1 234 567."""
    return GROUPED.fullmatch(cell.strip()) is not None


def looks_like_number(cell: str) -> bool:
    """Whether somebody meant this cell as a number, with a decimal point, a decimal comma or thousands."""
    return NUMBER.fullmatch(cell.strip().replace(",", ".")) is not None or looks_grouped(cell)


def as_numbers(columns: Mapping[str, Sequence[str]], delimiter: str) -> dict[str, Numbers]:
    """The columns where every cell is a number beyond doubt, as float64.

    1,234 and 1.234 are a thousand in one country and about one in another: other columns must settle which.
    """
    points = {name: numbers for name, cells in columns.items() if (numbers := _with_points(cells)) is not None}
    commas = {name: numbers for name, cells in columns.items() if (numbers := _with_commas(cells)) is not None}
    if not commas:
        return points
    sure_points = {name for name in points if _is_decimal(".", columns[name])}
    sure_commas = {name for name in commas if _is_decimal(",", columns[name])}
    # Where the comma is the decimal sign, spreadsheets put semicolons between fields.
    decimal_comma = bool(sure_commas) or (delimiter == ";" and not sure_points)
    if decimal_comma:
        points = {name: points[name] for name in points if name in sure_points or "." not in "".join(columns[name])}
    if sure_points or not decimal_comma:
        commas = {name: commas[name] for name in sure_commas}
    return points | commas


def _with_points(cells: Sequence[str]) -> Numbers | None:
    """The numbers exactly as float reads them, NaN where blank; None if a cell is text or all are blank."""
    if PLAIN_SIGNS.issuperset("".join(cells)):
        try:
            return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass  # a blank cell, or signs in the wrong order
    if not all(is_missing(cell) or NUMBER.fullmatch(cell.strip()) for cell in cells):
        return None
    numbers = np.fromiter((math.nan if is_missing(cell) else float(cell) for cell in cells), np.float64, len(cells))
    return None if np.isnan(numbers).all() else numbers


def _with_commas(cells: Sequence[str]) -> Numbers | None:
    together = "".join(cells)
    if "." in together or "," not in together:
        return None
    return _with_points([cell.replace(",", ".") for cell in cells])


def _is_decimal(sign: str, cells: Sequence[str]) -> bool:
    """Whether a sign parts off decimals beyond doubt: some cell that has it cannot be thousands."""
    return any(sign in cell and not looks_grouped(cell) for cell in cells)
