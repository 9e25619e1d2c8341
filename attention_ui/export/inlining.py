"""Rules for calls: what a function does is written where its only call stands."""

import ast
from collections.abc import Iterator

from attention_ui.export.joining import unite
from attention_ui.export.program import (
    Program,
    arguments_of,
    bound_inside,
    hidden_inside,
    hidden_names,
    names_in,
    own_names,
    parameters_of,
    statements_of,
    uses,
)
from attention_ui.export.syntax import Block, Comprehension, outer_names, span


def write_out(program: Program) -> str | None:
    """The statements of a function above the only statement that calls it, and what it returns in place of the call."""
    for place, statement in enumerate(program.body):
        if isinstance(statement, ast.Assign | ast.Expr):
            for call in _certain_calls(statement.value):
                name = call.func.id if isinstance(call.func, ast.Name) else ""
                function = program.functions.get(name)
                if function and len(program.reads[name]) == 1 and _is_straight(function, statement, call):
                    arguments = _assignable(function, call)
                    text = (
                        _Written(program, place, statement, function, arguments, call).text()
                        if arguments is not None
                        else None
                    )
                    if text is not None:
                        return text
    return None


def _assignable(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """What each parameter gets, where all of it can be given a name."""
    arguments = arguments_of(function, call)
    if arguments is None or len(arguments) < len(parameters_of(function)):
        return None
    return None if any(isinstance(each, ast.Lambda) for each in arguments.values()) else arguments


def _certain_calls(node: ast.expr) -> Iterator[ast.Call]:
    """The calls in an expression that are made once, whatever the rest comes to."""
    if isinstance(node, ast.Call):
        yield node
    if not isinstance(node, ast.IfExp | ast.BoolOp | ast.Lambda | Comprehension):
        for child in ast.iter_child_nodes(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            if isinstance(inner, ast.expr):
                yield from _certain_calls(inner)


def _is_straight(function: ast.FunctionDef, statement: ast.Assign | ast.Expr, call: ast.Call) -> bool:
    """Whether a function runs from its first statement to its last, and returns something there just when asked to."""
    *before, last = statements_of(function) or [ast.Pass()]
    inner = [each for one in before for each in ast.walk(one) if not isinstance(one, Block)]
    odd = (ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
    returns = isinstance(last, ast.Return) and last.value is not None
    if not returns and any(isinstance(each, odd) for each in ast.walk(last)):
        return False
    asked = isinstance(statement, ast.Assign) or call is not statement.value
    return returns == asked and not any(isinstance(each, odd) for each in inner)


class _Written:
    """A function written out in place of a statement that calls it."""

    def __init__(
        self,
        program: Program,
        place: int,
        statement: ast.Assign | ast.Expr,
        function: ast.FunctionDef,
        arguments: dict[str, ast.expr],
        call: ast.Call,
    ) -> None:
        self.program, self.place, self.function, self.arguments = program, place, function, arguments
        self.statement, self.body, self.call = statement, statements_of(function), call
        self.is_whole = call is self.statement.value  # or a part of what the statement computes
        self.stored, self.hidden = bound_inside(function), hidden_inside(function)
        self.own = {*arguments, *self.stored}
        self.renamed: dict[str, str] = {}

    def text(self) -> str | None:
        """The program with the call written out; None where a name stands in the way."""
        given = {name: value for name, value in self.arguments.items() if not self._is_passed_on(name, value)}
        result = self._result()
        for name in [*given, *(each for each in self.stored if each not in self.arguments)]:
            if name not in self.renamed and self._is_taken(name, given):
                self.renamed[name] = self.program.free_name(f"{self.function.name.strip('_')}_{name}")
        used = {each.id for each in uses(self.body)} & self.renamed.keys()
        if used & self.hidden or {*self.renamed.values()} & self.hidden:
            return None
        assigned = {self.renamed.get(name, name): value for name, value in given.items()}
        return self._put_together(assigned, result)

    def _is_passed_on(self, name: str, value: ast.expr) -> bool:
        """Whether a parameter is only another name for a name."""
        if not isinstance(value, ast.Name) or name in self.stored or value.id in self.hidden:
            return False
        if value.id in self.own - {name}:
            return False
        self.renamed |= {} if value.id == name else {name: value.id}
        return True

    def _result(self) -> str | None:
        """What is left to assign at the end: where a local is returned, it gets the name that is wanted at once."""
        last = self.body[-1]
        if not isinstance(last, ast.Return) or not isinstance(self.statement, ast.Assign) or not self.is_whole:
            return None
        assert last.value
        wanted, returned = (_elements(each) for each in (self.statement.targets[0], last.value))
        pairs = dict(zip(returned, wanted, strict=False))
        names_given = set().union(*map(names_in, self.arguments.values()))
        fits = len(returned) == len(wanted) == len(pairs) == len(set(wanted)) and all(
            each in self.stored
            and each not in self.arguments
            and (name == each or name not in self.own | names_given | self.hidden | self._globals())
            for each, name in pairs.items()
        )
        if not fits:
            return self.program.written(self.statement.targets[0])
        self.renamed |= {each: name for each, name in pairs.items() if each != name}
        return None

    def _globals(self) -> set[str]:
        return {each.id for each in uses(self.body)} - self.own

    def _is_taken(self, name: str, given: dict[str, ast.expr]) -> bool:
        others = [value for each, value in self.arguments.items() if each != name]
        asked = name in given and any(name in names_in(each) for each in others)
        targets = _elements(self.statement.targets[0]) if isinstance(self.statement, ast.Assign) else []
        after = name not in targets and self.program.is_read_after(name, self.place)
        after = after or (not self.is_whole and name in names_in(self.statement.value))
        return asked or name in self.program.defined or after

    def _put_together(self, assigned: dict[str, ast.expr], result: str | None) -> str | None:
        program, statement = self.program, self.statement
        lines = {name: f"{name} = {_at_the_edge(program.written(value))}\n" for name, value in assigned.items()}
        first = [name for name, value in assigned.items() if _is_own_call(program, value)]
        text = "".join(lines.pop(name) for name in first)
        about = (
            (ast.get_docstring(self.function) or "").split("\n")[0]
            if len(self.body) > 1 + 2 * (not self.is_whole)
            else ""
        )
        text += f"\n# {about}\n" if about else ""
        if (remark := program.comment(statement)) and self.is_whole and result is None and lines:
            name = next(iter(lines))
            lines[name] = f"{lines[name].rstrip()}  {remark}\n"
        text += "".join(lines.values()) + self._statements(result) + ("\n" if about else "")
        start, end = program.rows(program.first_row(statement), statement.end_lineno or 0)
        above = program.source[start : program.rows(statement.lineno, statement.lineno)[0]].decode()
        if not self.is_whole:
            return self._around(text)
        goes_on = (statement.end_lineno or 0) + 1 < len(program.lines) and program.row((statement.end_lineno or 0) + 1)
        whole = f"{text}{above}" if about and goes_on else f"{above}{text}"  # the comment is about what goes on below
        return program.edited([(start, end, whole), program.without(self.function)])

    def _around(self, text: str) -> str | None:
        """The statement with what is returned in place of the call, below the statements of the function."""
        program, last = self.program, self.body[-1]
        assert isinstance(last, ast.Return)
        assert last.value
        value = Program(program.written(last.value) + "\n")
        names = [(*span(value.lines, name), self._spelled(name)) for name in uses(value.body)]
        returned = "\n".join(row.removeprefix("    ") for row in value.edited(names).rstrip("\n").split("\n"))
        row = program.rows(program.first_row(self.statement), self.statement.lineno)[0]
        edits = [(row, row, text), program.put(self.call, returned), program.without(self.function)]
        fits = program.fitting(edits)
        return (
            fits if fits is not None or not isinstance(last.value, ast.Dict) else unite(Program(program.edited(edits)))
        )

    def _statements(self, result: str | None) -> str:
        """The statements of the function at the left edge, with every name as it is called now."""
        program, last = self.program, self.body[-1]
        edits = [(*span(program.lines, name), self._spelled(name)) for name in uses(self.body)]
        start = program.rows(program.first_row(self.body[0]), last.end_lineno or 0)[0]
        if isinstance(last, ast.Return):
            assert last.value
            begin, end = program.rows(program.first_row(last) if result is None else last.lineno, last.end_lineno or 0)
            if result is None:  # all that was returned has its name already, or stands elsewhere
                edits = [each for each in edits if each[0] < begin] + [(begin, end, "")]
            else:
                value = span(program.lines, last.value)
                edits.append((span(program.lines, last)[0], value[0], f"{result} = "))
                if not program.comment(last) and (comment := program.comment(self.statement)):
                    edits.append((value[1], end, f"  {comment}\n"))
        elif comment := program.comment(self.statement):
            edits.append((start, start, f"    {comment}\n"))
        whole, size = program.edited(edits).encode(), len(program.source)
        stop = self.program.rows(last.lineno, last.end_lineno or 0)[1]
        moved = whole[start : len(whole) - (size - stop)].decode()
        return "\n".join(row.removeprefix("    ") for row in moved.split("\n"))

    def _spelled(self, name: ast.Name) -> str:
        return self.renamed.get(name.id, name.id)


def _at_the_edge(text: str) -> str:
    """An expression of several lines, moved to the left so that its last line begins there."""
    first, *rest = text.split("\n")
    indent = len(rest[-1]) - len(rest[-1].lstrip()) if rest else 0
    return "\n".join([first, *(row.removeprefix(" " * indent) for row in rest)])


def _elements(target: ast.expr) -> list[str]:
    """The names in `a, b` or `a`; none where there is anything else."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return (
        [each.id for each in parts if isinstance(each, ast.Name)]
        if all(isinstance(each, ast.Name) for each in parts)
        else []
    )


def _is_own_call(program: Program, value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in program.functions


def write_in(program: Program) -> str | None:
    """What a function returns in place of the only call of it."""
    for name, function in program.functions.items():
        match statements_of(function), program.reads[name]:
            case [ast.Return(ast.expr() as value)], [(place, _)]:
                calls = program.calls_of(name)
                if calls and (text := _written_in(program, place, function, value, calls[0])) is not None:
                    return text
    return None


def _written_in(program: Program, place: int, function: ast.FunctionDef, value: ast.expr, call: ast.Call) -> str | None:
    arguments, around = arguments_of(function, call), own_names(program.body[place])
    if arguments is None or len(arguments) != len(parameters_of(function)) or function is program.body[place]:
        return None
    hidden, free = hidden_names(value), names_in(value) - {*arguments}
    if free & around or hidden & set().union(*map(names_in, arguments.values())) or "\n" in program.written(value):
        return None
    counted = [each.id for each in outer_names(ast.Expr(value))]
    for name, given in arguments.items():
        simple = isinstance(given, ast.Name | ast.Constant)
        if name in hidden or not (simple or (counted.count(name) <= 1 and not hidden)):
            return None
    expression = Program(program.written(value) + "\n")
    names = [each for each in uses(expression.body) if each.id in arguments]
    for each in sorted(names, key=lambda each: each.col_offset, reverse=True):  # so that the others keep their places
        expression = Program(expression.edited([expression.put(each, program.written(arguments[each.id]))]))
    return program.fitting([program.put(call, expression.text.rstrip()), program.without(function)])
