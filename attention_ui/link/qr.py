"""A link as a QR code."""

from typing import NamedTuple

LARGEST_VERSION = 25  # 117 modules a side: on a projector still 4 pixels each
QUIET = 4  # modules of white around it, as the standard asks for


class Code(NamedTuple):
    """Dark modules as one SVG path, a unit each, in a square of this size."""

    size: int
    path: str


def qr_code(link: str) -> Code | None:
    """The code of a link, or None where that would be too fine to be read from a screen."""
    import segno  # only once somebody shares

    try:
        code = segno.make_qr(link, error="l")  # and better where it costs no room
    except segno.DataOverflowError:
        return None
    if int(code.version) > LARGEST_VERSION:
        return None
    rows = [bytes(row) for row in code.matrix]
    return Code(len(rows) + 2 * QUIET, "".join(_runs(y, row) for y, row in enumerate(rows)))


def _runs(y: int, row: bytes) -> str:
    """The dark stretches of one row; whole stretches leave no hairlines between modules."""
    path, x = "", 0
    while (start := row.find(1, x)) >= 0:
        x = row.find(0, start)
        x = len(row) if x < 0 else x
        path += f"M{start + QUIET} {y + QUIET}h{x - start}v1h-{x - start}z"
    return path
