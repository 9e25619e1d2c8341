"""Find an nginx for the test of deploy/; run as a program, get one where there is none."""

import os
import shutil
import subprocess
from contextlib import suppress

HOW_TO_GET_ONE = "NO NGINX, SO deploy/ IS NOT TESTED: install the package nginx."
INSTALL = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "nginx"]
MOST_SECONDS = 180


def find() -> str | None:
    """The nginx to use: one on PATH, or where Debian keeps it from all but root."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def installable() -> bool:
    """Whether a package may be installed here: that takes apt-get and root."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def ensure() -> str | None:
    """Find an nginx, after trying to install one if need be."""
    if find() is None and installable():
        print("Installing nginx for the test of deploy/ ...", flush=True)
        surroundings = os.environ | {"RUNLEVEL": "1"}  # or the package starts a server of its own on port 80
        with suppress(subprocess.TimeoutExpired):
            for command in (["apt-get", "update", "--quiet=2"], INSTALL):
                subprocess.run(command, check=False, env=surroundings, timeout=MOST_SECONDS)
    return find()


if __name__ == "__main__":
    print(f"The test of deploy/ uses {found}" if (found := ensure()) else HOW_TO_GET_ONE)
