"""A link and what becomes of it: its code, its lesson, and what in it was ignored."""

import re
from xml.etree import ElementTree

import pytest
import segno

from attention_ui.link.choice import Noted
from attention_ui.link.dialog import link_to, without_own
from attention_ui.link.ignored import sentence, unused
from attention_ui.link.qr import QUIET, qr_code
from attention_ui.reading.literal import literal

LAB = "kr_"


def test_a_code_is_drawn_as_segno_has_it() -> None:
    link = "http://192.168.1.20:8501/kernel_regression?kr_kernel=boxcar&kr_width=0.25"
    svg = ElementTree.fromstring(qr_code(link) or "")
    side = segno.make_qr(link, error="l").symbol_size(border=QUIET)[0]
    assert svg.attrib == {"viewBox": f"0 0 {side} {side}"}
    white, dark = svg
    assert white.attrib == {"fill": "#fff", "d": f"M0 0h{side}v{side}h-{side}z"}
    assert dark.attrib.pop("stroke") == "#000"
    drawn, x, y = [bytearray(side) for _ in range(side)], 0, 0.0
    for right, down, width in re.findall(r"[Mm](-?\d+) (-?[\d.]+)h(\d+)", dark.attrib.pop("d")):
        x, y = x + int(right), y + float(down)
        drawn[int(y)][x : x + int(width)] = b"\x01" * int(width)
        x += int(width)
    assert not dark.attrib
    assert drawn == [bytearray(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET)]


def test_the_drawing_of_a_code_holds_no_text_of_the_link() -> None:
    assert re.sub(r'd="[^"]*"', "", qr_code('http://a.bc/?x="><script>alert(1)</script>') or "") == (
        '<svg viewBox="0 0 37 37"><path fill="#fff" /><path stroke="#000" /></svg>'
    )


def test_a_code_too_fine_to_be_read_is_none() -> None:
    assert qr_code("http://a.bc/?x=" + "y" * 1_200) is not None
    assert qr_code("http://a.bc/?x=" + "y" * 1_300) is None
    assert qr_code("http://a.bc/?x=" + "y" * 9_000) is None


def test_a_lesson_stands_in_the_link_and_can_be_taken_out_again() -> None:
    shared = link_to("http://a.bc/lab", [("kr_tab", "one_query"), ("kr_n", "9")], True, ["kernel", "noise"])
    assert shared == "http://a.bc/lab?kr_tab=one_query&kr_n=9&present=1&lock=kernel,noise"
    before = [("present", "1"), ("kr_n", "9"), ("lock", "kernel")]
    assert link_to("http://a.bc/lab", before, False, []) == "http://a.bc/lab?kr_n=9"
    assert link_to("http://a.bc/lab", [], False, []) == "http://a.bc/lab"
    assert link_to("http://a.bc", [("home_width", "1")], False, []) == "http://a.bc/?home_width=1"


def test_answers_are_never_shared_and_a_seed_only_with_the_same_data_for_all() -> None:
    at, seed = ("exercises_at", "columns"), ("exercises_seed", "7")
    link = [at, seed, ("exercises_answers", "ab"), ("exercises_tries", "01")]
    assert without_own(link, same=False) == [at]
    assert without_own(link, same=True) == [at, seed]


def noted(text: str, *refused: str, **same: str) -> dict[str, Noted]:
    """A page that uses this text, refuses some others, and would write the rest so."""
    return {"kr_a": Noted(text, "", lambda other: None if other in refused else same.get(other, other))}


@pytest.mark.parametrize(
    ("asked", "used"), [(["50"], "50"), (["1e0"], "1"), (["0.50"], "0.5"), (["1", "9"], "9"), (["a", "b"], "a,b")]
)
def test_the_same_value_is_known_however_it_is_written(asked: list[str], used: str) -> None:
    assert unused({"kr_a": asked}, noted(used), LAB) == {}


def test_a_value_is_the_same_when_the_page_would_write_it_so() -> None:
    assert unused({"kr_a": ["TRUE"]}, noted("true", TRUE="true"), LAB) == {}
    assert unused({"kr_function": ["Old Faithful"]}, {"kr_function": Noted("faithful", "wave")}, LAB) == {}


@pytest.mark.parametrize(
    ("asked", "used"),
    [(["abc"], "50"), ([""], "50"), (["NaN"], "0.5"), (["5"], "50"), (["a", "x"], "a"), (["1,2"], "1")],
)
def test_another_value_is_told(asked: list[str], used: str) -> None:
    assert unused({"kr_a": asked}, noted(used), LAB) == {"kr_a": asked}


def test_a_refused_value_is_told_even_if_it_looks_like_the_one_in_use() -> None:
    assert unused({"kr_a": ["50.1"]}, noted("50", "50.1"), LAB) == {"kr_a": ["50.1"]}


def test_what_nobody_knows_is_told_but_not_what_is_for_others() -> None:
    asked = {"kr_typo": ["1"], "width": ["1"], "Embed": ["true"], "utm_source": ["x"], "present": ["1"], "lock": ["n"]}
    assert set(unused(asked, {}, LAB)) == {"kr_typo", "width"}


def test_what_waits_for_a_closed_part_of_the_page_is_not_told() -> None:
    assert unused({"lw_epoch": ["9"]}, {}, "lw_") == {}
    assert unused({"lw_epoch": ["9"]}, {}, LAB) == {"lw_epoch": ["9"]}


def test_the_sentence_names_five_and_counts_the_rest() -> None:
    assert sentence([]) == ""
    assert sentence([f"a{i}=1" for i in range(17)]).endswith(": a0=1, a1=1, a2=1, a3=1, a4=1 and 12 more.")


def test_the_sentence_shows_text_from_the_link_as_it_is_and_short() -> None:
    assert literal("kr_n=<b>*x*</b>") in sentence(["kr_n=<b>*x*</b>"])
    assert len(sentence(["kr_n=" + "x" * 10_000])) < 120
