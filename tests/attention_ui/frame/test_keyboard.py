"""The keys' component and the colours that Streamlit is told: constant, so that a rerun costs nothing."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.frame.contrast import contrast_style
from attention_ui.palette import theme
from tests.attention_ui.test_palette import contrast

both = pytest.mark.parametrize("base", ["light", "dark"])
CODE_BACKGROUND = {"light": "#f9fafc", "dark": "#141b25"}  # as Streamlit mixes it from our two backgrounds


def page() -> None:
    import streamlit as st

    from attention_ui.frame.keyboard.keys import listen

    listen(st.container())
    st.button("Run again", key="again")


def mixed(ink: str, behind: str, share: float) -> str:
    """A colour of so much opacity over another, as the browser blends it."""
    parts = [(int(ink[i : i + 2], 16), int(behind[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def test_the_component_is_sent_the_same_words_in_every_run() -> None:
    app = AppTest.from_function(page).run()
    (first,) = [each.proto.SerializeToString() for each in app.get("bidi_component")]
    app.button(key="again").click().run()
    (second,) = [each.proto.SerializeToString() for each in app.get("bidi_component")]
    assert first == second


@both
def test_captions_reach_contrast_aa(base: str) -> None:
    """Streamlit writes captions in six tenths of the text's colour, on both backgrounds."""
    colours = theme(base)
    for background in (colours["backgroundColor"], colours["secondaryBackgroundColor"]):
        assert contrast(mixed(colours["textColor"], background, 0.6), background) >= 4.5


@both
def test_the_chosen_segment_reaches_contrast_aa(base: str) -> None:
    """Streamlit writes it in the main colour, over a fifth of the same."""
    colours = theme(base)
    for background in (colours["backgroundColor"], colours["secondaryBackgroundColor"]):
        assert contrast(colours["primaryColor"], mixed(colours["primaryColor"], background, 0.2)) >= 4.5


@both
def test_words_on_the_main_colour_and_in_code_reach_contrast_aa(base: str) -> None:
    place = ("light", "dark").index(base)
    pairs = re.findall(r"\{ (?:color|fill): light-dark\((#\w+), (#\w+)\)", contrast_style())
    assert len(pairs) == 5
    on_primary, *code = [pair[place] for pair in pairs]
    assert contrast(on_primary, theme(base)["primaryColor"]) >= 4.5
    assert all(contrast(colour, CODE_BACKGROUND[base]) >= 4.5 for colour in code)
