"""From which blend on does the book get the most attention while a red cup stands out?"""

import torch

from attention_core.demos.cues import DESK, look
from attention_core.experiments.finding import Finding

NAMES = [thing.name for thing in DESK]
CUP, BOOK = NAMES.index("coffee cup"), NAMES.index("book")


def saliencies(seed: int) -> torch.Tensor:
    """How much each thing on the desk stands out: most of them little, the book a bit more, and the cup a lot."""
    drawn = torch.rand(len(DESK), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    saliency = 0.5 + 0.7 * drawn
    saliency[BOOK] = 1.2 + 0.8 * drawn[BOOK]
    saliency[CUP] = 3.5 + 2.5 * drawn[CUP]
    return saliency


def experiment(seed: int) -> Finding:
    """Turn the blend up from what stands out to what you want, until the book gets the most attention."""
    blends = torch.linspace(0, 1, 1001, dtype=torch.float64)
    weights = look(saliencies(seed), "read", blends).weights  # (blends, things)
    turn = int((weights.argmax(-1) == BOOK).long().argmax())  # the first
    numbers = {
        "blend from which on the book leads": blends[turn].item(),
        "weight of the cup at blend 0": weights[0, CUP].item(),
        "weight of the book at blend 1": weights[-1, BOOK].item(),
    }
    return Finding(blends[turn].item(), numbers, {"blends": blends, "weights": weights})
