"""One way to predict from samples: how wide, through which kernel, by a local constant or a local line."""

from dataclasses import dataclass

from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples
from attention_core.kernels import kernel_named
from attention_core.pooling import Pooled, kernel_pool
from attention_core.regression.local_linear import local_linear
from attention_core.regression.prediction import predict


@dataclass(frozen=True)
class Estimator:
    """Nadaraya-Watson of this width and kernel, or the local-linear fit with the same attention weights."""

    width: float = 1.0
    kernel: str = "gaussian"
    linear: bool = False

    def __post_init__(self) -> None:
        check_width(self.width)
        kernel_named(self.kernel)

    def pool(self, queries: Tensor, samples: Samples) -> Pooled:
        """The predictions (Q,) and the weights (Q, K) on the values they are made of."""
        pool = local_linear if self.linear else kernel_pool
        return pool(queries, samples.x, samples.y, self.width, self.kernel)

    def attention(self, queries: Tensor, samples: Samples) -> Tensor:
        """The kernel's own weights (Q, K), never negative: what a local line is fitted with."""
        return kernel_pool(queries, samples.x, samples.y, self.width, self.kernel).weights

    def predict(self, queries: Tensor, samples: Samples) -> Tensor:
        """The predictions (Q,) alone; NaN where no key is in reach."""
        return predict(queries, samples.x, samples.y, self.width, self.kernel, self.linear)


AVERAGE = Estimator(kernel="constant")  # average pooling: every key counts the same, whatever the width
