"""Time and memory of a call, fairly: the rivals take turns, and the median counts."""

import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any


def side_by_side(rivals: dict[str, Callable[[], Any]], seconds: float = 2.0, least: int = 3) -> dict[str, float]:
    """Median seconds of each call, interleaved so that a busy moment of the machine hits all alike."""
    for call in rivals.values():
        call()  # first use pays for imports and memory
    gc.collect()
    gc.freeze()  # as the server does: what is loaded is not looked through again and again
    times: dict[str, list[float]] = {name: [] for name in rivals}
    end = time.perf_counter() + seconds * len(rivals)
    while len(times[next(iter(rivals))]) < least or time.perf_counter() < end:
        for name, call in rivals.items():
            start = time.process_time()
            call()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(each) for name, each in times.items()}


def peak_megabytes(module: str, maker: str, *arguments: Any) -> float:
    """How much memory a call adds at its peak, in a process of its own; NaN where the system does not tell."""
    command = [sys.executable, "-m", "benchmarks.peak", module, maker, json.dumps(arguments)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return int(finished.stdout) / 1e6 if finished.returncode == 0 else float("nan")
