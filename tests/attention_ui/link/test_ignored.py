"""What in a link was ignored, and the sentence that tells it."""

import pytest

from attention_ui.link.choice import Noted
from attention_ui.link.ignored import sentence, unused
from attention_ui.reading.literal import literal

LAB = "kr_"


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
