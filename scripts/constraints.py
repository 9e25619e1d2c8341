"""Pin what is installed, to the byte: `python -m scripts.constraints` resolves pyproject.toml into constraints.txt.

The hashes are those of the files for this system and this Python, as the first line of the file says. No address is
written: pip takes the files from wherever it is told to, and the hashes say whether they are the same.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"


def resolved() -> dict[str, Any]:
    """What pip would install for this project where nothing is installed, in its own words."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--ignore-installed",
        "--quiet",
        "--report",
        "-",
        ".",
    ]
    report: dict[str, Any] = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    return report


def written(report: dict[str, Any]) -> str:
    """The constraints: every package but our own, with its version and the hash of its file."""
    here = report["environment"]
    lines = [f"# For Python {here['python_version']} on {here['sys_platform']}, {here['platform_machine']}."]
    for package in sorted(report["install"], key=lambda each: each["metadata"]["name"].lower()):
        if hashes := package["download_info"].get("archive_info", {}).get("hashes"):
            lines.append(
                f"{package['metadata']['name']}=={package['metadata']['version']} --hash=sha256:{hashes['sha256']}"
            )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(resolved()), encoding="utf-8")
    print(f"{FILE.name} holds {FILE.read_text().count('==')} packages")
