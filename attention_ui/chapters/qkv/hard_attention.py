"""Hard attention beside soft: many single looks, and how their average finds the weighted one."""

from collections.abc import Mapping

import streamlit as st
from torch import Tensor

from attention_ui.chapters.qkv.calls import ran
from attention_ui.chapters.qkv.choices import look_controls
from attention_ui.chapters.qkv.figures_hard_attention import running_average
from attention_ui.chapters.qkv.space import VALUE_AXIS, Asked
from attention_ui.figures.charts import chart
from attention_ui.figures.style import Axis
from attention_ui.numbers import short

WHY = (
    "The soft output moves a little when a score moves a little, so gradients can train it; "
    "a single look jumps from one value to another, so there is no gradient to follow and "
    "training has to estimate one from many looks, as reinforcement learning does."
)


def look_around(asked: Asked) -> int:
    """Draw the looks at one key each and their running average; return the key of the last look."""
    picture, beside = st.columns([5, 2], vertical_alignment="center", gap="medium")
    with beside:
        shown = ran(asked, look_controls()).shown
        told = _told(asked, shown)
        st.markdown(told)
        st.caption(WHY)
    with picture:
        chart(running_average(shown, Axis("value", *VALUE_AXIS)), "qkv_looks_chart", told)
    return int(shown["seen"][-1])


def _told(asked: Asked, shown: Mapping[str, Tensor]) -> str:
    seen, heard, average, error, soft = (
        shown[each][-1].item() for each in ("seen", "heard", "averages", "errors", "output")
    )
    return (
        f"The last look fell on {asked.space.pairs.names[int(seen)]} and heard {heard:g}. "
        f"After {len(shown['seen']):,} looks the average is {short(average, 5)}; the soft output is {short(soft, 5)}, "
        f"one standard error {short(error)}."
    )
