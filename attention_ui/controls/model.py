"""The choice of a model: which kernel, and a constant or a line at every query."""

import streamlit as st

from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_ui.controls.kernel_shapes import picture_label
from attention_ui.controls.widgets import one_of, toggle
from attention_ui.link.lesson import hides
from attention_ui.numbers import short


def model_controls(page: str) -> tuple[str, bool]:
    """Draw the choice of a kernel and of a local line; both stand in the link."""
    pictures = {name: picture_label(name) for name in KERNELS}
    kernel = one_of("Kernel", pictures, "gaussian", key=f"{page}_kernel", help="How closeness is scored.")
    if not hides("kernel"):
        st.caption(f"{KERNELS[kernel].label}: $K(u) = {KERNELS[kernel].formula}$")
    linear = toggle(
        "Fit a local line",
        key=f"{page}_linear",
        help="A weighted line at every query instead of a weighted average: it reduces the bias at the edges.",
    )
    return kernel, linear


def estimator_text(estimator: Estimator) -> str:
    """The estimator in a few words."""
    return model_text(estimator.kernel, estimator.linear, estimator.width)


def model_text(kernel: str, linear: bool, width: float) -> str:
    """The model of this kernel and width in a few words."""
    return f"{KERNELS[kernel].label}, σ = {short(width)}{', local line' if linear else ''}"
