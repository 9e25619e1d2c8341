"""What is left of attention as its temperature goes to 0?"""

import torch

from attention_core.demos.qkv import Pairs, pooled
from attention_core.experiments.finding import Finding


def pairs(seed: int) -> tuple[torch.Tensor, Pairs]:
    """A query near one of six keys; the largest value belongs to another key."""
    generator = torch.Generator().manual_seed(seed)
    keys = 1.3 * torch.arange(6) + 0.5 * torch.rand(6, generator=generator, dtype=torch.float64)
    values = torch.randperm(90, generator=generator)[:6].double() + 5
    near = int(torch.randint(6, (1,), generator=generator))
    query = keys[near] + 0.3 * torch.rand(1, generator=generator, dtype=torch.float64)
    top = int(values.argmax())
    if top == near:  # then trade places with the neighbour
        other = (near + 1) % 6
        values[[near, other]] = values[[other, near]]
    return query, Pairs(tuple("ABCDEF"), keys[:, None], values)


def experiment(seed: int) -> Finding:
    """Cool softmax(scores / T) down from T = 100 to 0.01, and see which number the output ends at."""
    query, drawn = pairs(seed)
    temperatures = torch.logspace(2, -2, 81, dtype=torch.float64)
    cooled = [pooled(query, temperature, drawn) for temperature in temperatures.tolist()]
    outputs = torch.stack([each.output[0] for each in cooled])
    nearest = int((drawn.keys[:, 0] - query).abs().argmin())
    ends = {
        "mean": drawn.values.mean().item(),
        "nearest": drawn.values[nearest].item(),
        "largest": drawn.values.max().item(),
        "zero": 0.0,
    }
    cold = outputs[-1].item()
    numbers = {
        "output at T = 100": outputs[0].item(),
        "output at T = 0.01": cold,
        "mean of the values": ends["mean"],
        "value of the nearest key": ends["nearest"],
        "largest value": ends["largest"],
    }
    weights = torch.stack([each.weights[0] for each in cooled])  # (T, K)
    answer = min(ends, key=lambda end: abs(ends[end] - cold))
    return Finding(
        answer, numbers, {"temperatures": temperatures, "outputs": outputs, "weights": weights, "values": drawn.values}
    )
