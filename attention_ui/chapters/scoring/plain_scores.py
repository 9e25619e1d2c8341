"""Every score in torch alone: what has to be drawn for it, and the line that computes it."""

from typing import NamedTuple


class PlainScore(NamedTuple):
    """Source of a score of `queries` (Q, d) and `keys` (K, d)."""

    comment: str
    expression: str  # of the scores (Q, K)
    parameters: str = ""  # lines that draw them; {seed} and {hidden} are to be filled in


PLAIN_SCORES = {
    "gaussian": PlainScore("near keys count", "-(queries[:, None] - keys).square().sum(-1) / 2"),
    "dot": PlainScore("keys that point the way of the query count, long ones more", "queries @ keys.T"),
    "scaled_dot": PlainScore(
        "divided, so that many dimensions do not make it a winner-takes-all", "queries @ keys.T / d**0.5"
    ),
    "cosine": PlainScore("only direction counts", "normalize(queries) @ normalize(keys).T"),
    "bilinear": PlainScore(
        "W says which coordinates to compare",
        "queries @ W @ keys.T",
        """generator = torch.Generator().manual_seed({seed})
W = torch.randn(d, d, dtype=torch.float64, generator=generator) / d
""",
    ),
    "additive": PlainScore(
        "a small network says what fits",
        "((queries @ W_q.T)[:, None] + keys @ W_k.T).tanh() @ w_v",
        """generator = torch.Generator().manual_seed({seed})
W_q = torch.randn({hidden}, d, dtype=torch.float64, generator=generator) / d**0.5
W_k = torch.randn({hidden}, d, dtype=torch.float64, generator=generator) / d**0.5
w_v = torch.randn({hidden}, dtype=torch.float64, generator=generator) / {hidden}**0.5
""",
    ),
}


def parameters(name: str, seed: int, hidden: int) -> str:
    """The lines that draw the parameters of a score; none where it has none."""
    return PLAIN_SCORES[name].parameters.format(seed=seed, hidden=hidden)
