"""Branches of a pipeline's own functions: marks in a copy of the code say where it has been."""

from __future__ import annotations

import ast

__all__ = ["MARK", "marked"]

MARK = "_gumption_reached"
"""The name of the function that a mark calls with its number."""


def marked(code: str) -> tuple[str, list[str]]:
    """The code with a mark in each branch of each function, and what each mark stands for.

    Branches are both sides of `if` and of conditional expressions, the body of a loop, each handler, each
    case of `match`, the later operands of `and` and `or`, and the function itself.
    """
    tree = ast.parse(code)
    marking = _Marking()
    marking.visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)), marking.branches


class _Marking(ast.NodeTransformer):
    def __init__(self) -> None:
        self.branches: list[str] = []
        self.function = ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outer, self.function = self.function, self.function or node.name
        self.generic_visit(node)
        node.body = [self._mark(node, "is called"), *node.body]
        self.function = outer
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self.function:
            node.body = [self._mark(node, "if holds"), *node.body]
            node.orelse = [self._mark(node, "if does not hold"), *node.orelse]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> ast.AST:
        self.generic_visit(node)
        if self.function:
            node.body = [self._mark(node, "the loop runs"), *node.body]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if self.function:
            node.body = [self._mark(node, "what is raised is caught"), *node.body]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        if self.function and node.body:
            node.body = [self._mark(node.body[0], "the case holds"), *node.body]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if self.function:
            node.body = self._marked(node.body, "the expression's if holds")
            node.orelse = self._marked(node.orelse, "the expression's if does not hold")
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self.function:
            what = "`and` goes on" if isinstance(node.op, ast.And) else "`or` goes on"
            node.values = [node.values[0], *(self._marked(one, what) for one in node.values[1:])]
        return node

    def _call(self, at: ast.AST, what: str) -> ast.Call:
        self.branches.append(f"{self.function}, line {getattr(at, 'lineno', 0)}: {what}")
        number = ast.Constant(len(self.branches) - 1)
        return ast.Call(ast.Name(MARK, ast.Load()), [number], [])

    def _mark(self, at: ast.AST, what: str) -> ast.stmt:
        return ast.Expr(self._call(at, what))

    def _marked(self, value: ast.expr, what: str) -> ast.expr:
        # The mark is None, so the second of the pair is the value itself.
        pair = ast.Tuple([self._call(value, what), value], ast.Load())
        return ast.Subscript(pair, ast.Constant(1), ast.Load())
