"""The parametric model: one learned number w says how sharply to attend."""

import torch
from torch import Tensor, nn

from attention_core.pooling import Pooled


class NWKernelRegression(nn.Module):
    """f(q) = sum_i softmax(-((q - k_i) w)^2 / 2) v_i: Nadaraya-Watson with a Gaussian of width 1 / w."""

    def __init__(self, w: float = 1.0) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor([w], dtype=torch.float64))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Pooled:
        """Queries (Q,); keys and values (K,) for all queries alike, or (Q, K) when each has its own."""
        Q, K = len(queries), keys.shape[-1]  # noqa: N806
        keys, values = keys.expand(Q, K), values.expand(Q, K)
        weights = (-(((queries[:, None] - keys) * self.w) ** 2) / 2).softmax(-1)  # (Q, K)
        output = torch.bmm(weights[:, None], values[:, :, None])  # (Q, 1, K) @ (Q, K, 1) -> (Q, 1, 1)
        return Pooled(output.reshape(-1), weights)
