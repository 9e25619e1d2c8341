"""The README tells the truth: its picture, its links, its tour, its lesson links, its code."""

import math
import re
import struct
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import torch

from attention_core import kernels
from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.contents import CHAPTERS, HOME
from tests.pages.opening import opened

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINKS = re.findall(r"\]\(([^)\s]+)\)", README)
APP_LINKS = re.findall(r"`(/[a-z_]+\?[^`]+)`", README)
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
PAGES = {"/": HOME} | {f"/{chapter.name}": chapter for chapter in CHAPTERS}


def anchors(document: Path) -> set[str]:
    """The headings of a document as the ends of links."""
    headings = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("picture", "size"),
    list(zip(re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README), [(1440, 900), (960, 540)], strict=True)),
)
def test_its_pictures_are_there_and_light(picture, size):
    content = (ROOT / picture).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == size
    assert len(content) < 300_000


@pytest.mark.parametrize("link", [link for link in LINKS if not link.startswith("https://")])
def test_its_local_links_lead_somewhere(link):
    path, _, anchor = link.partition("#")
    target = ROOT / path if path else ROOT / "README.md"
    assert target.exists()
    assert not anchor or anchor in anchors(target)


def test_its_tour_is_the_table_of_contents():
    tour = re.findall(r"^\| `(/[a-z_]*)` \|", README, re.MULTILINE)
    assert tour == list(PAGES)


def test_it_has_lesson_links_of_both_kinds():
    assert len(APP_LINKS) > 5
    assert any("present=1" in link for link in APP_LINKS)
    assert any("lock=" in link for link in APP_LINKS)


@pytest.mark.parametrize("link", APP_LINKS)
def test_its_lesson_links_open_and_nothing_in_them_is_ignored(link):
    parts = urlsplit(link)
    given = {name: values[-1] for name, values in parse_qs(parts.query, strict_parsing=True).items()}
    app = opened(PAGES[parts.path].name, **given)
    assert not [warning.value for warning in app.warning]


def test_its_commands_exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    commands = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert {"run", "test"} <= commands
    assert commands <= set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def test_it_is_cited_by_the_version_it_has():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"version = {{{version}}}" in README
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_its_kernel_is_a_kernel(monkeypatch):
    monkeypatch.setattr(kernels, "KERNELS", dict(kernels.KERNELS))
    exec(BLOCKS[0], vars(kernels))
    queries, samples = query_grid(), generate()
    weights = kernel_pool(queries, samples.x, samples.y, 1.0, "cosine").weights
    u = queries[:, None] - samples.x
    expected = torch.where(u.abs() < 1, torch.cos(u * math.pi / 2), 0.0)
    torch.testing.assert_close(weights, expected / expected.sum(-1, keepdim=True))


def test_its_code_runs_and_says_what_it_promises(capsys):
    space: dict[str, object] = {}
    exec(BLOCKS[1], space)
    assert capsys.readouterr().out == "torch.Size([50, 50]) True\n"
    assert f"{space['width']:.4f}" in BLOCKS[1]
