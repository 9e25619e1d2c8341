"""Make every query ten times as long: which score narrows attention to a few keys?"""

import torch

from attention_core.experiments.finding import Finding
from attention_core.scores import SCORES, drawn

QUERIES, KEYS, WIDTH, LONGER = 32, 16, 8, 10.0


def experiment(seed: int) -> Finding:
    """The effective number of keys, exp(entropy), of the scaled dot product and of the additive score."""
    generator = torch.Generator().manual_seed(seed)
    queries = torch.randn(QUERIES, WIDTH, generator=generator, dtype=torch.float64)
    keys = torch.randn(KEYS, WIDTH, generator=generator, dtype=torch.float64)
    factors = torch.linspace(1, LONGER, 10, dtype=torch.float64)

    def effective_keys(name: str) -> torch.Tensor:
        parameters = drawn(name, WIDTH, WIDTH, hidden=8, seed=seed)
        scores = [SCORES[name](factor * queries, keys, *parameters) for factor in factors]
        return torch.stack([torch.special.entr(each.softmax(-1)).sum(-1).mean().exp() for each in scores])

    dot, additive = effective_keys("scaled_dot"), effective_keys("additive")
    one = bool(dot[-1] < 3), bool(additive[-1] < 3)
    answers = {(True, True): "both", (True, False): "dot", (False, True): "additive", (False, False): "neither"}
    numbers = {
        "dot product, effective keys": dot[0].item(),
        "dot product, ten times as long": dot[-1].item(),
        "additive, effective keys": additive[0].item(),
        "additive, ten times as long": additive[-1].item(),
    }
    return Finding(answers[one], numbers, {"factors": factors, "dot": dot, "additive": additive})
