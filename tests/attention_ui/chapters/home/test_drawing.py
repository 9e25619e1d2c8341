"""The card of every chapter: a sound SVG in the colours of the theme, with words, that runs and fetches nothing."""

import re
from xml.etree import ElementTree

import pytest

from attention_ui.chapters.home.drawing import card
from attention_ui.contents import CHAPTERS

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {SVG + name for name in ("svg", "g", "path", "line", "rect", "circle")}
ROLES = {"prediction", "reference", "truth", "average", "points", "query", *(f"shade-{i}" for i in range(10))}
LOADS = re.compile(r"^on|href|src|style", re.IGNORECASE)  # an attribute that could run or fetch something
NAMES = [chapter.name for chapter in CHAPTERS]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_is_a_picture_with_words(name: str) -> None:
    root = ElementTree.fromstring(card(name))
    assert root.get("viewBox") == "0 0 220 120"
    assert root.get("role") == "img"
    assert (root.get("aria-label") or "").endswith(".")
    assert len(list(root)) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_a_card_runs_and_fetches_nothing(name: str) -> None:
    elements = list(ElementTree.fromstring(card(name)).iter())
    assert {element.tag for element in elements} <= SHAPES
    written = [(key, value) for element in elements for key, value in element.attrib.items()]
    assert not [key for key, _ in written if LOADS.search(key)]
    assert not [value for _, value in written if "url(" in value or "//" in value]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_colours_of_the_theme(name: str) -> None:
    elements = ElementTree.fromstring(card(name)).iter()
    colours = {element.get(kind) for element in elements for kind in ("fill", "stroke")} - {None}
    assert colours <= {"none", "currentColor", *(f"var(--{role})" for role in ROLES)}


def test_no_two_cards_are_the_same() -> None:
    assert len({card(name) for name in NAMES}) == len(NAMES)
