"""The strings that a Python file holds as constants. It is parsed, and never run."""

from __future__ import annotations

import ast
import warnings
from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from gumption.benchmarks._prompt_tree import DEPTH, Unquotable
from gumption.records import GumptionError

__all__ = ["python_constants"]

_LARGEST = 2**19
"""Characters. A parsed file takes up to nine hundred times its size in memory."""
_JOINED = 2**22
"""Characters of all strings that + makes: each could be twice the one before."""


def python_constants(text: str) -> dict[str, Any]:
    """Names of a module, and of the classes in it, to strings, dict and list; Unquotable for all else.

    A string is a literal, or literals and names of strings before it, with + between them. A name has what
    the last assignment at its level gave it; where a statement that has to be run could have changed it (an
    `if`, a loop, an item's assignment, `.update()`), it is no string. Raises GumptionError for what is no
    Python, is nested too deeply, or is over 512 KiB.
    """
    if len(text) > _LARGEST:
        raise GumptionError(f"Python of over {_LARGEST // 2**10} KiB", remedy="name another file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Of the authors' escapes, which are none of our reader's matter.
            module = ast.parse(text)
        return _Constants().of(module.body, {})
    except (RecursionError, MemoryError) as error:
        raise GumptionError("Python that is nested too deeply", remedy="name another file") from error
    except (SyntaxError, ValueError) as error:
        raise GumptionError(f"no Python that can be read: {error}", remedy="name another file") from error


class _Constants:
    def __init__(self) -> None:
        self._joined = 0

    def of(self, body: list[ast.stmt], outer: MutableMapping[str, Any], depth: int = 0) -> dict[str, Any]:
        """The names that the statements of a module or class bind."""
        _bound(depth)
        names: dict[str, Any] = {}
        known = ChainMap(names, outer)
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names[name] = self._value(value, known)
                case ast.AnnAssign(target=ast.Name(), value=None):
                    continue
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    names[name] = self._value(value, known)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    left = ast.Name(name, ast.Load())
                    names[name] = self._value(ast.BinOp(left, ast.Add(), value), known)
                case ast.ClassDef(name=name, body=inside):
                    names[name] = self.of(inside, outer if depth else names, depth + 1)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    names[name] = Unquotable("a function")
                case _:
                    for name in _changed(statement):
                        names[name] = Unquotable("what the program makes when it runs")
        return names

    def _value(self, node: ast.expr, known: Mapping[str, Any], depth: int = 0) -> Any:
        _bound(depth)
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=value):
                return Unquotable(f"a constant of type {type(value).__name__}")
            case ast.Name(id=name):
                return known.get(name, Unquotable(f"the name {name}, which no constant here has"))
            case ast.BinOp(op=ast.Add()):
                return self._sum(node, known, depth)
            case ast.List(elts=elements) | ast.Tuple(elts=elements) if not any(
                isinstance(element, ast.Starred) for element in elements
            ):
                return [self._value(element, known, depth + 1) for element in elements]
            case ast.Dict(keys=keys, values=values) if None not in keys:
                return {
                    str(key): self._value(value, known, depth + 1)
                    for node, value in zip(keys, values, strict=True)
                    if (key := _key(node, known)) is not None
                }
            case ast.JoinedStr():
                return Unquotable("an f-string, which the program fills when it runs")
        return Unquotable("what the program makes when it runs")

    def _sum(self, node: ast.expr, known: Mapping[str, Any], depth: int) -> Any:
        """`a + b + c` is ((a + b) + c): taken apart in a loop, and joined once."""
        parts: list[Any] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts.append(self._value(node.right, known, depth + 1))
            node = node.left
        parts.append(self._value(node, known, depth + 1))
        if not all(isinstance(part, str) for part in parts):
            return Unquotable("a sum with what is no constant string in it")
        self._joined += sum(map(len, parts))
        if self._joined > _JOINED:
            raise GumptionError("strings that grow without end", remedy="name another file")
        return "".join(reversed(parts))


def _bound(depth: int) -> None:
    if depth > DEPTH:
        raise GumptionError(f"nested over {DEPTH} deep", remedy="name another file")


def _key(node: ast.expr | None, known: Mapping[str, Any]) -> str | int | None:
    """A key of a dict literal, None for one that the program makes."""
    key = known.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    if isinstance(key, int) and abs(key) >= 2**63:  # Longer ones are costly to write out.
        return None
    return key if isinstance(key, str | int) else None


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds or whose mapping or list it may change, were it run."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return  # Runs as a program alone, never where the authors import their words.
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in aliases)
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield from _root(node)
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
                yield from _root(method)


def _root(node: ast.expr) -> Iterator[str]:
    """`a` of `a["b"].c`."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id
