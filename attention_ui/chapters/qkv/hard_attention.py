"""Hard attention beside soft: many samples of one key each, and how their average finds the weighted one."""

from collections.abc import Mapping

import streamlit as st
from torch import Tensor

from attention_ui.chapters.qkv.choices import TEMPERATURE, sample_controls
from attention_ui.chapters.qkv.computation import computation
from attention_ui.chapters.qkv.pictures import running_average
from attention_ui.chapters.qkv.space import Asked
from attention_ui.numbers import short
from attention_ui.pictures.picture import Picture, pack, show_picture

WHY = (
    "The soft output changes a little when a score changes a little, so gradients can train it. A single sample jumps "
    "from one value to another: it has no gradient, and training must estimate one from many samples, as "
    "reinforcement learning does."
)


def sample_keys(asked: Asked) -> int:
    """Draw the samples of one key each and their running average; return the key of the last sample."""
    picture, beside = st.columns([5, 2], vertical_alignment="center", gap="medium")
    with beside:
        shown = computation(asked, sample_controls()).shown
        told = _told(asked, shown)
        with st.container(key=f"{TEMPERATURE}_waits_words"):
            st.markdown(told)
        st.caption(WHY)
    with picture, st.container(key=f"{TEMPERATURE}_waits_picture"):
        show_picture("qkv_samples", pack(Picture((), graphs=(running_average(shown, told),))))
    return int(shown["picked"][-1])


def _told(asked: Asked, shown: Mapping[str, Tensor]) -> str:
    picked, value, average, error, soft = (
        shown[each][-1].item() for each in ("picked", "sampled", "averages", "errors", "output")
    )
    return (
        f"The last sample picked {asked.space.pairs.names[int(picked)]} (value {value:g}). "
        f"The average of {len(shown['picked']):,} samples is {short(average, 5)}; the soft output is "
        f"{short(soft, 5)}, and one standard error is {short(error)}."
    )
