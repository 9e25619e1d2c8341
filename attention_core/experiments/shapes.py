"""What shape does a batch of matrix products have?"""

import torch

from attention_core.experiments.finding import Finding


def sizes(seed: int) -> tuple[int, int, int, int]:
    """n, a, b and c, all different, so that no two can be mistaken for one another."""
    n, a, b, c = (2 + torch.randperm(8, generator=torch.Generator().manual_seed(seed))[:4]).tolist()
    return n, a, b, c


def experiment(seed: int) -> Finding:
    """Multiply n matrices of shape a x b with n of shape b x c, in one call."""
    n, a, b, c = sizes(seed)
    generator = torch.Generator().manual_seed(seed)
    first, second = torch.rand(n, a, b, generator=generator), torch.rand(n, b, c, generator=generator)
    product = torch.bmm(first, second)
    one_by_one = torch.stack([first[i] @ second[i] for i in range(n)])
    shapes = {(n, a, c): "nac", (n, n, a, c): "nnac", (a, c): "ac", (n, b, b): "nbb"}
    numbers: dict[str, float] = {f"size {place}": size for place, size in enumerate(product.shape)}
    numbers["numbers in the product"] = product.numel()
    numbers["largest difference from n single products"] = (product - one_by_one).abs().max().item()
    return Finding(shapes[tuple(product.shape)], numbers, {"first": first, "second": second, "product": product})
