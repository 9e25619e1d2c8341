"""Source without its guards: what only turns bad input away stands between a reader and what good input does."""

import ast
import re

from attention_ui.export.syntax import line_starts, span

CHECK = re.compile(r"_?check(_\w+)?")
PASSED_ON = ("check_choice", "check_whole")  # these give back the value itself, their second argument


def unguarded(source: str) -> str:
    """The same without statements that check or refuse their input: it does the same with all that they let pass."""
    rows = source.splitlines(keepends=True)
    _clear(rows, ast.parse(source))
    return _values_themselves("".join(rows).encode()).decode()


def _clear(rows: list[str], node: ast.stmt | ast.Module) -> None:
    """Take the guards out of the blocks of a statement, and out of the statements in these."""
    for block in (getattr(node, name, []) for name in ("body", "orelse")):
        other_way = block and rows[block[0].lineno - 1].lstrip().startswith("elif")
        guards = [] if other_way else _guards(block, isinstance(node, ast.FunctionDef))
        for statement in guards:
            _cut(rows, statement)
        if block and len(guards) == len(block):
            rows[block[0].lineno - 1] = " " * block[0].col_offset + "pass\n"
        for statement in block:
            if statement not in guards:
                _clear(rows, statement)


def _cut(rows: list[str], statement: ast.stmt) -> None:
    """Empty the rows of a statement, with the comments above it; above a method also the row that is left free."""
    first = statement.lineno - 1
    while rows[first - 1].lstrip().startswith("#") or (
        isinstance(statement, ast.FunctionDef) and not rows[first - 1].strip()
    ):
        first -= 1
    for row in range(first, statement.end_lineno or 0):
        rows[row] = ""


def _guards(block: list[ast.stmt], whole: bool) -> list[ast.stmt]:
    """The guards in a block; in the whole of a function also what is computed for them alone."""
    guards = [statement for statement in block if _is_guard(statement)]
    rest = [statement for statement in block if statement not in guards]
    spare = _asked(guards) - _asked(rest) if whole else set()
    return guards + [each for each in rest if isinstance(each, ast.Assign) and _all_named(each.targets, spare)]


def _all_named(targets: list[ast.expr], names: set[str]) -> bool:
    return all(isinstance(target, ast.Name) and target.id in names for target in targets)


def _asked(statements: list[ast.stmt]) -> set[str]:
    """The names whose values are asked for."""
    names = [node for each in statements for node in ast.walk(each) if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _is_guard(statement: ast.stmt) -> bool:
    """Whether it is `if ...: raise InputError(...)` without an else, a bare check_something(...), or all of these."""
    match statement:
        case ast.If(body=[*_, ast.Raise(exc=ast.Call(func=ast.Name(id="InputError")))], orelse=[]):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return CHECK.fullmatch(name) is not None
        case ast.If(body=body, orelse=[]) | ast.For(body=body, orelse=[]):
            return all(map(_is_guard, body))
        case ast.FunctionDef(name="__post_init__", body=body):
            return all(_is_guard(each) or ast.unparse(each) == "super().__post_init__()" for each in body)
    return False


def _values_themselves(source: bytes) -> bytes:
    """Where a check passes a value on, the value: table[check_choice("name", name, table)] becomes table[name]."""
    starts = line_starts(source)
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    spans = [
        (*span(starts, call), *span(starts, call.args[1]))
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in PASSED_ON
    ]
    for start, end, first, last in sorted(spans, reverse=True):  # from the end, so that the others stay in place
        source = source[:start] + source[first:last] + source[end:]
    return source
