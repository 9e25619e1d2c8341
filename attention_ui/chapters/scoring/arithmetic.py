"""One entry of attention with its numbers in place, as LaTeX: a score, a weight, a sum."""

import math
from collections.abc import Callable, Sequence

from torch import Tensor

from attention_core.scores import dot
from attention_ui.chapters.scoring.computation_blocks import Chain
from attention_ui.chapters.scoring.grids_blocks import three
from attention_ui.numbers import short, two

MOST_TERMS = 4  # written out; more end in dots
LONG = 13  # signs: a term longer than this has a line of its own


def written_out(chain: Chain) -> tuple[str, str, str]:
    """How the chosen score, its weight, and the first number of the chosen output come about."""
    return _score(chain), _weight(chain), _sum(chain)


def _score(chain: Chain) -> str:
    i, j = chain.row, chain.key
    steps = WAYS[chain.score](chain, chain.queries[i], chain.keys[j]) if chain.score in WAYS else []
    total = _equal(chain.scores[i, j].item(), two)
    return _aligned(rf"a(q_{{{i}}}, k_{{{j}}})", [*steps, total])


def _weight(chain: Chain) -> str:
    """exp(score) over the sum of exp along its row."""
    i, j = chain.row, chain.key
    powers = [f"e^{{{two(score)}}}" for score in chain.scores[i].tolist()]
    below = " + ".join(powers) if len(powers) <= MOST_TERMS else rf"{powers[0]} + \cdots + {powers[-1]}"
    share = rf"= \frac{{{powers[j]}}}{{{below}}}"
    return _aligned(f"w_{{{i},{j}}}", [share, _equal(chain.weights[i, j].item(), three)])


def _sum(chain: Chain) -> str:
    """The weighted sum, with the largest weights first where not all terms can be written."""
    i = chain.row
    pairs = list(zip(chain.weights[i].tolist(), chain.values[:, 0].tolist(), strict=True))
    if len(pairs) > MOST_TERMS:
        pairs.sort(key=lambda pair: -pair[0])
    terms = [rf"{weight:.4f} \cdot {_bracketed(short(value))}" for weight, value in pairs]
    return _aligned(f"o_{{{i},0}}", [*_added(terms), _equal(chain.output[i, 0].item(), two)])


# How each score comes about: steps that each begin with their sign.


def _dot(_: Chain, query: Tensor, key: Tensor) -> list[str]:
    return _added(_products(query, key))


def _scaled(_: Chain, query: Tensor, key: Tensor) -> list[str]:
    product = dot(query[None], key[None]).item()
    return [
        r"= q^\top k / \sqrt{d}",
        *_added(_products(query, key), rf") / \sqrt{{{len(query)}}}"),
        f"= {_over(product, query)}",
    ]


def _over(product: float, query: Tensor) -> str:
    return rf"{short(product, 4)} / {short(math.sqrt(len(query)), 4)}"


def _cosine(_: Chain, query: Tensor, key: Tensor) -> list[str]:
    product = dot(query[None], key[None]).item()
    lengths = rf"{short(query.norm().item())} \cdot {short(key.norm().item())}"
    return [
        r"= \frac{q^\top k}{\lVert q\rVert\,\lVert k\rVert}",
        rf"= \frac{{{short(product, 4)}}}{{{lengths}}}",
    ]


def _gaussian(_: Chain, query: Tensor, key: Tensor) -> list[str]:
    pairs = zip(query.tolist(), key.tolist(), strict=True)
    squares = [rf"({short(a)} - {_bracketed(short(b))})^2" for a, b in pairs]
    gap = short((query - key).square().sum().item(), 4)
    return [r"= -\tfrac12 \lVert q - k\rVert^2", *_added(squares, ")", r"-\tfrac12 ("), rf"= -\tfrac12 \cdot {gap}"]


def _bilinear(chain: Chain, query: Tensor, key: Tensor) -> list[str]:
    (matrix,) = chain.parameters
    projected = matrix @ key  # (D,)
    return [r"= q^\top (W k)", *_added(_products(query, projected))]


def _additive(chain: Chain, query: Tensor, key: Tensor) -> list[str]:
    w_q, w_k, w_v = chain.parameters
    hidden = w_q @ query + w_k @ key  # (h,)
    terms = [rf"{_bracketed(short(w))} \tanh({short(h)})" for w, h in zip(w_v.tolist(), hidden.tolist(), strict=True)]
    return _added(terms)


WAYS = {
    "gaussian": _gaussian,
    "dot": _dot,
    "scaled_dot": _scaled,
    "cosine": _cosine,
    "bilinear": _bilinear,
    "additive": _additive,
}


# How it is set.


def _products(left: Tensor, right: Tensor) -> list[str]:
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return [rf"{_bracketed(short(a))} \cdot {_bracketed(short(b))}" for a, b in pairs]


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _added(terms: Sequence[str], after: str = "", before: str = "") -> list[str]:
    """A sum, few terms to a line, which a phone is wide enough for; dots for what is too much."""
    shown = [*terms[:MOST_TERMS], *([r"\cdots"] if len(terms) > MOST_TERMS else [])]
    longest = max(len(term.replace(r"\cdot", "·").replace("\\", "")) for term in shown)
    per_line = 2 if longest <= LONG else 1
    lines = [" + ".join(shown[i : i + per_line]) for i in range(0, len(shown), per_line)]
    opening = before or ("(" if after else "")
    first, *rest = lines
    added = [f"= {opening}{first}", *(rf"\quad + {line}" for line in rest)]
    return [*added[:-1], added[-1] + after]


def _equal(number: float, text: Callable[[float], str]) -> str:
    """The number in LaTeX behind = where the shown digits are exact, else behind an approximately sign."""
    shown = text(number)
    exact = math.isclose(float(shown), number, rel_tol=1e-12, abs_tol=1e-12)
    return rf"{'=' if exact else chr(92) + 'approx'} \mathbf{{{shown}}}"


def _aligned(start: str, steps: Sequence[str]) -> str:
    lines = r" \\ ".join(f"&{step}" for step in steps)
    return rf"\begin{{aligned}} {start} {lines} \end{{aligned}}"
