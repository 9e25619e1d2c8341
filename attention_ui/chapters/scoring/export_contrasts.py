"""A kernel beside attention, to take home: four questions."""

import torch
from torch import Tensor

from attention_core.demos.beyond import WIDTH, circulation, definiteness, previous_token, shuffled, symmetry
from attention_ui.chapters.scoring.contrasts import LETTERS, POINTS, TOKENS, reading
from attention_ui.chapters.scoring.export_tables import long
from attention_ui.chapters.scoring.figures_numbered import Shades, Sides, numbered, side_by_side
from attention_ui.chapters.scoring.plain_contrasts import plain_definite, plain_order, plain_symmetry, plain_unlike
from attention_ui.export import Export

KINDS = ("kernel", "attention")
NAMES = tuple(LETTERS[:TOKENS])


def asymmetric(seed: int, shared: bool) -> Export:
    """How much more a query looks at a key than is returned."""
    scores = torch.stack([side.matrix for side in symmetry(TOKENS, seed, shared)])  # (2, T, T)
    excess = scores - scores.mT
    trips = _numbers([circulation(matrix) for matrix in scores])
    limit = max(1.0, excess.abs().max().item())
    notes = [f"{kind}: round trip {reading(trip)}" for kind, trip in zip(_titles(), trips.tolist(), strict=True)]
    pictures = [numbered(note, matrix, NAMES, NAMES) for note, matrix in zip(notes, excess, strict=True)]
    return Export(
        name="attention-has-a-direction",
        title=f"How much more a query looks at its key than is returned, W_k {'=' if shared else '≠'} W_q",
        figure=side_by_side(pictures, 2, Shades(-limit, limit, "S − Sᵀ")),
        tables={"scores": long({"score": scores, "excess": excess}, kind=KINDS, query=NAMES, key=NAMES)},
        script=f"""import torch

from attention_core.demos.beyond import circulation, symmetry

pictures = symmetry({TOKENS}, seed={seed}, shared={shared})  # the kernel, then attention
scores = torch.stack([side.matrix for side in pictures])
excess = scores - scores.mT  # how much more a query looks at its key than is returned
trips = torch.tensor([circulation(matrix) for matrix in scores], dtype=torch.float64)

print(excess)
print(trips)  # the largest round trip: 0 when some symmetric kernel gives the same weights
""",
        plain=plain_symmetry(TOKENS, WIDTH, seed, shared),
        results={"scores": scores, "excess": excess, "trips": trips},
    )


def unlike(strength: int) -> Export:
    """Every token looks at the one before."""
    found = previous_token(TOKENS, float(strength))
    weights, before = torch.stack([side.matrix for side in found]), _numbers([side.number for side in found])
    places = [str(place + 1) for place in range(TOKENS)]
    future = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    notes = [
        f"{kind}: {reading(share)} on the token before" for kind, share in zip(_titles(), before.tolist(), strict=True)
    ]
    pictures = [numbered(note, matrix, places, places, future) for note, matrix in zip(notes, weights, strict=True)]
    return Export(
        name="attention-to-the-token-before",
        title=f"Look for what you are not: attention of strength {strength} to the token before",
        figure=side_by_side(pictures, 2, Shades(name="weight")),
        tables={"weights": long({"weight": weights}, kind=KINDS, query=places, key=places)},
        script=f"""import torch

from attention_core.demos.beyond import previous_token

pictures = previous_token({TOKENS}, strength={strength})  # the kernel, then attention
weights = torch.stack([side.matrix for side in pictures])  # causal
before = torch.tensor([side.number for side in pictures], dtype=torch.float64)

print(weights)
print(before)  # the mean weight on the token before
""",
        plain=plain_unlike(TOKENS, strength),
        results={"weights": weights, "before": before},
    )


def order(seed: int) -> Export:
    """Shuffled tokens get shuffled answers."""
    found = shuffled(TOKENS, seed)
    sides = found[1:]
    before, after = (torch.stack([getattr(side, name) for side in sides]) for name in ("before", "after"))
    gaps = _numbers([side.gap for side in sides])
    mixed = [LETTERS[place] for place in found.order.tolist()]
    pictures = []
    for kind, first, second, gap in zip(_titles(), before, after, gaps.tolist(), strict=True):
        pictures.append(numbered(f"{kind}, in order", first, NAMES, NAMES))
        pictures.append(numbered(f"{kind}, shuffled: answers differ by {reading(gap)}", second, mixed, mixed))
    return Export(
        name="attention-knows-no-order",
        title="Shuffle the tokens: rows and columns change places, nothing more",
        figure=side_by_side(pictures, 2, Shades(high=max(before.max().item(), after.max().item()), name="weight")),
        tables={
            "in-order": long({"weight": before}, kind=KINDS, query=NAMES, key=NAMES),
            "shuffled": long({"weight": after}, kind=KINDS, query=mixed, key=mixed),
        },
        script=f"""import torch

from attention_core.demos.beyond import shuffled

order, *sides = shuffled({TOKENS}, seed={seed})  # the kernel, then attention
before = torch.stack([side.before for side in sides])
after = torch.stack([side.after for side in sides])
gaps = torch.tensor([side.gap for side in sides], dtype=torch.float64)

print(order)
print((after - before[:, order][:, :, order]).abs().max())  # 0: the same weights in other places
print(gaps)  # and the same answers
""",
        plain=plain_order(TOKENS, WIDTH, seed),
        results={"order": found.order, "before": before, "after": after, "gaps": gaps},
    )


def definite(seed: int) -> Export:
    """Similarities that no features have."""
    found = definiteness(POINTS, seed)
    similarities, smallest = torch.stack([side.matrix for side in found]), _numbers([side.number for side in found])
    points = tuple(LETTERS[:POINTS])
    titles = "Kernel: W = I", "Attention: W = diag(1, −1)"
    notes = [
        f"{kind}, smallest eigenvalue {reading(each)}" for kind, each in zip(titles, smallest.tolist(), strict=True)
    ]
    pictures = [numbered(note, matrix, points, points) for note, matrix in zip(notes, similarities, strict=True)]
    return Export(
        name="attention-is-no-kernel",
        title="A kernel has no negative eigenvalue; attention may have one",
        figure=side_by_side(
            pictures, 2, Shades(high=similarities.max().item(), name="similarity"), Sides("points", "points")
        ),
        tables={"similarities": long({"similarity": similarities}, kind=KINDS, point=points, other=points)},
        script=f"""import torch

from attention_core.demos.beyond import definiteness

pictures = definiteness({POINTS}, seed={seed})  # the kernel, then attention
similarities = torch.stack([side.matrix for side in pictures])
smallest = torch.tensor([side.number for side in pictures], dtype=torch.float64)

print(similarities)
print(smallest)  # eigenvalues: a negative one, and no features have these similarities
""",
        plain=plain_definite(POINTS, seed),
        results={"similarities": similarities, "smallest": smallest},
    )


def _titles() -> tuple[str, str]:
    return "Gaussian kernel", "Attention"


def _numbers(numbers: list[float]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)
