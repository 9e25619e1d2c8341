"""Own attention weights: what is read is what numpy wrote, and what is wrong is told in one sentence."""

import io
import pickle
import struct
import zipfile

import numpy as np
import pytest
import torch

from attention_core.checks import InputError
from attention_ui.reading.matrices import MOST_NUMBERS, read_matrix, read_pasted_matrix, warnings_on


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def header(shape, dtype="<f8"):
    """A NumPy file that promises a shape and holds nothing."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def weights(*shape):
    made = np.random.default_rng(0).random(shape)
    return made / made.sum(-1, keepdims=True)


@pytest.mark.parametrize("shape", [(4, 5), (1, 1), (3, 4, 5), (2, 3, 4, 5), (64, 2, 2)])
def test_numpy_files_of_two_to_four_dimensions(shape):
    array = weights(*shape)
    read = read_matrix(npy(array), "heads.npy")
    assert read.dtype == torch.float64
    assert read.shape == (1,) * (4 - len(shape)) + shape
    assert np.array_equal(read.numpy().reshape(shape), array)


@pytest.mark.parametrize("dtype", ["float16", "float32", ">f8", "int8", "uint16", "bool"])
def test_any_kind_of_real_number_in_any_order_of_bytes(dtype):
    array = np.eye(3).astype(dtype)
    assert torch.equal(read_matrix(npy(array), "a.npy")[0, 0], torch.eye(3, dtype=torch.float64))
    tilted = np.asfortranarray(weights(3, 4))
    assert np.array_equal(read_matrix(npy(tilted), "a.npy")[0, 0].numpy(), tilted)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("0.25,0.75\n1,0\n", "w.csv"),
        ("0.25\t0.75\n1\t0", "w.tsv"),
        ("0.25;0.75\r\n1;0\r\n", "w.csv"),
        ("0,25;0,75\n1;0", "w.csv"),
        ("0.25 0.75\n1 0", "w.txt"),
        ("the,cat\n0.25,0.75\n1,0\n", "w.csv"),
        ("\ufeff0.25,0.75\n\n1,0\n\n", "w.csv"),
        ('"0.25","0.75"\n"1","0"', "w.csv"),
        ("2.5e-1, .75\n1, 0", "w.csv"),
    ],
)
def test_text_files_as_people_write_them(text, name):
    read = read_matrix(text.encode(), name)
    assert read.tolist() == [[[[0.25, 0.75], [1.0, 0.0]]]]


@pytest.mark.parametrize(
    "text",
    [
        "tensor([[0.2500, 0.7500],\n        [1.0000, 0.0000]])",
        "[[0.25, 0.75], [1., 0.]]",
        "array([[0.25, 0.75],\n       [1.  , 0.  ]])",
        "[[0.25 0.75]\n [1.   0.  ]]",
        "tensor([[0.25, 0.75],\n        [1., 0.]], dtype=torch.float64)",
    ],
)
def test_what_python_prints_can_be_pasted(text):
    assert read_pasted_matrix(text).tolist() == [[[[0.25, 0.75], [1.0, 0.0]]]]


def test_several_matrices_in_one_text():
    expected = [[[[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5], [0.25, 0.75]]]]
    assert read_pasted_matrix("1 0\n0 1\n\n0.5 0.5\n0.25 0.75").tolist() == expected
    assert read_pasted_matrix("[[[1, 0], [0, 1]],\n\n [[0.5, 0.5], [0.25, 0.75]]]").tolist() == expected


def test_one_row_is_a_matrix_too():
    assert read_pasted_matrix("0.5 0.5").shape == (1, 1, 1, 2)
    assert read_pasted_matrix("1\n1\n1").shape == (1, 1, 3, 1)


def archive():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("weights.npy", b"x")
    return stream.getvalue()


WRONG = {
    "1-d": (npy(np.ones(4)), "a.npy", "has 1 dimension; a matrix of weights has 2"),
    "5-d": (npy(np.ones((1, 1, 1, 2, 2))), "a.npy", "has 5 dimensions"),
    "no numbers": (npy(np.ones((0, 3))), "a.npy", r"is empty: its shape is \(0, 3\)"),
    "no bytes": (b"", "a.npy", "is empty"),
    "blank": (b" \n\n ", "a.csv", "is empty"),
    "NaN": (npy(np.array([[1.0, np.nan]])), "a.npy", "1 cell of 2 is blank, NaN or infinite.*query 0 and key 1"),
    "inf": (npy(np.array([[np.inf, 1.0]])), "a.npy", "NaN or infinite"),
    "NaN in text": (b"0.5,0.5\n0.5,nan", "a.csv", "NaN or infinite, the first for query 1 and key 1"),
    "blank cell": (b"0.5,0.5\n0.5,", "a.csv", "blank, NaN or infinite"),
    "objects": (npy(np.array([[{}, 1]], dtype=object), allow_pickle=True), "a.npy", "pickled Python objects"),
    "text in numpy": (npy(np.array([["a", "b"]])), "a.npy", "must hold real numbers"),
    "complex": (npy(np.ones((2, 2), complex)), "a.npy", "must hold real numbers"),
    "fields": (npy(np.zeros((2, 2), [("a", "f8")])), "a.npy", "must hold real numbers"),
    "cut off": (npy(weights(9, 9))[:-8], "a.npy", "is cut off: it should hold 81 numbers"),
    "header cut off": (npy(weights(9, 9))[:40], "a.npy", "header is cut off or damaged"),
    "sign alone": (b"\x93NUMPY", "a.npy", "header is cut off or damaged"),
    "unknown version": (b"\x93NUMPY\x09\x00" + bytes(200), "a.npy", "header is cut off or damaged"),
    "not numpy": (b"hello", "a.npy", "is not a NumPy file"),
    "pickle": (pickle.dumps([[1, 2]]), "a.pkl", "does not look like text"),
    "archive": (archive(), "a.npz", "archive of arrays"),
    "archive by another name": (archive(), "a.csv", "zip archive"),
    "picture": (b"\x89PNG\r\n\x1a\n0000", "a.csv", "PNG picture"),
    "other file": (b"x = 1", "a.py", "is not a matrix file"),
    "ragged": (b"1,0\n0,1,0", "a.csv", "Row 2 has 3 cells, but row 1 has 2"),
    "ragged matrices": (b"1,0\n0,1\n\n1,0\n0,1\n1,0", "a.csv", "from row 4 on has 3 rows, but the first one has 2"),
    "words": (b"0.5,0.5\n0.5,half", "a.csv", "Row 2, column 2 reads 'half'"),
    "names alone": (b"the,cat", "a.csv", "no row of numbers"),
    "too many matrices": (npy(np.ones((65, 1, 1))), "a.npy", "holds 65 matrices; the most is 64"),
    "too many in text": (b"\n\n".join([b"1\n1"] * 65), "a.csv", "holds 65 matrices"),
    "too many numbers": (npy(np.ones((2001, 2000), "bool")), "a.npy", "holds 4,002,000 numbers; the most is 1,000,000"),
    "too many bytes": (b"1," * 2_600_000, "a.csv", "5 MB"),
    "huge weight": (b"1e40,0", "a.csv", "finite numbers up to 1e"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_in_one_sentence(case):
    content, name, says = WRONG[case]
    with pytest.raises(InputError, match=says) as told:
        read_matrix(content, name)
    assert str(told.value).count("\n") == 0
    assert len(str(told.value)) < 260


@pytest.mark.parametrize("shape", [(10**9, 10**9), (MOST_NUMBERS + 1, 1), (2**62, 2**62, 2, 2)])
def test_a_promise_of_too_much_allocates_nothing(shape):
    with pytest.raises(InputError, match="numbers; the most is"):
        read_matrix(header(shape), "a.npy")


@pytest.mark.parametrize(("text", "dimensions"), [("[0.5, 0.5]", 1), ("[[[[[1]]]]]", 5)])
def test_pasted_lists_of_another_rank_are_refused(text, dimensions):
    with pytest.raises(InputError, match=f"has {dimensions} dimension"):
        read_pasted_matrix(text)


def test_odd_weights_are_shown_and_remarked_upon():
    assert warnings_on(torch.tensor(weights(2, 2, 6, 5))) == []
    assert warnings_on(torch.tensor(np.round(weights(1, 1, 6, 50), 4))) == []
    odd = torch.tensor([[[[0.5, 0.5], [0.5, 0.2], [1.5, -0.5]]]])
    sums, negative = warnings_on(odd)
    assert sums.startswith("1 of 3 rows do not sum to 1 but to 0.7")
    assert negative.startswith("1 weight is negative, down to -0.5")
    assert warnings_on(torch.full((1, 1, 2, 2), 2.0))[0].startswith("2 of 2 rows do not sum to 1 but to 4")


# Headers that somebody made by hand. numpy reads them as Python, so what they raise is of any kind.

SQUARE = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}"
HEADERS = {
    "no such version": (SQUARE, (9, 9)),
    "version 0": (SQUARE, (0, 0)),
    "open brackets": ("(" * 5000, (2, 0)),
    "deep brackets": (SQUARE.replace("(2, 2)", "(" * 90 + ")" * 90), (1, 0)),
    "a line that ends nowhere": (SQUARE.replace("'fortran", "\n)'fortran"), (1, 0)),
    "a call": ("__import__('os').system('id')", (1, 0)),
    "a list": ("[]", (1, 0)),
    "nothing": ("", (1, 0)),
    "NULs": ("\0\0", (1, 0)),
    "a key too many": (SQUARE[:-1] + ", 'x': 1}", (1, 0)),
    "a key too few": ("{'descr': '<f8', 'fortran_order': False}", (1, 0)),
    "lengths that are truths": (SQUARE.replace("(2, 2)", "(True, 2)"), (1, 0)),
    "lengths that are floats": (SQUARE.replace("(2, 2)", "(2.0, 2)"), (1, 0)),
    "lengths below 0": (SQUARE.replace("(2, 2)", "(-2, -2)"), (1, 0)),
    "lengths of Python 2": (SQUARE.replace("(2, 2)", "(2L, -2L)"), (1, 0)),
    "an order that is none": (SQUARE.replace("False", "'x'"), (1, 0)),
    "no dtype": (SQUARE.replace("'<f8'", "None"), (1, 0)),
    "bytes as dtype": (SQUARE.replace("'<f8'", "b'x'"), (1, 0)),
    "a dtype that is none": (SQUARE.replace("<f8", "<f1000"), (1, 0)),
    "fields": (SQUARE.replace("'<f8'", "[('a', '<f8')]"), (1, 0)),
    "matrices in cells": (SQUARE.replace("'<f8'", "('<f8', (2, 2))"), (1, 0)),
    "nothing in cells": (SQUARE.replace("<f8", "|V0"), (1, 0)),
    "objects": (SQUARE.replace("<f8", "|O"), (1, 0)),
    "dates": (SQUARE.replace("<f8", "<M8[s]"), (1, 0)),
    "70,000 blanks": (SQUARE + " " * 70_000, (2, 0)),
}


@pytest.mark.filterwarnings("ignore:Reading")  # numpy's own, on what Python 2 wrote
@pytest.mark.parametrize(("header", "version"), HEADERS.values(), ids=HEADERS)
def test_a_crafted_header_gives_a_sentence(header: str, version: tuple[int, int]) -> None:
    length = struct.pack("<H" if version == (1, 0) else "<I", len(header) + 1)
    content = b"\x93NUMPY" + bytes(version) + length + header.encode() + b"\n" + bytes(200)
    with pytest.raises(InputError) as refused:
        read_matrix(content, "a.npy")
    assert str(refused.value).startswith("'a.npy' ")
    assert str(refused.value).endswith(".")


def test_fortran_order_and_either_byte_order_are_read() -> None:
    weights = np.arange(6.0).reshape(2, 3)
    for array in (np.asfortranarray(weights), weights.astype(">f8"), weights.astype("<f4")):
        assert read_matrix(npy(array), "a.npy").tolist() == [[weights.tolist()]]
