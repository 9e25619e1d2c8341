"""Scripts hold functions without annotations and checks; what they compute stays the same."""

import ast
import textwrap
from pathlib import Path

import pytest

import attention_core
from attention_ui.export.bare import bare

CORE = Path(attention_core.__file__).parent
BEFORE = '''
    def area(width: float, /, *sides: "Side", height: float | None = None, **more: int) -> tuple[float, ...]:  # noqa: D
        """Multiply: width x height."""
        check_number("width", width, 0, 10)
        # Nobody draws that.
        if width == 7:
            why = "unlucky"
            raise InputError(why)
        found: list[float] = []
        unknown: int
        whole = check_whole("sides", len(sides), 0, 9)
        if height is None:
            check_number("height", height, 0, 1)
            raise ValueError("not one of ours")
        return width * height, whole, *found
    @dataclass(frozen=True)
    class Config(Generic[T]):
        size: int = 1  # stays: a dataclass is made of its annotations

        def __post_init__(self) -> None:
            super().__post_init__()
            check_whole("size", self.size, 1, 3)

        def doubled(self) -> int:
            """Twice."""
            return 2 * self.size
    class Larger(Config[int], Iterator[str], metaclass=Meta):
        pass
'''
AFTER = '''
    def area(width, /, *sides, height=None, **more):
        """Multiply: width x height."""
        found = []
        whole = len(sides)
        if height is None:
            raise ValueError("not one of ours")
        return width * height, whole, *found
    @dataclass(frozen=True)
    class Config:
        size: int = 1  # stays: a dataclass is made of its annotations

        def doubled(self):
            """Twice."""
            return 2 * self.size
    class Larger(Config, Iterator, metaclass=Meta):
        pass
'''


def test_annotations_and_checks_go_and_nothing_else():
    assert bare(textwrap.dedent(BEFORE)) == textwrap.dedent(AFTER)


def test_a_head_that_needed_several_lines_takes_one_where_it_fits():
    long = "x" * 120
    text = (
        f"def one(\n    first: int,\n    second: str = 'é',\n) -> None:\n    ...\ndef two(\n    {long}: int,\n): ...\n"
    )
    assert bare(text) == f"def one(first, second='é'):\n    ...\ndef two(\n    {long},\n): ...\n"


def test_pauses_are_for_whoever_watches_not_for_scripts():
    text = "def each(rows):\n    for row in rows:\n        found(row)\n        pause()\n"
    assert bare(text) == "def each(rows):\n    for row in rows:\n        found(row)\n"


def test_a_function_that_only_checks_keeps_its_body():
    text = "def check_both(a, b):\n    check_number(a)\n    check_number(b)\n"
    assert bare(text) == text


class _Plain(ast.NodeTransformer):
    """The program without annotations and pauses, as Python reads it."""

    def visit_FunctionDef(self, node):
        node.returns = None
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
        return self.generic_visit(node)

    def visit_ClassDef(self, node):
        node.bases = []
        node.body = [each if isinstance(each, ast.AnnAssign) else self.visit(each) for each in node.body]
        return node

    def visit_AnnAssign(self, node):
        return ast.Assign([node.target], node.value, lineno=0) if node.value else None

    def visit_Expr(self, node):
        return None if ast.unparse(node).startswith("pause(") else node


@pytest.mark.parametrize("file", sorted(CORE.rglob("*.py")), ids=lambda file: file.relative_to(CORE).as_posix())
def test_modules_without_checks_are_the_same_program_but_for_annotations(file):
    source = file.read_text("utf-8")
    made = ast.parse(bare(source))
    assert not any(isinstance(each, ast.FunctionDef) and each.returns for each in ast.walk(made))
    if "check_" not in source and "InputError" not in source:
        expected = ast.unparse(_Plain().visit(ast.parse(source)))
        assert ast.unparse(_Plain().visit(made)) == expected
