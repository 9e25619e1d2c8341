"""The picture of a link that a telephone reads."""

import re
from xml.etree import ElementTree

import segno

from attention_ui.link.qr import QUIET, qr_code


def test_a_code_is_drawn_as_segno_has_it() -> None:
    link = "http://192.168.1.20:8501/kernel_regression?kr_kernel=boxcar&kr_width=0.25"
    svg = ElementTree.fromstring(qr_code(link) or "")
    side = segno.make_qr(link, error="l").symbol_size(border=QUIET)[0]
    assert svg.attrib == {"viewBox": f"0 0 {side} {side}"}
    white, dark = svg
    assert white.attrib == {"fill": "#fff", "d": f"M0 0h{side}v{side}h-{side}z"}
    assert dark.attrib.pop("stroke") == "#000"
    drawn, x, y = [bytearray(side) for _ in range(side)], 0, 0.0
    for right, down, width in re.findall(r"[Mm](-?\d+) (-?[\d.]+)h(\d+)", dark.attrib.pop("d")):
        x, y = x + int(right), y + float(down)
        drawn[int(y)][x : x + int(width)] = b"\x01" * int(width)
        x += int(width)
    assert not dark.attrib
    assert drawn == [bytearray(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET)]


def test_the_drawing_of_a_code_holds_no_text_of_the_link() -> None:
    assert re.sub(r'd="[^"]*"', "", qr_code('http://a.bc/?x="><script>alert(1)</script>') or "") == (
        '<svg viewBox="0 0 37 37"><path fill="#fff" /><path stroke="#000" /></svg>'
    )


def test_a_code_too_fine_to_be_read_is_none() -> None:
    assert qr_code("http://a.bc/?x=" + "y" * 1_200) is not None
    assert qr_code("http://a.bc/?x=" + "y" * 1_300) is None
    assert qr_code("http://a.bc/?x=" + "y" * 9_000) is None
