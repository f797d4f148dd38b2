"""Small edits of a scorer, each a fault that somebody could have made."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

from gumption.synthesis.validation.static import called_from, functions_of

__all__ = ["Edit", "edits"]

Edit: TypeAlias = tuple[str, str]
"""What was changed, and the changed code."""
Change: TypeAlias = tuple[str, Callable[[ast.AST], None]]

_SWAPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip
_NORMALISES = frozenset(
    (
        "lower",
        "upper",
        "casefold",
        "strip",
        "lstrip",
        "rstrip",
        "replace",
        "title",
        "removesuffix",
        "removeprefix",
    )
)

_AROUND = {
    "every reply scores 1": "return {**found, 'score': 1.0, 'outcome': 'answered'}",
    "every reply scores 0": "return {**found, 'score': 0.0}",
    "every reply scores 0.25": "return {**found, 'score': 0.25}",
    "scores are turned round": "return {**found, 'score': 1.0 - found['score']}",
    "what cannot be read is dropped": (
        "return found if found['outcome'] == 'answered' else {**found, 'score': None}"
    ),
    "what cannot be read counts as answered": "return {**found, 'outcome': 'answered'}",
    "what cannot be read is right": (
        "return found if found['outcome'] == 'answered' else {**found, 'score': 1.0}"
    ),
    "partial credit is lost": "return {**found, 'score': float(found['score'] >= 1.0)}",
    "partial credit is full": "return {**found, 'score': float(found['score'] > 0.0)}",
}
_BEFORE = {
    "only the first line is read": "reply.strip().split('\\n')[0]",
    "only the last line is read": "reply.strip().split('\\n')[-1]",
    "only the first character is read": "reply.strip()[:1]",
    "replies are made lower case": "reply.lower()",
    "replies are made upper case": "reply.upper()",
    "tags are taken off first": "reply.replace('<answer>', ' ').replace('</answer>', ' ')",
    "reasoning is read as well": "reply.replace('<think>', ' ').replace('</think>', ' ')",
    "marks are taken off first": "reply.replace('Final answer:', ' ').replace('Answer:', ' ')",
}


def edits(code: str, most: int, seed: int) -> list[Edit]:
    """At most `most` changed copies of the code: faults around `score`, and edits of it and of what it calls
    or names in the file, but for what `build` shares with it. Deterministic by the seed."""
    tree = ast.parse(code)
    found = [*_wrapped(code)]
    inside = list(_inside(tree))
    room = max(0, most - len(found))
    if len(inside) > room:
        kept = sorted(random.Random(seed).sample(range(len(inside)), room))
        inside = [inside[at] for at in kept]
    return found + inside


def _wrapped(code: str) -> Iterator[Edit]:
    head = f"{code}\n\n_whole = score\n\n\ndef score(row, reply):\n"
    for what, does in _AROUND.items():
        yield what, f"{head}    found = _whole(row, reply)\n    {does}\n"
    for what, said in _BEFORE.items():
        yield what, f"{head}    return _whole(row, {said})\n"


def _inside(tree: ast.Module) -> Iterator[Edit]:
    places = [functions_of(tree)[name] for name in sorted(called_from(tree, ("score",)))]
    roots: list[ast.AST] = [*places, *_own_constants(tree, places)]
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    for root in roots:
        for node in ast.walk(root):
            for what, change in _changes(node):
                other = copy.deepcopy(tree)
                twin = next(one for number, one in enumerate(ast.walk(other)) if number == numbers[id(node)])
                change(twin)
                yield (
                    f"line {getattr(node, 'lineno', 0)}: {what}",
                    ast.unparse(ast.fix_missing_locations(other)),
                )


def _own_constants(tree: ast.Module, places: list[ast.FunctionDef]) -> list[ast.AST]:
    """The values of names at the file's top that `score` uses and `build` does not: those lists would change
    the request as well, which is not judged here."""
    used = {node.id for place in places for node in ast.walk(place) if isinstance(node, ast.Name)}
    known = functions_of(tree)
    shared = {
        node.id
        for name in called_from(tree, ("build", "load")) - {place.name for place in places}
        for node in ast.walk(known[name])
        if isinstance(node, ast.Name)
    }
    found: list[ast.AST] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in used and name not in shared:
                found.append(node.value)
    return found


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in _SWAPS.get(type(operator), ()):
                yield f"{type(operator).__name__} for {other.__name__}", _set_operator(at, other)
    elif isinstance(node, ast.BoolOp):
        other_bool = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield (
            f"{type(node.op).__name__} for {other_bool.__name__}",
            lambda twin: setattr(twin, "op", other_bool()),
        )
    elif isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        other_sign = _SIGNS[type(node.op)]
        yield (
            f"{type(node.op).__name__} for {other_sign.__name__}",
            lambda twin: setattr(twin, "op", other_sign()),
        )
    elif isinstance(node, ast.If):
        yield "the condition never holds", lambda twin: setattr(twin, "test", ast.Constant(False))
        yield "the condition always holds", lambda twin: setattr(twin, "test", ast.Constant(True))
    elif isinstance(node, ast.Call):
        for at, keyword in enumerate(node.keywords):
            yield f"{keyword.arg}= is left out", _drop("keywords", at)
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Constant):
                yield from _constants(argument, "args", at)
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Constant) and isinstance(
                keyword.value.value, bool | int | float
            ):
                yield f"{keyword.arg}= is another", _other_keyword(node.keywords.index(keyword))
        if isinstance(node.func, ast.Attribute) and node.func.attr in _NORMALISES:
            yield f".{node.func.attr}() does nothing", _undone
    elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for at, _ in enumerate(node.elts):
            yield f"element {at} is left out", _drop("elts", at)
        for at, _ in enumerate(node.elts[1:]):
            yield f"elements {at} and {at + 1} change places", _exchange(at)


def _constants(argument: ast.Constant, name: str, at: int) -> Iterator[Change]:
    value = argument.value
    if isinstance(value, bool) or value is None or isinstance(value, bytes):
        return
    if isinstance(value, int | float):
        yield f"{value!r} is more", _set_element(name, at, value + 1)
    elif isinstance(value, str):
        yield f"{value[:20]!r} is another text", _set_element(name, at, f"{value}?")


def _set_operator(at: int, other: type[ast.cmpop]) -> Callable[[ast.AST], None]:
    def change(twin: ast.AST) -> None:
        assert isinstance(twin, ast.Compare)
        twin.ops[at] = other()

    return change


def _set_element(name: str, at: int, value: str | float) -> Callable[[ast.AST], None]:
    def change(twin: ast.AST) -> None:
        getattr(twin, name)[at] = ast.Constant(value)

    return change


def _drop(name: str, at: int) -> Callable[[ast.AST], None]:
    def change(twin: ast.AST) -> None:
        del getattr(twin, name)[at]

    return change


def _exchange(at: int) -> Callable[[ast.AST], None]:
    def change(twin: ast.AST) -> None:
        assert isinstance(twin, ast.Tuple | ast.List)
        twin.elts[at], twin.elts[at + 1] = twin.elts[at + 1], twin.elts[at]

    return change


def _other_keyword(at: int) -> Callable[[ast.AST], None]:
    def change(twin: ast.AST) -> None:
        assert isinstance(twin, ast.Call)
        value = twin.keywords[at].value
        assert isinstance(value, ast.Constant)
        if isinstance(value.value, bool):
            value.value = not value.value
        elif isinstance(value.value, int | float):
            value.value = value.value * 1.5 + 0.1

    return change


def _undone(twin: ast.AST) -> None:
    assert isinstance(twin, ast.Call)
    assert isinstance(twin.func, ast.Attribute)
    # x.lower() becomes str(x): the same text, not normalised.
    twin.args, twin.keywords = [twin.func.value], []
    twin.func = ast.Name("str", ast.Load())
