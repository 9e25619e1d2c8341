"""Hard attention beside soft: many single looks, and how their average finds the weighted one."""

import streamlit as st

from attention_core.demos.hard import Looked, look
from attention_ui.chapters.qkv.sampling import running_average
from attention_ui.chapters.qkv.space import VALUE_AXIS, Asked
from attention_ui.chapters.qkv.state import look_controls
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
    (output, weights), values = asked.answer(), asked.space.pairs.values
    with beside:
        looked = look(weights, values, *look_controls())
        told = _told(asked, looked, output.item())
        st.markdown(told)
        st.caption(WHY)
    with picture:
        chart(running_average(looked, output.item(), Axis("value", *VALUE_AXIS)), "qkv_looks_chart", told)
    return int(looked.seen[-1])


def _told(asked: Asked, looked: Looked, soft: float) -> str:
    last = asked.space.pairs.names[int(looked.seen[-1])]
    return (
        f"The last look fell on {last} and heard {looked.heard[-1]:g}. After {len(looked.seen):,} looks the average "
        f"is {short(looked.averages[-1].item(), 5)}; the soft output is {short(soft, 5)}, "
        f"one standard error {short(looked.errors[-1].item())}."
    )
