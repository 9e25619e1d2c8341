"""A kernel as a small picture that stands in for its name in a choice."""

import base64
from functools import cache

import torch

from attention_core.kernels import KERNELS

# Pixels, how many widths to either side are drawn, and by how many points: with twice as many, the choice of a kernel
# is a message of over 10 kB, which Streamlit hashes in every run.
WIDE, HIGH, REACH, POINTS = 40, 20, 2.5, 41
GREY = "#767f8a"  # seen on both backgrounds


@cache
def shape(kernel: str) -> str:
    """An SVG of K(u) over u as the address of an image."""
    u = torch.linspace(-REACH, REACH, POINTS, dtype=torch.float64)
    heights = KERNELS[kernel](u.clone()).exp() * (HIGH - 4)
    across = torch.linspace(1, WIDE - 1, POINTS)
    path = " ".join(f"{x:.1f},{HIGH - 2 - y:.1f}" for x, y in zip(across.tolist(), heights.tolist(), strict=True))
    drawn = f'fill="{GREY}" fill-opacity="0.3" stroke="{GREY}" stroke-width="2" stroke-linejoin="round"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}">'
        f'<polygon points="1,{HIGH - 2} {path} {WIDE - 1},{HIGH - 2}" {drawn}/></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def picture_label(kernel: str) -> str:
    """Markdown of the picture, with the kernel's name for those who cannot see it and where a pointer rests."""
    name = KERNELS[kernel].label
    return f'![{name}]({shape(kernel)} "{name}")'
