"""A script as text that is edited in small steps: what its names mean, where each is read, and what may replace it."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, count

from attention_ui.export.syntax import Block, bound, line_starts, outer_names, span

COLUMNS = 120
Edit = tuple[int, int, str]  # the first byte, the one after the last, and what stands there instead
Node = ast.expr | ast.stmt


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
    def calls(self) -> dict[int, ast.Call]:
        """Every call by the identity of the name that is called."""
        return {id(each.func): each for each in ast.walk(self.tree) if isinstance(each, ast.Call)}

    def calls_of(self, name: str) -> list[ast.Call] | None:
        """All calls of a function; None where it is also used otherwise."""
        calls = [self.calls.get(id(node)) for _, node in self.reads[name]]
        return [each for each in calls if each] if all(calls) else None

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
    def writes(self) -> dict[str, list[int]]:
        """The places of the statements that bind a name of the whole file, or change what it holds."""
        found = defaultdict(list)
        for place, statement in enumerate(self.body):
            for name in bound(statement) | changed(statement):
                found[name].append(place)
        return found

    def value(self, name: str) -> ast.expr | None:
        """What a name always stands for, where one assignment says so."""
        places = self.writes[name]
        match [self.body[place] for place in places]:
            case [ast.Assign([ast.Name(target)], value)] if target == name:
                return value
        return None

    def written(self, node: Node) -> str:
        """The text of an expression or a statement."""
        start, end = span(self.lines, node)
        return self.source[start:end].decode()

    def is_read_after(self, name: str, place: int) -> bool:
        """Whether what a name holds before this statement is still asked for afterwards."""
        if any(self._is_late(node) for _, node in self.reads[name]):
            return True
        for later in range(place + 1, len(self.body)):
            if any(where == later for where, _ in self.reads[name]):
                return True
            if isinstance(self.body[later], ast.Assign) and name in bound(self.body[later]):
                return False
        return False

    def _is_late(self, name: ast.Name) -> bool:
        """Whether a name is read by a function, which may be called at any time."""
        return id(name) in self._late

    @cached_property
    def _late(self) -> set[int]:
        """The names inside of functions."""
        blocks = [each for each in ast.walk(self.tree) if isinstance(each, ast.Lambda | Block)]
        return {id(each) for block in blocks for each in ast.walk(block) if isinstance(each, ast.Name)}

    def free_name(self, wanted: str) -> str:
        """A name that nothing in the file has."""
        taken = {each.id for each in ast.walk(self.tree) if isinstance(each, ast.Name)} | self.defined
        taken |= {each.arg for each in ast.walk(self.tree) if isinstance(each, ast.arg)}
        others = (f"{wanted}_{number}" for number in count(2))
        return next(name for name in chain([wanted], others) if name not in taken)

    def edited(self, edits: list[Edit]) -> str:
        """The text with these edits, of which none stands inside of another."""
        pieces, at = [], 0
        for start, end, text in sorted(edits):
            pieces += [self.source[at:start], text.encode()]
            at = end
        return b"".join([*pieces, self.source[at:]]).decode()

    def fitting(self, edits: list[Edit]) -> str | None:
        """The text with these edits, if they make no line that is too long."""
        text = self.edited(edits)
        new = {*text.split("\n")} - {*self.text.split("\n")}
        return text if max(map(len, new), default=0) <= COLUMNS else None

    def put(self, node: ast.expr, text: str) -> Edit:
        """An expression in place of another, between brackets just where it needs them."""
        start, end = span(self.lines, node)
        around = next(each for each in self.body if span(self.lines, each)[0] <= start < span(self.lines, each)[1])
        first, last = span(self.lines, around)
        before, after = self.source[first:start].decode(), self.source[end:last].decode()
        bare = [text[1:-1]] if text.startswith("(") and text.endswith(")") else []
        wanted = _meaning(f"{before}({text}){after}")
        fitting = (each for each in (*bare, text) if _meaning(before + each + after) == wanted)
        return start, end, next(fitting, f"({text})")

    def rows(self, first: int, last: int) -> tuple[int, int]:
        """The bytes of whole lines, counted from 1."""
        return self.lines[first - 1], self.lines[last]

    def first_row(self, statement: ast.stmt) -> int:
        """The line on which a statement begins, with its decorators and the comment above it."""
        marks: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(mark.lineno for mark in marks)])
        indent = " " * statement.col_offset
        while first > 1 and self.row(first - 1).startswith(f"{indent}#"):
            first -= 1
        return first

    def row(self, number: int) -> str:
        """A line of the text, counted from 1."""
        return self.source[slice(*self.rows(number, number))].decode().rstrip("\n")

    def comment(self, statement: ast.stmt) -> str:
        """The comment behind a statement."""
        end = span(self.lines, statement)[1]
        return self.source[end : self.lines[statement.end_lineno or 0]].decode().strip()

    def without(self, statement: ast.stmt) -> Edit:
        """Leaves out a statement, with the comment above it unless that also goes with what follows at once."""
        last = statement.end_lineno or 0
        follows = not isinstance(statement, Block) and last + 1 < len(self.lines) and self.row(last + 1).strip()
        return *self.rows(statement.lineno if follows else self.first_row(statement), last), ""


def _meaning(text: str) -> str | None:
    """What Python reads in a text; None where that is no Python."""
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def changed(statement: ast.stmt) -> set[str]:
    """The names whose values a statement changes in place: x[0] = 1, x += 1."""
    stores = [each for each in ast.walk(statement) if isinstance(each, ast.Subscript | ast.Attribute)]
    return {
        each.value.id for each in stores if isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name)
    } | {
        each.target.id
        for each in ast.walk(statement)
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }


def names_in(node: ast.AST) -> set[str]:
    """All names in a piece of code."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def hidden_names(node: ast.AST) -> set[str]:
    """The names that comprehensions and functions inside of a piece of code bind for themselves."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.comprehension(target=target):
                found |= names_in(target)
            case ast.Lambda(args=args) | ast.FunctionDef(args=args):
                found |= {one.arg for one in ast.walk(args) if isinstance(one, ast.arg)}
                found |= set() if isinstance(each, ast.Lambda) or each is node else bound_inside(each)
    return found


def bound_inside(function: ast.FunctionDef) -> set[str]:
    """The names that the statements of a function bind."""
    return set().union(*map(bound, function.body))


def arguments_of(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """What each parameter gets in a call, the usual values included; None where that cannot be told."""
    signature = function.args
    placed = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    given = [*zip(placed, call.args, strict=False), *((each.arg, each.value) for each in call.keywords)]
    stars = signature.vararg or signature.kwarg or any(isinstance(each, ast.Starred) for each in call.args)
    if stars or len(call.args) > len(placed) or any(each.arg is None for each in call.keywords):
        return None
    own = {str(name): value for name, value in given}
    usual = defaults_of(signature)
    return {each: own.get(each) or usual[each] for each in parameters_of(function) if each in own or each in usual}


def parameters_of(function: ast.FunctionDef) -> list[str]:
    """The names of the parameters in their order."""
    signature = function.args
    return [each.arg for each in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)]


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The usual values of parameters by their names."""
    placed = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(placed), reversed(arguments.defaults), strict=False)]
    pairs += [(each, usual) for each, usual in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if usual]
    return {each.arg: usual for each, usual in pairs}


def statements_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    return function.body[ast.get_docstring(function) is not None :]


def uses(statements: list[ast.stmt]) -> Iterator[ast.Name]:
    """The names in statements that no function or comprehension inside of them has for itself."""
    for statement in statements:
        yield from outer_names(statement)


def hidden_inside(function: ast.FunctionDef) -> set[str]:
    """The names that comprehensions and functions inside of a function bind for themselves."""
    return set().union(*map(hidden_names, function.body))


def own_names(statement: ast.stmt) -> set[str]:
    """The names that a top-level statement has for itself."""
    inside = [each for each in ast.walk(statement) if isinstance(each, ast.FunctionDef)]
    return hidden_names(statement).union(*map(bound_inside, inside))
