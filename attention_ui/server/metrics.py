"""What Prometheus may ask this process for: open pages, runs and how long they take and wait, errors, memory."""

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from attention_ui.gate import GATE
from attention_ui.seams import asks_for_a_run, ends_a_run

REGISTRY = CollectorRegistry()
PROCESS = ProcessCollector(registry=REGISTRY)  # memory, processor time, open files
SESSIONS = Gauge("attention_lab_sessions", "Pages that are open.", registry=REGISTRY)
RERUNS = Counter("attention_lab_reruns", "Runs that pages have asked for.", registry=REGISTRY)
ERRORS = Counter("attention_lab_errors", "Runs that have failed.", registry=REGISTRY)
SECONDS = Histogram(
    "attention_lab_rerun_seconds",
    "From what a page says to the end of the run that follows.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 4, 8, 16),
    registry=REGISTRY,
)
WAITS = Histogram(
    "attention_lab_gate_seconds",
    "What heavy work waits for its turn, and for another one after it has let others go first.",
    buckets=(0.001, 0.01, 0.05, 0.1, 0.3, 1, 3, 10),
    registry=REGISTRY,
)
WAITING = Gauge("attention_lab_gate_waiting", "Pieces of heavy work that wait for their turn.", registry=REGISTRY)
WAITING.set_function(lambda: GATE.waiting)
GATE.observe = WAITS.observe


async def metrics(_: Request) -> Response:
    """All metrics in Prometheus' format."""
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)


class Measured:
    """An ASGI app that counts its websockets, and what is said over them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and take the time from a page's message to the end of its run."""
        if scope["type"] != "websocket":
            return await self.app(scope, receive, send)
        asked: list[float] = []  # when the runs that have not ended yet were asked for

        async def receive_timed() -> Message:
            message = await receive()
            if asks_for_a_run(message.get("bytes") or b""):
                RERUNS.inc()
                asked.append(time.perf_counter())
            return message

        async def send_timed(message: Message) -> None:
            await send(message)
            if asked and ends_a_run(message.get("bytes") or b""):
                SECONDS.observe(time.perf_counter() - asked[0])
                asked.clear()  # one run answers all that was said before it

        with SESSIONS.track_inprogress():
            return await self.app(scope, receive_timed, send_timed)
