"""One vector for a whole text, or attention to every symbol: which decoder reverses the longer strings?"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attention_core.experiments.decoders import decoder
from attention_core.experiments.finding import Finding
from attention_core.sequences.decoding import exact_match
from attention_core.sequences.tasks import TASKS, Lengths, strings

LENGTHS = (3, 4, 5, 6)
TEXTS = 50


def experiment(
    seed: int, attending: Mapping[str, Tensor], fixed: Mapping[str, Tensor], longer: Mapping[str, Tensor]
) -> Finding:
    """Give all decoders unseen strings of 3 to 6 digits, and count which ones they reverse without an error."""
    task = TASKS["reverse"]
    models = [decoder(task, attending), decoder(task, fixed, attention=False), decoder(task, longer, attention=False)]
    texts = [strings(task, TEXTS, seed, "unseen", Lengths(n, n)) for n in LENGTHS]
    right = torch.tensor([[exact_match(model, task, each) for each in texts] for model in models])  # (models, lengths)
    short, long = (right[1, place].item() for place in (0, -1))
    answer = "both" if short < 0.9 else "long" if long < 0.9 else "neither"
    numbers = {
        "with attention, 3 digits": right[0, 0].item(),
        "with attention, 6 digits": right[0, -1].item(),
        "one vector, 3 digits": short,
        "one vector, 6 digits": long,
        "one vector trained longer, 6 digits": right[2, -1].item(),
    }
    return Finding(answer, numbers, {"lengths": torch.tensor(LENGTHS), "right": right})
