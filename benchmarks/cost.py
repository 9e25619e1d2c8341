"""Cost against n for the README: `python -m benchmarks.cost` measures it and writes the table and docs/cost.png."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import torch

from benchmarks.prediction import d2l_style, numpy_broadcast, ours, statsmodels

mpl.use("Agg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[1]
SIZES = (50, 500, 5_000, 20_000, 100_000, 1_000_000)
# How it is made for n points, the largest n it is measured with, and its line in the picture.
WAYS: dict[str, tuple[Callable[[int], Callable[[], Any]], int, str]] = {
    "Attention Lab": (ours, SIZES[-1], "o-"),
    "statsmodels": (statsmodels, 20_000, "s--"),
    "numpy": (numpy_broadcast, 5_000, "^:"),
    "d2l style": (d2l_style, 5_000, "D-."),
}
AGAIN, ENOUGH = 7, 1.0  # runs at most, and seconds after which no other one follows
BETWEEN = re.compile(r"(?<=<!-- cost -->\n).*(?=<!-- /cost -->)", re.DOTALL)


def seconds(call: Callable[[], Any]) -> float:
    """CPU seconds of a call, the shortest of a few."""
    times: list[float] = []
    while len(times) < AGAIN and sum(times) < ENOUGH:
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return min(times)


def measured() -> dict[str, dict[int, float]]:
    """The seconds of every way at every size it is measured with."""
    found: dict[str, dict[int, float]] = {name: {} for name in WAYS}
    for n in SIZES:
        for name, (maker, most, _) in WAYS.items():
            if n <= most:
                found[name][n] = seconds(maker(n))
                print(f"{n:>9,} {name:15} {written(found[name][n])}", flush=True)
    return found


def written(number: float | None) -> str:
    """Seconds with two digits, or that nobody waited for it."""
    if number is None:
        return "–"
    return f"{number * 1e3:.2g} ms" if number < 0.0995 else f"{number:.2g} s"


def table(found: dict[str, dict[int, float]]) -> str:
    """The rows of the README."""
    head = f"| points, and as many queries | {' | '.join(found)} |\n|---|{'---|' * len(found)}\n"
    rows = (f"| {n:,} | {' | '.join(written(each.get(n)) for each in found.values())} |\n" for n in SIZES)
    return head + "".join(rows)


def draw(found: dict[str, dict[int, float]], path: Path) -> None:
    """The same as a picture, both axes by powers of ten."""
    _, panel = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for name, times in found.items():
        panel.plot(list(times), list(times.values()), WAYS[name][2], label=name, linewidth=2)
    panel.set(xscale="log", yscale="log", xlabel="points, and as many queries", ylabel="seconds of one core")
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
    plt.savefig(path, dpi=120)
    plt.close()


def main() -> None:
    torch.set_num_threads(1)
    found, readme = measured(), ROOT / "README.md"
    readme.write_text(BETWEEN.sub(lambda _: table(found), readme.read_text("utf-8")), "utf-8")
    draw(found, ROOT / "docs" / "cost.png")


if __name__ == "__main__":
    main()
