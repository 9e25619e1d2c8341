"""A page to take home: everything it needs stands in it, and nothing that a visitor typed becomes a part of it."""

import base64
import gzip
import json
import re
from html import unescape

import pytest
import torch

from attention_ui.component import KINDS
from attention_ui.export.living import living_page, marked_up, mathml
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.packing import framed, kept_apart
from attention_ui.pictures.picture import Picture, pack
from attention_ui.shown import SHOWN, WANTED
from attention_ui.snapshot import Part, Shown, Slider
from tests.pages.opening import opened
from tests.pages.test_bad_input import VIEWS

NUMBERS = re.compile(r'<script type="application/octet-stream" id="numbers">([^<]*)</script>')
LARGEST = 1_000_000  # bytes


def small(claim: str = "A **claim**", label: str = "Drag $T$") -> Shown:
    """A heatmap that follows one of two sliders."""
    weights = torch.tensor([[[0.1, 0.9]], [[0.5, 0.5]]])
    packed = pack(Picture((Heatmap("w", weights, ("q",), ("a", "b")),), ("one", "two"), slider="x_width"))
    frames = framed({"to": "frames_x"}, kept_apart(packed))
    parts = [Part("update", "update_frames_x", frames), Part("picture", "x", {"frames": "frames_x"})]
    sliders = [Slider("x_width", label, 1, ("one", "two")), Slider("x_other", "Other", 0, ("0", "1"))]
    return Shown("Heading", claim, parts, sliders, {"Kernel": "Gaussian"}, [r"\sum_i v_i"], ["Why?"])


def header(page: bytes) -> dict[str, list[dict[str, object]]]:
    """What the page's script reads first."""
    found = NUMBERS.search(page.decode())
    assert found
    content = gzip.decompress(base64.b64decode(found[1]))
    return json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])


def test_a_page_holds_all_it_needs():
    page = living_page(small(), "A title", "http://lab.example/x?a=1&b=2")
    text = page.decode()
    assert "<title>A title</title>" in text
    assert "<h1>Heading</h1>" in text
    assert "A <strong>claim</strong>" in text
    assert "Kernel: Gaussian" in text
    assert 'href="http://lab.example/x?a=1&amp;b=2"' in text
    assert text.count("<math") == 1
    assert not re.search(r"(src|href)=[\"'](?!http://lab\.example)", text.partition('<script type="module">')[0])
    assert not re.search(r"@import|url\((?!#|`#)", text)
    assert [name for name in KINDS if f'"{name}": {{ html:' in text] == ["picture", "update"]


def test_a_slider_comes_along_where_a_picture_follows_it():
    told = header(living_page(small(), "t", ""))
    (slider,) = told["sliders"]
    assert (slider["key"], slider["position"], slider["before"]) == ("x_width", 1, "update_frames_x")
    assert [part["kind"] for part in told["parts"]] == ["update", "picture"]


def test_what_a_visitor_typed_is_shown_as_it_is():
    bad = "</script><script>alert(1)</script><img src=x>"
    shown = small(claim=bad, label=bad)
    shown.settings[bad], shown.title = bad, bad
    page = living_page(shown, bad, f"http://x/{bad}").decode()
    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert page.count(unescape("&lt;/script&gt;")) == 2
    (slider,) = header(page.encode())["sliders"]
    assert "<" not in str(slider["label"])


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a < b & **c**", "a &lt; b &amp; <strong>c</strong>"),
        ("`x < 1`", "<code>x &lt; 1</code>"),
        ("2 * 3 ** 4", "2 * 3 ** 4"),
    ],
)
def test_our_markdown_becomes_html(text, html):
    assert marked_up(text) == html


def test_a_formula_becomes_mathml_line_by_line():
    assert mathml(r"\begin{gathered} a \\ b \end{gathered}").count("<mtr>") == 2
    assert 'display="block"' in mathml("a", "block")


PICTURES = [
    (page, link)
    for page, links in VIEWS.items()
    for link in links
    if page != "exercises" and link.get("lw_tab") not in ("one_step", "runs") and "own" not in link.values()
]


@pytest.mark.parametrize(("page", "link"), PICTURES, ids=lambda each: str(each) if each else "first")
def test_every_view_that_is_downloaded_is_alive(page, link):
    shown = opened(page, {WANTED: True}, **link).session_state[SHOWN]
    assert {part.kind for part in shown.parts} - {"update"}
    made = living_page(shown, "t", "")
    assert len(made) <= LARGEST
    assert shown.formulas or shown.questions
    assert "$" not in re.sub(r"<script.*?</script>", "", made.decode(), flags=re.DOTALL)


def test_what_is_shown_is_noted_once_download_is_pressed():
    app = opened("batches")
    assert SHOWN not in app.session_state
    app.button(key="download").click().run()
    assert app.session_state[SHOWN].title
    assert SHOWN not in app.run().session_state
