"""A kernel beside attention in torch alone: four short experiments."""

DRAWN = """import torch

# {count} tokens, and projections of {width} coordinates; nothing is trained here, so all of it is drawn.
generator = torch.Generator().manual_seed({seed})
tokens = torch.randn({count}, {width}, dtype=torch.float64, generator=generator)
W_q, W_k = torch.randn(2, {width}, {width}, dtype=torch.float64, generator=generator) / {width}**0.5
"""
SCORED = """

def kernel_scores(tokens):
    \"\"\"The Gaussian: minus half the squared distance.\"\"\"
    return -(tokens[:, None] - tokens).square().sum(-1) / 2


def attention_scores(tokens):
    \"\"\"Scaled dot products of what W_q and W_k make of the tokens.\"\"\"
    return (tokens @ W_q.T) @ (tokens @ W_k.T).T / {width}**0.5

"""


def plain_symmetry(count: int, width: int, seed: int, shared: bool) -> str:
    """Scores from two projections have a direction."""
    one = "W_k = W_q  # one projection for both\n" if shared else ""
    return f"""{DRAWN.format(count=count, width=width, seed=seed)}{one}{SCORED.format(width=width)}
scores = torch.stack([kernel_scores(tokens), attention_scores(tokens)])  # (2, queries, keys)
excess = scores - scores.mT  # how much more a query looks at its key than is returned

# Walk round three tokens, i to j to k to i, and add up the excess: 0 when some symmetric kernel gives the same weights.
round_trips = excess[:, :, :, None] + excess[:, None, :, :] + excess.mT[:, :, None, :]  # (2, i, j, k)
trips = round_trips.abs().amax((1, 2, 3))

print(excess)
print(trips)  # of the kernel, of attention
"""


def plain_unlike(count: int, strength: int) -> str:
    """A query that looks for what it is not."""
    return f"""import torch

places = torch.eye({count}, dtype=torch.float64)  # tokens that are alike but for their place
wanted = places.roll(-1, 1)  # the projection turns place i into place i - 1
scores = torch.stack(
    [
        -(places[:, None] - places).square().sum(-1) / 2,  # kernel: nothing is nearer to a token than itself
        {strength} * wanted @ places.T,  # attention looks for the token before
    ]
)

# Causal: no token looks ahead. exp(-inf) is 0.
future = torch.ones({count}, {count}, dtype=torch.bool).triu(1)
weights = scores.masked_fill(future, -torch.inf).softmax(-1)  # (2, queries, keys)
before = weights.diagonal(-1, 1, 2).mean(-1)  # the mean weight on the token before

print(weights)
print(before)  # of the kernel, of attention
"""


def plain_order(count: int, width: int, seed: int) -> str:
    """Shuffle the tokens."""
    return f"""{DRAWN.format(count=count, width=width, seed=seed)}{SCORED.format(width=width)}
order = torch.randperm({count}, generator=torch.Generator().manual_seed({seed}))  # the token now in each place
mixed = tokens[order]

before = torch.stack([kernel_scores(tokens), attention_scores(tokens)]).softmax(-1)  # (2, queries, keys)
after = torch.stack([kernel_scores(mixed), attention_scores(mixed)]).softmax(-1)

# The tokens are the values too. Every token gets the answer it had: order means nothing to either.
gaps = (after @ mixed - (before @ tokens)[:, order]).abs().amax((1, 2))

print(order)
print((after - before[:, order][:, :, order]).abs().max())  # 0: the same weights in other places
print(gaps)  # of the kernel, of attention
"""


def plain_definite(count: int, seed: int) -> str:
    """The smallest eigenvalue of similarities."""
    return f"""import torch

generator = torch.Generator().manual_seed({seed})
points = 2 * torch.rand({count}, 2, dtype=torch.float64, generator=generator) - 1  # in a square round 0

similarities = []
for signs in ([1.0, 1.0], [1.0, -1.0]):  # W = I, a kernel; W = diag(1, -1), attention
    W = torch.diag(torch.tensor(signs, dtype=torch.float64))
    scores = points @ W @ points.T
    own = scores.diagonal() / 2
    similarities.append((scores - own[:, None] - own).exp())  # scaled: a point's similarity to itself is 1
similarities = torch.stack(similarities)  # (2, points, points)

# A kernel is a dot product of features, so no eigenvalue is negative. Attention need not be one.
smallest = torch.linalg.eigvalsh(similarities)[:, 0]

print(similarities)
print(smallest)  # of the kernel, of attention
"""
