"""The source of modules, cut into statements, and where each name in them comes from."""

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from attention_ui.export.syntax import Block, bound, line_starts, outer_names, span

OURS = "attention_core"
Read = Callable[[str], str | None]  # the text of a module of ours by its name; None for everybody else's
HEAD = re.compile(rb"(?:(?:async\s+)?def|class)\s+")  # what stands before the name of a function or class


class Place(NamedTuple):
    """Where something is defined: a module, and its name there; without a name, the module itself."""

    module: str
    name: str = ""


class Use(NamedTuple):
    """A name in the source of a module, from its first byte to the one after its last, and what it stands for."""

    start: int
    end: int
    place: Place


@dataclass(frozen=True)
class Statement:
    """A top-level statement, with the comment right above it."""

    node: ast.stmt
    start: int  # in bytes of the source of its module
    end: int
    blanks: int  # lines left free above it

    @cached_property
    def names(self) -> set[str]:
        """What it defines, or changes afterwards: table["new"] = 1, table.update(...)."""
        names = bound(self.node)
        if not self.is_block:
            parts = [each for each in ast.walk(self.node) if isinstance(each, ast.Attribute | ast.Subscript)]
            called = isinstance(self.node, ast.Expr)
            names |= {
                each.value.id
                for each in parts
                if isinstance(each.value, ast.Name) and (called or isinstance(each.ctx, ast.Store))
            }
        return names

    @cached_property
    def outer_names(self) -> list[ast.Name]:
        """The names in it that come from outside of it, or that it binds."""
        return outer_names(self.node)

    @cached_property
    def attributes(self) -> dict[int, ast.Attribute]:
        """Each x.y in it, by the identity of x."""
        return {id(each.value): each for each in ast.walk(self.node) if isinstance(each, ast.Attribute)}

    @property
    def is_block(self) -> bool:
        """Whether it is a function or a class."""
        return isinstance(self.node, Block)


class Module:
    """One file: its imports, and the statements below them."""

    def __init__(self, name: str, text: str, read: Read) -> None:
        self.name, self.source = name, text.rstrip("\n").encode() + b"\n"
        self.lines, self.about, imports, self.statements = _cut(self.source)
        self.imports = {alias: place for node in imports for alias, place in _imported(node, read)}

    @cached_property
    def defined(self) -> set[str]:
        """The names of its statements."""
        return set().union(*(statement.names for statement in self.statements))

    def defining(self, name: str) -> list[Statement]:
        """The statements that make something what it is."""
        return [statement for statement in self.statements if name in statement.names]

    def heading(self, node: Block) -> tuple[int, int]:
        """The bytes of the name in `def name` or `class name`."""
        head = HEAD.match(self.source, self.lines[node.lineno - 1])
        assert head
        return head.end(), head.end() + len(node.name.encode())


@lru_cache(maxsize=256)
def _cut(source: bytes) -> tuple[list[int], str, list[ast.Import | ast.ImportFrom], list[Statement]]:
    """Where the lines of a source start, its docstring, its imports and its other statements."""
    lines, rows, tree = line_starts(source), source.split(b"\n"), ast.parse(source)
    about = ast.get_docstring(tree) or ""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body[bool(about) :] if not isinstance(node, ast.Import | ast.ImportFrom)]
    return lines, about, imports, [_statement(node, lines, rows) for node in rest]


def _statement(node: ast.stmt, lines: list[int], rows: list[bytes]) -> Statement:
    marks: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(mark.lineno for mark in marks)]) - 1
    while first and rows[first - 1].startswith(b"#"):
        first -= 1
    above = first
    while above and not rows[above - 1].strip():
        above -= 1
    return Statement(node, lines[first], lines[node.end_lineno or 0], first - above)


def _imported(node: ast.Import | ast.ImportFrom, read: Read) -> Iterator[tuple[str, Place]]:
    """Each name that an import binds, and what it stands for."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield alias.asname or alias.name, Place(alias.name)
        else:
            module = f"{node.module}.{alias.name}"
            place = Place(node.module or "", alias.name) if read(module) is None else Place(module)
            yield alias.asname or alias.name, place


class Library:
    """The modules of some places and all of ours that they import, in the order in which Python would run them."""

    def __init__(self, starts: Sequence[Place], read: Read) -> None:
        self.modules: dict[str, Module] = {}
        begun: set[str] = set()
        for start in starts:
            self._add(start.module, read, begun)

    def _add(self, name: str, read: Read, begun: set[str]) -> None:
        text = read(name)
        if text is None or name in begun:
            return
        begun.add(name)
        module = Module(name, text, read)
        for place in module.imports.values():
            self._add(place.module, read, begun)
        self.modules[name] = module

    def resolved(self, place: Place) -> Place:
        """Past all imports, where it is defined."""
        module = self.modules.get(place.module)
        if module is None or not place.name or place.name in module.defined:
            return place
        if place.name not in module.imports:
            raise ValueError(f"{place.module} uses {place.name}, and nothing there says where it comes from.")
        return self.resolved(module.imports[place.name])

    def uses(self, module: Module, statement: Statement) -> Iterator[Use]:
        """Every name in a statement that comes from outside of it, its own included."""
        if isinstance(statement.node, Block):
            yield Use(*module.heading(statement.node), Place(module.name, statement.node.name))
        for node in statement.outer_names:
            if hasattr(builtins, node.id) and node.id not in module.defined and node.id not in module.imports:
                continue
            place = self.resolved(Place(module.name, node.id))
            if place.name or place.module not in self.modules:
                yield Use(*span(module.lines, node), place)
            else:  # what comes from a module of ours, as in pooling.attend, needs that no more
                whole = statement.attributes[id(node)]
                yield Use(*span(module.lines, whole), self.resolved(Place(place.module, whole.attr)))


def our_source(module: str) -> str | None:
    """The text of a module of attention_core."""
    package, *parts = module.split(".")
    if package != OURS:
        return None
    file = files(OURS).joinpath(*parts, "__init__.py")
    if parts and not file.is_file():
        file = files(OURS).joinpath(*parts[:-1], f"{parts[-1]}.py")
    return file.read_text("utf-8") if file.is_file() else None
