"""What Python's own reading of a source tells: where things stand, and which names belong to the whole file."""

import ast
import re
from collections.abc import Iterable

Definition = ast.FunctionDef | ast.AsyncFunctionDef
Block = Definition | ast.ClassDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def line_starts(source: bytes) -> list[int]:
    """The byte at which each line begins, and the one after the last."""
    return [0, *(match.end() for match in re.finditer(b"\n", source))]


def span(starts: list[int], node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
    """The bytes of an expression, where lines start at these."""
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end


def outer_names(statement: ast.stmt) -> list[ast.Name]:
    """The names that are looked up, or bound, outside of every function of this top-level statement."""
    reader = _Reader()
    reader.visit(statement)
    return reader.found


def bound(node: ast.AST) -> set[str]:
    """The names that a piece of code binds in the scope it stands in."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Lambda():
            return set()
        case ast.Name():
            return set() if isinstance(node.ctx, ast.Load) else {node.id}
        case ast.alias():
            return {node.asname or node.name.partition(".")[0]}
        case ast.comprehension():  # its target lives inside of it, but what := binds does not
            return _bound_in([node.iter, *node.ifs])
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
            return _bound_in(ast.iter_child_nodes(node)) | ({node.name} if node.name else set())
    return _bound_in(ast.iter_child_nodes(node))


def _bound_in(nodes: Iterable[ast.AST]) -> set[str]:
    return set().union(*map(bound, nodes))


class _Reader(ast.NodeVisitor):
    """Goes through a statement with the scopes around it in mind, the innermost last."""

    def __init__(self) -> None:
        self.found: list[ast.Name] = []
        self._scopes: list[tuple[set[str], bool]] = []  # its names, and whether it is a class

    def visit_Name(self, node: ast.Name) -> None:
        # Functions do not see the names of the class around them.
        seen = [names for names, of_class in self._scopes[:-1] if not of_class]
        seen += [names for names, _ in self._scopes[-1:]]
        field = self._scopes and self._scopes[-1][1] and not isinstance(node.ctx, ast.Load)
        if not field and not any(node.id in names for names in seen):
            self.found.append(node)

    def visit_FunctionDef(self, node: Definition) -> None:
        self._visit_all([*node.decorator_list, node.args, *([node.returns] if node.returns else [])])
        self._visit_inside(node.body, _parameters(node.args) | _bound_in(node.body))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self._visit_inside([node.body], _parameters(node.args) | bound(node.body))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        names: set[str] = set()
        self._scopes.append((names, True))
        for statement in node.body:
            self.visit(statement)
            names |= bound(statement)  # only from here on: in `date: date` the second one is that of the file
        self._scopes.pop()

    def _visit_comprehension(self, node: Comprehension) -> None:
        first, *later = node.generators
        self.visit(first.iter)  # where it begins is asked outside of it
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        targets = [each.target for each in node.generators]
        conditions = [condition for each in node.generators for condition in each.ifs]
        self._visit_inside([*targets, *conditions, *(each.iter for each in later), *made], _bound_in(targets))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815

    def _visit_inside(self, nodes: Iterable[ast.AST], names: set[str]) -> None:
        self._scopes.append((names, False))
        self._visit_all(nodes)
        self._scopes.pop()

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)


def _parameters(arguments: ast.arguments) -> set[str]:
    return {node.arg for node in ast.iter_child_nodes(arguments) if isinstance(node, ast.arg)}
