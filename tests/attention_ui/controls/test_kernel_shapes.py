"""The small pictures of kernels: torch's own numbers, and a name for those who cannot see them."""

import base64
import re

import pytest
import torch

from attention_core.kernels import KERNELS
from attention_ui.controls.kernel_shapes import HIGH, POINTS, REACH, picture_label, shape


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_picture_has_the_height_of_the_kernel_everywhere(kernel):
    svg = base64.b64decode(shape(kernel).partition(",")[2]).decode()
    _, *drawn, _ = re.findall(r"[\d.]+,([\d.]+)", svg)
    u = torch.linspace(-REACH, REACH, POINTS, dtype=torch.float64)
    expected = HIGH - 2 - KERNELS[kernel](u.clone()).exp() * (HIGH - 4)
    torch.testing.assert_close(torch.tensor(list(map(float, drawn))).double(), expected, rtol=0, atol=0.051)


def test_a_picture_is_named():
    assert all(f"![{kernel.label}]" in picture_label(name) for name, kernel in KERNELS.items())
