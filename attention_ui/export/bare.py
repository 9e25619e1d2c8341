"""The source of a module without annotations and checks.

A script calls its functions with values that were checked already, and its readers want to see what is computed.
"""

import ast
import re

from attention_ui.export.syntax import Definition, line_starts, span

COLUMNS = 120
FOR_TOOLS = re.compile(r"  # (?:noqa|fmt: skip|type: ignore)\b.*")  # comments that mean nothing to a reader
FOR_TYPES = ("Generic", "Protocol")  # bases of a class that do nothing when it runs
CHECKED = ("check_whole", "check_choice")  # give back what they check, their second argument
Edit = tuple[int, int, bytes]  # the first byte, the one after the last, and what stands there instead


def bare(source: str) -> str:
    """The program without annotations of parameters, results and variables, and without its checks."""
    return _Heads(_Annotations(FOR_TOOLS.sub("", source)).edited()).edited()


class _Editor(ast.NodeVisitor):
    """Goes through a source and collects edits."""

    def __init__(self, source: str) -> None:
        self.source, self.edits = source.encode(), list[Edit]()
        self.lines = line_starts(self.source)
        self.visit(ast.parse(self.source))

    def edited(self) -> str:
        """The source with all edits made, but none inside of another."""
        pieces, at = [], 0
        for start, end, text in sorted(self.edits, key=lambda edit: (edit[0], -edit[1])):
            if start >= at:
                pieces += [self.source[at:start], text]
                at = end
        return b"".join([*pieces, self.source[at:]]).decode()

    def start(self, node: ast.expr | ast.stmt | ast.arg) -> int:
        return span(self.lines, node)[0]

    def end(self, node: ast.expr | ast.stmt | ast.arg) -> int:
        return span(self.lines, node)[1]


class _Annotations(_Editor):
    """Leaves out annotations and checks."""

    def visit_FunctionDef(self, node: Definition) -> None:
        self._leave_out_checks(node.body)
        usual = _defaults(node.args)
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg) and each.annotation:
                name_end = self.start(each) + len(each.arg.encode())
                default = usual.get(each.arg)
                to, text = (self.start(default), b"=") if default else (self.end(each.annotation), b"")
                self.edits.append((name_end, to, text))
        if node.returns:
            arrow = self.source.rindex(b" ->", 0, self.start(node.returns))
            self.edits.append((arrow, self.end(node.returns), b""))
        for statement in node.body:
            self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if node.bases:
            kept = [_without_kind(base) for base in node.bases if _name(base) not in FOR_TYPES]
            text = b", ".join(self.source[slice(*span(self.lines, base))] for base in kept)
            brackets = 0 if kept or node.keywords else 1
            self.edits.append((self.start(node.bases[0]) - brackets, self.end(node.bases[-1]) + brackets, text))
        for statement in node.body:
            if isinstance(statement, Definition) and all(map(_is_check, statement.body)):
                self._leave_out(statement)
            elif not isinstance(statement, ast.AnnAssign):  # a field of a dataclass needs its annotation
                self.visit(statement)

    def visit_If(self, node: ast.If | ast.For) -> None:
        self._leave_out_checks(node.body)
        self.generic_visit(node)

    visit_For = visit_If  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.edits.append((self.end(node.target), self.end(node.annotation), b""))
            self.visit(node.value)
        else:
            self._leave_out(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _name(node.func) in CHECKED:
            self.edits.append((*span(self.lines, node), self.source[slice(*span(self.lines, node.args[1]))]))
        else:
            self.generic_visit(node)

    def _leave_out_checks(self, body: list[ast.stmt]) -> None:
        checks = [statement for statement in body if _is_check(statement)]
        for check in checks if len(checks) < len(body) else ():
            self._leave_out(check)

    def _leave_out(self, node: ast.stmt) -> None:
        """Leaves out whole lines, with comments and one blank line above them."""
        rows = self.source.split(b"\n")
        marks: list[ast.expr] = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(mark.lineno for mark in marks)]) - 1
        while rows[first - 1].lstrip().startswith(b"#"):
            first -= 1
        self.edits.append((self.lines[first - (not rows[first - 1])], self.lines[node.end_lineno or 0], b""))


class _Heads(_Editor):
    """Puts a function's head into one line where it fits now."""

    def visit_FunctionDef(self, node: Definition) -> None:
        self.generic_visit(node)
        start, end = self.lines[node.lineno - 1] + node.col_offset, self.start(node.body[0])
        head = self.source[start:end].rstrip()
        joined = re.sub(rb"\s+", b" ", head).replace(b"( ", b"(").replace(b", )", b")").replace(b" )", b")")
        if b"\n" in head and b"#" not in head and node.col_offset + len(joined) <= COLUMNS:
            self.edits.append((start, start + len(head), joined))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


def _defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The usual values of parameters by their names."""
    placed = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(placed), reversed(arguments.defaults), strict=False)]
    pairs += [(each, usual) for each, usual in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if usual]
    return {each.arg: usual for each, usual in pairs}


def _is_check(statement: ast.stmt) -> bool:
    """Whether a statement only checks something: check_whole(...), or if ...: raise InputError(...).

    So does `pause`, which looks whether anybody wants it to stop; who runs a script has other means for that.
    """
    match statement:
        case ast.Expr(ast.Call(func)):
            return _name(func).lstrip("_").startswith("check_") or _name(func) in ("__post_init__", "pause")
        case ast.If(body=[*_, ast.Raise(ast.Call(func))], orelse=[]):
            return _name(func) == "InputError"
    return False


def _name(node: ast.expr) -> str:
    """The last name in module.name, name[...] or name."""
    match node:
        case ast.Subscript(value):
            return _name(value)
        case ast.Attribute(attr=name) | ast.Name(name):
            return name
    return ""


def _without_kind(base: ast.expr) -> ast.expr:
    """The class in Schedule[Seq2Seq]: without Generic it takes no brackets."""
    return base.value if isinstance(base, ast.Subscript) else base
