"""The small changes that a source file can suffer, each of one expression or statement.

Left out, as no test could or should notice them: annotations, `__all__`, docstrings, the wording of errors,
warnings and logs, `TYPE_CHECKING` blocks, decorators and class keywords, what stands inside an f-string, the
order of what `max` and the like are given, the `strict` of a `zip`, which asserts what holds, and one step in
a colour of red, green and blue.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from dataclasses import dataclass

__all__ = ["Mutant", "applied", "mutants_of"]


@dataclass(frozen=True)
class Mutant:
    """One change. `name` stays the same while the function around it does; lines count from 1."""

    name: str
    file: str
    line: int
    function: str
    kind: str
    before: str
    after: str
    begin: int
    """Of what is replaced, in bytes from the start of the file."""
    end: int
    first_line: int
    """Of the statement, or of its head: a test that runs one of these lines may notice the change."""
    last_line: int


_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.MatMult: ast.Mult,
}
_WORDING = ("warn", "debug", "info", "warning", "error", "exception")
_WORDING_KEYWORDS = {"problem", "remedy", "where"}
_SYMMETRIC = {"max", "min", "gcd", "hypot", "isclose"}
"""Calls that do not ask for the order of their arguments."""
_TYPING = {"cast", "TypeVar", "NewType", "ParamSpec"}


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Every change of the file, in the order of its lines."""
    walker = _Walker(file, source)
    walker.visit(ast.parse(source))
    return sorted(walker.found, key=lambda one: (one.begin, one.end, one.kind, one.after))


def applied(source: str, mutant: Mutant) -> str:
    data = source.encode()
    return (data[: mutant.begin] + mutant.after.encode() + data[mutant.end :]).decode()


class _Walker(ast.NodeVisitor):
    def __init__(self, file: str, source: str) -> None:
        self.found: list[Mutant] = []
        self._file = file
        self._data = source.encode()
        self._line_starts = [0]
        for line in self._data.splitlines(keepends=True):
            self._line_starts.append(self._line_starts[-1] + len(line))
        self._functions: list[str] = []
        self._statement: tuple[int, int] = (1, 1)
        self._wording = False
        self._seen: Counter[tuple[str, ...]] = Counter()

    # ── what is left out, and what names the place ───────────────────────────────────────────────────

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            head_end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            before, self._statement = self._statement, (node.lineno, max(node.lineno, head_end))
            self._removed(node)
            super().visit(node)
            self._statement = before
        else:
            super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._functions.append(node.name)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._all(node.body)
        self._functions.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._functions.append(node.name)
        self._all(node.body)
        self._functions.pop()

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if node.value is not None and not alias:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        before, self._wording = self._wording, True
        self.generic_visit(node)
        self._wording = before

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            self._all(node.orelse)
            return
        self._negated(node.test)
        self.generic_visit(node)

    # ── what is changed ──────────────────────────────────────────────────────────────────────────────

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._negated(node.test)
            self.visit(node.test)
        self._all(node.body)
        self._all(node.orelse)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id == "Literal"):
            self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        values = [one.value for one in node.elts if isinstance(one, ast.Constant) and type(one.value) is int]
        colour = len(values) == len(node.elts) == 3 and max(values) >= 30 and max(values) <= 255
        if not colour:
            self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negated(test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[at] = _COMPARISONS[type(operator)]()
            self._change(node, "comparison", changed)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        changed = copy.deepcopy(node)
        changed.op = _ARITHMETIC[type(node.op)]()
        self._change(node, "arithmetic", changed)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        changed = copy.deepcopy(node)
        changed.op = _ARITHMETIC[type(node.op)]()
        self._change(node, "arithmetic", changed)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        changed = copy.deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._change(node, "boolean", changed)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self._change(node, "sign" if not isinstance(node.op, ast.Not) else "boolean", node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._change(node, "constant", ast.Constant(not value))
        elif isinstance(value, int | float):
            self._change(node, "constant", ast.Constant(value + 1))
        elif isinstance(value, str) and not self._wording:
            self._change(node, "string", ast.Constant(f"XX{value}XX" if value else "XX"))
        elif isinstance(value, bytes):
            self._change(node, "string", ast.Constant(b"XX" + value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if not self._wording:
            self._change(node, "string", ast.JoinedStr([ast.Constant("XX"), *node.values]))

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _TYPING:
            self._all(node.args[1:])
            return
        plain = [at for at, one in enumerate(node.args) if not isinstance(one, ast.Starred)]
        if len(plain) > 1 and plain[1] == plain[0] + 1 and name not in _SYMMETRIC:
            changed = copy.deepcopy(node)
            one, two = plain[:2]
            changed.args[one], changed.args[two] = changed.args[two], changed.args[one]
            self._change(node, "arguments", changed)
        before = self._wording
        self._wording = before or name.endswith("Error") or name in _WORDING
        self.visit(node.func)
        self._all(node.args)
        for keyword in node.keywords:
            if keyword.arg == "strict":
                continue
            told, self._wording = self._wording, self._wording or keyword.arg in _WORDING_KEYWORDS
            self.visit(keyword.value)
            self._wording = told
        self._wording = before

    def _all(self, nodes: list[ast.expr] | list[ast.stmt]) -> None:
        for node in nodes:
            self.visit(node)

    def _negated(self, test: ast.expr) -> None:
        # The opposite of "a == b" is a change of the comparison already, that of "not a" one of the boolean.
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.In):
            return
        self._change(test, "condition", ast.UnaryOp(ast.Not(), test))

    def _removed(self, node: ast.stmt) -> None:
        nothing = ast.Pass()
        match node:
            case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Delete():
                self._change(node, "removed", nothing)
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                self._change(node, "removed", nothing)
            case ast.Return(value=ast.expr() as value) if not (
                isinstance(value, ast.Constant) and (value.value is None or value.value is False)
            ):
                self._change(node, "return", ast.Return(ast.Constant(None)))
            case ast.Return():
                self._change(node, "removed", nothing)
            case ast.Break():
                self._change(node, "loop", ast.Continue())
            case ast.Continue():
                self._change(node, "loop", ast.Break())
            case _:
                pass

    def _change(self, node: ast.expr | ast.stmt, kind: str, changed: ast.AST) -> None:
        begin = self._line_starts[node.lineno - 1] + node.col_offset
        end = self._line_starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = self._data[begin:end].decode()
        try:
            after = ast.unparse(ast.fix_missing_locations(changed))
        except ValueError:  # an f-string that Python 3.11 cannot write
            return
        if isinstance(node, ast.expr) and not isinstance(changed, ast.Constant | ast.JoinedStr):
            after = f"({after})"
        function = ".".join(self._functions)
        place = (function, kind, before, after)
        self._seen[place] += 1
        name = hashlib.sha256(repr((self._file, *place, self._seen[place])).encode()).hexdigest()[:10]
        self.found.append(
            Mutant(name, self._file, node.lineno, function, kind, before, after, begin, end, *self._statement)
        )
