"""A link as a QR code."""

LARGEST_VERSION = 25  # 117 modules a side: on a projector still 4 pixels each
QUIET = 4  # modules of white around it, as the standard asks for


def qr_code(link: str) -> str | None:
    """The code of a link as an SVG, one unit a module; None where that would be too fine to be read from a screen."""
    import segno  # only once somebody shares

    try:
        code = segno.make_qr(link, error="l")  # and better where it costs no room
    except segno.DataOverflowError:
        return None
    if int(code.version) > LARGEST_VERSION:
        return None
    return code.svg_inline(border=QUIET, light="#fff", omitsize=True, svgclass=None, lineclass=None)
