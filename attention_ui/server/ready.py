"""`python -m attention_ui.server.ready PORT ...`: succeed if the processes on these ports are ready for visitors."""

import sys
from urllib.request import urlopen


def is_ready(port: int) -> bool:
    """Whether the process on this port of this machine is warm."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=3) as answer:
            return bool(answer.status == 200)
    except OSError:  # nobody there, or not yet warm
        return False


if __name__ == "__main__":
    sys.exit(not all(is_ready(int(port)) for port in sys.argv[1:]))
