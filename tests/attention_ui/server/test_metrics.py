"""What Prometheus is told, read back by its own parser."""

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from attention_ui.gate import turn
from attention_ui.server.metrics import Measured, metrics

RUN = {"type": "websocket.receive", "bytes": BackMsg(rerun_script={}).SerializeToString()}
STOP = {"type": "websocket.receive", "bytes": BackMsg(stop_script=True).SerializeToString()}
LEAVE = {"type": "websocket.disconnect", "code": 1000}


def finished(how: "ForwardMsg.ScriptFinishedStatus.ValueType") -> Message:
    return {"type": "websocket.send", "bytes": ForwardMsg(script_finished=how).SerializeToString()}


END, EARLY = finished(ForwardMsg.FINISHED_SUCCESSFULLY), finished(ForwardMsg.FINISHED_EARLY_FOR_RERUN)
FRAGMENT = finished(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


def told() -> dict[str, float]:
    """Every sample by its name, as a server of Prometheus reads it."""
    text = asyncio.run(metrics(None)).body.decode()
    return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}


def visit(*said: Message, answers: tuple[Message, ...]) -> float:
    """A page says these, gets these answers, and leaves; how many pages were open meanwhile."""
    coming, inside = [*said, LEAVE], []

    async def receive() -> Message:
        return coming.pop(0)

    async def send(message: Message) -> None:
        pass

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "websocket.disconnect":
            pass
        for answer in answers:
            await send(answer)
        inside.append((await metrics(None)).body.decode())

    asyncio.run(Measured(app)({"type": "websocket"}, receive, send))
    (line,) = [line for line in inside[0].splitlines() if line.startswith("attention_lab_sessions ")]
    return float(line.split()[1])


@pytest.mark.parametrize(
    ("said", "answers", "runs", "timed"),
    [
        ((RUN,), (END,), 1, 1),
        ((RUN,), (FRAGMENT,), 1, 1),
        ((RUN, RUN), (EARLY, END), 2, 1),
        ((STOP,), (END,), 0, 0),
        ((RUN,), ({"type": "websocket.send", "bytes": b"x" * 1000},), 1, 0),
    ],
)
def test_runs_are_counted_and_timed(
    said: tuple[Message, ...], answers: tuple[Message, ...], runs: int, timed: int
) -> None:
    before = told()
    assert visit(*said, answers=answers) == before["attention_lab_sessions"] + 1
    after = told()
    assert after["attention_lab_sessions"] == before["attention_lab_sessions"]
    assert after["attention_lab_reruns_total"] - before["attention_lab_reruns_total"] == runs
    assert after["attention_lab_rerun_seconds_count"] - before["attention_lab_rerun_seconds_count"] == timed


@pytest.mark.skipif("sys.platform != 'linux'", reason="Prometheus' client reads /proc")
def test_memory_and_files_are_told() -> None:
    assert told()["process_resident_memory_bytes"] > 10_000_000
    assert told()["process_open_fds"] > 0


def test_the_wait_at_the_gate_is_told():
    before = told()["attention_lab_gate_seconds_count"]
    with turn():
        pass
    after = told()
    assert after["attention_lab_gate_seconds_count"] == before + 1
    assert after["attention_lab_gate_waiting"] == 0
