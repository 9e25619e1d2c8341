"""A visitor without a browser: it opens a page over a websocket, moves its controls, and waits for each run to end."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 300.0  # seconds for one run; a training is one
KEPT = 2  # runs for which a browser keeps a large message
CONTROLS = ("slider", "button", "button_group")


@dataclass
class Control:
    """A control on the page: what the server said of it, and the part of the page that runs when it is moved."""

    kind: str
    proto: Any
    fragment: str


@dataclass
class Visitor:
    """One visitor with a page open."""

    address: str
    link: str
    dice: random.Random
    cookie: str = ""
    controls: dict[str, Control] = field(default_factory=dict)
    values: dict[str, WidgetState] = field(default_factory=dict)
    page: str = ""
    socket: ClientConnection | None = None
    faults: int = 0
    runs: int = 0
    known: dict[str, tuple[ForwardMsg, int]] = field(
        default_factory=dict
    )  # what a browser keeps, by its hash, and since when

    async def __aenter__(self) -> Self:
        """Connect as a browser does."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        where = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        usual = {"max_size": None, "compression": None, "proxy": None, "open_timeout": PATIENCE}
        self.socket = await connect(where, subprotocols=["streamlit", "x"], additional_headers=headers, **usual)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.socket:
            await self.socket.close()

    async def open(self) -> float:
        """Run the page for the first time; the seconds until all of it was there."""
        return await self._run(ClientState(page_name=urlsplit(self.link).path.strip("/")))

    async def move(self, key: str) -> float:
        """Move the control with this key anywhere; the seconds until the page had followed."""
        (name,) = [each for each in self.controls if each.endswith(f"-{key}")]
        control = self.controls[name]
        state = ClientState(page_script_hash=self.page, fragment_id=control.fragment)
        moved = self._moved(name, control)
        if control.kind != "button":
            self.values[name] = moved
        state.widget_states.widgets.extend({**self.values, name: moved}.values())
        return await self._run(state)

    def _moved(self, name: str, control: Control) -> WidgetState:
        """Another value of the control, as a browser would send it."""
        state, proto = WidgetState(id=name), control.proto
        if control.kind == "button":
            state.trigger_value = True
        elif control.kind == "button_group":
            state.string_array_value.data.append(self.dice.choice(proto.options).content)
        elif proto.type == Slider.SELECT_SLIDER:
            state.string_array_value.data.append(self.dice.choice(proto.options))
        else:
            steps = round((proto.max - proto.min) / proto.step)
            state.double_array_value.data.append(proto.min + self.dice.randrange(steps + 1) * proto.step)
        return state

    async def _run(self, state: ClientState) -> float:
        """Ask for a run and read until its end."""
        assert self.socket is not None
        state.query_string = urlsplit(self.link).query
        self.runs += 1
        self.known = {name: (message, run) for name, (message, run) in self.known.items() if run >= self.runs - KEPT}
        state.cached_message_hashes.extend(self.known)
        begun = time.perf_counter()
        await self.socket.send(BackMsg(rerun_script=state).SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._hears(ForwardMsg.FromString(await self.socket.recv(decode=False))):
                pass
        return time.perf_counter() - begun

    def _hears(self, message: ForwardMsg) -> bool:
        """Take note of what the server says; whether that ends the run."""
        if message.WhichOneof("type") == "ref_hash":
            message, _ = self.known[message.ref_hash]
            self.known[message.hash] = message, self.runs
        elif message.metadata.cacheable:
            self.known[message.hash] = message, self.runs
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            shown = element.WhichOneof("type")
            self.faults += shown == "exception"
            if shown in CONTROLS:
                proto = getattr(element, shown)
                self.controls[proto.id] = Control(shown, proto, message.delta.fragment_id)
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
