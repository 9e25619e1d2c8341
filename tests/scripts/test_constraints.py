"""constraints.txt holds what pyproject.toml asks for, to the byte, and no address."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.constraints import FILE, ROOT, written

LINE = re.compile(r"([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")
REPORT = {
    "environment": {"python_version": "3.11", "sys_platform": "linux", "platform_machine": "x86_64"},
    "install": [
        {
            "metadata": {"name": "Zlib", "version": "2.0+cpu"},
            "download_info": {"url": "https://a.b/c.whl", "archive_info": {"hashes": {"sha256": "ab"}}},
        },
        {
            "metadata": {"name": "alpha", "version": "1"},
            "download_info": {"url": "file:///x/alpha.whl", "archive_info": {"hashes": {"sha256": "cd"}}},
        },
        {"metadata": {"name": "attention-lab", "version": "0"}, "download_info": {"url": "file:///x", "dir_info": {}}},
    ],
}


def test_a_report_of_pip_becomes_versions_and_hashes_without_addresses() -> None:
    assert written(REPORT).splitlines() == [
        "# For Python 3.11 on linux, x86_64.",
        "alpha==1 --hash=sha256:cd",
        "Zlib==2.0+cpu --hash=sha256:ab",
    ]


def test_the_file_holds_what_the_project_asks_for() -> None:
    _, *lines = FILE.read_text().splitlines()
    found = {canonicalize_name(line[1]): line[2] for line in map(LINE.fullmatch, lines) if line}
    assert len(found) == len(lines) > 30
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(found[canonicalize_name(requirement.name)]), requirement
