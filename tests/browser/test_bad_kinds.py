"""How many kinds of bad input the tests send, and that a visitor beside all that come over the wire is served on."""

import threading
import time
from collections.abc import Iterable
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.attention_ui.reading import test_matrices, test_tables
from tests.attention_ui.server import test_limits
from tests.browser import test_bad_input as wire
from tests.browser.serving import Serving, fetch
from tests.pages import test_bad_input as pages

FEWEST = 300
REFUSED_TABLES = (
    test_tables.test_bad_files_are_refused_with_one_sentence,
    test_tables.test_bad_cells_in_a_chosen_column,
    test_tables.test_bad_choices,
    test_tables.test_bad_pasted_text,
    test_tables.test_doubtful_thousands_are_never_guessed,
    test_tables.test_hostile_files_are_refused_soon,
    test_tables.test_wrong_extension,
)


def cases(test: Any) -> Iterable[Any]:
    """What a test is given."""
    return [case for mark in test.pytestmark if mark.name == "parametrize" for case in mark.args[1]]


def test_there_are_three_hundred_kinds() -> None:
    kinds: dict[str, Iterable[Any]] = {
        "links": [*pages.BAD.values(), *wire.LINKS.values()],
        "files": [*pages.FILES.values(), *pages.TABLES.values(), *pages.MATRICES.values()],
        "names": [*pages.NAMES.values(), *wire.NAMES.values()],
        "texts": pages.TEXTS,
        "tables": [case for test in REFUSED_TABLES for case in cases(test)],
        "matrices": [*test_matrices.WRONG.values(), *test_matrices.HEADERS.values()],
        "requests": [*wire.REQUESTS, *wire.RAW.values()],
        "frames": wire.FRAMES.values(),
        "messages": [*wire.MESSAGES.values(), *(each.SerializeToString() for each in test_limits.FOREIGN.values())],
    }
    distinct = {name: len(set(map(repr, each))) for name, each in kinds.items()}
    print(distinct)
    assert sum(distinct.values()) >= FEWEST, distinct


def answered(bystander: ClientConnection) -> float:
    """Ask for a run; how long its end takes."""
    begun = time.monotonic()
    bystander.send(wire.run())
    while ForwardMsg.FromString(bystander.recv(timeout=30, decode=False)).WhichOneof("type") != "script_finished":
        pass
    return time.monotonic() - begun


def test_a_visitor_beside_all_that_is_bad_is_served_on(warm_server: Serving) -> None:
    address, before = warm_server.address.replace("http", "ws") + "/_stcore/stream", warm_server.printed.stat().st_size
    waits: list[float] = []
    over = threading.Event()

    def visit() -> None:
        with connect(address, max_size=None) as bystander:
            while not over.is_set():
                waits.append(answered(bystander))
                over.wait(0.2)
            waits.append(answered(bystander))

    visitor = threading.Thread(target=visit)
    visitor.start()
    raw = [*wire.RAW.values(), *(wire.SHAKEN + frame for frame in wire.FRAMES.values())]
    said = wire.all_exchanged(warm_server.address, raw)
    statuses = [wire.answer(warm_server.address, each.target, each.method)[0] for each in wire.REQUESTS]
    foreign = [each.SerializeToString() for each in test_limits.FOREIGN.values()]
    for message in [*wire.MESSAGES.values(), *foreign]:
        wire.tried(address, message)
    over.set()
    visitor.join(60)
    log = warm_server.printed.read_bytes()[before:].decode(errors="replace")
    tried = f"{len(said) + len(statuses)} requests and frames, {len(wire.MESSAGES) + len(foreign)} messages"
    print(f"{tried}, {len(waits)} runs beside, the longest {max(waits):.2f} s")
    assert not visitor.is_alive()
    assert all(map(wire.is_harmless, said))
    assert statuses == [each.status for each in wire.REQUESTS]
    assert len(waits) > 2
    assert "Uncaught app execution" not in log
    # uvicorn's own, where a client breaks its request off in the midst: nobody is left to answer.
    assert log.count("Traceback") == log.count("LocalProtocolError: can't handle event type Response"), log[:6000]
    assert fetch(warm_server.address + "/readyz").status == 200
