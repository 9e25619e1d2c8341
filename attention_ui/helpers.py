"""Helper processes: they compute what pictures of some points need, so that one interpreter is left to the pages.

    @shared
    @helped
    def packed_widths(dataset, ...) -> bytes:

Python runs the code of one visitor at a time. Torch lets others go on meanwhile, but to prepare its work and to pack
what comes of it does not. So a question goes to a helper, as JSON with one end of a new pipe, and the answer comes back
as bytes. Without helpers, for many points, or where a helper dies, the function is computed here.
"""

import base64
import importlib
import json
import logging
import socket
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import asdict
from functools import wraps
from typing import Any, ParamSpec

from attention_ui.controls.dataset import Dataset
from attention_ui.shared import STORE

P = ParamSpec("P")

FEW = 1_000  # points up to which a helper is asked: with more, progress is shown, and Stop ends the work
LONGEST_QUESTION = 100_000  # bytes
PATIENCE = 2.0  # seconds; a helper that has died is back sooner
MOST_KEPT = 20_000_000  # bytes of results that a helper keeps: what one picture and the next have in common
LENGTH = 8  # bytes before an answer

WAYS: list[socket.socket] = []  # to every helper of this process
log = logging.getLogger("uvicorn.error")


def helped(function: Callable[P, bytes]) -> Callable[P, bytes]:
    """A function of a dataset and of what JSON can carry; a helper works out its bytes, where there is one."""
    name = function.__module__, function.__qualname__

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> bytes:
        found = _asked(name, *args)
        return function(*args, **kwargs) if found is None else found

    return call


def made(count: int) -> list[socket.socket]:
    """So many ways for helpers to hear from; the other ends stand in WAYS, for this process and what it forks."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(count)]
    WAYS[:] = [ours for ours, _ in pairs]
    return [theirs for _, theirs in pairs]


def answer_all(way: socket.socket) -> None:
    """Be a helper: answer what comes this way, until nothing can come any more."""
    WAYS.clear()
    STORE.most = MOST_KEPT
    while True:
        question, ends, *_ = socket.recv_fds(way, LONGEST_QUESTION, 1)
        if not question:
            return
        with socket.socket(fileno=ends[0]) as asker:
            try:
                found = _answer(question)
            except Exception:
                log.exception("A helper failed.")  # who asked computes it, and shows what is wrong
            else:
                with suppress(OSError):  # who asked has gone
                    asker.sendall(len(found).to_bytes(LENGTH) + found)


def _asked(name: tuple[str, str], dataset: Any, *args: Any) -> bytes | None:
    """What a helper finds, for one dataset always the same; None where there is none, or nothing comes."""
    if not WAYS or dataset.n > FEW:
        return None
    fields = asdict(dataset)
    if dataset.packed is not None:
        fields["packed"] = base64.b64encode(dataset.packed).decode()
    question = json.dumps([*name, fields, *args]).encode()
    ours, theirs = socket.socketpair()
    with ours, suppress(OSError):  # too long a question, or too late an answer
        with theirs:
            if len(question) > LONGEST_QUESTION:
                return None
            socket.send_fds(WAYS[hash(dataset) % len(WAYS)], [question], [theirs.fileno()])
        ours.settimeout(PATIENCE)
        found = b"".join(iter(lambda: ours.recv(1 << 20), b""))
        if int.from_bytes(found[:LENGTH]) == len(found) - LENGTH > 0:
            return found[LENGTH:]
    return None


def _answer(question: bytes) -> bytes:
    module, function, fields, *args = json.loads(question)
    if fields["packed"] is not None:
        fields["packed"] = base64.b64decode(fields["packed"])
    asked: Callable[..., bytes] = getattr(importlib.import_module(module), function)
    return asked(Dataset(**fields), *map(_hashable, args))


def _hashable(value: Any) -> Hashable:
    """A list, which was a tuple before it became JSON, as one again."""
    hashable: Hashable = tuple(value) if isinstance(value, list) else value
    return hashable
