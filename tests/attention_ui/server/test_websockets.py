"""What a websocket writes in one turn of the loop goes out at once, in order, and before it closes."""

import asyncio

from attention_ui.server.websockets import Gathered


class Transport:
    """Takes down what is done to it."""

    def __init__(self):
        self.done = []

    def write(self, data):
        self.done.append(bytes(data))

    def close(self):
        self.done.append("closed")

    def is_closing(self):
        return "closed" in self.done


def played(play):
    async def turns():
        transport = Transport()
        await play(Gathered(transport, asyncio.get_running_loop()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return transport.done

    return asyncio.run(turns())


def test_what_is_written_in_one_turn_goes_out_at_once():
    async def play(gathered):
        for part in (b"a", b"b", b"c"):
            gathered.write(part)
        await asyncio.sleep(0)
        gathered.write(b"d")

    assert played(play) == [b"abc", b"d"]


def test_what_is_written_goes_out_before_it_closes():
    async def play(gathered):
        gathered.write(b"a")
        gathered.close()
        assert gathered.is_closing(), "all else is the transport's own"

    assert played(play) == [b"a", "closed"]
