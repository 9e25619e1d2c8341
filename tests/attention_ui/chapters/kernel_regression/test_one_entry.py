"""A kernel or a data function is one entry: its page opens, and both scripts of the download run."""

import math

import pytest
import torch

from attention_core.data import FUNCTIONS, Function
from attention_core.kernels import KERNELS, Kernel
from tests.pages.opening import opened


def cosine(u):
    """log K for K(u) = cos(pi u / 2) where |u| < 1, else 0."""
    return torch.cos(u * (math.pi / 2)).log().masked_fill(u.abs() >= 1, -math.inf)


def parabola(x):
    """A parabola."""
    return 0.3 * x * (5 - x)


@pytest.fixture
def taken(monkeypatch):
    """A function that opens a page and gives what Download would pack."""
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))

    def take(page, **link):
        opened(page, **link)
        return packed[-1]

    return take


def test_a_kernel_is_one_entry(monkeypatch, taken, agree):
    monkeypatch.setitem(KERNELS, "cosine", Kernel("Cosine", r"\cos(\tfrac{\pi}{2} u)_+", 1.0, cosine))
    for linear in ("false", "true"):
        export = agree(taken("kernel_regression", kr_kernel="cosine", kr_linear=linear, kr_tab="code"))
        assert "* (math.pi / 2)).log()" in export.with_core().text
        assert export.title.endswith(("Cosine, σ = 1", "Cosine, σ = 1, local line"))


def test_a_data_function_is_one_entry(monkeypatch, taken, agree):
    monkeypatch.setitem(FUNCTIONS, "parabola", Function("Parabola", r"0.3\,x\,(5 - x)", parabola))
    export = agree(taken("kernel_regression", kr_function="parabola"))
    assert "0.3 * x * (5 - x)" in export.alone().text
    assert export.title.startswith("Parabola")
