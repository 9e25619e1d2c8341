"""Attention as kernel regression, in plain torch: queries meet keys, softmax makes weights, values are averaged."""

from attention_core.checks import InputError
from attention_core.data import Samples, generate, query_grid, truth
from attention_core.kernels import KERNELS
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.training import TrainingConfig, train
from attention_core.masks import masked_softmax
from attention_core.pooling import Pooled, attend, average, kernel_pool, predict
from attention_core.regression.selection import best_width, loo_losses
from attention_core.scores import AdditiveAttention, DotProductAttention
from attention_core.transformer.multihead import MultiHeadAttention
from attention_core.transformer.positions import PositionalEncoding

__all__ = [
    "KERNELS",
    "AdditiveAttention",
    "DotProductAttention",
    "InputError",
    "MultiHeadAttention",
    "NWKernelRegression",
    "Pooled",
    "PositionalEncoding",
    "Samples",
    "TrainingConfig",
    "attend",
    "average",
    "best_width",
    "generate",
    "kernel_pool",
    "loo_losses",
    "masked_softmax",
    "predict",
    "query_grid",
    "train",
    "truth",
]
