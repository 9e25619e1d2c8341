"""The one control of the lab: a slider over widths that moves evenly in log width."""

from collections.abc import Callable

import streamlit as st

from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import LABEL, NARROW, WIDE, steps_for, usual_width, width_options, width_text
from attention_ui.link.choice import Choice, note, seed, text_in_link
from attention_ui.link.lesson import hides
from attention_ui.link.values import as_number
from attention_ui.seams import big_slider_style
from attention_ui.shown import note_slider

LEFT = "width_left"  # where the last width is kept, with the usual one for its data
RULES = {  # id: what its button reads, and its help
    "leave_one_out": ("Leave-one-out", "The width that best predicts each point from all the others."),
    "silverman": ("Silverman", "Silverman's rule of thumb, from the spread of the keys alone."),
    "scott": ("Scott", "Scott's rule of thumb, from the spread of the keys alone."),
}


def _choice(page: str, usual: float) -> Choice[float]:
    return Choice(f"{page}_width", usual, as_number, lambda width: f"{width:.6g}")


def width_positions(page: str, dataset: Dataset, usual: float | None = None) -> list[float]:
    """Every position of the slider, the width that is asked for among them; puts the slider there."""
    choice, span = _choice(page, usual or usual_width(dataset)), dataset.high - dataset.low
    steps = steps_for(len(dataset.samples().x))
    if usual is None:
        _take_along(choice)
    seed(choice)
    asked = st.session_state.get(choice.key)
    chosen = asked if asked and NARROW * span / 2 <= asked <= WIDE * span * 2 else choice.usual
    if asked != chosen:  # set again, even an equal value makes the browser draw it twice
        st.session_state[choice.key] = chosen
    return width_options(span, steps, chosen)


def _take_along(choice: Choice[float]) -> None:
    """Begin with the width that another page has left, if its data have the same range and no link says otherwise."""
    usual, width = st.session_state.get(LEFT, (None, None))
    if usual == choice.usual and choice.key not in st.session_state and not text_in_link(choice.key):
        st.session_state[choice.key] = width


def width_style(page: str) -> str:
    """CSS that makes the slider of this page large."""
    return big_slider_style(f"{page}_width")


def width_slider(
    page: str, positions: list[float], label: str = LABEL, text: Callable[[float], str] = width_text
) -> float:
    """Draw the slider and return the chosen width; the link keeps it to six digits (keep_width)."""
    width: float = st.select_slider(label, positions, format_func=text, key=f"{page}_width")
    note_slider(f"{page}_width", label, positions.index(width), tuple(map(text, positions)))
    return width


def keep_width(page: str, width: float, usual: float, along: bool = True) -> None:
    """Keep any but the usual width in the link, and let the next page begin with it, unless it belongs to this one."""
    note(_choice(page, usual), width)
    if along:
        st.session_state[LEFT] = usual, width


def width_rules(page: str, chosen: Callable[[], dict[str, float]]) -> None:
    """Buttons that set the width by a rule; the rule is worked out when its button is pressed."""
    # One help for all: a tooltip of each button would cover the buttons above it.
    shown = [told for rule, told in RULES.items() if not hides(f"rule_{rule}")]
    if shown:
        st.caption(r"Let a rule choose $\sigma$", help="\n\n".join(f"**{label}**: {words}" for label, words in shown))
    with st.container(horizontal=True, gap="small"):
        for rule, (label, _) in RULES.items():
            st.button(label, key=f"{page}_rule_{rule}", on_click=_apply_rule, args=(page, rule, chosen))


def _apply_rule(page: str, rule: str, chosen: Callable[[], dict[str, float]]) -> None:
    st.session_state[f"{page}_width"] = float(f"{chosen()[rule]:.6g}")
