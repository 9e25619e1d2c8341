"""Numbers as people write them: three digits, and no 1e+03; and tables of them."""

import math
from collections.abc import Iterable


def short(number: float, digits: int = 3) -> str:
    """So many significant digits in plain notation; powers of ten only for the very small and the very large."""
    if not math.isfinite(number):
        return "none"
    text = f"{number:.{digits}g}"  # a picture asks for a thousand numbers; only above so many digits this has an e
    return f"{float(text):.0f}" if "e+" in text and abs(float(text)) < 1e7 else text


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
