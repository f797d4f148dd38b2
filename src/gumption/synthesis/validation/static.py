"""The first gate: what a pipeline's text shows before anything runs. It explains; the sandbox enforces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gumption.synthesis.contract import ALLOWED, FUNCTIONS
from gumption.synthesis.validation.report import Finding, Gate, gate

__all__ = ["called_from", "check_text", "functions_of"]

_ARGUMENTS = {"load": 1, "build": 1, "score": 2}
_LONGEST = 200_000
"""Characters of a file."""
_NODES = 60_000
_CALLS = frozenset(
    [
        "eval",
        "exec",
        "compile",
        "__import__",
        "input",
        "breakpoint",
        "globals",
        "locals",
        "vars",
        "setattr",
        "delattr",
        "exit",
        "quit",
        "help",
    ]
)
_READS = frozenset(
    ["open", "read_text", "read_bytes", "iterdir", "glob", "rglob", "fromfile", "loadtxt", "genfromtxt"]
)
_WRITES = frozenset(
    [
        "write_text",
        "write_bytes",
        "unlink",
        "rmdir",
        "mkdir",
        "rename",
        "touch",
        "symlink_to",
        "hardlink_to",
        "chmod",
        "tofile",
        "savetxt",
        "savez",
        "memmap",
        "DataSource",
    ]
)
_FRAMES = frozenset(("tb_frame", "gi_frame", "f_back", "f_globals", "f_locals", "f_builtins", "format_map"))
_HIDDEN = re.compile(r"__\w+__")


def check_text(code: str) -> Gate:
    """The gate `static`: it parses, is small, and does nothing but what the contract allows."""
    if len(code) > _LONGEST:
        return gate(
            "static",
            1,
            [Finding("the file is small", got=f"{len(code):,} characters", expected=f"at most {_LONGEST:,}")],
        )
    try:
        tree = ast.parse(code)
        nodes = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        return gate(
            "static", 1, [Finding("the file parses", got=f"{type(error).__name__}: {str(error)[:200]}{line}")]
        )
    findings = [*_functions(tree), *_imports(tree), *_dynamic(tree), *_files(tree)]
    if nodes > _NODES:
        findings.append(Finding("the file is small", got=f"{nodes:,} nodes", expected=f"at most {_NODES:,}"))
    return gate("static", 6, findings)


def functions_of(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions that a file defines at its top, by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def called_from(tree: ast.Module, names: tuple[str, ...]) -> set[str]:
    """The file's own functions that these reach, themselves among them."""
    known = functions_of(tree)
    left, reached = [name for name in names if name in known], set[str]()
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        left += [node.id for node in ast.walk(known[name]) if isinstance(node, ast.Name) and node.id in known]
    return reached


def _functions(tree: ast.Module) -> Iterator[Finding]:
    for name in FUNCTIONS:
        found = [
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        ]
        wanted = _ARGUMENTS[name]
        if len(found) != 1 or isinstance(found[0], ast.AsyncFunctionDef):
            yield Finding(f"there is one function {name}", got=f"{len(found)} plain functions of that name")
            continue
        arguments = found[0].args
        most = len(arguments.posonlyargs) + len(arguments.args)
        least = most - len(arguments.defaults)
        needed = [
            one
            for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is None
        ]
        if needed or not least <= wanted <= most:
            yield Finding(
                f"{name} takes {wanted} arguments", got=f"{ast.unparse(arguments)!r}", item=_line(found[0])
            )
        yields = (ast.Yield, ast.YieldFrom, ast.Await)
        if any(isinstance(node, yields) for node in ast.walk(found[0])):
            yield Finding(f"{name} returns plain data", got="it yields", item=_line(found[0]))


def _imports(tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [(module, f"{module}.{alias.name}") for alias in node.names]
        else:
            continue
        for module, whole in names:
            if module != "__future__" and not _allowed(module) and not _allowed(whole):
                yield Finding(
                    "only allowed modules are imported",
                    item=_line(node),
                    got=whole if isinstance(node, ast.ImportFrom) else module,
                    expected=f"one of {', '.join(ALLOWED)}",
                )


def _allowed(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in ALLOWED)


def _dynamic(tree: ast.Module) -> Iterator[Finding]:
    texts = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        got = ""
        if isinstance(node, ast.Name) and (node.id in _CALLS or _HIDDEN.fullmatch(node.id)):
            got = node.id
        elif isinstance(node, ast.Name) and node.id == "getattr":
            got = "getattr"
        elif isinstance(node, ast.Attribute) and (_HIDDEN.fullmatch(node.attr) or node.attr in _FRAMES):
            got = f".{node.attr}"
        elif isinstance(node, ast.Attribute) and _is(node.value, "os") and node.attr != "path":
            got = f"os.{node.attr}"
        elif (
            isinstance(node, ast.Attribute)
            and node.attr in ("random", "ctypeslib")
            and _is(node.value, "np", "numpy")
        ):
            got = f"numpy.{node.attr}"
        elif isinstance(node, ast.Global | ast.Nonlocal):
            got = f"state between calls: {', '.join(node.names)}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            got = next(iter(_HIDDEN.findall(node.value)), "")
        if got:
            yield Finding("nothing is run dynamically or reached by hidden names", item=_line(node), got=got)


def _files(tree: ast.Module) -> Iterator[Finding]:
    pure = called_from(tree, ("build", "score"))
    inside = {id(node): name for name, function in functions_of(tree).items() for node in ast.walk(function)}
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        where = inside.get(id(node), "")
        if name in _WRITES:
            yield Finding("no file is written", item=_line(node), got=name)
        elif name in _READS and (where in pure or not where):
            yield Finding(
                "only load reads files", item=_line(node), got=f"{name} in {where or 'the file itself'}"
            )


def _is(node: ast.expr, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _line(node: ast.AST) -> str:
    return f"line {getattr(node, 'lineno', 0)}"
