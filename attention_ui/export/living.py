"""A page to take home: the pictures that were on the screen move on without a server.

The components bring their own scripts and styles, the same as in the app. What they were given stands compressed in the
page, so that it is one file that asks the net for nothing.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

from attention_ui.component import KINDS, Source, script
from attention_ui.palette import theme
from attention_ui.pictures.packing import framed, kept_apart
from attention_ui.snapshot import Part, Shown, Slider

HERE = Path(__file__).parent
PAGE, STYLE = ((HERE / name).read_text("utf-8") for name in ("living.html", "living.css"))
SCRIPT = script(HERE / "js" / "living.js")
FONT = "'Source Sans', 'Source Sans 3', 'Segoe UI', Roboto, Arial, sans-serif"
# The words of a theme (.streamlit/config.toml) as components ask for them.
VARIABLES = {
    "--st-primary-color": "primaryColor",
    "--st-background-color": "backgroundColor",
    "--st-secondary-background-color": "secondaryBackgroundColor",
    "--st-text-color": "textColor",
    "--st-link-color": "linkColor",
    "--st-chart-categorical-colors": "chartCategoricalColors",
    "--st-chart-sequential-colors": "chartSequentialColors",
    "--st-chart-diverging-colors": "chartDivergingColors",
}
MARKS = re.compile(r"\$(?P<formula>[^$]+)\$|\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`")


def living_page(shown: Shown, title: str, link: str) -> bytes:
    """The page as one file of HTML; `link` leads back to the app."""
    words = " · ".join(f"{marked_up(label)}: {marked_up(text)}" for label, text in shown.settings.items() if text)
    address = f'<p>Made with Attention Lab: <a href="{escape(link)}">open it there</a> to change the rest.</p>'
    return PAGE.format(
        title=escape(title),
        heading=escape(shown.title),
        claim=marked_up(shown.claim),
        style=_variables() + STYLE,
        formulas="".join(f'<div class="formula" tabindex="0">{mathml(text, "block")}</div>' for text in shown.formulas),
        questions="".join(f'<p class="question">{marked_up(text)}</p>' for text in shown.questions),
        settings=f"<p>{words}</p>" if words else "",
        link=address if link else "",
        numbers=base64.b64encode(gzip.compress(_packed(shown), 9, mtime=0)).decode(),
        script=_program({part.kind for part in shown.parts}),
    ).encode(errors="replace")


def _packed(shown: Shown) -> bytes:
    """The parts and their sliders, what is bytes behind the header."""
    parts = [part._asdict() | {"data": None if isinstance(part.data, bytes) else part.data} for part in shown.parts]
    followed = [(slider, first) for slider in shown.sliders if (first := _followed(slider, shown))]
    sliders = [slider._asdict() | {"label": marked_up(slider.label), "before": first} for slider, first in followed]
    held = (kept_apart(part.data) for part in shown.parts if isinstance(part.data, bytes))
    return framed({"parts": parts, "sliders": sliders}, *held)


def _followed(slider: Slider, shown: Shown) -> str:
    """The key of the first component that follows a slider; empty where none does."""
    named = f'"slider":"{slider.key}"'
    followers = (part for part in shown.parts if named in _header(part))
    first = next(followers, None)
    return first.key if first else ""


def _header(part: Part) -> str:
    """What a component was given, as compact JSON; tensors are passed over as far as they are no text."""
    if isinstance(part.data, bytes):
        return part.data[: 1 << 20].decode(errors="ignore")
    return json.dumps(part.data, separators=(",", ":"))


def _program(kinds: Iterable[str]) -> str:
    """The script of the page: each component in a function of its own, then what puts them on the page."""
    made = ",\n".join(f"{json.dumps(kind)}: {_kind(KINDS[kind])}" for kind in sorted(kinds))
    begin = 'live(document.querySelector("main"), document.querySelector("#numbers").textContent, kinds);'
    return _inside_html(f"const kinds = {{\n{made}\n}};\n{SCRIPT.replace('export async', 'async')}\n{begin}\n")


def _kind(source: Source) -> str:
    body = source.js.replace("export default ", "const exported = ", 1)
    make = f"() => {{\n{body}\nreturn exported;\n}}"
    return f"{{ html: {json.dumps(source.html)}, css: {json.dumps(source.css)}, make: {make} }}"


def _inside_html(text: str) -> str:
    """A script as it may stand in a page."""
    return text.replace("</", "<\\/")


def _variables() -> str:
    """The colours of both themes, by the browser's own choice."""
    light, dark = (_theme(theme(base)) for base in ("light", "dark"))
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def _theme(options: dict[str, Any]) -> str:
    values = {name: options[option] for name, option in VARIABLES.items()}
    texts = {name: ", ".join(value) if isinstance(value, list) else value for name, value in values.items()}
    border = "color-mix(in srgb, var(--st-text-color) 22%, transparent)"
    texts |= {"--st-border-color": border, "--st-font": FONT, "--st-code-font": "monospace"}
    return " ".join(f"{name}: {text};" for name, text in texts.items())


def marked_up(text: str) -> str:
    """A line of our Markdown as HTML: bold words, code and formulas; everything else as it stands."""
    pieces, at = [], 0
    for mark in MARKS.finditer(text):
        kind, inside = next((name, found) for name, found in mark.groupdict().items() if found)
        made = mathml(inside) if kind == "formula" else f"<{kind}>{escape(inside)}</{kind}>"
        pieces += [escape(text[at : mark.start()]), made]
        at = mark.end()
    return "".join([*pieces, escape(text[at:])])


def mathml(latex: str, display: str = "inline") -> str:
    """A formula in LaTeX as browsers draw it by themselves."""
    text = latex.replace("{gathered}", "{matrix}").replace("{aligned}", "{matrix}")
    return convert(text, display=display)
