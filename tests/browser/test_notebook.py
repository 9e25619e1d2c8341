"""A notebook that was executed: its pictures are dragged in the page that it becomes, without a server."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.browser.gestures import box, still
from tests.browser.serving import ROOT

CELLS = (
    "import torch, numpy\nfrom attention_lab import show, show_regression",
    "words = ['the', 'cat', 'sat']\nweights = torch.eye(3).repeat(2, 1, 1)\nshow(weights, words, words)",
    "x = numpy.linspace(0, 5, 40)\nshow_regression(x, numpy.sin(x), width=[1.0, 0.5, 0.1])",
    "show_regression(x.tolist(), x.tolist())",
    "show([[0.5, numpy.nan]])",
)
CELLS_OF = "canvas => canvas.toDataURL()"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[nbformat.NotebookNode]:
    """What each cell gave."""
    if not importlib.util.find_spec("nbclient"):
        pytest.skip("nbclient is not installed: see [test] in pyproject.toml")
    folder = tmp_path_factory.mktemp("notebook")
    cells = [new_code_cell(source, metadata={"tags": ["raises-exception"]}) for source in CELLS]
    nbformat.write(new_notebook(cells=cells), folder / "in.ipynb")
    files = [str(folder / name) for name in ("in.ipynb", "out.ipynb")]
    subprocess.run([sys.executable, "-m", "tests.browser.executing", *files], cwd=ROOT, check=True, timeout=120)
    executed = nbformat.read(folder / "out.ipynb", as_version=4)
    return [cell.outputs for cell in executed.cells]


@pytest.fixture
def notebook(outputs: list[nbformat.NotebookNode], browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The outputs below each other, as a notebook shows them; nothing is asked of any server."""
    shown = [f"<div>{each[0].data['text/html']}</div>" for each in outputs[1:4]]
    (tmp_path / "page.html").write_text("\n".join(shown), "utf-8")
    page = browser.new_page(viewport={"width": 1000, "height": 2400}, color_scheme="light")
    asked, wrong = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))] == []
    assert wrong == []
    page.context.close()


def frame(page: Page, number: int) -> FrameLocator:
    return page.frame_locator("iframe").nth(number)


def shades(page: Page, number: int) -> object:
    """The pixels of the heatmaps of an output, once it has come to rest."""
    cells = frame(page, number).locator("canvas")
    cells.first.wait_for()
    return still(page, lambda: [each.evaluate(CELLS_OF) for each in cells.all()])


def test_a_cell_gives_a_picture_or_one_sentence(outputs: list[nbformat.NotebookNode]) -> None:
    first, *shown, wrong = outputs
    assert first == []
    for (output,) in shown:
        assert output.data["text/plain"].endswith("bytes)")
    (error,) = wrong
    assert (error.ename, error.evalue) == ("InputError", "weights must be finite; weights[0, 1] is nan.")


def test_pictures_are_dragged_and_hovered_and_leave_each_other_alone(notebook: Page) -> None:
    before = [shades(notebook, number) for number in range(3)]
    slider = frame(notebook, 1).locator("input[type=range]")
    told = frame(notebook, 1).locator("output")
    expect(told).to_have_text("σ 1 · w 1")
    x, y, width, height = box(slider)
    notebook.mouse.move(x + 8, y + height / 2)
    notebook.mouse.down()
    notebook.mouse.move(x + width - 8, y + height / 2, steps=5)
    notebook.mouse.up()
    expect(told).to_have_text("σ 0.1 · w 10")
    after = [shades(notebook, number) for number in range(3)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    frame(notebook, 0).locator(".cells svg").first.hover(position={"x": 100, "y": 20})
    expect(frame(notebook, 0).locator(".tooltip")).to_have_text(re.compile(r"query the · key \w+ · weight [01]\.0000"))
    expect(frame(notebook, 2).locator(".tooltip")).to_be_hidden()


def test_pictures_follow_the_theme_and_a_cell_that_runs_again_starts_anew(notebook: Page) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = shades(notebook, 0)
    frames = notebook.frames[1:]
    assert {each.evaluate(ground) for each in frames} == {"rgb(255, 255, 255)"}
    notebook.emulate_media(color_scheme="dark")
    assert {each.evaluate(ground) for each in frames} == {"rgb(15, 20, 28)"}
    assert shades(notebook, 0) != light
    notebook.emulate_media(color_scheme="light")
    slider = frame(notebook, 1).locator("input[type=range]")
    slider.press("End")
    notebook.locator("div").nth(1).evaluate("div => { div.innerHTML += ''; }")  # as if its cell had been run again
    expect(frame(notebook, 1).locator("output")).to_have_text("σ 1 · w 1")
    assert shades(notebook, 0) == light
