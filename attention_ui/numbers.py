"""Numbers as people write them: three digits, and no 1e+03; and tables of them."""

import math
from collections.abc import Iterable


def short(number: float, digits: int = 3) -> str:
    """So many significant digits in plain notation; powers of ten only for the very small and the very large."""
    if not math.isfinite(number):
        return "none"
    rounded = float(f"{number:.{digits}g}")
    if rounded and not 1e-4 <= abs(rounded) < 1e7:
        return f"{number:.{digits}g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
    text = f"{rounded:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def two(number: float) -> str:
    """Two decimals, and plain digits where the number is large; never -0.00."""
    rounded = round(number, 2) + 0.0
    return f"{rounded:.2f}" if abs(rounded) < 1000 else short(number, 5)


def table(head: Iterable[str], rows: Iterable[Iterable[str]], words: int = 1) -> str:
    """A table in Markdown: first so many columns of words, set to the left, then numbers, set to the right."""
    top = list(head)
    ruled = [":---"] * words + ["---:"] * (len(top) - words)
    lines = [top, ruled, *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
