"""A script as text that is edited in small steps: where its names are read and bound, and what may stand elsewhere."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from attention_ui.export.syntax import Block, bound, line_starts, outer_names, span

COLUMNS = 120
Edit = tuple[int, int, str]  # the first byte, the one after the last, and what stands there instead


class Program:
    """The text of a script, read once."""

    def __init__(self, text: str) -> None:
        self.text, self.source = text, text.encode()
        self.lines, self.tree = line_starts(self.source), ast.parse(text)
        self.body = self.tree.body

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """Its functions without decorators, by their names."""
        return {each.name: each for each in self.body if isinstance(each, ast.FunctionDef) and not each.decorator_list}

    @cached_property
    def defined(self) -> set[str]:
        """What is imported, and the functions and classes."""
        kinds = (*Block.__args__, ast.Import, ast.ImportFrom)
        return set().union(*(bound(each) for each in self.body if isinstance(each, kinds)))

    @cached_property
    def reads(self) -> dict[str, list[tuple[int, ast.Name]]]:
        """Every place where a name of the whole file is read: the place of the statement, and the name in it."""
        found = defaultdict(list)
        for place, statement in enumerate(self.body):
            for name in outer_names(statement):
                if isinstance(name.ctx, ast.Load):
                    found[name.id].append((place, name))
        return found

    @cached_property
    def parents(self) -> dict[int, ast.AST]:
        """What each part of the program stands in, by the identity of the part."""
        return {id(child): each for each in ast.walk(self.tree) for child in ast.iter_child_nodes(each)}

    def calls_of(self, name: str) -> list[tuple[int, ast.Call]]:
        """All calls of a function with the places of their statements; none where it is also used otherwise."""
        found = [(place, self.parents[id(node)], node) for place, node in self.reads[name]]
        calls = [(place, call) for place, call, node in found if isinstance(call, ast.Call) and call.func is node]
        return calls if len(calls) == len(found) else []

    @cached_property
    def _bindings(self) -> dict[str, list[int]]:
        found = defaultdict(list)
        for place, statement in enumerate(self.body):
            for name in bound(statement):
                found[name].append(place)
        return found

    def bindings(self, name: str) -> list[int]:
        """The places of the statements that bind a name of the whole file."""
        return self._bindings.get(name, [])

    def value(self, name: str) -> ast.expr | None:
        """What a name always stands for, where one assignment says so."""
        match [self.body[place] for place in self.bindings(name)]:
            case [ast.Assign([ast.Name()], value)]:
                return value
        return None

    def is_read_after(self, name: str, place: int) -> bool:
        """Whether what a name holds before this statement is still asked for afterwards."""
        later = [where for where, _ in self.reads[name] if where > place]
        anew = [where for where in self.bindings(name) if where > place and isinstance(self.body[where], ast.Assign)]
        inside = any(isinstance(self.body[where], Block) for where, _ in self.reads[name])  # and runs at any time
        return inside or (bool(later) and (not anew or min(later) <= min(anew)))

    def written(self, node: ast.expr | ast.stmt, edits: Iterable[Edit] = ()) -> str:
        """The text of an expression or a statement, with those of these edits that stand in it."""
        return self.cut(*span(self.lines, node), edits)

    def cut(self, start: int, end: int, edits: Iterable[Edit] = ()) -> str:
        """The text from one byte to another with these edits, of which none stands inside of another."""
        pieces, at = [], start
        for first, last, text in sorted(each for each in edits if start <= each[0] and each[1] <= end):
            pieces += [self.source[at:first], text.encode()]
            at = last
        return b"".join([*pieces, self.source[at:end]]).decode()

    def edited(self, edits: Iterable[Edit]) -> str:
        """The whole text with these edits."""
        return self.cut(0, len(self.source), edits)

    def fitting(self, edits: Iterable[Edit]) -> str | None:
        """The whole text with these edits, if they make no line that is too long."""
        text = self.edited(edits)
        new = {*text.split("\n")} - {*self.text.split("\n")}
        return text if max(map(len, new), default=0) <= COLUMNS else None

    def put(self, node: ast.expr, text: str) -> Edit:
        """An expression in place of another, between brackets just where it needs them."""
        start, end = span(self.lines, node)
        around = next(each for each in self.body if span(self.lines, each)[1] > start)
        first, last = span(self.lines, around)
        before, after = self.source[first:start].decode(), self.source[end:last].decode()
        bare = _meaning(before + text + after) == _meaning(f"{before}({text}){after}")
        return start, end, text if bare else f"({text})"

    def rows(self, first: int, last: int) -> tuple[int, int]:
        """The bytes of whole lines, counted from 1."""
        return self.lines[first - 1], self.lines[last]

    def row(self, number: int) -> str:
        """A line of the text, counted from 1."""
        return self.cut(*self.rows(number, number)).rstrip("\n")

    def first_row(self, statement: ast.stmt) -> int:
        """The line on which a statement begins, with its decorators and the comment above it."""
        marks: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(mark.lineno for mark in marks)])
        while first > 1 and self.row(first - 1).startswith(" " * statement.col_offset + "#"):
            first -= 1
        return first

    def comment(self, statement: ast.stmt) -> str:
        """The comment behind a statement."""
        return self.cut(span(self.lines, statement)[1], self.lines[statement.end_lineno or 0]).strip()

    def without(self, statement: ast.stmt) -> Edit:
        """Leaves out a statement, and the comment above it where that is about a function or class."""
        first = self.first_row(statement) if isinstance(statement, Block) else statement.lineno
        return *self.rows(first, statement.end_lineno or 0), ""


def _meaning(text: str) -> str | None:
    """What Python reads in a text; None where that is no Python."""
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def names_in(node: ast.AST) -> set[str]:
    """All names in a piece of code."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def stored(node: ast.AST) -> set[str]:
    """All names that a piece of code binds, those of loops and functions inside of it too."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return names | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def statements_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    return function.body[ast.get_docstring(function) is not None :]


def arguments_of(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """What each parameter gets in a call, the usual values included; None where that cannot be told."""
    signature, placed = function.args, [one for each in call.args for one in _parts(each)]
    if signature.vararg or signature.kwarg or any(isinstance(each, ast.Starred) for each in placed):
        return None
    names = [each.arg for each in (*signature.args, *signature.kwonlyargs)]
    usual = zip(reversed(signature.args), reversed(signature.defaults), strict=False)
    given = {each.arg: value for each, value in usual}
    given |= {each.arg: value for each, value in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if value}
    given |= dict(zip(names, placed, strict=False)) | {each.arg or "": each.value for each in call.keywords}
    return {name: given[name] for name in names} if {*given} == {*names} else None


def _parts(argument: ast.expr) -> list[ast.expr]:
    """The arguments that `*(a, b)` stands for."""
    match argument:
        case ast.Starred(ast.Tuple(parts)):
            return parts
    return [argument]
