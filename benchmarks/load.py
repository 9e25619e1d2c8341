"""`make load`: a class of simulated visitors on this machine, and what they wait: a row with its limit for each scene.

Bounded in count and in time: it ends within MOST_SECONDS. It writes the table of the README; with a share of the
visitors, as `python -m benchmarks.load 0.1` for a tenth of them in every scene, it prints it alone.
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
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.visitor import Visitor
from tests.browser.serving import ROOT, fetch, free_port, serving

LAB = "/kernel_regression"
MIX = {"kr_width": 6, "kr_regenerate": 2, "kr_kernel": 1, "kr_noise": 1}
COLD = LAB + "?kr_n=500&kr_kernel=tricube&kr_linear=true"
MANY_POINTS = LAB + "?kr_n=500"
THINKING, ROUNDS = 2.0, 10  # seconds between two moves of one visitor, and how often each moves
MOST_SECONDS, OF_A_SCENE = 680.0, 80.0  # of all, and of one scene but the last, which takes what is left
VISITS, AT_A_TIME = 5_000, 4  # of those who come and go: clients, each a process, which let as many in at a time
KEPT = 200  # visits after which the server holds what it keeps
BETWEEN = re.compile(r"(?<=<!-- load -->\n).*(?=<!-- /load -->)", re.DOTALL)
ROOM = [f"ATTENTION_LAB_{name}=100000" for name in ("SESSIONS", "SESSIONS_PER_ADDRESS", "MESSAGES_PER_ADDRESS")]


@dataclass(frozen=True)
class Row:
    """What one scene came to, and what it may come to."""

    scene: str
    found: float
    limit: float
    unit: str
    faults: int = 0
    half: float | None = None  # the milliseconds that half of the moves stay under
    busy: float | None = None  # milliseconds of the server's CPU for each move

    def __str__(self) -> str:
        verdict = "ok" if self.found <= self.limit and not self.faults else "NO"
        half, busy = (" " * 10 if each is None else f"{each:7.0f} ms" for each in (self.half, self.busy))
        found = f"{self.found:9.0f} {self.unit:2}  limit {self.limit:5.0f}"
        return f"{self.scene:62}{found}  p50 {half}  CPU a move {busy}  errors {self.faults}  {verdict}"

    def cells(self) -> str:
        """The same as a row of the README's table."""
        numbers = (f"{self.found:,.0f} {self.unit}", f"{self.limit:,.0f} {self.unit}", self.half, self.busy)
        told = ("–" if each is None else each if isinstance(each, str) else f"{each:,.0f} ms" for each in numbers)
        return f"| {self.scene} | {' | '.join(told)} | {self.faults} |\n"


@contextmanager
def one_process(*settings: str) -> Iterator[str]:
    """One process, as `make run` starts it, with these settings."""
    port = free_port()
    command = ["env", *settings, sys.executable, "-m", "attention_ui.server.launch", "--port", str(port)]
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


async def together(visits: Sequence[Awaitable[None]]) -> int:
    """Let all visits happen at once, within the time of a scene; how many failed."""
    tasks = [asyncio.ensure_future(visit) for visit in visits]
    _, late = await asyncio.wait(tasks, timeout=OF_A_SCENE)
    for task in late:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    for fault in {repr(each) for each in ended if each is not None}:
        print(f"  {fault}", flush=True)
    return sum(each is not None for each in ended)


def processes(address: str) -> set[int]:
    """The processes that answer there, and the helpers beside them: all that one process has forked."""
    boot = json.loads(fetch(address + "/readyz").body)["boot"]
    parent = Path(f"/proc/{boot.split('-')[1]}/stat").read_text().rpartition(")")[2].split()[1]
    return set(map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split()))


def cpu_seconds(pids: set[int]) -> float:
    """The CPU time that these processes have used."""
    times = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in pids]
    return sum(int(ticks) for each in times for ticks in each) / os.sysconf("SC_CLK_TCK")


async def moving(
    address: str, number: int, link: str, mix: dict[str, int], waits: list[float], ready: Callable[[], Awaitable[None]]
) -> None:
    """Open a page, wait for the class, then move a control every two seconds."""
    dice = random.Random(number)
    async with Visitor(address, link, dice, cookie=f"attention_lab=v{number}") as visitor:
        await visitor.open()
        await ready()
        await asyncio.sleep(dice.random() * THINKING)
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            waits.append(await visitor.move(dice.choices(list(mix), list(mix.values()))[0]))
            await asyncio.sleep(max(0.0, THINKING - (time.perf_counter() - begun)))
        assert visitor.faults == 0, "an exception is shown"


class Class:
    """Visitors who begin together; what they wait, and the CPU of the server from then on."""

    def __init__(self, address: str, visitors: int) -> None:
        self.waits: list[float] = []
        self.pids, self.begun = processes(address), 0.0
        self._all_are_there = asyncio.Barrier(visitors)

    async def ready(self) -> None:
        """Wait until all have opened their page."""
        if await self._all_are_there.wait() == 0:
            self.begun = cpu_seconds(self.pids)

    def row(self, scene: str, limit: float, faults: int) -> Row:
        """What became of it."""
        busy = (cpu_seconds(self.pids) - self.begun) * 1000 / max(len(self.waits), 1)
        late, half = (percentile(self.waits, share) for share in (0.95, 0.5))
        return Row(f"{scene}: p95", late, limit, "ms", faults, half, busy)


async def a_class(address: str, visitors: int, limit: float, where: str, link: str = LAB) -> Row:
    """Everybody's mix of moves in the lab."""
    seen = Class(address, visitors)
    faults = await together([moving(address, each, link, MIX, seen.waits, seen.ready) for each in range(visitors)])
    return seen.row(f"{visitors} visitors, mix of moves, {where}", limit, faults)


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
    seen = Class(address, sliders)
    link = "/transformer?transformer_tab=training&transformer_steps=1000"

    async def train(number: int) -> None:
        async with Visitor(address, link, random.Random(number)) as visitor:
            await visitor.open()
            while True:  # until the sliders are done
                await visitor.move("transformer_train")

    training = [asyncio.create_task(train(number)) for number in range(trainings)]
    drags = [moving(address, number, LAB, {"kr_width": 1}, seen.waits, seen.ready) for number in range(sliders)]
    faults = await together(drags)
    row = seen.row(f"{sliders} sliders beside {trainings} trainings", 400, faults)
    for task in training:
        task.cancel()
    ended = await asyncio.gather(*training, return_exceptions=True)
    return replace(row, faults=faults + sum(not isinstance(each, asyncio.CancelledError) for each in ended))


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


async def visits(address: str, count: int, seconds: float) -> int:
    """Open the first page and close it so many times, a few at a time and within so many seconds; how often it went."""
    dice, opened, until = random.Random(count), 0, time.monotonic() + seconds
    left = iter(range(count))

    async def one_after_the_other() -> None:
        nonlocal opened
        for _ in left:
            if time.monotonic() > until:
                return
            with suppress(OSError, TimeoutError, WebSocketException):
                async with Visitor(address, "/", dice) as visitor:
                    await visitor.open()
                opened += not visitor.faults

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_A_TIME)))
    return opened


def come_and_go(address: str, visitors: int, seconds: float) -> list[Row]:
    """Visitors who open the first page and close it, from several processes; what the server holds in the end."""
    asyncio.run(visits(address, min(KEPT, visitors), seconds / 10))
    before, pids = held(address), processes(address)
    busy, clients = cpu_seconds(pids), min(AT_A_TIME, os.cpu_count() or 1)
    with ProcessPoolExecutor(clients, get_context("spawn")) as pool:
        counts = [visitors // clients + (each < visitors % clients) for each in range(clients)]
        opened = sum(pool.map(sure_visits, repeat(address), counts, repeat(seconds * 0.9)))
    time.sleep(3)  # for the last threads to end
    after, busy = held(address), (cpu_seconds(pids) - busy) * 1000 / max(opened, 1)
    growth = (after["memory"] / before["memory"] - 1) * 100
    scene, faults = f"{opened:,} visits: ", visitors - opened
    megabytes = f"memory, from {before['memory'] / 1e6:.0f} to {after['memory'] / 1e6:.0f} MB"
    return [
        Row(scene + megabytes, growth, 5, "%", faults, busy=busy),
        Row(scene + f"threads beyond {before['threads']:.0f}", after["threads"] - before["threads"], 5, ""),
        Row(scene + f"files beyond {before['files']:.0f}", after["files"] - before["files"], 20, ""),
    ]


def sure_visits(address: str, count: int, seconds: float) -> int:
    """The same, in a process of its own."""
    return asyncio.run(visits(address, count, seconds))


def rows(share: float) -> Iterator[Row]:
    """Every scene, with this share of its visitors."""
    many: Callable[[int], int] = lambda visitors: max(1, round(visitors * share))  # noqa: E731
    until = time.monotonic() + MOST_SECONDS
    with one_process(*ROOM) as address:
        yield asyncio.run(one_cold_link(address, many(120)))
        yield asyncio.run(a_class(address, many(120), 300, "one process"))
        yield asyncio.run(a_class(address, many(120), 300, "500 points", MANY_POINTS))
        yield asyncio.run(trainings_beside_sliders(address, many(20), many(60)))
    with one_process() as address:
        yield asyncio.run(a_class(address, many(120), 300, "limits as shipped"))
    with two_processes() as address:
        yield asyncio.run(a_class(address, many(240), 500, "two processes"))
    with one_process(*ROOM) as address:
        yield from come_and_go(address, many(VISITS), until - time.monotonic())


def main() -> None:
    """Play every scene, print its row, and write them into the README where all visitors have played."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("share", nargs="?", default=1.0, type=float, help="of the visitors")
    share = parser.parse_args().share
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; the visitors take their part of both.")
    table = "| scene | found | aim | half of the moves | CPU a move | errors |\n|---|---|---|---|---|---|\n"
    for row in rows(share):
        print(row, flush=True)
        table += row.cells()
    if share == 1:
        readme = ROOT / "README.md"
        readme.write_text(BETWEEN.sub(lambda _: table, readme.read_text("utf-8")), "utf-8")
    else:
        print(table)


if __name__ == "__main__":
    main()
