"""Pictures of a page as files, made in the browser: what is in them is what is on the screen."""

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.taking import Pdf, choose, drawn_by_chromium, open_download, opened_image, taken, unlike

SVG = "{http://www.w3.org/2000/svg}"
STAGE = ".st-key-kr_stage .picture"
LEAST = 6.5  # points of a letter on paper
TRUTH = "rgb(0,121,90)"  # in the light theme


def texts_in(svg: Path) -> str:
    root = ElementTree.parse(svg).getroot()
    return " ".join("".join(each.itertext()) for each in root.iter(f"{SVG}text"))


@pytest.fixture
def lab(open_page: Callable[..., Page]) -> Page:
    """The lab with a query pinned and a line switched off, on a small screen."""
    page = open_page("/kernel_regression?kr_query=1.5")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(f"{STAGE} .legend button", has_text="Truth").click()
    return page


def seen(page: Page) -> Image.Image:
    """The picture on the screen, without what is there for hands."""
    place = page.locator(STAGE)
    hide = "place => place.getRootNode().querySelectorAll('[data-control]').forEach(each => each.style.opacity = 0)"
    place.evaluate(hide)
    return opened_image(place.screenshot())


def test_png_svg_and_pdf_are_the_picture_on_the_screen(lab: Page, tmp_path: Path) -> None:
    screen = seen(lab)
    open_download(lab)
    tall = "document.querySelector('[data-testid=stDialog]').scrollHeight"
    assert lab.evaluate(tall) <= 720, "the dialog scrolls"
    choose(lab, "screen")
    png = opened_image(taken(lab, "PNG", tmp_path))
    margin = 20  # of pixels, two for one of the screen
    assert png.width == 2 * screen.width + 2 * margin
    inside = png.crop((margin, margin, margin + 2 * screen.width, margin + 2 * screen.height))
    assert unlike(screen, inside) < 1.5  # letters stand on whole pixels of the screen

    choose(lab, "column")
    path = taken(lab, "PNG", tmp_path)
    png = opened_image(path)
    assert path.name == "kernel-regression.png"
    assert png.width == 2008
    with Image.open(path) as image:
        assert image.info["dpi"] == pytest.approx((600, 600), abs=1)  # so that it is 8.5 cm wide on paper
    svg, pdf = taken(lab, "SVG", tmp_path), taken(lab, "PDF", tmp_path)
    assert unlike(drawn_by_chromium(lab, svg), png) < 1
    root = ElementTree.parse(svg).getroot()
    assert root.get("width") == "8.5cm"
    assert len(list(root.iter(f"{SVG}image"))) == 1  # the weights; all else is drawn
    assert "leave-one-out error 0.7787" in texts_in(svg)
    strokes = [path.get("stroke") for path in root.iter(f"{SVG}path")]
    assert strokes.count(TRUTH) == 1  # in the legend alone: its line is switched off

    document = Pdf(pdf)
    assert document.width == pytest.approx(8.5 / 2.54 * 72, abs=0.1)
    assert document.height == pytest.approx(document.width * png.height / png.width, abs=0.5)
    words = dict(document.texts())
    assert {"leave-one-out error", "0.7787", "keys: the samples, sorted", "σ = 1"} <= words.keys()
    assert min(words.values()) >= LEAST
    assert len(document.font_files()) == len(document.fonts) == 2  # usual and bold
    for file in document.font_files():
        letters = TTFont(io.BytesIO(file))
        assert letters["head"].unitsPerEm == 2048
        assert all(letters["glyf"][name].numberOfContours >= 0 for name in letters.getGlyphOrder())
    embedded = re.findall(r"data:font/ttf;base64,([^)]+)", svg.read_text("utf-8"))
    usual = TTFont(io.BytesIO(base64.b64decode(embedded[0])))
    outline = usual["glyf"][usual.getBestCmap()[ord("o")]]
    assert outline.numberOfContours == 2  # with the hole in it

    choose(lab, "dark")
    path = taken(lab, "PNG", tmp_path)
    assert path.name == "kernel-regression-dark.png"
    assert opened_image(path).getpixel((3, 3)) == (15, 20, 28)


def test_a_film_goes_from_end_to_end_of_the_slider_and_can_be_cancelled(lab: Page, tmp_path: Path) -> None:
    open_download(lab)
    frames = []
    with Image.open(taken(lab, "GIF", tmp_path)) as film:
        assert film.n_frames == 120
        assert film.info["loop"] == 0
        for number in (0, 60):
            film.seek(number)
            frames.append(film.convert("RGB"))
    lab.get_by_role("dialog").get_by_role("button", name=re.compile("^Video")).click()
    lab.get_by_role("button", name="Cancel").click()
    expect(lab.locator(".media .said")).to_have_text("Cancelled.")
    clip = taken(lab, "Video", tmp_path)
    lab.get_by_role("dialog").get_by_role("button", name="Close").click()

    for frame, key in zip(frames, ("Home", "End"), strict=True):
        lab.locator(".st-key-kr_width input[type=range]").press(key)
        expect(lab.locator(STAGE)).to_have_attribute("data-frame", re.compile("^0$" if key == "Home" else r"^1\d\d$"))
        open_download(lab)
        png = opened_image(taken(lab, "PNG", tmp_path))
        lab.get_by_role("dialog").get_by_role("button", name="Close").click()
        high = round(frame.width * png.height / png.width)
        assert 40 < frame.height - high < 70  # the slider above it
        assert unlike(frame.crop((0, frame.height - high, frame.width, frame.height)), png) < 1.5

    tab = lab.context.new_page()
    (tmp_path / "clip.html").write_text(f'<video src="{clip.name}" muted style="width: 960px">', "utf-8")
    tab.goto((tmp_path / "clip.html").as_uri())
    video = tab.locator("video")
    tab.wait_for_function("() => document.querySelector('video').readyState > 1")
    assert video.evaluate("video => [video.videoWidth, Math.round(10 * video.duration)]") == [1920, 71]
    for frame, time in zip(frames, (0.1, 3.6), strict=True):
        video.evaluate("(video, at) => new Promise(done => { video.onseeked = done; video.currentTime = at; })", time)
        assert unlike(frame, opened_image(video.screenshot())) < 2
    video.evaluate("video => { video.currentTime = 0; return video.play(); }")
    tab.wait_for_function("() => document.querySelector('video').currentTime > 0.3")
    tab.close()


@pytest.mark.parametrize(
    ("path", "said", "images"),
    [
        ("/cues", "coffee cup", 0),
        ("/bahdanau", "Decoder state s", 1),
        ("/scoring?scoring_tab=masks", "= 1, output", 0),
        ("/batches", "matrix 0", 0),
    ],
)
def test_pictures_of_every_making_are_drawn_alike(
    open_page: Callable[..., Page], tmp_path: Path, path: str, said: str, images: int
) -> None:
    page = open_page(path)
    open_download(page)
    files = [taken(page, label, tmp_path) for label in ("PNG", "SVG", "PDF")]
    png, svg, pdf = files
    assert unlike(drawn_by_chromium(page, svg), opened_image(png)) < 1
    assert len(list(ElementTree.parse(svg).getroot().iter(f"{SVG}image"))) == images
    assert said in texts_in(svg)
    document = Pdf(pdf)
    assert said in " ".join(text for text, _ in document.texts())
    whole = [body for body in document.objects.values() if b"/DCTDecode" in body]
    assert len(whole) == (path == "/cues")
    assert ("its drawing is an image" in page.locator(".media .said").inner_text()) == (path == "/cues")


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_keyboard_reaches_all(phone: Page, server: str) -> None:
    phone.goto(f"{server}/batches")
    dialog = open_download(phone)
    first = dialog.locator(".media input").first
    dialog.get_by_role("radio", name="Picture", exact=True).focus()
    phone.keyboard.press("Tab")
    expect(first).to_be_focused()
    phone.keyboard.press("Tab")
    phone.keyboard.press("ArrowRight")
    expect(dialog.locator(".media figure canvas")).to_have_attribute("aria-label", re.compile("Page"))
    assert phone.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
