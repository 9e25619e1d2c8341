"""Rules for what is known before a script runs: values that never differ, and branches that are never taken."""

import ast

from attention_ui.export.program import (
    COLUMNS,
    Edit,
    Program,
    arguments_of,
    bound_inside,
    defaults_of,
    hidden_inside,
    hidden_names,
    names_in,
    own_names,
    parameters_of,
    uses,
)
from attention_ui.export.syntax import outer_names, span
from attention_ui.export.writing import in_brackets

PLAIN_VALUES = (None, True, False)  # which say more where they are used than under a name


def spread_values(program: Program) -> str | None:
    """causal = False: write False wherever causal is read; the same for another name of a function."""
    for statement in program.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if program.value(name) is value and _is_plain(program, value):
                edits = [program.put(node, program.written(value)) for _, node in program.reads[name]]
                if not _is_hidden_at(program, name, names_in(value)):
                    text = program.fitting([*edits, program.without(statement)])
                    if text is not None:
                        return text
    return None


def _is_plain(program: Program, value: ast.expr) -> bool:
    match value:
        case ast.Constant(constant):
            return any(constant is each for each in PLAIN_VALUES)
        case ast.Name(name):
            return name in program.defined
    return False


def _is_hidden_at(program: Program, name: str, others: set[str]) -> bool:
    """Whether some name means something else where this one is read."""
    return any(others & own_names(program.body[place]) for place, _ in program.reads[name])


def spread_stars(program: Program) -> str | None:
    """f(a, *parts) with parts = (b, c): write f(a, b, c)."""
    for node in ast.walk(program.tree):
        listed = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.List) else []
        for before, star in zip([None, *listed], listed, strict=False):
            match star:
                case ast.Starred(value) if (known := _tuple(program, value)) is not None:
                    parts = [program.written(each) for each in known.elts]
                    start = span(program.lines, before or star)[before is not None]
                    text = "".join(f", {each}" for each in parts) if before else ", ".join(parts)
                    return program.fitting([(start, span(program.lines, star)[1], text)])
    return None


def _tuple(program: Program, value: ast.expr) -> ast.Tuple | None:
    """The tuple that an expression is, or stands for."""
    known = program.value(value.id) if isinstance(value, ast.Name) and _is_of_the_file(program, value) else value
    return (
        known if isinstance(known, ast.Tuple) and all(isinstance(each, ast.Constant) for each in known.elts) else None
    )


def fix_parameters(program: Program) -> str | None:
    """Leave out a parameter that has the same plain value in every call."""
    for name, function in program.functions.items():
        calls = program.calls_of(name)
        given = [arguments_of(function, call) for call in calls or []]
        for parameter in parameters_of(function) if given and all(given) else ():
            values = [each.get(parameter) for each in given if each]
            nested = any(inner is not call and inner in ast.walk(call) for call in calls or [] for inner in calls or [])
            if not nested and _is_fixed(program, function, parameter, values):
                return _without_parameter(program, function, parameter, calls or [], values[0])
    return None


def _is_fixed(program: Program, function: ast.FunctionDef, parameter: str, values: list[ast.expr | None]) -> bool:
    first = values[0]
    return (
        first is not None
        and _is_plain(program, first)
        and all(_is_of_the_file(program, each) for each in values)
        and len({ast.dump(each) if each else "" for each in values}) == 1
        and parameter not in bound_inside(function) | hidden_names(function.body[0]) | hidden_inside(function)
        and not names_in(first) & (bound_inside(function) | hidden_inside(function))
    )


def _is_of_the_file(program: Program, value: ast.expr | None) -> bool:
    """Whether a value is no name, or one of the whole file and not of a function."""
    return not isinstance(value, ast.Name) or any(node is value for _, node in program.reads[value.id])


def _without_parameter(
    program: Program, function: ast.FunctionDef, parameter: str, calls: list[ast.Call], value: ast.expr | None
) -> str:
    assert value
    text = program.written(value)
    edits = [program.put(name, text) for name in uses(function.body) if name.id == parameter]
    edits += [_new_call(program, function, call, parameter) for call in calls]
    return program.edited([*edits, _new_head(program, function, parameter)])


def _new_head(program: Program, function: ast.FunctionDef, left_out: str) -> Edit:
    """The brackets of a function's head without one parameter."""
    usual, kept = defaults_of(function.args), [each for each in parameters_of(function) if each != left_out]
    parts = [f"{each}={program.written(usual[each])}" if each in usual else each for each in kept]
    keywords = [each.arg for each in function.args.kwonlyargs if each.arg != left_out]
    if keywords:
        parts.insert(kept.index(keywords[0]), "*")
    start = program.source.index(b"(", span(program.lines, function)[0])
    inside: list[ast.arg | ast.expr] = [*_all_arguments(function), *usual.values()]
    end = program.source.index(b")", max([start, *(span(program.lines, each)[1] for each in inside)])) + 1
    return start, end, f"({', '.join(parts)})"


def _all_arguments(function: ast.FunctionDef) -> list[ast.arg]:
    return [each for each in ast.walk(function.args) if isinstance(each, ast.arg)]


def _new_call(program: Program, function: ast.FunctionDef, call: ast.Call, left_out: str) -> Edit:
    """A call without the argument for one parameter."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    parts = [program.written(each) for name, each in zip(names, call.args, strict=False) if name != left_out]
    parts += [f"{each.arg}={program.written(each.value)}" for each in call.keywords if each.arg != left_out]
    row = program.row(call.lineno)
    indent = row[: len(row) - len(row.lstrip())]
    return *span(program.lines, call), in_brackets(f"{program.written(call.func)}(", parts, ")", indent)


def decide(program: Program) -> str | None:
    """Leave out a branch that is never taken: `a if True else b`, `if False:`."""
    outer = {id(name) for each in program.body for name in outer_names(each)}
    for node in ast.walk(program.tree):
        if isinstance(node, ast.IfExp | ast.If) and (truth := _truth(program, node.test, outer)) is not None:
            if isinstance(node, ast.IfExp):
                return program.edited([program.put(node, program.written(node.body if truth else node.orelse))])
            if program.row(node.lineno).lstrip().startswith("if "):
                return _decided(program, node, truth)
    return None


def end_with_return(program: Program) -> str | None:
    """Leave out what stands behind a `return`, as it may once a branch before it is decided."""
    for node in ast.walk(program.tree):
        block = node.body if isinstance(node, ast.FunctionDef | ast.If) else []
        ends = [place for place, each in enumerate(block[:-1]) if isinstance(each, ast.Return)]
        if ends:
            first, last = program.first_row(block[ends[0] + 1]), block[-1].end_lineno or 0
            return program.edited([(*program.rows(first, last), "")])
    return None


def _truth(program: Program, test: ast.expr, outer: set[int]) -> bool | None:
    """What a test comes to, if that is known."""
    match test:
        case ast.Constant(value):
            return bool(value)
        case ast.UnaryOp(ast.Not(), inner):
            truth = _truth(program, inner, outer)
            return None if truth is None else not truth
        case ast.BoolOp(operator, values):
            truths = [_truth(program, each, outer) for each in values]
            decisive = isinstance(operator, ast.Or)
            return decisive if decisive in truths else None if None in truths else not decisive
        case ast.Compare(left, [ast.Is() | ast.IsNot() as operator], [ast.Constant(None)]):
            nothing = _is_none(program, left, outer)
            return None if nothing is None else nothing == isinstance(operator, ast.Is)
        case ast.Name(name) if id(test) in outer:
            known = program.value(name)
            constant = bool(known.value) if isinstance(known, ast.Constant) else None
            return True if name in program.functions else constant
    return None


def _is_none(program: Program, node: ast.expr, outer: set[int]) -> bool | None:
    """Whether an expression is None, if that is known."""
    match node:
        case ast.Constant(value):
            return value is None
        case ast.Tuple() | ast.List() | ast.Dict():
            return False
        case ast.Call() if program.written(node).startswith("torch.tensor("):
            return False
        case ast.Name(name) if id(node) in outer:
            known = program.value(name)
            return False if name in program.functions else _is_none(program, known, outer) if known else None
    return None


def _decided(program: Program, node: ast.If, truth: bool) -> str:
    """The statements of the branch that is taken, where the `if` stood."""
    first, last = program.first_row(node), node.end_lineno or 0
    branch = node.body if truth else node.orelse
    if not branch:
        alone = _is_alone(program, node)
        return program.edited([(*program.rows(first, last), " " * node.col_offset + "pass\n" if alone else "")])
    if not truth and program.row(branch[0].lineno).lstrip().startswith("elif "):
        text = program.source[slice(*program.rows(branch[0].lineno, last))].decode().replace("elif ", "if ", 1)
        return program.edited([(*program.rows(first, last), text)])
    inside = _dedented(program, program.first_row(branch[0]), branch[-1].end_lineno or 0)
    head = _comment_of(program.row(node.body[0].lineno - 1)) if truth else ""
    if head and program.first_row(branch[0]) == node.lineno + 1:  # why, said behind the `if`
        row, *rest = inside.split("\n")
        fits = "#" not in row and len(row) + len(head) + 2 <= COLUMNS
        inside = "\n".join([f"{row}  {head}" if fits else f"{' ' * node.col_offset}{head}\n{row}", *rest])
    above = program.source[slice(*program.rows(first, node.lineno - 1))].decode() if first < node.lineno else ""
    return program.edited([(*program.rows(first, last), above + inside)])


def _comment_of(row: str) -> str:
    code, mark, comment = row.rpartition("  # ")
    return f"# {comment}" if mark and code.endswith(":") else ""


def _is_alone(program: Program, node: ast.If) -> bool:
    """Whether a block would be empty without this statement."""
    blocks = [getattr(each, part, None) for each in ast.walk(program.tree) for part in ("body", "orelse")]
    return any(isinstance(each, list) and each == [node] for each in blocks) and node.col_offset > 0


def _dedented(program: Program, first: int, last: int) -> str:
    """Lines moved to the left by one step."""
    rows = program.source[slice(*program.rows(first, last))].decode().split("\n")
    return "\n".join(row.removeprefix("    ") for row in rows)
