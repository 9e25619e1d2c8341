"""Change the digit with the largest weight: does the decoder write another digit?"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attention_core.experiments.decoders import decoder
from attention_core.experiments.finding import Finding
from attention_core.sequences.decoding import outputs, trace
from attention_core.sequences.occlusion import replaced
from attention_core.sequences.tasks import TASKS, Lengths, strings

TEXTS = 8


def experiment(seed: int, attending: Mapping[str, Tensor]) -> Finding:
    """For every digit written: replace the most, then the least attended digit, and read what is written there."""
    task = TASKS["reverse"]
    model = decoder(task, attending)
    texts = strings(task, TEXTS, seed, "unseen", Lengths(5, 6))
    traces = [trace(model, task, text) for text in texts]
    rows = [(each, row) for each in traces for row in range(len(each.output))]
    shares = []
    for place in (torch.argmax, torch.argmin):
        at = [int(place(each.weights[row])) for each, row in rows]
        others = [str((int(each.text[i]) + 5) % 10) for (each, _), i in zip(rows, at, strict=True)]
        swapped = [replaced(each.text, i, new) for (each, _), i, new in zip(rows, at, others, strict=True)]
        written = outputs(model, task, swapped)
        changed = [now[row : row + 1] != each.output[row] for (each, row), now in zip(rows, written, strict=True)]
        shares.append(sum(changed) / len(changed))
    most, least = shares
    answer = "most" if most > 2 * least else "least" if least > 2 * most else "same"
    numbers = {
        "changed with the most attended digit": most,
        "changed with the least attended digit": least,
        "digits written": len(rows),
    }
    return Finding(answer, numbers, {"shares": torch.tensor(shares), "weights": traces[0].weights})
