"""`make run`: serve `server:app`, print its address, and stop at Ctrl-C."""

import argparse
import errno
import socket
import sys

import uvicorn

EVERYWHERE = {"0.0.0.0", "::"}
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
ELSEWHERE = ("192.0.2.1", 9)  # an address reserved for documentation: a route to it, but nobody there

# A link of up to 100 kB is answered in a sentence; with uvicorn's own 64 kB that depends on how its bytes arrive.
LONGEST_REQUEST = 256 * 1024


class AnnouncingServer(uvicorn.Server):
    """A uvicorn server that says where it is as soon as it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, then print the address."""
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]  # PORT=0 lets the system choose
        print(announcement(self.config.host, port), flush=True)


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


def address_trouble(host: str, port: int) -> str | None:
    """One sentence on why we cannot serve there, or None when we can."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if sys.platform != "win32":  # there it would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} is in use by another program: try another, as in make run PORT={port + 1}"
        return f"Cannot serve on HOST={host} PORT={port}: {error.strerror}"
    except OverflowError:
        return f"PORT={port} is not a port: choose a number from 1 to 65535"
    return None


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m attention_ui.server.launch", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=8501, type=int)
    chosen = parser.parse_args()
    if trouble := address_trouble(chosen.host, chosen.port):
        sys.exit(trouble)
    # Open tabs hold their websockets: give them a second, then go.
    config = uvicorn.Config(
        "server:app",
        host=chosen.host,
        port=chosen.port,
        log_level="warning",
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=LONGEST_REQUEST,
    )
    try:
        AnnouncingServer(config).run()
    except KeyboardInterrupt:
        print("\nAttention Lab has stopped.")


if __name__ == "__main__":
    main()
