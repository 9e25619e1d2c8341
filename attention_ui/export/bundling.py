"""Many modules as one file: a definition, all that it uses and nothing else, in the words of their own source.

Modules stand in the order in which Python would run them, so that whatever is needed at once stands above.
"""

import ast
import builtins
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from attention_ui.export.bare import FOR_TOOLS
from attention_ui.export.modules import OURS, Library, Module, Place, Read, Statement

COLUMNS = 120
USUAL = {"numpy": "np", "matplotlib.pyplot": "plt"}  # what everybody calls them
Kept = dict[str, list[Statement]]  # the statements that are used, by their module
Spelled = dict[Place, str]  # what everything is called in the one file


class Bundle(NamedTuple):
    """One file's imports and definitions, and what everything in it is called."""

    imports: str
    definitions: str
    spelled: Spelled

    def __str__(self) -> str:
        block = self.definitions.startswith(("def ", "class ", "@"))
        apart = "\n\n\n" if block else "\n\n"  # as formatters want it
        return f"{self.imports}{apart}{self.definitions}\n"


def bundle(starts: Sequence[Place], read: Read, copied: Callable[[Place], bool] = lambda place: True) -> Bundle:
    """The source of some definitions with what they use: copied, or imported where `copied` says no.

    A start that no module of ours defines, such as Place("torch"), is imported.
    """
    library = Library(starts, read)
    reached = _reached(library, starts, copied)
    kept = {
        name: [each for each in module.statements if any(Place(name, one) in reached for one in each.names)]
        for name, module in library.modules.items()
    }
    kept = {name: [each for each in some if copied(Place(name, min(each.names)))] for name, some in kept.items()}
    spelled = _spelled(library, kept, reached)
    sections = [_section(library, library.modules[name], each, spelled) for name, each in kept.items() if each]
    copies = {Place(name, one) for name, some in kept.items() for each in some for one in each.names}
    return Bundle(_imports(spelled, copies), "\n\n\n".join(sections), spelled)


def _reached(library: Library, starts: Sequence[Place], copied: Callable[[Place], bool]) -> set[Place]:
    """All that is used, and all that is used by what is copied."""
    reached: set[Place] = set()
    waiting = [library.resolved(start) for start in starts]
    while waiting:
        place = waiting.pop()
        module = library.modules.get(place.module)
        if module and place not in reached and copied(place):
            waiting += [each for each in module.imports.values() if each.module == "__future__"]
            for statement in module.defining(place.name):
                waiting += [use.place for use in library.uses(module, statement)]
        reached.add(place)
    return reached


def _spelled(library: Library, kept: Kept, reached: set[Place]) -> Spelled:
    """A name of its own for everything: the start keeps its names, and what lies below it makes room."""
    inside = [Place(name, one) for name in reversed(kept) for each in kept[name] for one in sorted(each.names)]
    outside = sorted(place for place in reached if place not in set(inside))
    nearby = _names_nearby(library, kept)
    spelled: Spelled = {}
    for place in dict.fromkeys([*outside, *inside]):
        taken = {*dir(builtins), *spelled.values(), *nearby[place]}
        spelled[place] = next(name for name in _candidates(place) if name not in taken)
    return spelled


def _names_nearby(library: Library, kept: Kept) -> dict[Place, set[str]]:
    """For what was called otherwise somewhere, as in pooling.attend: the names there, which might hide its own."""
    nearby: dict[Place, set[str]] = defaultdict(set)
    for name, statements in kept.items():
        module = library.modules[name]
        for statement in statements:
            nodes = list(ast.walk(statement.node))
            around = {each.id for each in nodes if isinstance(each, ast.Name)}
            around |= {each.arg for each in nodes if isinstance(each, ast.arg)}
            for use in library.uses(module, statement):
                if module.source[use.start : use.end].decode() != next(_candidates(use.place)):
                    nearby[use.place] |= around
    return nearby


def _candidates(place: Place) -> Iterator[str]:
    """Its own name, then with its module's after it: BLOCK, BLOCK_pooling, BLOCK_attention_core_pooling."""
    yield place.name or USUAL.get(place.module, place.module)
    parts = place.module.split(".")
    for first in reversed(range(len(parts))):
        yield "_".join([place.name, *parts[first:]])


def _imports(spelled: Spelled, copies: set[Place]) -> str:
    """What comes from outside: Python's own, other people's, and ours, with a blank line between them."""
    named: dict[str, list[str]] = defaultdict(list)
    lines = []
    for (module, name), spelling in spelled.items():
        if Place(module, name) not in copies:
            own = name or module
            written = own if own == spelling else f"{own} as {spelling}"
            if name:
                named[module].append(written)
            else:
                lines.append((_rank(module), f"import {written}"))
    lines += [(_rank(module), _import(module, sorted(names))) for module, names in named.items()]
    ordered = sorted(lines, key=lambda line: (line[0], line[1].startswith("from"), line[1]))
    return "\n\n".join("\n".join(line for _, line in group) for _, group in groupby(ordered, lambda line: line[0]))


def _import(module: str, names: list[str]) -> str:
    """An import in one line, or with a line for each name."""
    whole = f"from {module} import {', '.join(names)}"
    each = "".join(f"    {name},\n" for name in names)
    return whole if len(whole) <= COLUMNS else f"from {module} import (\n{each})"


def _rank(module: str) -> int:
    """The order in which imports must, or should, stand."""
    if module == "__future__":
        return 0
    package = module.partition(".")[0]
    return 1 if package in sys.stdlib_module_names else 3 if package == OURS else 2


def _section(library: Library, module: Module, statements: list[Statement], spelled: Spelled) -> str:
    """The statements of one module."""
    text, before = "", None
    for statement in statements:
        apart = 2 if statement.is_block or (before and before.is_block) else min(statement.blanks, 1)
        text += "\n" * (apart if before else 0) + _text(library, module, statement, spelled)
        before = statement
    return text.rstrip("\n")


def _text(library: Library, module: Module, statement: Statement, spelled: Spelled) -> str:
    """The source of a statement, with every name as it is spelled now."""
    pieces, at = [], statement.start
    for use in sorted(library.uses(module, statement)):
        pieces += [module.source[at : use.start], spelled[use.place].encode()]
        at = use.end
    text = FOR_TOOLS.sub("", b"".join([*pieces, module.source[at : statement.end]]).decode())
    return "".join(map(_fitted, text.splitlines(keepends=True)))


def _fitted(line: str) -> str:
    """A line that a longer name has made too long, with its comment above it."""
    code, mark, comment = line.rpartition("  # ")
    if len(line.rstrip()) <= COLUMNS or not mark:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}# {comment}{code}\n"
