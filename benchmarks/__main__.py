"""`make bench`: one table of ratios measured side by side in one run, also written to benchmarks/results.json."""

import json
from pathlib import Path
from typing import Any

import torch

from benchmarks import browser, cost, learning, many_points, moves, opening, prediction

PARTS = {
    "Prediction": prediction.rows,
    "Layouts": prediction.layout_rows,
    "Ways": prediction.way_rows,
    "Training, per epoch": learning.training_rows,
    "Leave-one-out landscape": learning.landscape_rows,
    "Frames for the stage": learning.frame_rows,
    "Moves": moves.rows,
    "Browser": browser.rows,
    "Many points": many_points.rows,
    "Opening": opening.rows,
}


def show(part: str, row: dict[str, Any]) -> None:
    """One line: our time, then how many times as long each rival takes."""
    seconds, name = row["seconds"], row["against"]
    ratios = "  ".join(f"{rival} {seconds[rival] / seconds[name]:.2f}x" for rival in seconds if rival != name)
    rest = "  ".join(f"{key} {row[key]:.4g}" for key in row if key not in ("size", "seconds", "against"))
    print(f"{part:24} {row['size']:22} {name} {seconds[name] * 1e3:9.3f} ms   {ratios}   {rest}", flush=True)


def main() -> None:
    torch.set_num_threads(1)
    print("CPU time on one thread, medians; 5.00x means that the rival takes five times as long as ours.")
    results: dict[str, list[dict[str, Any]]] = {}
    for part, rows in PARTS.items():
        for row in rows():
            show(part, row)
            results.setdefault(part, []).append(row)
    cost.main()
    Path(__file__).with_name("results.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
