"""The changes that the mutation runner makes: `make mutate`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutation.mutants import applied, mutants_of
from mutation.rooms import ROOMS

REPOSITORY = Path(__file__).parents[1]


def changes(source: str) -> set[tuple[str, str, str]]:
    return {(one.kind, one.before, one.after) for one in mutants_of("file.py", source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < 2", {("comparison", "a < 2", "(a <= 2)"), ("constant", "2", "3")}),
        ("a == b != c", {("comparison", "a == b != c", "(a != b != c)"),
                         ("comparison", "a == b != c", "(a == b == c)")}),
        ("a + b", {("arithmetic", "a + b", "(a - b)")}),
        ("a and b", {("boolean", "a and b", "(a or b)")}),
        ("not a", {("boolean", "not a", "(a)")}),
        ("f(a, b)", {("arguments", "f(a, b)", "(f(b, a))"), ("removed", "f(a, b)", "pass")}),
        ("f(*a, b)", {("removed", "f(*a, b)", "pass")}),
        ("x = 'é', True", {("string", "'é'", "'XXéXX'"), ("constant", "True", "False")}),
        ("x = f'{a}'", {("string", "f'{a}'", "f'XX{a}'")}),
        ("if a: b", {("condition", "a", "(not a)")}),
        ("x = [a for a in b if c]", {("condition", "c", "(not c)")}),
        ("a += b", {("arithmetic", "a += b", "a -= b"), ("removed", "a += b", "pass")}),
        ("for a in b:\n  if a:\n    break", {("loop", "break", "continue"), ("condition", "a", "(not a)")}),
        ("def f():\n  return a", {("return", "return a", "return None")}),
        ("def f():\n  if a: return\n  b()", {("condition", "a", "(not a)"), ("removed", "return", "pass"),
                                            ("removed", "b()", "pass")}),
    ],
)  # fmt: skip
def test_what_is_changed(source: str, expected: set[tuple[str, str, str]]) -> None:
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""What a module is for."""',
        "class A(B, frozen=True):\n  a: int\n  '''What a is.'''",
        "__all__ = ['a', 'b']",
        "def f(a: Literal['x'] = b) -> 'B': ...",
        "if TYPE_CHECKING:\n  from a import b",
        "@cache(maxsize=2)\ndef f(): ...",
        "A: TypeAlias = 'B'",
        "A = Literal['a', 'b']",
        "a = max(b, c)",
        "a = (200, 30, 0)",
        "a = zip(*b, strict=True)",
        "x = cast('A', b)",
    ],
)
def test_what_no_test_could_notice_is_left_out(source: str) -> None:
    assert changes(source) == set()


def test_an_error_may_go_but_its_wording_is_free() -> None:
    assert changes("raise GumptionError(f'no {a}', remedy='b')") == {
        ("removed", "raise GumptionError(f'no {a}', remedy='b')", "pass")
    }


def test_a_change_is_of_its_place_alone() -> None:
    source = "é = 'ü'\ndef f(a):\n    return a < 1 or a < 1\n"
    texts = [applied(source, one) for one in mutants_of("file.py", source)]
    assert "é = 'ü'\ndef f(a):\n    return a < 1 or (a <= 1)\n" in texts
    assert "é = 'XXüXX'\ndef f(a):\n    return a < 1 or a < 1\n" in texts
    assert len(texts) == len(set(texts)) == 7


def test_names_stay_where_other_functions_change() -> None:
    before = {one.name for one in mutants_of("file.py", "def f(a):\n    return a < 1\n")}
    after = {
        one.name
        for one in mutants_of("file.py", "x = 3\ndef g(a):\n    return a < 1\ndef f(a):\n    return a < 1\n")
    }
    assert len(before) == 3
    assert before < after


@pytest.mark.parametrize("room", ROOMS)
def test_every_mutant_of_a_room_is_a_program(room: str) -> None:
    files = ROOMS[room].source_files(REPOSITORY)
    assert files
    assert ROOMS[room].test_files(REPOSITORY)
    for file in files[:: 1 + len(files) // 4]:
        source = (REPOSITORY / file).read_text()
        for mutant in mutants_of(file, source)[::10]:
            ast.parse(applied(source, mutant))
