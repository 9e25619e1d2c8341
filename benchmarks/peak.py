"""The memory that one call adds at its peak, alone in a process: python -m benchmarks.peak MODULE MAKER ARGUMENTS."""

import importlib
import json
import resource
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch


def resident() -> int:
    """The bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def peak(call: Callable[[], Any]) -> int:
    """The bytes that a call adds to those of before it, where it adds the most."""
    before = resident()
    seen, done = [before], threading.Event()

    def watch() -> None:
        while not done.wait(0.001):
            seen.append(resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    call()
    done.set()
    watcher.join()
    return max(seen) - before


if __name__ == "__main__":
    torch.set_num_threads(1)
    name, maker, arguments = sys.argv[1:]
    print(peak(getattr(importlib.import_module(f"benchmarks.{name}"), maker)(*json.loads(arguments))))
