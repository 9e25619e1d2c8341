"""What a page ran to make a picture: the page calls it, "The code" shows it, and scripts hold it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Self

from torch import Tensor

from attention_ui.export.bare import bare
from attention_ui.export.bundling import Bundle, bundle
from attention_ui.export.flattening import flat
from attention_ui.export.modules import OURS, Place, Read, our_source
from attention_ui.export.writing import LOADER, Call, Field, Writer, places, ran_in

INSTALL = "# pip install torch matplotlib"
WITH_CORE = "# attention_core is the folder of that name in Attention Lab: run this where that folder is."
PRINTS = 'for name, value in shown.items():\n    print(f"{name}:", value)'


class Script(NamedTuple):
    """A program, and the numbers too many to write into it, which stand in a file beside it."""

    text: str
    numbers: dict[str, Tensor]


@dataclass(frozen=True)
class Computation:
    """A call that gives named tensors, and how a script draws them: a function of script_parts and its arguments."""

    call: Call
    drawing: str
    drawn: Mapping[str, Any] = field(
        default_factory=dict
    )  # Fields of what the call gives, titles, labels; or all of it

    @property
    def shown(self) -> Mapping[str, Any]:
        """What the call gives; computed once.

        Not a cached_property: until Python 3.12 one of them at a time is computed, so that all visitors would wait.
        """
        if "shown" not in self.__dict__:
            self.__dict__["shown"] = self.call.run()
        result: Mapping[str, Any] = self.__dict__["shown"]
        return result

    def computed(self) -> Self:
        """The same, once it is computed: what is kept for others counts with all that it holds."""
        _ = self.shown
        return self

    def script(self, name: str, title: str) -> Script:
        """A script with attention_core: what the function's own module says of it, the call, and the picture."""
        own = set(ran_in(self.call))
        head = [INSTALL, WITH_CORE, _comment(title)]
        return self._script(self.call, f"{name}.npz", head, _bare_source, lambda place: _is_copied(place, own))

    def plain(self, name: str, title: str) -> Script:
        """The same with torch alone: with everything of attention_core that the function uses, except checks."""
        head = [INSTALL, _comment(title)]
        return self._script(self.call.without_files(), f"{name}-torch.npz", head, _bare_source, lambda place: True)

    def _script(self, call: Call, file: str, head: list[str], read: Read, copied: Callable[[Place], bool]) -> Script:
        drawing = Place(LOADER.module, self.drawing)
        needed = reversed(dict.fromkeys(places(call)))  # what is called comes after what it is given
        made = _bundled([*needed, *places(dict(self.drawn)), drawing], read, copied)
        writer = Writer(made.spelled)
        everything = () if self.drawn else (Field(),)
        lines = [
            f"shown = {writer.written(call, 'shown')}",
            PRINTS,
            writer.called(made.spelled[drawing], everything, self.drawn),
        ]
        if writer.numbers:
            head = [*head, f"# Keep {file} beside this script."]
            lines.insert(0, f'numbers = {made.spelled[LOADER]}("{file}")')
        return Script(flat("\n".join([*head, str(made), "", *lines, ""])), writer.numbers)


def _bundled(starts: list[Place], read: Read, copied: Callable[[Place], bool]) -> Bundle:
    """The definitions that a script needs."""
    given = {start.module for start in starts if start.name}

    def source(module: str) -> str | None:
        return read(module) or (bare(_source(module)) if module in given else None)

    return bundle(starts, source, copied)


@cache
def _bare_source(module: str) -> str | None:
    source = our_source(module)
    return source and bare(source)


def _is_copied(place: Place, own: set[str]) -> bool:
    """Whether a script with attention_core holds a definition itself: of these modules, or not of attention_core."""
    return place.module in own or place.module.partition(".")[0] != OURS


def _comment(text: str) -> str:
    """A title as one comment; it may hold a visitor's own words."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return f"# {shown[:110]}"


def _source(module: str) -> str:
    """The text of a module, which need not be imported for that."""
    found = find_spec(module)
    assert found
    assert found.origin
    return Path(found.origin).read_text("utf-8")
