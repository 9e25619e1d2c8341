"""`make load`: a class of simulated visitors on this machine, and what they wait: a row with its limit for each scene.

Bounded in count and in time. `python -m benchmarks.load 0.1` plays every scene with a tenth of the visitors.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.visitor import Visitor
from tests.browser.serving import ROOT, fetch, free_port, serving

LAB = "/kernel_regression"
MIX = {"kr_width": 6, "kr_regenerate": 2, "kr_kernel": 1, "kr_noise": 1}
COLD = LAB + "?kr_n=500&kr_kernel=tricube&kr_linear=true"
THINKING, ROUNDS = 2.0, 10  # seconds between two moves of one visitor, and how often each moves
MOST_SECONDS = 300.0  # of one scene
ROOM = [f"ATTENTION_LAB_{name}=100000" for name in ("SESSIONS", "SESSIONS_PER_ADDRESS", "MESSAGES_PER_ADDRESS")]


@dataclass(frozen=True)
class Row:
    """What one scene came to, and what it may come to."""

    scene: str
    found: float
    limit: float
    unit: str
    faults: int = 0

    def __str__(self) -> str:
        verdict = "ok" if self.found <= self.limit and not self.faults else "NO"
        return (
            f"{self.scene:58} {self.found:9.0f} {self.unit:2}  limit {self.limit:5.0f}  faults {self.faults}  {verdict}"
        )


@contextmanager
def one_process() -> Iterator[str]:
    """One process, as `make run` starts it."""
    port = free_port()
    command = ["env", *ROOM, sys.executable, "-m", "attention_ui.server.launch", "--port", str(port)]
    with serving(command, port, ready="/readyz") as started:
        yield started.address


@contextmanager
def two_processes() -> Iterator[str]:
    """Two processes behind nginx, as deploy/serve.sh starts them, on free ports."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        config, entrance = (ROOT / "deploy" / "nginx.conf").read_text(), free_port()
        for old, new in {
            "8511": free_port(),
            "8512": free_port(),
            "listen 8501": f"listen 127.0.0.1:{entrance}",
        }.items():
            config = config.replace(old, str(new))
        (Path(folder) / "nginx.conf").write_text(config)
        shutil.copy(ROOT / "deploy" / "app.conf", folder)
        command = ["env", *ROOM, f"PYTHON={sys.executable}", "sh", "deploy/serve.sh", f"{folder}/nginx.conf"]
        with serving(command, entrance, ready="/readyz") as started:
            yield started.address


def percentile(waits: list[float], share: float) -> float:
    """The milliseconds that this share of the waits stays under."""
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * share))] * 1000 if waits else float("inf")


async def together(visits: list[Awaitable[None]]) -> int:
    """Let all visits happen at once, within the time of a scene; how many failed."""
    tasks = [asyncio.ensure_future(visit) for visit in visits]
    done, late = await asyncio.wait(tasks, timeout=MOST_SECONDS)
    for task in late:
        task.cancel()
    return len(late) + sum(task.exception() is not None for task in done)


async def moving(
    address: str, number: int, link: str, mix: dict[str, int], waits: list[float], ready: asyncio.Barrier
) -> None:
    """Open a page, wait for the class, then move a control every two seconds."""
    dice = random.Random(number)
    async with Visitor(address, link, dice, cookie=f"attention_lab=v{number}") as visitor:
        await visitor.open()
        await ready.wait()
        await asyncio.sleep(dice.random() * THINKING)
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            waits.append(await visitor.move(dice.choices(list(mix), list(mix.values()))[0]))
            await asyncio.sleep(max(0.0, THINKING - (time.perf_counter() - begun)))
        assert visitor.faults == 0, "an exception is shown"


async def a_class(address: str, visitors: int, limit: float, where: str) -> Row:
    """Everybody's mix of moves in the lab."""
    waits: list[float] = []
    ready = asyncio.Barrier(visitors)
    faults = await together([moving(address, number, LAB, MIX, waits, ready) for number in range(visitors)])
    return Row(f"{visitors} visitors, mix of moves, {where}: p95", percentile(waits, 0.95), limit, "ms", faults)


async def one_cold_link(address: str, visitors: int) -> Row:
    """A link that nobody has opened before, opened by all in the same second."""
    waits: list[float] = []

    async def visit(number: int) -> None:
        async with Visitor(address, COLD, random.Random(number)) as visitor:
            waits.append(await visitor.open())
            assert visitor.faults == 0, "an exception is shown"

    faults = await together([visit(number) for number in range(visitors)])
    return Row(
        f"{visitors} open one cold link in a second: the last", max(waits, default=99) * 1000, 4000, "ms", faults
    )


async def trainings_beside_sliders(address: str, trainings: int, sliders: int) -> Row:
    """Live trainings of a Transformer, which go on while others drag the width."""
    waits: list[float] = []
    ready = asyncio.Barrier(sliders)
    link = "/transformer?transformer_tab=training&transformer_steps=1000"

    async def train(number: int) -> None:
        async with Visitor(address, link, random.Random(number)) as visitor:
            await visitor.open()
            while True:  # until the sliders are done
                await visitor.move("transformer_train")

    training = [asyncio.create_task(train(number)) for number in range(trainings)]
    drags = [moving(address, number, LAB, {"kr_width": 1}, waits, ready) for number in range(sliders)]
    faults = await together(drags)
    for task in training:
        task.cancel()
    ended = await asyncio.gather(*training, return_exceptions=True)
    faults += sum(not isinstance(each, asyncio.CancelledError) for each in ended)
    return Row(f"{sliders} sliders beside {trainings} trainings: p95", percentile(waits, 0.95), 400, "ms", faults)


def held(address: str) -> dict[str, float]:
    """Memory, open files and threads of the process that answers there."""
    told = dict(line.split() for line in fetch(address + "/metrics").body.decode().splitlines() if line[0] != "#")
    pid = json.loads(fetch(address + "/readyz").body)["boot"].split("-")[1]
    threads = re.search(r"Threads:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert threads is not None
    return {
        "memory": float(told["process_resident_memory_bytes"]),
        "files": float(told["process_open_fds"]),
        "threads": float(threads[1]),
    }


async def come_and_go(address: str, visitors: int) -> list[Row]:
    """Visitors who open the first page and close it, eight at a time; what the process holds in the end."""
    gate, until = asyncio.Semaphore(8), time.monotonic() + MOST_SECONDS
    opened = 0

    async def visit(number: int) -> None:
        nonlocal opened
        async with gate:
            if time.monotonic() < until:
                async with Visitor(address, "/", random.Random(number)) as visitor:
                    await visitor.open()
                opened += 1

    await asyncio.gather(*(visit(number) for number in range(min(200, visitors))))  # what is kept is kept by now
    before, opened = await asyncio.to_thread(held, address), 0
    await asyncio.gather(*(visit(number) for number in range(visitors)))
    await asyncio.sleep(2)
    after = await asyncio.to_thread(held, address)
    growth = (after["memory"] / before["memory"] - 1) * 100
    scene, faults = f"{opened:,} visitors came and went: ", visitors - opened
    return [
        Row(scene + "memory", growth, 5, "%", faults),
        Row(scene + "threads more", after["threads"] - before["threads"], 5, ""),
        Row(scene + "files more", after["files"] - before["files"], 20, ""),
    ]


def main() -> None:
    """Play every scene and print its row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("share", nargs="?", default=1.0, type=float, help="of the visitors")
    share = parser.parse_args().share
    many: Callable[[int], int] = lambda visitors: max(1, round(visitors * share))  # noqa: E731
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; the visitors take their part of both.")
    with one_process() as address:
        print(asyncio.run(one_cold_link(address, many(120))), flush=True)
        print(asyncio.run(a_class(address, many(120), 300, "one process")), flush=True)
        print(asyncio.run(trainings_beside_sliders(address, many(20), many(60))), flush=True)
        for row in asyncio.run(come_and_go(address, many(5000))):
            print(row, flush=True)
    with two_processes() as address:
        print(asyncio.run(a_class(address, many(240), 500, "two processes")), flush=True)


if __name__ == "__main__":
    main()
