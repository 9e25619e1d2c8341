"""Kernels as scores: each is written as its logarithm, so that softmax(log K) is Nadaraya-Watson's K / sum K."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attention_core.checks import check_choice


@dataclass(frozen=True)
class Kernel:
    """A log-kernel of u = (query - key) / width; call it with u to get the scores."""

    label: str
    formula: str  # LaTeX of K(u), up to a constant factor: normalising the weights cancels it
    support: float  # keys with |u| beyond this get no weight at all
    log: Callable[[Tensor], Tensor]

    def __call__(self, u: Tensor) -> Tensor:
        return self.log(u)


def _inside(u: Tensor, log_kernel: Tensor) -> Tensor:
    """The log-kernel where |u| < 1, and log 0 outside."""
    return log_kernel.masked_fill_(u.abs() >= 1, -math.inf)


KERNELS: dict[str, Kernel] = {
    "gaussian": Kernel("Gaussian", r"e^{-u^2/2}", math.inf, lambda u: u.square().mul_(-0.5)),
    "boxcar": Kernel("Boxcar", r"[\,|u| < 1\,]", 1.0, lambda u: _inside(u, torch.zeros_like(u))),
    "triangular": Kernel("Triangular", r"(1 - |u|)_+", 1.0, lambda u: _inside(u, torch.log1p(-u.abs()))),
    "epanechnikov": Kernel("Epanechnikov", r"(1 - u^2)_+", 1.0, lambda u: _inside(u, torch.log1p(-u.square()))),
    "tricube": Kernel("Tricube", r"(1 - |u|^3)^3_+", 1.0, lambda u: _inside(u, torch.log1p(-(u.abs() ** 3)).mul_(3))),
    "laplace": Kernel("Laplace", r"e^{-|u|}", math.inf, lambda u: -u.abs()),
    "cauchy": Kernel("Cauchy", r"\frac{1}{1 + u^2}", math.inf, lambda u: -torch.log1p(u.square())),
    "constant": Kernel("Constant (average pooling)", "1", math.inf, torch.zeros_like),
}


def kernel_named(name: str) -> Kernel:
    """The kernel of that name, or one sentence that lists the names there are."""
    return KERNELS[check_choice("kernel", name, KERNELS)]
