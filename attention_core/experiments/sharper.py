"""Four times as large a w: what happens to the effective number of keys of a query?"""

import torch

from attention_core.data import noisy, query_grid, wave
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian

SHARES = {"same": 1.0, "half": 1 / 2, "quarter": 1 / 4, "sixteenth": 1 / 16}


def experiment(seed: int) -> Finding:
    """Count the keys as exp(entropy) of the weights, at w = 1 and at w = 4."""
    (x, _), queries = noisy(wave, n=50, noise=0.5, seed=seed), query_grid()
    weights = [gaussian((queries[:, None] - x) * w).softmax(-1) for w in (1.0, 4.0)]
    before, after = (torch.special.entr(each).sum(-1).mean().exp() for each in weights)
    share = after / before
    # Shares are told apart by their ratio: 0.3 is nearer to 1/4 than to 1/2.
    answer = min(SHARES, key=lambda name: abs(torch.log(share / SHARES[name])))
    numbers = {
        "effective keys at w = 1": before.item(),
        "effective keys at w = 4": after.item(),
        "share": share.item(),
    }
    return Finding(answer, numbers, {"before": weights[0], "after": weights[1]})
