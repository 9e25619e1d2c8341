"""`make run`: serve `server:app`, print its address, replace what dies, and stop at Ctrl-C."""

import argparse
import errno
import socket
import sys
from contextlib import suppress

import uvicorn

from attention_ui.server import workers
from attention_ui.server.patience import Impatient
from attention_ui.server.websockets import WebSocket

EVERYWHERE = {"0.0.0.0", "::"}
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
ELSEWHERE = ("192.0.2.1", 9)  # an address reserved for documentation: a route to it, but nobody there

# A link of up to 100 kB is answered in a sentence; with uvicorn's own 64 kB that depends on how its bytes arrive.
LONGEST_REQUEST = 256 * 1024
KEEP_ALIVE = 75  # seconds; longer than a proxy keeps a connection, or it would use one that is just being closed
WAITING = 2048  # connections that may wait for a process to take them


def announcement(host: str, port: int) -> str:
    """The one line that says where to point a browser."""
    here = "localhost" if host in EVERYWHERE | LOOPBACK else host
    places = f"Attention Lab is at http://{_in_url(here)}:{port}"
    if host in EVERYWHERE and (address := network_address()):
        places += f" and, for others on this network, at http://{address}:{port}"
    return f"{places} (Ctrl-C stops it)"


def network_address() -> str | None:
    """This machine's address on the local network; a UDP socket picks its route without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(ELSEWHERE)
        except OSError:
            return None
        address: str = route.getsockname()[0]
    return address


def bound(host: str, port: int) -> socket.socket:
    """A socket at this address, which nobody can connect to yet; one sentence ends the program where it cannot be."""
    # Named as TCP, or asyncio leaves Nagle's algorithm on, which holds every answer up for 40 ms.
    place = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two programs share a port
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind((host, port))
    except (OSError, OverflowError) as error:
        place.close()
        sys.exit(address_trouble(error, host, port))
    return place


def address_trouble(error: OSError | OverflowError, host: str, port: int) -> str:
    """One sentence on why we cannot serve there."""
    if isinstance(error, OverflowError):
        return f"PORT={port} is not a port: choose a number from 1 to 65535"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program: try another, as in make run PORT={port + 1}"
    return f"Cannot serve on HOST={host} PORT={port}: {error.strerror}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def serve(place: socket.socket) -> None:
    """Serve this socket until the process is asked to stop."""
    from attention_ui.server.limits import LONGEST_MESSAGE  # brings Streamlit along, which the warm-up has loaded

    config = uvicorn.Config(
        "server:app",
        http=Impatient,
        ws=WebSocket,
        log_level="warning",
        ws_max_size=LONGEST_MESSAGE,  # uvicorn's own is 16 MB
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=1,  # open tabs hold their websockets: give them a second, then go
        h11_max_incomplete_event_size=LONGEST_REQUEST,
    )
    uvicorn.Server(config).run([place])


def generation(passed: workers.Passed) -> None:
    """Load and warm the app, and fork from this process those that serve, and a helper for every core."""
    import server
    from attention_ui import gate, helpers

    server.prepare()
    if not (passed.is_first or server.warm.is_set()):
        sys.exit("It does not become warm.")
    helping = [(helpers.answer_all, way) for way in helpers.made(gate.cores())]
    workers.keep_serving([*((serve, place) for place in passed.sockets), *helping], passed)


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m attention_ui.server.launch", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=[8501], type=int, nargs="+", help="of each process that shall serve")
    chosen = parser.parse_args()
    with suppress(KeyboardInterrupt):
        if passed := workers.passed_on():
            generation(passed)
            return
        sockets = [bound(chosen.host, port) for port in chosen.port]
        for place in sockets:
            place.listen(WAITING)  # who comes before a process is warm waits for it
        if failed := serve_all(sockets, chosen.host):
            sys.exit(failed)
    print("\nAttention Lab has stopped.")


def serve_all(sockets: list[socket.socket], host: str) -> int:
    """Serve these sockets, say where once a process is warm, and return the exit code."""

    def announce() -> None:
        if len(sockets) == 1:
            print(announcement(host, sockets[0].getsockname()[1]), flush=True)  # PORT=0 lets the system choose

    if workers.POSSIBLE:
        return workers.Program(sockets, announce).run()
    announce()
    serve(sockets[0])
    return 0


if __name__ == "__main__":
    main()
