"""Components of ours: Streamlit takes one script and one style sheet each, so the parts of both are put together."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function|const|let) (\w+|\[[^]]*\]|\{[^}]*\})", re.MULTILINE)


class Source(NamedTuple):
    """What a component is made of, each as one text."""

    html: str
    css: str
    js: str


KINDS: dict[str, Source] = {}  # of all components that show something without a server, too


def component(
    kind: str, entry: Path, *styles: Path, html: str | None = None, isolated: bool = True, tool: bool = False
) -> Callable[..., Any]:
    """A component of this kind: its script begins at the entry (js/mount.js says how).

    In a dialog it must not be isolated: the Tab key would pass it by. Then its style is one for the whole page. A tool
    is no part of what is taken home.
    """
    css = "\n".join(style.read_text("utf-8") for style in styles)
    source = Source(html or f'<div class="{kind}" data-place></div>', css, script(entry))
    if not tool:
        KINDS[kind] = source

    @cache
    def known() -> Callable[..., Any]:
        import streamlit as st  # a notebook makes pictures too, and has no use for it

        return st.components.v2.component(
            f"attention_lab_{kind}", html=source.html, css=css or None, js=source.js, isolate_styles=isolated
        )

    def draw(*, key: str, data: Any, **options: Any) -> Any:
        from attention_ui.shown import note_part

        if not tool:
            note_part(kind, key, data)
        return known()(key=key, data=data, **options)

    return draw


def told(key: str, name: str) -> Any:
    """What the component of this key told under this name; None also where it is closed by now, by a change of tabs."""
    import streamlit as st

    return st.session_state.get(key, {}).get(name)


def script(entry: Path) -> str:
    """The file and all that it imports in one text, each once and after what it needs."""
    text = "\n".join(map(_part, _ordered(entry.resolve(), ())))
    names = [name for declared in DECLARED.findall(text) for name in re.findall(r"\w+", declared)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{entry.name} and what it imports declare these names twice: {', '.join(twice)}.")
    return text


def _ordered(file: Path, above: tuple[Path, ...]) -> list[Path]:
    """What the file needs, then the file itself; `above` are the files that lead to it."""
    if file in above:
        raise ValueError(f"These scripts need each other: {' -> '.join(each.name for each in (*above, file))}.")
    if not file.exists():
        raise ValueError(
            f"{above[-1].name if above else 'A component'} needs {file.name}, which is not in {file.parent}."
        )
    needed = [(file.parent / path).resolve() for path in IMPORT.findall(file.read_text("utf-8"))]
    return list(dict.fromkeys([*(part for need in needed for part in _ordered(need, (*above, file))), file]))


def _part(file: Path) -> str:
    """The text of a file without the words that say where names come from and go to."""
    return EXPORT.sub("", IMPORT.sub("", file.read_text("utf-8")))
