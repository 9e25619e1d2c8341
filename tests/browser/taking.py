"""What the dialog Download gives: how its files are asked for, and what is in them."""

import io
import re
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter
from playwright.sync_api import Locator, Page, expect

SLOW = 120_000  # ms: a busy machine packs late, but it packs


def open_download(page: Page) -> Locator:
    """The dialog, once it shows the picture."""
    page.locator(".st-key-download button").click()
    expect(page.locator(".media figure canvas")).to_be_visible(timeout=SLOW)
    return page.get_by_role("dialog")


def section(page: Page, name: str) -> None:
    """Open a section of the dialog."""
    page.get_by_role("dialog").get_by_role("radio", name=name, exact=True).click()


def choose(page: Page, option: str) -> None:
    """Choose what the picture is for, or its colours, and wait until it is drawn so."""
    page.locator(f".media input[value={option}]").check()
    drawn = re.compile(option, re.IGNORECASE)
    expect(page.locator(".media figure canvas")).to_have_attribute("aria-label", drawn)


def taken(page: Page, label: str, folder: Path) -> Path:
    """The file that a button of the dialog gives, under the name it comes with."""
    with page.expect_download(timeout=SLOW) as download:
        page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{re.escape(label)}")).first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def opened_image(source: Path | bytes) -> Image.Image:
    """An image in red, green and blue."""
    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as image:
        return image.convert("RGB")


def unlike(one: Image.Image, other: Image.Image) -> float:
    """The per cent of pixels that clearly differ once the edges of letters are smoothed; sizes are made equal."""
    same = [image.filter(ImageFilter.BoxBlur(2)) for image in (one, other.resize(one.size, Image.Resampling.LANCZOS))]
    first, second = (np.asarray(image, dtype=int) for image in same)
    return float(100 * (np.abs(first - second).max(-1) > 48).mean())


def drawn_by_chromium(page: Page, file: Path) -> Image.Image:
    """An image file as the browser shows it on a page of its own."""
    tab = page.context.new_page()
    (file.parent / "shown.html").write_text(f'<body style="margin: 0"><img src="{file.name}" width="1000">', "utf-8")
    tab.goto((file.parent / "shown.html").as_uri())
    seen = tab.locator("img").screenshot()
    tab.close()
    return opened_image(seen)


class Pdf:
    """A PDF of ours, read as far as the tests ask: its objects, its size in points, its texts with their sizes."""

    def __init__(self, file: Path) -> None:
        data = file.read_bytes()
        self.objects = {int(n): body for n, body in re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", data, re.DOTALL)}
        (page,) = [body for body in self.objects.values() if b"/Type /Page " in body]
        self.width, self.height = _numbers(page, rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
        self.content = self._stream(int(_numbers(page, rb"/Contents (\d+)")[0])).decode("latin-1")
        self.fonts = {name.decode(): int(n) for name, n in re.findall(rb"/(lab\d+) (\d+) 0 R", page)}

    def _stream(self, number: int) -> bytes:
        body = self.objects[number].partition(b"stream\n")[2].removesuffix(b"\nendstream")
        return zlib.decompress(body)

    def font_files(self) -> list[bytes]:
        """The fonts that are inside."""
        places = [
            int(_numbers(body, rb"/FontFile2 (\d+)")[0]) for body in self.objects.values() if b"/FontFile2" in body
        ]
        return [self._stream(place) for place in places]

    def texts(self) -> list[tuple[str, float]]:
        """Every text with its size in points, as a reader of PDF finds it."""
        scale = float(self.content.split(maxsplit=1)[0])
        letters = {name: self._letters(number) for name, number in self.fonts.items()}
        shown = re.findall(r"BT /(lab\d+) ([\d.]+) Tf [^\[]*\[([^\]]*)\] TJ ET", self.content)
        return [
            ("".join(letters[font][code] for code in re.findall(r"<(\w{4})>", codes)), scale * float(size))
            for font, size, codes in shown
        ]

    def _letters(self, font: int) -> dict[str, str]:
        table = self._stream(int(_numbers(self.objects[font], rb"/ToUnicode (\d+)")[0])).decode()
        return {code: bytes.fromhex(text).decode("utf-16-be") for code, text in re.findall(r"<(\w{4})> <(\w+)>", table)}


def _numbers(text: bytes, pattern: bytes) -> list[float]:
    found = re.search(pattern, text)
    assert found, pattern
    return [float(each) for each in found.groups()]
