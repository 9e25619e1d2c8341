"""Time and memory of a call, fairly: the rivals take turns, and the median counts."""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

PEAK = """
import resource, threading, time
import torch
torch.set_num_threads(1)
from benchmarks import {module}
call = {module}.{maker}(*{arguments!r})
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
before = peak = resident()
done = False
def watch():
    global peak
    while not done:
        peak = max(peak, resident())
        time.sleep(0.001)
watcher = threading.Thread(target=watch); watcher.start()
call()
done = True; watcher.join()
print(peak - before)
"""


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
    program = PEAK.format(module=module, maker=maker, arguments=arguments)
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    return int(finished.stdout) / 1e6 if finished.returncode == 0 else float("nan")
