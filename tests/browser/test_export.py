"""What the page computed is taken home: every file that the dialog gives holds what was on the screen."""

import contextlib
import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import plotly.io
import torch
from playwright.sync_api import BrowserContext, Page, expect

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from tests.browser.conftest import SETTLED
from tests.browser.gestures import handle, still
from tests.browser.taking import SLOW, open_download, section, taken

READOUTS, CELLS = (f".st-key-kr_stage {part}" for part in (".readouts b", "canvas"))
PIXELS = "canvas => canvas.toDataURL()"


def moved_width(page: Page) -> float:
    """Drag the width towards the sharp end, and read from the link where it came to stand."""
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 150, y, steps=5)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"kr_width=0\.\d+"), timeout=SLOW)
    page.wait_for_selector(SETTLED)
    found = re.search(r"kr_width=([\d.]+)", page.url)
    assert found
    return float(found[1])


def computation(script: str) -> dict[str, torch.Tensor]:
    names: dict[str, torch.Tensor] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script, "taken home", "exec"), names)
    return names


def test_every_file_holds_what_is_on_the_screen(
    open_page: Callable[..., Page], context: BrowserContext, tmp_path: Path
) -> None:
    page = open_page("/kernel_regression")
    expect(page.locator(".st-key-kr_stage .picture")).to_be_visible(timeout=SLOW)
    expected = kernel_pool(query_grid(), *generate(), moved_width(page))
    numbers_told = page.locator(READOUTS).all_inner_texts()
    shades = still(page, lambda: page.locator(CELLS).evaluate(PIXELS))
    open_download(page)
    living = taken(page, "HTML", tmp_path)

    section(page, "Numbers")
    header, *rows = csv.reader(taken(page, "CSV: weights", tmp_path).read_text("utf-8").splitlines())
    assert header[:2] == ["query", "key_0"]
    numbers = torch.tensor([[float(cell) for cell in row] for row in rows], dtype=torch.float64)
    torch.testing.assert_close(numbers[:, 1:], expected.weights, rtol=1e-12, atol=1e-15)
    figure = plotly.io.read_json(taken(page, "Plotly", tmp_path))
    (heatmap,) = (trace for trace in figure.data if trace.type == "heatmap")
    drawn = torch.tensor(list(map(list, heatmap.z)), dtype=torch.float64)
    torch.testing.assert_close(drawn, expected.weights, rtol=1e-6, atol=1e-9)

    section(page, "Code")
    script, notebook = taken(page, "Python script", tmp_path), taken(page, "Notebook", tmp_path)
    assert (script.name, notebook.name) == ("kernel-regression-torch.py", "kernel-regression-torch.ipynb")
    torch.testing.assert_close(computation(script.read_text("utf-8"))["shown"]["output"], expected.output)
    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    cells = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    torch.testing.assert_close(computation(cells)["shown"]["weights"], expected.weights)

    alone, asked = context.new_page(), []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(living.as_uri())
    expect(alone.locator(READOUTS)).to_have_text(numbers_told, timeout=SLOW)
    assert still(alone, lambda: alone.locator(CELLS).evaluate(PIXELS)) == shades
    alone.locator("input[type=range]").focus()
    alone.keyboard.press("Home")
    expect(alone.locator("output")).to_have_text("σ 20 · w 0.05")
    expect(alone.locator(READOUTS).last).to_have_text("50")  # every key counts the same
    alone.keyboard.press("End")
    expect(alone.locator(READOUTS).last).not_to_have_text("50")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    alone.close()
