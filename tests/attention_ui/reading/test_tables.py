"""A user's table is read exactly, or refused in one sentence that says what is wrong and where."""

import inspect
import io
import random
import subprocess
import sys
import time
import zipfile
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.data import Samples
from attention_ui.reading import decoding, tables
from attention_ui.reading.decoding import quoted
from attention_ui.reading.tables import (
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_READ,
    choose,
    numeric_columns,
    read_pasted,
    read_table,
)

GOOD = "x,y\n1,10\n2,20\n3,30\n"
ADVICE = "write thousands without a separator, decimals with a point"
BOUNDED = settings(max_examples=250)


def refusal(content: bytes | str, name: str = "a.csv") -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(InputError) as caught:
        read_table(content.encode() if isinstance(content, str) else content, name)
    return one_sentence(str(caught.value))


def refusal_of_choice(content: str, x: str = "x", y: str = "y") -> str:
    """The sentence with which two columns of a readable file are refused."""
    table = read_table(content.encode(), "a.csv")
    with pytest.raises(InputError) as caught:
        choose(table, x, y)
    return one_sentence(str(caught.value))


def one_sentence(message: str) -> str:
    assert message[-1] in ".?"
    assert "\n" not in message
    assert len(message) < 250
    return message


def columns(table: pd.DataFrame) -> dict[str, list[object]]:
    return {str(name): table[name].tolist() for name in table.columns}


def zipped(member: str, text: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, text)
    return buffer.getvalue()


# Files that are read.

TOO_MANY = f"'a.csv' has more than {MOST_READ:,} rows of data, which is the most."
XY = {"x": [1.0, 2.0, 3.0], "y": [10.0, 20.0, 30.0]}
HALVES = {"x": [1.5, 2.5, 3.5], "y": [-0.25, 1000.5, 3.0]}
UNNAMED = {"column 1": [1.0, 2.0, 3.0], "column 2": [10.0, 20.0, 30.0]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (GOOD, XY),
        (GOOD.replace(",", "\t"), XY),
        (GOOD.replace(",", ";"), XY),
        (GOOD.replace(",", "   "), XY),
        (GOOD.replace(",", ", "), XY),
        (GOOD.replace("\n", "\r\n"), XY),
        (GOOD.replace("\n", "\r"), XY),
        (GOOD.rstrip("\n"), XY),
        ("\n\n" + GOOD + "\n\n", XY),
        ("\r\n , \r\n" + GOOD + ",\n,\n", XY),
        ("\u00a0,\u00a0\n" + GOOD + "\t,\t\n", XY),
        ("\n" * 70_000 + GOOD.replace(",", ";"), XY),
        (GOOD.replace("\n", ",\n"), XY),
        ("  " + GOOD.replace(",", " \t ").replace("\n", "  \n"), XY),
        ('"x","y"\n"1","10"\n"2","20"\n"3","30"\n', XY),
        (' x , y \n 1 , 10 \n+2,2e1\n3.,"30"\n', XY),
        (",y\n1,10\n2,20\n3,30\n", {"column 1": XY["x"], "y": XY["y"]}),
        ('"x\n(ms)",y\n1,10\n2,20\n3,30\n', {"x (ms)": XY["x"], "y": XY["y"]}),
        (GOOD.removeprefix("x,y\n"), UNNAMED),
        (GOOD.removeprefix("x,y\n").replace(",", " "), UNNAMED),
        ("x;y\n1,5;-0,25\n2,5;1000,5\n3,5;3\n", HALVES),
        ("x\ty\n1,5\t-0,25\n2,5\t1000,5\n3,5\t3\n", HALVES),
        ("x y\n1,5 -0,25\n2,5 1000,5\n3,5 3\n", HALVES),
        ('x,y\n"1,5","-0,25"\n"2,5","1000,5"\n"3,5",3\n', HALVES),
        ("1,5 2\n2,5 3\n3,5 4\n", {"column 1": [1.5, 2.5, 3.5], "column 2": [2.0, 3.0, 4.0]}),
        ("x;y\n1,234;1\n2,345;2\n3,456;3\n", {"x": [1.234, 2.345, 3.456], "y": [1.0, 2.0, 3.0]}),
        ("x\ty\n1,234\t1,5\n2,345\t2\n3,456\t3\n", {"x": [1.234, 2.345, 3.456], "y": [1.5, 2.0, 3.0]}),
        ("x\ty\n0,125\t1\n1,250\t2\n2,375\t3\n", {"x": [0.125, 1.25, 2.375], "y": [1.0, 2.0, 3.0]}),
        ("x;y\n1.234;1\n2.345;2\n3.456;3\n", {"x": [1.234, 2.345, 3.456], "y": [1.0, 2.0, 3.0]}),
        ("name,2019,2020\na,1,4\nb,2,5\nc,3,6\n", {"name": ["a", "b", "c"], "2019": [1, 2, 3], "2020": [4, 5, 6]}),
        ("t,x,y\n=1+1,1,4\n@SUM(A1),2,5\n-cmd,3,6\n",
         {"t": ["=1+1", "@SUM(A1)", "-cmd"], "x": [1, 2, 3], "y": [4, 5, 6]}),
        ('t,x,y\n"a ""b"", c",1,4\n"two\nlines",2,5\n5" pipe,3,6\n',
         {"t": ['a "b", c', "two\nlines", '5" pipe'], "x": [1, 2, 3], "y": [4, 5, 6]}),
        ("b,x,y\nTrue,1,4\nFalse,2,5\nTrue,3,6\n", {"b": ["True", "False", "True"], "x": [1, 2, 3], "y": [4, 5, 6]}),
        ("on,x,y\n2024-01-05 10:00,1,4\n2024-01-06 10:00,2,5\n,3,6\n",
         {"on": ["2024-01-05 10:00", "2024-01-06 10:00", ""], "x": [1, 2, 3], "y": [4, 5, 6]}),
    ],
)  # fmt: skip
def test_well_formed_files_are_read(content: str, expected: dict[str, list[object]]) -> None:
    assert columns(read_table(content.encode(), "a.csv")) == expected
    assert columns(read_pasted(content)) == expected


ACCENTED = "größe,naïve\n1,10\n2,20\n3,30\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"],
)
def test_every_usual_encoding_is_read(encoding: str) -> None:
    table = read_table(ACCENTED.encode(encoding), "a.csv")
    assert columns(table) == {"größe": XY["x"], "naïve": XY["y"]}


def test_utf16_big_endian_with_its_mark_is_read() -> None:
    assert columns(read_table(b"\xfe\xff" + ACCENTED.encode("utf-16-be"), "a.csv"))["größe"] == XY["x"]


def test_windows_characters_are_read() -> None:
    assert "€ “net”" in read_table("x,€ “net”\n1,10\n2,20\n3,30\n".encode("cp1252"), "a.csv")


@pytest.mark.parametrize("name", ["a.csv", "A.CSV", "b.tsv", "c.Txt", "../../etc/x.csv", "C:\\data\\x.csv"])
def test_extensions(name: str) -> None:
    assert columns(read_table(GOOD.encode(), name)) == XY


def test_rows_keep_the_numbers_of_the_file() -> None:
    table = read_table(b'\nx,y\n1,"10"\n\n2,20\n,\n3,30\n', "a.csv")
    assert table.index.tolist() == [3, 5, 7]


@pytest.mark.parametrize(
    "text",
    ["0.1", "1e-320", "9007199254740993", "123456789012345678901234567890", "0.30000000000000004",
     "2.2250738585072011e-308", "-1.7976931348623157e308", "1.00000000000000011102230246251565", "8.5e15"],
)  # fmt: skip
def test_numbers_are_exactly_what_float_reads(text: str) -> None:
    table = read_table(f"x,y\n{text},1\n2,2\n3,3\n".encode(), "a.csv")
    assert table["x"].iloc[0] == float(text)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_pandas_on_random_tables(seed: int, delimiter: str) -> None:
    draw = random.Random(seed)
    rows, names = draw.randint(3, 300), ["x", "y", "word", "quoted, name"][: draw.randint(2, 4)]
    cells = {
        "x": [repr(draw.gauss(0, 10.0 ** draw.randint(-300, 99))) for _ in range(rows)],
        "y": [draw.choice(["", "NaN", f"{draw.random():.20g}", str(draw.getrandbits(70))]) for _ in range(rows)],
        "word": [draw.choice(["a", 'say "b"', f"c{delimiter}d", "two\nlines", "é"]) for _ in range(rows)],
        "quoted, name": [f"{draw.uniform(-1, 1):.3e}" for _ in range(rows)],
    }  # fmt: skip
    written = pd.DataFrame({name: cells[name] for name in names}).to_csv(index=False, sep=delimiter)
    # As text first: how exactly pandas itself reads decimals differs between its versions.
    expected = pd.read_csv(io.StringIO(written), sep=delimiter, dtype=str, keep_default_na=False)
    for name in set(names) - {"word"}:
        expected[name] = [float(cell or "nan") for cell in expected[name]]
    pd.testing.assert_frame_equal(
        read_table(written.encode(), "a.csv").reset_index(drop=True), expected, check_exact=True
    )


# Files that are refused.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "'a.csv' is empty."),
        ("\n \r\n,,\n", "'a.csv' is empty."),
        (b"\xef\xbb\xbf", "'a.csv' is empty."),
        (b"\xff\xfe", "'a.csv' is empty."),
        ("x,y\n", "'a.csv' has a header but no rows below it."),
        ("x,y\n1,2\n", "'a.csv' has only 1 row of data; at least 3 are needed."),
        ("1,2\n3,4\n", "'a.csv' has only 2 rows of data; at least 3 are needed."),
        ("x\n1\n2\n3\n", "'a.csv' has only one column; put a comma, semicolon or tab between x and y."),
        ("x,y\n1,2\n3,4\n5,6,7\n8,9\n", "Row 4 has 3 fields, but the header has 2."),
        ("x,y\n1,2\n\n\n3\n5,6\n8,9\n", "Row 5 has 1 field, but the header has 2."),
        ("1,2\n3,4\n5,6,7\n8,9\n", "Row 3 has 3 fields, but row 1 has 2."),
        ("x\ty\n1\t2\n3\t\t4\n5\t6\n", "Row 3 has 3 fields, but the header has 2."),
        ("x,y\n1,5,2,5\n1,5,2,5\n1,5,2,5\n", "Row 2 has 4 fields, but the header has 2."),
        ('x,y\n1,2\n3,"4\n5,6\n', "The quotation mark that opens in row 3 is never closed."),
        ('x,y\n1,2\n3,"', "The quotation mark that opens in row 3 is never closed."),
        ('"x,y\n1,2\n3,4\n5,6\n', "The quotation mark that opens in row 1 is never closed."),
        ('x,y\n1,"2\n3,4\n5,"6"\n', "The quotation mark that opens in row 2 is still open in row 4."),
        ('x,y\n1,2\n3,"4"4\n5,6\n', "Row 3 has text right after a closing quotation mark."),
        ("x,x\n1,2\n3,4\n5,6\n", "Columns 1 and 2 of 'a.csv' are both called 'x'."),
        ("x,y, x \n1,2,3\n3,4,5\n5,6,7\n", "Columns 1 and 3 of 'a.csv' are both called 'x'."),
        ("column 2,\n1,2\n3,4\n5,6\n", "Columns 1 and 2 of 'a.csv' are both called 'column 2'."),
        ("x,y\na,b\nc,d\ne,f\n", "Two columns of 'a.csv' must hold numbers, one for x and one for y; none does."),
        ("x,y\n1,b\n2,d\n3,f\n", "Two columns of 'a.csv' must hold numbers, one for x and one for y; only 'x' does."),
        ("x,y\n1,True\n2,False\n3,True\n",
         "Two columns of 'a.csv' must hold numbers, one for x and one for y; only 'x' does."),
        (",".join(map(str, range(3000))), "'a.csv' has 3,000 columns; the most is 200."),
        ("x,y\n" + "1,2\n" * (MOST_READ + 1), TOO_MANY),
        ("1,2\n" * (MOST_READ + 1), TOO_MANY),
        (b"1" * (MOST_BYTES + 1), "'a.csv' has 50,000,001 bytes; the most is 50,000,000 (50 MB)."),
        ("x,y\n" + '"1",2\n' * (MOST_READ + 1), TOO_MANY),
        (b"x,y\n1,2\n3,\x004\n", "'a.csv' does not look like text: row 3 holds the control character number 0."),
        (b"x,y\r1,2\r3,\x1b4\r", "'a.csv' does not look like text: row 3 holds the control character number 27."),
        (b"\x00" * 99, "'a.csv' begins like UTF-16 text but is cut off or damaged."),
        (b"\x00" * 100, "'a.csv' does not look like text: row 1 holds the control character number 0."),
        (GOOD.encode("utf-16")[:-1], "'a.csv' begins like UTF-16 text but is cut off or damaged."),
        (b"\xef\xbb\xbfx,y\n1,\xff\n", "'a.csv' begins like UTF-8 text but is cut off or damaged."),
        (b"x,y\r\n1,2\r\n\x81\xe9,2\r\n", "'a.csv' has characters in row 3 that cannot be read; save it as CSV UTF-8."),
        (zipped("xl/workbook.xml"), "'a.csv' looks like an Excel workbook; save it as CSV and choose that file."),
        (zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
         "'a.csv' looks like an OpenDocument spreadsheet; save it as CSV and choose that file."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
         "'a.csv' looks like an old Excel workbook; save it as CSV and choose that file."),
        (zipped("a.csv"), "'a.csv' looks like a zip archive, not a table; choose a CSV or TSV file."),
        (b"\x89PNG\r\n\x1a\n", "'a.csv' looks like a PNG picture, not a table; choose a CSV or TSV file."),
        (b"\xff\xd8\xff\xe0", "'a.csv' looks like a JPEG picture, not a table; choose a CSV or TSV file."),
        (b"%PDF-1.7\n", "'a.csv' looks like a PDF document, not a table; choose a CSV or TSV file."),
        (b"\x1f\x8b\x08", "'a.csv' looks like a gzip archive, not a table; choose a CSV or TSV file."),
        (b"\n<!DOCTYPE html>\n<p>", "'a.csv' looks like a web page, not a table; choose a CSV or TSV file."),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_one_sentence(content: bytes | str, message: str) -> None:
    assert refusal(content) == message


def test_the_limits_themselves_are_allowed() -> None:
    assert len(read_table(b"x,y\n" + b"1,2\n" * MOST_READ, "a.csv")) == MOST_READ
    names = ",".join(f"c{place}" for place in range(MOST_COLUMNS))
    row = ",".join(["1"] * MOST_COLUMNS) + "\n"
    assert read_table(f"{names}\n{row * 3}".encode(), "a.csv").shape == (3, MOST_COLUMNS)
    padded = GOOD.encode() + b"\n" * (MOST_BYTES - len(GOOD))
    assert columns(read_table(padded, "a.csv")) == XY


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a.json", "'a.json'"), ("a.csv.exe", "'a.csv.exe'"), ("noextension", "'noextension'"), ("", "''"),
     ("../../etc/passwd", "'passwd'"), ("C:\\secret\\b.doc", "'b.doc'"), ("a\n\x00\u202eb.js", "'a b.js'"),
     ("n" * 500 + ".dat", "'" + "n" * 37 + "...'")],
)  # fmt: skip
def test_wrong_extension(name: str, shown: str) -> None:
    assert refusal(GOOD, name) == f"{shown} cannot be read; choose a file whose name ends in .csv, .tsv or .txt."


def test_an_excel_file_is_called_so_before_its_extension() -> None:
    assert "looks like an Excel workbook" in refusal(zipped("xl/workbook.xml"), "a.xlsx")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The pasted text is empty."),
        ("1 2\n3 4\n5\n", "Row 3 has 1 field, but row 1 has 2."),
        ("1\t2\n3\t\x00\n", "The pasted text does not look like text: row 2 holds the control character number 0."),
        ("1" * (MOST_BYTES + 1), "The pasted text has 50,000,001 bytes; the most is 50,000,000 (50 MB)."),
    ],
)
def test_bad_pasted_text(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_pasted(text)
    assert one_sentence(str(caught.value)) == message


def test_pasted_half_characters_do_not_break() -> None:
    assert columns(read_pasted("\ufeffx\t\ud800y\n1\t10\n2\t20\n3\t30\n")) == {"x": XY["x"], "?y": XY["y"]}


# Choosing columns.


def test_choosing_sorts_by_x() -> None:
    samples = choose(read_table(b"b,a\n1,3\n2,1\n4,2\n", "a.csv"), "a", "b")
    assert isinstance(samples, Samples)
    assert samples.x.tolist() == [1.0, 2.0, 3.0]
    assert samples.y.tolist() == [2.0, 4.0, 1.0]


def test_choosing_leaves_the_table_alone() -> None:
    table = read_table(b"x,y\n3,1\n1,2\n2,3\n", "a.csv")
    choose(table, "x", "y").x.zero_()
    assert table["x"].tolist() == [3.0, 1.0, 2.0]


def test_numeric_columns_offer_what_is_meant_as_numbers() -> None:
    content = "id,x,y,gaps,mostly,thousands,flag,hex,blank\n" + "".join(
        f'n{row},{row},{row}.5,{row if row % 2 else ""},{row if row else "oops"},"{row + 1},000",True,0x1{row},\n'
        for row in range(6)
    )
    table = read_table(content.encode(), "a.csv")
    assert numeric_columns(table) == ["x", "y", "gaps", "mostly", "thousands"]


def rows_with(*cells: str) -> str:
    """A readable file whose column y begins with these cells, from row 2 on."""
    rows = [*cells, "7", "8", "9", "7", "8", "9"]
    return "x\ty\tz\n" + "".join(f"{place}\t{cell}\t{place}\n" for place, cell in enumerate(rows))


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1", ""], "Column 'y' has no number in row 3."),
        (["", "1", "NaN"], "Column 'y' has no number in 2 rows: 2 and 4."),
        (["NA", "n/a", "null", "None", "#N/A", " "], "Column 'y' has no number in 6 rows: 2, 3, 4, 5, 6 and 7."),
        ([""] * 17, "Column 'y' has no number in 17 rows: 2, 3, 4, 5, 6 and 12 more."),
        (["1e999"], "Column 'y' is infinite or beyond 1e+100 in row 2."),
        (["1", "-inf", "Infinity"], "Column 'y' is infinite or beyond 1e+100 in 2 rows: 3 and 4."),
        (["9" * 400], "Column 'y' is infinite or beyond 1e+100 in row 2."),
        (["-1e101"], "Column 'y' is infinite or beyond 1e+100 in row 2."),
        (["1", "abc"], "Row 3 of column 'y' reads 'abc', which is not a plain number."),
        (["0x10"], "Row 2 of column 'y' reads '0x10', which is not a plain number."),
        (["1", "True"], "Row 3 of column 'y' reads 'True', which is not a plain number."),
        (["١٢"], "Row 2 of column 'y' reads '١٢', which is not a plain number."),
        (["ınf"], "Row 2 of column 'y' reads 'ınf', which is not a plain number."),
        (["1__0"], "Row 2 of column 'y' reads '1__0', which is not a plain number."),
        (["12 kg"], "Row 2 of column 'y' reads '12 kg', which is not a plain number."),
        (["1,5", "2,5", "oops"], "Row 4 of column 'y' reads 'oops', which is not a plain number."),
        (["=1+1"], "Row 2 of column 'y' reads '=1+1', which is not a plain number."),
        (["a" * 90_000], f"Row 2 of column 'y' reads '{'a' * 37}...', which is not a plain number."),
        (["1_000"], f"Row 2 of column 'y' reads '1_000'; {ADVICE}."),
        (["1", "1,234"], f"Row 3 of column 'y' reads '1,234'; {ADVICE}."),
        (["1,234.5"], f"Row 2 of column 'y' reads '1,234.5'; {ADVICE}."),
        (["1.234,5"], f"Row 2 of column 'y' reads '1.234,5'; {ADVICE}."),
        (["1,234,567"], f"Row 2 of column 'y' reads '1,234,567'; {ADVICE}."),
        (["1 234 567"], f"Row 2 of column 'y' reads '1 234 567'; {ADVICE}."),
        (["1\u202f234"], f"Row 2 of column 'y' reads '1 234'; {ADVICE}."),
        (["1'234"], f"Row 2 of column 'y' reads '1'234'; {ADVICE}."),
        (["1", "1,5", "2.5"],
         "Column 'y' has both decimal commas and decimal points: '1,5' in row 3 and '2.5' in row 4."),
    ],
)  # fmt: skip
def test_bad_cells_in_a_chosen_column(cells: list[str], message: str) -> None:
    assert refusal_of_choice(rows_with(*cells)) == message
    assert refusal_of_choice(rows_with(*cells), x="y", y="x") == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x;y\n1.234;1,5\n2.345;2,5\n3.456;3,5\n", "Row 2 of column 'x' reads '1.234'"),
        ("x;y\n1,234;1.5\n2,345;2.5\n3,456;3.5\n", "Row 2 of column 'x' reads '1,234'"),
        ("x\ty\tz\n1,234\t1,5\t1.5\n2,345\t2,5\t2.5\n3,456\t3,5\t3.5\n", "Row 2 of column 'x' reads '1,234'"),
        ('x,y\n"1,234",1\n"2,345",2\n"3,456",3\n', "Row 2 of column 'x' reads '1,234'"),
    ],
)
def test_doubtful_thousands_are_never_guessed(content: str, message: str) -> None:
    assert refusal_of_choice(content).startswith(message + f"; {ADVICE}.")


@pytest.mark.parametrize(
    ("content", "x", "y", "message"),
    [
        (GOOD, "x", "x", "x and y are both column 'x'; choose two different columns."),
        (GOOD, "x", "z", "There is no column 'z'; the columns are 'x' and 'y'."),
        (GOOD, "?" * 99, "y", f"There is no column '{'?' * 37}...'; the columns are 'x' and 'y'."),
        ("x,y,t\n1,1,a\n2,2,b\n3,3,c\n", "x", "t", "Row 2 of column 't' reads 'a', which is not a plain number."),
        ("x,y,t\n1,1,\n2,2,\n3,3,\n", "x", "t", "Column 't' has no number in any row."),
        ("x,y\n5,1\n5,2\n5,3\n", "x", "y",
         "Column 'x' is 5 in every row: there is nothing to tell the points apart by."),
    ],
)  # fmt: skip
def test_bad_choices(content: str, x: str, y: str, message: str) -> None:
    assert refusal_of_choice(content, x, y) == message


def test_a_missing_name_lists_only_a_few_columns() -> None:
    content = ",".join(f"c{place}" for place in range(9)) + "\n" + (",".join("123456789") + "\n") * 3
    assert refusal_of_choice(content) == (
        "There is no column 'x'; the columns are 'c0', 'c1', 'c2', 'c3', 'c4' and 4 more."
    )


def test_one_bad_cell_among_many_rows_is_named() -> None:
    content = "x,y\n" + "1,2\n" * 99_998 + "3,oops\n1,2"
    assert refusal_of_choice(content) == "Row 100000 of column 'y' reads 'oops', which is not a plain number."


def test_rows_are_counted_as_in_the_file() -> None:
    content = '\n\nx,y,t\n1,1,"two\nlines"\n\n2,oops,b\n3,3,c\n4,4,d\n'
    assert refusal_of_choice(content) == "Row 6 of column 'y' reads 'oops', which is not a plain number."


@pytest.mark.parametrize("text", ["a" * 10_000, "\n" * 500 + "b", "tab\there", "\u202e\x07", "' \" \\"])
def test_quotes_stay_short_and_on_one_line(text: str) -> None:
    assert len(quoted(text)) <= 42
    assert quoted(text).isprintable()


# Hostile content.

SOON = 10  # seconds of CPU: several times what it takes, and far less than where each cell costs as many as there are


@pytest.mark.parametrize(
    "content",
    [
        b"1" * MOST_BYTES,
        b"1," * (MOST_BYTES // 2),
        b"a " * (MOST_BYTES // 2),
        b"1 234 567 " * (MOST_BYTES // 10),
        b" " * MOST_BYTES,
        b'"' * (MOST_BYTES - 1),
        b'"",""\n' * (MOST_BYTES // 6),
        b'x,y\n1,"2\n' + b"3,4\n" * 1_000_000,
        b"\r" * MOST_BYTES,
        b",\n" * (MOST_BYTES // 2),
        (b"9" * 100_000 + b",") * 49,
        random.Random(0).randbytes(MOST_BYTES),
        b"\x00" * MOST_BYTES,
    ],
    ids=lambda content: repr(content[:12]),
)
def test_hostile_files_are_refused_soon(content: bytes) -> None:
    started = time.process_time()
    refusal(content)
    assert time.process_time() - started < SOON


def test_fifty_thousand_rows_are_read_soon() -> None:
    content = "x,y\n" + "".join(f"{place * 0.1!r},{place / 7!r}\n" for place in range(50_000))
    started = time.process_time()
    samples = choose(read_table(content.encode(), "a.csv"), "x", "y")
    assert time.process_time() - started < SOON
    assert samples.x.tolist() == [place * 0.1 for place in range(50_000)]


def test_text_is_read_only_as_far_as_memory_should_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_TEXTS", 1_000)
    assert refusal("a,b\n" + "1,two\n" * 600) == "'a.csv' has more than 1,000 cells; leave out columns you do not need."
    assert len(read_table(b"a,b\n" + b"1,2\n" * 600, "a.csv")) == 600, "numbers are small"


def test_plain_numbers_and_quoted_ones_are_the_same_table() -> None:
    """What is read quickly is what is read cell by cell."""
    lines = ["x; y", "1; 2.5", "-3e2;.5", "5.;+7", "1e999;0"]
    quick, slow = (read_table("\n".join(rows).encode(), "a.csv") for rows in (lines, [*lines[:-1], '"1e999";0']))
    pd.testing.assert_frame_equal(quick, slow, check_index_type=False)
    assert isinstance(quick.index, pd.RangeIndex)
    assert not isinstance(slow.index, pd.RangeIndex)


signs = st.sampled_from([*'019.-+eE,;\t "\n\r', "1,5", "nan", "x", "é", "\x00", "1\n", ",2\n"])
tabular = st.lists(signs, max_size=60).map("".join)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "latin-1"])


def read_and_choose(content: bytes) -> None:
    """Read the bytes and choose every pair of columns offered; only InputError may stop it."""
    try:
        table = read_table(content, "a.csv")
    except InputError as error:
        one_sentence(str(error))
        return
    assert isinstance(table, pd.DataFrame)
    names = numeric_columns(table)
    assert len(names) >= 2
    for name in names[1:]:
        try:
            samples = choose(table, names[0], name)
        except InputError as error:
            one_sentence(str(error))
        else:
            assert np.isfinite(samples.y.numpy()).all()


@given(st.binary(max_size=300))
@BOUNDED
def test_any_bytes_give_a_table_or_one_sentence(content: bytes) -> None:
    read_and_choose(content)


@given(tabular, encodings)
@BOUNDED
def test_anything_like_a_table_gives_a_table_or_one_sentence(text: str, encoding: str) -> None:
    read_and_choose(text.encode(encoding))
    read_and_choose(("x,y\n1,2\n3,4\n5,6\n" + text).encode(encoding))


@given(st.text(alphabet=st.characters(), max_size=80))
@BOUNDED
def test_any_pasted_text_gives_a_table_or_one_sentence(text: str) -> None:
    try:
        assert isinstance(read_pasted("1\t2\n3\t4\n5\t6\n" + text), pd.DataFrame)
    except InputError as error:
        one_sentence(str(error))


@given(st.lists(st.tuples(*[st.floats(-1e100, 1e100)] * 2), min_size=3, max_size=20), st.sampled_from(",;\t "))
@BOUNDED
def test_written_floats_come_back_to_the_last_bit(pairs: list[tuple[float, float]], delimiter: str) -> None:
    written = "".join(f"{x!r}{delimiter}{y!r}\n" for x, y in pairs)
    table = read_table(written.encode(), "a.csv")
    assert list(zip(table["column 1"], table["column 2"], strict=True)) == pairs


@pytest.mark.parametrize("module", [tables, decoding])
def test_reading_tables_needs_no_streamlit(module: ModuleType) -> None:
    assert "streamlit" not in inspect.getsource(module)


MEASURED_READING = """
import resource, sys
from attention_core.checks import InputError
from attention_ui.reading.tables import read_table
read_table(b"x,y,z\\n1,2,a\\n3,4,b\\n5,6,c\\n", "a.csv")  # what is imported and made at the first use is not meant
content = eval(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_table(content, "a.csv")
except InputError:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif("sys.platform != 'linux'", reason="counted in other units there")
@pytest.mark.parametrize(
    ("content", "megabytes"),
    [
        ('b"1,\\n" * 500_000', 40),
        ('b"1,2,a\\n" * 800_000', 100),
        ("b'\"1\",2\\n' * 500_000", 50),
        ('b"1,2,a\\n" * 400_000 + b"1,2\\n"', 40),
    ],
)
def test_a_file_takes_little_more_memory_than_its_numbers_while_it_is_read(content: str, megabytes: int) -> None:
    """Twice what each takes; as cells of their own the first took 67 MB, and the second 190."""
    measured = subprocess.run(
        [sys.executable, "-c", MEASURED_READING, content], check=True, capture_output=True, text=True
    )
    assert int(measured.stdout) < megabytes * 1024
