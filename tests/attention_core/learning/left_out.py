"""Leave-one-out, written as one would: every point with its own keys and values."""

import torch


def others(samples):
    """For every point the keys and values of all the others, each (n, n - 1)."""
    n = len(samples.x)
    apart = ~torch.eye(n, dtype=torch.bool)
    return samples.x.expand(n, n)[apart].view(n, n - 1), samples.y.expand(n, n)[apart].view(n, n - 1)
