r"""The weighted average of one query with its numbers in place: f(q) = 0.142 \cdot 3.21 + ... as LaTeX."""

import math
from typing import NamedTuple

from attention_core.regression.one_query import Explanation

WRITTEN_OUT = 4


class Digits(NamedTuple):
    """Decimals to print, so many that adding up what is printed gives the printed total to its last digit."""

    power: int  # values are printed in units of 10^power
    weight: int
    value: int
    total: int


def formula(seen: Explanation) -> str:
    """LaTeX of f(q) = sum_i weight_i y_i: the strongest terms written out, the others summed up, and the total."""
    start = rf"f({seen.query:.4g})"
    if not math.isfinite(seen.prediction):
        return rf"{start} = \text{{undefined: no key in reach}}"
    first = [i for i in seen.order[:WRITTEN_OUT].tolist() if seen.weights[i] != 0]
    others = seen.reached - len(first)
    rest = seen.contributions[seen.order[len(first) :]].sum().item()
    digits = _digits(seen, first, rest)
    unit = 10.0**-digits.power
    terms = [_term(seen.weights[i].item(), seen.samples.y[i].item() * unit, digits) for i in first]
    if others:
        terms.append(_rest(rest * unit, others, digits))
    total = f"{_zero(seen.prediction * unit, digits.total):.{digits.total}f}"
    return _assembled(start, terms, total, digits.power)


def _digits(seen: Explanation, first: list[int], rest: float) -> Digits:
    """Three digits for the largest number in sight; weights and values finer, so that rounding stays below that."""
    scale = max(abs(rest), abs(seen.prediction), *(abs(seen.samples.y[i].item()) for i in first))
    exponent = max(math.floor(math.log10(scale)), -300) if scale > 0 else 0
    power = 0 if -3 <= exponent <= 3 else exponent
    whole = exponent - power  # from -3 to 3
    total = max(2 - whole, 0)
    strongest, spread = seen.weights.abs().max().item(), seen.weights.abs().sum().item()
    weight = max(4 + max(whole - 2, 0), 2 - math.floor(math.log10(strongest)))
    # Local-linear weights of both signs may be large: each carries the rounding of its value along.
    return Digits(power, weight, total + 1 + max(math.ceil(math.log10(spread / 2)), 0), total)


def _term(weight: float, value: float, digits: Digits) -> str:
    """+ 0.1421 \\cdot 3.210, with the weight's sign in front and a negative value in brackets."""
    shown = f"{_zero(value, digits.value):.{digits.value}f}"
    sign = "-" if weight < 0 else "+"
    return rf"{sign} {abs(weight):.{digits.weight}f} \cdot {f'({shown})' if shown.startswith('-') else shown}"


def _rest(rest: float, others: int, digits: Digits) -> str:
    rest = _zero(rest, digits.total + 1)
    shown = f"{abs(rest):.{digits.total + 1}f}"
    return rf"{'-' if rest < 0 else '+'} \underbrace{{{shown}}}_{{\cdots \text{{ and {others:,} more}}}}"


def _zero(number: float, decimals: int) -> float:
    """The number, but 0 instead of -0.00."""
    return round(number, decimals) + 0.0


def _assembled(start: str, terms: list[str], total: str, power: int) -> str:
    """The terms in lines of two, for which a phone is wide enough."""
    lines = [" ".join(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    added = r" \\ &\quad ".join([lines[0].removeprefix("+ "), *lines[1:]])
    factor = rf" \cdot 10^{{{power}}}" if power else ""
    # Brackets without \left: they may stand on different lines.
    added = f"({added}){factor}" if power else added
    return rf"\begin{{aligned}} {start} &\approx {added} \\ &\approx {total}{factor} \end{{aligned}}"
