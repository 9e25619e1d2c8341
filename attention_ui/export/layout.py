"""How a script looks: short values share a line, and blank lines stand where formatters want them."""

import ast

from attention_ui.export.program import Edit, Program
from attention_ui.export.syntax import Block

MOST_IN_A_ROW = 6  # values that are assigned in one line


def grouped(text: str) -> str:
    """Plain values that are assigned one after the other, in one line: n, noise = 50, 0.5."""
    program = Program(text)
    edits, group = list[Edit](), list[ast.Assign]()
    for statement in [*program.body, ast.Pass()]:
        if isinstance(statement, ast.Assign) and _is_number(program, statement) and _follows(group, statement):
            group.append(statement)
            continue
        if len(group) > 1:
            rows = program.rows(group[0].lineno, group[-1].end_lineno or 0)
            edits.append((*rows, _in_one_line(program, group)))
        group = [statement] if isinstance(statement, ast.Assign) and _is_number(program, statement) else []
    return program.edited(edits)


def _follows(group: list[ast.Assign], statement: ast.Assign) -> bool:
    return not group or (len(group) < MOST_IN_A_ROW and statement.lineno == (group[-1].end_lineno or 0) + 1)


def _is_number(program: Program, statement: ast.Assign) -> bool:
    """Whether a statement gives one name to a short value."""
    match statement.value:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()) | ast.Attribute(ast.Attribute(ast.Name())):
            plain = True
        case ast.Tuple(parts) | ast.List(parts):
            plain = bool(parts) and all(isinstance(each, ast.Constant) for each in parts)
        case _:
            plain = False
    short = plain and len(program.written(statement.value)) <= 20
    return short and isinstance(statement.targets[0], ast.Name) and not program.comment(statement)


def _in_one_line(program: Program, group: list[ast.Assign]) -> str:
    names, values = (
        ", ".join(program.written(part) for part in parts)
        for parts in ([each.targets[0] for each in group], [each.value for each in group])
    )
    return f"{names} = {values}\n"


def laid_out(text: str) -> str:
    """Two blank lines around functions and classes, at most one between other statements."""
    program = Program(text)
    edits = list[Edit]()
    for before, after in zip(program.body, program.body[1:], strict=False):
        rows = program.rows((before.end_lineno or 0) + 1, program.first_row(after) - 1)
        between = program.cut(*rows).splitlines()
        kept = [row for above, row in zip(["code", *between], between, strict=False) if row or above]
        blocks = isinstance(before, Block) or isinstance(after, Block)
        edits.append((*rows, "\n\n" if blocks and not any(kept) else "".join(f"{row}\n" for row in kept)))
    return program.edited(edits).strip("\n") + "\n"
