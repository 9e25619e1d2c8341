"""One head split into eight: does the layer learn more numbers?"""

import torch

from attention_core.experiments.finding import Finding
from attention_core.transformer.multihead import MultiHeadAttention

WIDTHS = (32, 48, 64, 96)
TOKENS = 6


def experiment(seed: int) -> Finding:
    """Count the parameters of both layers, and let the split one attend to random tokens."""
    generator = torch.Generator().manual_seed(seed)
    width = WIDTHS[int(torch.randint(len(WIDTHS), (1,), generator=generator))]
    one, eight = (MultiHeadAttention(width, heads, generator=generator) for heads in (1, 8))
    counts = [sum(each.numel() for each in layer.parameters()) for layer in (one, eight)]
    tokens = 1.5 * torch.randn(1, TOKENS, width, generator=generator)
    with torch.no_grad():
        single, maps = (layer(tokens, tokens, tokens).weights[0] for layer in (one, eight))  # (H, Q, K)
    times = counts[1] / counts[0]
    answer = "same" if times == 1 else "more" if times > 1 else "fewer"
    numbers = {
        "width": width,
        "parameters with one head": counts[0],
        "parameters with eight heads": counts[1],
        "width of each of eight heads": width // 8,
        "heatmaps": len(maps),
    }
    return Finding(answer, numbers, {"single": single, "maps": maps})
