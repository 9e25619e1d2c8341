"""No string literal of the project holds a Python program: the code that is shown is the code that ran."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("attention_ui", "attention_core", "pages", "scripts", "benchmarks")
IMPORT = re.compile(r"\s*(import|from)\s")
FEWEST = 3  # statements of a program
FILLED = re.compile(r"%[a-z]")
PLACEHOLDER = "value"  # what stands for {this} of an f-string, or %s


def text_of(node: ast.AST) -> str | None:
    """The text that a literal makes, with f-strings, sums, joins and formats of literals; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue():
            return PLACEHOLDER
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) or "" for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return added(text_of(left), text_of(right))
        case ast.BinOp(left=left, op=ast.Mod()):
            filled = text_of(left)
            return filled and FILLED.sub(PLACEHOLDER, filled)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(mark)), attr="join"), args=[parts]):
            return mark.join(text_of(part) or PLACEHOLDER for part in getattr(parts, "elts", []))
    return None


def added(first: str | None, second: str | None) -> str | None:
    """Two texts one after the other, of which one may not be known."""
    return None if first is None and second is None else (first or PLACEHOLDER) + (second or PLACEHOLDER)


def literals(node: ast.AST, is_part: bool = False) -> Iterator[tuple[int, str]]:
    """Every literal of a tree as a whole, with its line; what stands in the braces of an f-string counts by itself."""
    text = text_of(node)
    if text is not None and not is_part:
        yield getattr(node, "lineno", 0), text
    is_text = text is not None and not isinstance(node, ast.FormattedValue)
    for child in ast.iter_child_nodes(node):
        yield from literals(child, is_text or (is_part and isinstance(node, ast.List | ast.Tuple)))


def is_program(text: str) -> bool:
    """Whether a text of several lines imports something, or is Python of at least three statements.

    Prose, numbers and tables may be Python by accident: what only names a value, or its type, does nothing.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return False
    if any(IMPORT.match(line) and parsed(line.strip()) for line in lines):
        return True
    tree = parsed(dedent(text))
    return tree is not None and sum(map(does_something, ast.walk(tree))) >= FEWEST


def parsed(text: str) -> ast.Module | None:
    """The text as Python, or None."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def does_something(node: ast.AST) -> bool:
    """Whether it is a statement, and more than a bare value or a name with its type."""
    match node:
        case ast.Expr(value=value):
            return isinstance(value, ast.Call)
        case ast.AnnAssign(value=None):
            return False
    return isinstance(node, ast.stmt)


def programs(source: str) -> list[int]:
    """The lines of a file at which literals begin that hold programs."""
    return sorted({line for line, text in literals(ast.parse(source)) if is_program(text)})


def test_no_string_holds_a_program():
    files = [*(file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))), *ROOT.glob("*.py")]
    assert len(files) > 200
    found = {str(file.relative_to(ROOT)): programs(file.read_text("utf-8")) for file in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        'text = "import torch\\nprint(torch.pi)"',
        'text = """x = 1\ny = 2\nprint(x + y)\n"""',
        'text = f"""x = {x}\ny = {y!r}\nprint({z:.3f})\n"""',
        'text = "x = 1\\n" + f"y = {y}\\n" "print(x + y)"',
        'text = "x = 1\\ny = 2\\n" + rest + "\\nprint(x + y)"',
        'text = "\\n".join(["x = 1", "y = 2", f"print({z})"])',
        'text = "x = {x}\\ny = {y}\\nprint(x + y)".format(x=1, y=2)',
        'text = "x = %s\\ny = %s\\nprint(x + y)" % (1, 2)',
        'def f():\n    """Sums.\n\n    import math\n    """',
        'shown(["def f(x):\\n    return x\\n\\nf(1)"])',
        "text = f\"\"\"{run('''x = 1\ny = 2\nprint(x)''')}\"\"\"",
    ],
)
def test_programs_are_found(source):
    assert len(programs(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""About this module.\n\nIt imports nothing from anywhere, and\nfrom here on it goes.\n"""',
        'text = "1, 2\\n3, 4\\n5, 6\\n7, 8"',
        'text = "word\\nanother\\nthird\\nfourth"',
        'style = """<style>\n.a { color: red; }\n.b { width: 3px; }\n.c { height: 2px; }\n</style>"""',
        'text = "color: red\\nwidth: wide\\nheight: high"',
        'text = "import torch"',
        'formula = r"\\begin{gathered} a = b \\\\ c = d \\end{gathered}"',
        'text = f"**{name}** is off.\\n\\nIt differs by {gap:.0e}.\\n"',
        "numbers = [1, 2]\nprint(sum(numbers))\nprint(len(numbers))",
    ],
)
def test_prose_tables_and_styles_are_none(source):
    assert programs(source) == []
