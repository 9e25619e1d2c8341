"""Rules for what is only handed on: names that are read once, dictionaries that are put together or looked up."""

import ast
from collections.abc import Iterator

from attention_ui.export.program import (
    COLUMNS,
    Program,
    names_in,
    uses,
)
from attention_ui.export.syntax import Block, bound, span
from attention_ui.export.writing import in_brackets


def join(program: Program) -> str | None:
    """points = f(x), keys, values = points: assign at once what is only assigned on."""
    for place, statement in enumerate(program.body):
        match statement:
            case ast.Assign([target], ast.Name(name)) if len(program.reads[name]) == 1:
                value = program.value(name)
                if value is not None and (made := program.writes[name][0]) < place:
                    between = set().union(*(bound(each) for each in program.body[made + 1 : place]))
                    free = not between & (names_in(value) | names_in(target))
                    if free and (text := _joined(program, program.body[made], value, statement)) is not None:
                        return text
    return None


def _joined(program: Program, made: ast.stmt, value: ast.expr, statement: ast.Assign) -> str | None:
    edits = [program.put(statement.value, program.written(value)), program.without(made)]
    if not program.comment(statement) and (comment := program.comment(made)):
        end = span(program.lines, statement)[1]
        edits.append((end, end, f"  {comment}"))
    return program.fitting(edits)


def look_up(program: Program) -> str | None:
    """run = {"w": w}, run["w"]: write w."""
    for name, value in _dictionaries(program):
        reads = {id(node): place for place, node in program.reads[name]}
        made = program.writes[name][0]
        for node in ast.walk(program.tree):
            match node:
                case ast.Subscript(ast.Name() as whole, ast.Constant(key), ast.Load()) if id(whole) in reads:
                    entry = _entry(value, key)
                    if isinstance(entry, ast.Name) and not _is_changed(program, entry.id, made, reads[id(whole)]):
                        return program.edited([program.put(node, entry.id)])
    return None


def _dictionaries(program: Program) -> Iterator[tuple[str, ast.Dict]]:
    """The names that stand for a dictionary written out, with texts for keys."""
    for name in program.writes:
        value = program.value(name)
        if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
            yield name, value


def _entry(value: ast.Dict, key: object) -> ast.expr | None:
    pairs = zip(value.keys, value.values, strict=True)
    return next((each for own, each in pairs if isinstance(own, ast.Constant) and own.value == key), None)


def _is_changed(program: Program, name: str, since: int, until: int) -> bool:
    """Whether a name may mean something else at a later statement."""
    late = isinstance(program.body[until], Block)
    return late or any(since < place < until for place in program.writes[name])


def unite(program: Program) -> str | None:
    """shown = {...}, shown | {...}: write one dictionary."""
    for node in ast.walk(program.tree):
        match node:
            case ast.BinOp(ast.Dict() as left, ast.BitOr(), ast.Dict() as right):
                return program.edited([program.put(node, _dictionary(program, left, right))])
            case ast.Dict(keys, values) if any(
                key is None and isinstance(each, ast.Dict) for key, each in zip(keys, values, strict=True)
            ):
                return program.edited([program.put(node, _dictionary(program, node))])
    for name in program.writes:
        made = [place for place in program.writes[name] if isinstance(program.body[place], ast.Assign)]
        for place in made:
            match program.body[place]:
                case ast.Assign([ast.Name()], ast.Dict() as value) as statement:
                    if (text := _united(program, name, place, statement, value)) is not None:
                        return text
    return None


def _dictionary(program: Program, *parts: ast.Dict) -> str:
    """Dictionaries as one, entry after entry."""
    items = [item for part in parts for item in _items(program, part)]
    return in_brackets("{", items, "}", "")


def _items(program: Program, part: ast.Dict) -> Iterator[str]:
    for key, value in zip(part.keys, part.values, strict=True):
        if key is None and isinstance(value, ast.Dict):
            yield from _items(program, value)
        else:
            yield f"{program.written(key)}: {program.written(value)}" if key else f"**{program.written(value)}"


def _united(program: Program, name: str, made: int, statement: ast.stmt, value: ast.Dict) -> str | None:
    """The dictionary written where it is read next, if that is the only place that reads it."""
    until = next((place for place in program.writes[name] if place > made), len(program.body))
    reads = [(place, node) for place, node in program.reads[name] if made < place <= until]
    later = [place for place, _ in program.reads[name] if place > until]
    if len(reads) != 1 or (later and until == len(program.body)):
        return None
    place, node = reads[0]
    pairs = [each for each in ast.walk(program.body[place]) if isinstance(each, ast.BinOp) and each.left is node]
    if not pairs or isinstance(program.body[place], Block):
        return None
    right = pairs[0].right
    if not isinstance(pairs[0].op, ast.BitOr) or not isinstance(right, ast.Dict):
        return None
    if any(_is_changed(program, each, made, place) for each in names_in(value)):
        return None
    return program.edited([program.put(pairs[0], _dictionary(program, value, right)), program.without(statement)])


def unroll(program: Program) -> str | None:
    """{name: score(q, k) for name, score in scores.items()}: write a line for each function in `scores`."""
    for name, value in _dictionaries(program):
        reads = program.reads[name]
        if len(reads) == 1 and any(_is_function(program, each) for each in value.values):
            nodes = [
                each for each in ast.walk(program.body[reads[0][0]]) if isinstance(each, ast.DictComp | ast.ListComp)
            ]
            texts = (_unrolled(program, name, value, each) for each in nodes)
            if (text := next(filter(None, texts), None)) is not None:
                return text
    return None


def _is_function(program: Program, value: ast.expr) -> bool:
    """Whether a value is a function, or a tuple with one."""
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(isinstance(each, ast.Name) and each.id in program.functions for each in parts)


def _unrolled(program: Program, name: str, value: ast.Dict, node: ast.DictComp | ast.ListComp) -> str | None:
    loop, *others = node.generators
    match loop.iter:
        case ast.Call(ast.Attribute(ast.Name(own), "items" | "values" as kind), []) if own == name and not (
            loop.ifs or others
        ):
            rows = [
                _row(program, node, loop.target, kind, *item) for item in zip(value.keys, value.values, strict=True)
            ]
            opening, closing = "{}" if isinstance(node, ast.DictComp) else "[]"
            text = "\n".join([opening, *(f"    {row}," for row in rows if row), closing])
            if all(rows) and max(map(len, text.split("\n"))) <= COLUMNS:
                (made,) = program.writes[name]
                return program.edited([(*span(program.lines, node), text), program.without(program.body[made])])
    return None


def _row(
    program: Program,
    node: ast.DictComp | ast.ListComp,
    target: ast.expr,
    kind: str,
    key: ast.expr | None,
    value: ast.expr,
) -> str | None:
    """One entry of what a comprehension makes."""
    assert key
    whole: ast.expr = value if kind == "values" else ast.Tuple([key, value], ast.Load())
    matched = _matched(target, whole)
    if matched is None:
        return None
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    return ": ".join(_with(program, each, matched) for each in parts)


def _matched(target: ast.expr, value: ast.expr) -> dict[str, ast.expr] | None:
    """The parts of a value by the names that a loop gives them."""
    match target, value:
        case ast.Name(name), _:
            return {name: value}
        case ast.Tuple(names), ast.Tuple(values) if len(names) == len(values):
            parts = [_matched(*each) for each in zip(names, values, strict=True)]
            return {key: one for part in parts for key, one in part.items()} if all(parts) else None  # type: ignore[union-attr]
    return None


def _with(program: Program, node: ast.expr, matched: dict[str, ast.expr]) -> str:
    """An expression with parts of a value in place of the names of a loop."""
    expression = Program(program.written(node) + "\n")
    names = [each for each in uses(expression.body) if each.id in matched]
    for name in sorted(names, key=lambda each: each.col_offset, reverse=True):
        value = matched[name.id]
        text = program.written(value)
        if expression.source[name.col_offset - 1 : name.col_offset] == b"*" and isinstance(value, ast.Tuple):
            start = expression.source.rindex(b",", 0, name.col_offset)
            listed = "".join(f", {program.written(each)}" for each in value.elts)
            expression = Program(expression.edited([(start, name.end_col_offset or 0, listed)]))
        else:
            expression = Program(expression.edited([expression.put(name, text)]))
    return expression.text.rstrip("\n")


def leave_out(program: Program) -> str | None:
    """Functions, imports and plain values that nothing reads."""
    for statement in program.body:
        match statement:
            case ast.FunctionDef() | ast.ClassDef() if not program.reads[statement.name]:
                return program.edited([program.without(statement)])
            case ast.Import(names) | ast.ImportFrom(names=names):
                kept = [each for each in names if program.reads[(each.asname or each.name).partition(".")[0]]]
                if len(kept) < len(names):
                    return _imported(program, statement, kept)
            case ast.Assign([ast.Name(name)], ast.Name(other)) if name == other:
                return program.edited([program.without(statement)])
            case ast.Assign([ast.Name(name)], ast.Constant() | ast.Dict() | ast.Tuple([])) if not program.reads[name]:
                return program.edited([program.without(statement)])
    return None


def _imported(program: Program, statement: ast.Import | ast.ImportFrom, kept: list[ast.alias]) -> str:
    if not kept:
        return program.edited([program.without(statement)])
    head = f"from {statement.module} import " if isinstance(statement, ast.ImportFrom) else "import "
    names = ", ".join(ast.unparse(each) for each in kept)
    return program.edited([(*span(program.lines, statement), head + names)])
