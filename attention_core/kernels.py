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
    log: Callable[[Tensor], Tensor]  # a function of a module, so that scripts can show its source

    def __call__(self, u: Tensor) -> Tensor:
        return self.log(u)


def gaussian(u: Tensor) -> Tensor:
    """log K for K(u) = exp(-u^2 / 2)."""
    return -0.5 * u**2


def boxcar(u: Tensor) -> Tensor:
    """log K for K(u) = 1 where |u| < 1, else 0."""
    return within_reach(u, torch.zeros_like(u))


def triangular(u: Tensor) -> Tensor:
    """log K for K(u) = 1 - |u| where |u| < 1, else 0."""
    return within_reach(u, torch.log1p(-u.abs()))


def epanechnikov(u: Tensor) -> Tensor:
    """log K for K(u) = 1 - u^2 where |u| < 1, else 0."""
    return within_reach(u, torch.log1p(-u.square()))


def tricube(u: Tensor) -> Tensor:
    """log K for K(u) = (1 - |u|^3)^3 where |u| < 1, else 0."""
    return within_reach(u, 3 * torch.log1p(-(u.abs() ** 3)))


def laplace(u: Tensor) -> Tensor:
    """log K for K(u) = exp(-|u|)."""
    return -u.abs()


def cauchy(u: Tensor) -> Tensor:
    """log K for K(u) = 1 / (1 + u^2)."""
    return -torch.log1p(u.square())


def constant(u: Tensor) -> Tensor:
    """log K for K(u) = 1: every key counts the same, which is average pooling."""
    return torch.zeros_like(u)


def within_reach(u: Tensor, log_kernel: Tensor) -> Tensor:
    """The log-kernel where |u| < 1, and log 0 = -inf beyond."""
    return log_kernel.masked_fill_(u.abs() >= 1, -torch.inf)


KERNELS: dict[str, Kernel] = {
    "gaussian": Kernel("Gaussian", r"e^{-u^2/2}", math.inf, gaussian),
    "boxcar": Kernel("Boxcar", r"[\,|u| < 1\,]", 1.0, boxcar),
    "triangular": Kernel("Triangular", r"(1 - |u|)_+", 1.0, triangular),
    "epanechnikov": Kernel("Epanechnikov", r"(1 - u^2)_+", 1.0, epanechnikov),
    "tricube": Kernel("Tricube", r"(1 - |u|^3)^3_+", 1.0, tricube),
    "laplace": Kernel("Laplace", r"e^{-|u|}", math.inf, laplace),
    "cauchy": Kernel("Cauchy", r"\frac{1}{1 + u^2}", math.inf, cauchy),
    "constant": Kernel("Constant (average pooling)", "1", math.inf, constant),
}


def kernel_named(name: str) -> Kernel:
    """The kernel of that name, or one sentence that lists the names there are."""
    return KERNELS[check_choice("kernel", name, KERNELS)]
