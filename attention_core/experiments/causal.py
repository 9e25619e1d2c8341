"""Change one word of a sentence under a causal mask: whose output changes?"""

import torch

from attention_core.experiments.finding import Finding
from attention_core.masks import masked_attend
from attention_core.scores import scaled_dot

WORDS, WIDTH = 6, 16


def changed_word(seed: int) -> int:
    """Which word is exchanged, counted from 0: neither the first nor the last."""
    return 1 + seed % (WORDS - 2)


def experiment(seed: int) -> Finding:
    """Self-attention over six words where each may look only back, before and after one word is exchanged."""
    place = changed_word(seed)
    words, others = torch.randn(2, WORDS, WIDTH, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    exchanged = words.clone()
    exchanged[place] = others[place]
    before, after = (masked_attend(scaled_dot(rows, rows), rows, causal=True) for rows in (words, exchanged))
    change = (after.output - before.output).abs().amax(-1)  # (words,)
    touched = change > 1e-9
    patterns = {
        "all": torch.ones(WORDS, dtype=torch.bool),
        "itself": torch.arange(WORDS) == place,
        "later": torch.arange(WORDS) >= place,
        "earlier": torch.arange(WORDS) <= place,
    }
    answer = next((name for name, pattern in patterns.items() if touched.equal(pattern)), "none")
    numbers = {
        "word exchanged": place + 1,
        "words before it that changed": int(touched[:place].sum()),
        "words from it on that changed": int(touched[place:].sum()),
        "largest change before it": change[:place].max().item(),
        "smallest change from it on": change[place:].min().item(),
    }
    return Finding(answer, numbers, {"change": change, "weights": after.weights})
