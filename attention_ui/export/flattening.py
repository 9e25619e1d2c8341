"""A script that reads from top to bottom: what is called once is written out where it is called.

Each rule makes one small edit to the text and leaves everything else as it stands, so that the statements are those
that ran; the rules are tried until none applies. What a rule cannot be sure of, it leaves alone.
"""

import ast
import textwrap
from collections.abc import Callable
from functools import lru_cache

from attention_ui.export.layout import grouped, laid_out
from attention_ui.export.program import Edit, Program, arguments_of, names_in, statements_of, stored
from attention_ui.export.syntax import bound, outer_names, span

SHORT = 30  # letters of what a function returns that say no less than a call of it


@lru_cache(maxsize=64)
def flat(text: str) -> str:
    """The same program with what it calls once in place of the calls."""
    while (changed := _changed(Program(text))) is not None:
        text = changed
    return laid_out(grouped(text))


def _changed(program: Program) -> str | None:
    return next((text for rule in RULES if (text := rule(program)) is not None), None)


def unroll(program: Program) -> str | None:
    """scores = {"dot": dot}, {name: score(q, k) for name, score in scores.items()}: write {"dot": dot(q, k)}."""
    for loop in ast.walk(program.tree):
        match loop:
            case ast.DictComp(generators=[ast.comprehension(target, ast.Call(ast.Attribute(ast.Name(name), "items")))]):
                made = program.value(name)
                if isinstance(made, ast.Dict) and all(_is_function(program, each) for each in made.values):
                    pairs = [ast.Tuple([key, value]) for key, value in zip(made.keys, made.values, strict=True) if key]
                    rows = [_row(program, loop, target, pair) for pair in pairs]
                    return program.edited([(*span(program.lines, loop), "\n".join(["{", *rows, "}"]))])
    return None


def _is_function(program: Program, value: ast.expr) -> bool:
    """Whether a value is a function, or a tuple that begins with one."""
    first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
    return isinstance(first, ast.Name) and first.id in program.functions


def _row(program: Program, loop: ast.DictComp, target: ast.expr, pair: ast.expr) -> str:
    """One entry of the dictionary that a loop makes."""
    entry = _matched(target, pair)
    named = [each for each in ast.walk(loop) if isinstance(each, ast.Name) and each.id in entry]
    edits = [(*span(program.lines, each), program.written(entry[each.id])) for each in named]
    return f"    {program.written(loop.key, edits)}: {program.written(loop.value, edits)},"


def _matched(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    """The parts of a value by the names that a loop gives them."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=True)
        return {name: part for pair in pairs for name, part in _matched(*pair).items()}
    return {target.id: value} if isinstance(target, ast.Name) else {}


def write_in(program: Program) -> str | None:
    """What a function returns in place of a call, where it is called once or returns next to nothing."""
    for name, function in program.functions.items():
        match statements_of(function), program.calls_of(name):
            case [ast.Return(ast.expr() as value)], [*calls] if len(calls) == 1 or len(program.written(value)) <= SHORT:
                edits = [_written_in(program, program.body[place], function, value, call) for place, call in calls]
                text = program.fitting(filter(None, edits)) if edits and None not in edits else None
                if text is not None:
                    return text
    return None


def _written_in(
    program: Program, around: ast.stmt, function: ast.FunctionDef, value: ast.expr, call: ast.Call
) -> Edit | None:
    """What is returned in place of one call, if that is sure to be the same."""
    arguments, used = arguments_of(function, call), outer_names(ast.Expr(value))
    if arguments is None or function is around or stored(value) or "\n" in program.written(value):
        return None
    if any(function.name in names_in(each) for each in arguments.values()):
        return None
    if any(isinstance(each.value, ast.Constant) for each in call.keywords):  # a value that has a name keeps it
        return None
    if ({each.id for each in used} - {*arguments}) & stored(around):
        return None
    for name, given in arguments.items():
        times = sum(each.id == name for each in used)
        if _has_numbers(given) or (times > 1 and not isinstance(given, ast.Name | ast.Constant)):
            return None
    edits = [program.put(each, program.written(arguments[each.id])) for each in used if each.id in arguments]
    return program.put(call, program.written(value, edits))


def _has_numbers(value: ast.expr) -> bool:
    """Whether an expression holds numbers written out, which deserve a name."""
    return isinstance(value, ast.Tuple) or any(isinstance(each, ast.List) for each in ast.walk(value))


def write_out(program: Program) -> str | None:
    """The statements of a function in place of the only statement that calls it."""
    for place, statement in enumerate(program.body):
        match statement:
            case ast.Assign(value=ast.Call(ast.Name(name)) as call) | ast.Expr(ast.Call(ast.Name(name)) as call):
                function = program.functions.get(name)
                if function and len(program.reads[name]) == 1 and _is_straight(function, statement):
                    text = _written_out(program, place, function, call)
                    if text is not None:
                        return text
    return None


def _is_straight(function: ast.FunctionDef, statement: ast.stmt) -> bool:
    """Whether a function runs from its first statement to its last, and returns something there just when asked to."""
    *before, last = statements_of(function)
    odd = ast.Return | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal
    inner = before if isinstance(last, ast.Return) else [*before, last]
    straight = not any(isinstance(each, odd) for one in inner for each in ast.walk(one))
    return straight and isinstance(last, ast.Return) == isinstance(statement, ast.Assign)


def _written_out(program: Program, place: int, function: ast.FunctionDef, call: ast.Call) -> str | None:
    statement, body = program.body[place], statements_of(function)
    arguments, own = arguments_of(function, call), set().union(*map(stored, body))
    if arguments is None or any(isinstance(each, ast.Lambda) for each in arguments.values()):
        return None
    known = {name: value for name, value in arguments.items() if _is_known(value, call) and name not in own}
    known = {name: value for name, value in known.items() if not names_in(value) & own}
    given = {name: value for name, value in arguments.items() if name not in known}
    if _are_taken(program, place, given, set().union(*map(bound, body))):
        return None
    names = [each for one in body for each in outer_names(one) if each.id in known]
    edits = [program.put(each, program.written(known[each.id])) for each in names]
    labels, body = _unpacked(program, given, body)
    values = {name: _at_the_edge(program.written(value)) for name, value in given.items()}
    lines = {name: f"{labels.get(name, name)} = {value}\n" for name, value in values.items() if name != value}
    first = [lines.pop(name) for name, value in given.items() if _is_own_call(program, value)]
    words = ast.get_docstring(function)
    about = f"\n# {words.splitlines()[0]}\n" if words and len(body) > 1 else ""
    text = "".join([*first, about, *lines.values(), _statements(program, body, statement, edits), "\n" * bool(about)])
    rows = program.rows(statement.lineno, statement.end_lineno or 0)
    return program.fitting([(*rows, text), program.without(function)])


def run_through(program: Program) -> str | None:
    """for loss in descent(...): the statements of the generator, with the loop's own where it yields."""
    for place, statement in enumerate(program.body):
        match statement:
            case ast.For(ast.Name(), ast.Call(ast.Name(name)) as call, orelse=[]):
                function = program.functions.get(name)
                given = function and len(program.reads[name]) == 1 and _yielded_last(function)
                if function and given and not _captures(function, statement, call):
                    called = (*program.rows(statement.lineno, statement.end_lineno or 0), f"{program.written(call)}\n")
                    within = (*span(program.lines, given), _of_the_loop(program, statement, given))
                    changed = Program(program.edited([called, within]))
                    match changed.body[place]:
                        case ast.Expr(ast.Call() as call):
                            return _written_out(changed, place, changed.functions[name], call)
    return None


def _yielded_last(function: ast.FunctionDef) -> ast.Expr | None:
    """The only yield of a generator, if it ends the loop that ends the generator."""
    match function.body[-1]:
        case ast.For(body=[*_, ast.Expr(ast.Yield(ast.expr())) as last], orelse=[]):
            odd = [each for each in ast.walk(function) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom)]
            return last if odd == [last.value] else None
    return None


def _captures(function: ast.FunctionDef, loop: ast.For, call: ast.Call) -> bool:
    """Whether a loop reads a name that would mean something else within the generator."""
    arguments = arguments_of(function, call) or {}
    same = {name for name, value in arguments.items() if isinstance(value, ast.Name) and value.id == name}
    read = set().union(*map(names_in, loop.body)) - names_in(loop.target)
    return bool(read & (stored(function) - same))


def _of_the_loop(program: Program, loop: ast.For, given: ast.Expr) -> str:
    """The statements of a loop where a generator yields, with what is yielded under the loop's name for it."""
    assert isinstance(given.value, ast.Yield)
    assert given.value.value
    name, value = program.written(loop.target), program.written(given.value.value)
    named = [] if name == value else [f"{name} = {value}"]
    own = program.cut(*program.rows(program.first_row(loop.body[0]), loop.end_lineno or 0)).rstrip()
    return f"\n{' ' * given.col_offset}".join([*named, *textwrap.dedent(own).split("\n")])


def _is_known(value: ast.expr, call: ast.Call) -> bool:
    """Whether an argument needs no new name: it has one, or it is a number that the call does not name either."""
    empty = isinstance(value, ast.Tuple) and not value.elts
    return isinstance(value, ast.Name) or empty or (isinstance(value, ast.Constant) and value in call.args)


def _are_taken(program: Program, place: int, given: dict[str, ast.expr], own: set[str]) -> bool:
    """Whether some of these names cannot be bound at a statement, since what they mean there is asked for later."""
    statement = program.body[place]
    wanted = names_in(statement.targets[0]) if isinstance(statement, ast.Assign) else set()
    asked = [(name, each) for name, value in given.items() for each in names_in(value)]
    return any(
        name in program.defined
        or any(name == each and name != other for other, each in asked)
        or (name not in wanted and program.is_read_after(name, place))
        for name in own | {*given}
    )


def _unpacked(
    program: Program, given: dict[str, ast.expr], body: list[ast.stmt]
) -> tuple[dict[str, str], list[ast.stmt]]:
    """keys, values = points at the beginning: what the parts of an argument are called, and the other statements."""
    match body[0]:
        case ast.Assign([ast.Tuple() as parts], ast.Name(name)) if name in given:
            if not any(each.id == name for one in body[1:] for each in outer_names(one)):
                return {name: program.written(parts)}, body[1:]
    return {}, body


def _statements(program: Program, body: list[ast.stmt], statement: ast.stmt, edits: list[Edit]) -> str:
    """The statements of a function at the left edge, with what it returns under the name that is wanted."""
    last = body[-1]
    if isinstance(last, ast.Return) and isinstance(statement, ast.Assign) and last.value:
        target, (start, end) = program.written(statement.targets[0]), span(program.lines, last)
        if program.written(last.value, edits) == target:  # it has that name already
            body = body[:-1]
        edits = [*edits, (start, span(program.lines, last.value)[0], f"{target} = ")]
        if not program.comment(last) and (comment := program.comment(statement)):
            edits.append((end, end, f"  {comment}"))
    text = program.cut(*program.rows(program.first_row(body[0]), body[-1].end_lineno or 0), edits) if body else ""
    return "\n".join(row.removeprefix("    ") for row in text.split("\n"))


def _at_the_edge(text: str) -> str:
    """An expression of several lines, moved to the left so that its last line begins there."""
    first, *rest = text.split("\n")
    indent = len(rest[-1]) - len(rest[-1].lstrip()) if rest else 0
    return "\n".join([first, *(row.removeprefix(" " * indent) for row in rest)])


def _is_own_call(program: Program, value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in program.functions


def look_up(program: Program) -> str | None:
    """run = {"w": w}, run["w"], run | {...}: write w instead of run["w"]."""
    for place, statement in enumerate(program.body):
        match statement:
            case ast.Assign([ast.Name(name)], ast.Dict() as whole) if program.value(name) is whole:
                asked = [(until, program.parents[id(node)]) for until, node in program.reads[name]]
                if any(isinstance(each, ast.BinOp) for _, each in asked):
                    edits = [_looked_up(program, whole, each, range(place + 1, until)) for until, each in asked]
                    if any(edits):
                        return program.edited(filter(None, edits))
    return None


def _looked_up(program: Program, whole: ast.Dict, asked: ast.AST, between: range) -> Edit | None:
    """What stands in a dictionary where it is asked for, if that is a name which means the same there."""
    for key, value in zip(whole.keys, whole.values, strict=True):
        match asked, key, value:
            case ast.Subscript(slice=ast.Constant(wanted)), ast.Constant(own), ast.Name(name) if own == wanted:
                changed = any(place in between for place in program.bindings(name))
                return None if changed or not isinstance(asked, ast.expr) else program.put(asked, name)
    return None


def leave_out(program: Program) -> str | None:
    """Functions, classes, imports and plain values that nothing reads."""
    for statement in program.body:
        match statement:
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.Assign([ast.Name(name)], ast.Dict() | ast.Constant()):
                unread = not program.reads[name]
            case ast.Import([ast.alias(name, alias)]) | ast.ImportFrom(names=[ast.alias(name, alias)]):
                unread = not program.reads[alias or name.partition(".")[0]]
            case _:
                unread = False
        if unread:
            return program.edited([program.without(statement)])
    return None


RULES: tuple[Callable[[Program], str | None], ...] = (unroll, look_up, write_in, write_out, run_through, leave_out)
