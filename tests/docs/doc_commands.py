"""Lines of shell blocks: parsed by the command line itself, without running anything."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer.main

import gumption as g
from gumption.cli import app

__all__ = ["check", "check_mention", "command_lines", "words_of"]

COMMENT = re.compile(r"(^|\s)#\s.*$")


def command_lines(lines: Sequence[str]) -> Iterator[str]:
    """Commands with their remarks, a continued line as one."""
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if COMMENT.sub("", line).strip():
            yield line.strip().removeprefix(".venv/bin/")


def words_of(line: str) -> list[str]:
    """The words of a command without its remark."""
    return shlex.split(COMMENT.sub("", line))


def check(words: Sequence[str], repository: Path) -> None:
    """Raises ValueError, or the command line's own error, for a command that does not exist as written."""
    match list(words):
        case ["gumption", *arguments]:
            _parse(arguments)
        case ["make", *targets]:
            subprocess.run(["make", "-n", *targets], cwd=repository, check=True, capture_output=True)
        case ["python", "-m", "benches", *names]:
            missing = [n for n in names if n[:2] != "--" and not (repository / f"benches/{n}.py").is_file()]
            _refuse(missing, "no bench")
        case ["python", "-m", "pytest", *_]:
            pass
        case ["python", "-m", module, *_]:
            _refuse([] if importlib.util.find_spec(module) else [module], "no module")
        case ["ray", "start", *_] | ["export", *_]:
            pass  # Ray's own, and the shell's
        case ["pip", "install", *wanted]:
            named = {extra for one in wanted for extra in re.findall(r"\[(.*)\]", one)}
            _refuse({e for some in named for e in some.split(",")} - _extras(repository), "no extra")
        case ["inspect", "eval", task, *_]:
            tasks = {f"gumption/{name.replace('-', '_')}" for name in g.benchmarks.names()}
            _refuse([] if task in tasks | {"gumption/suite"} else [task], "no task")
        case ["export", _] | ["inspect", "view", *_] | ["git", "clone", _] | ["cd", _]:
            pass
        case _:
            raise ValueError(f"a program that no page should need: {words[0]}")


def check_mention(words: Sequence[str]) -> None:
    """Raises ValueError for a verb or an option that is not there; all else may be left out."""
    command, rest = _command_line(), list(words[1:])
    while rest and hasattr(command, "commands"):
        _refuse([] if rest[0] in command.commands else rest[:1], "no verb")
        command = command.commands[rest.pop(0)]
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
    _refuse(
        [word for word in rest if word.startswith("-") and word != "-" and word not in known], "no option"
    )


@cache
def _command_line() -> Any:
    return typer.main.get_command(app)


def _parse(arguments: list[str]) -> None:
    """As the command line does, down to the verb and its options, but the verb is not called."""
    command = _command_line()
    context = command.make_context("gumption", arguments)
    while hasattr(command, "resolve_command"):
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context)


@cache
def _extras(repository: Path) -> set[str]:
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    return set(project["optional-dependencies"])


def _refuse(missing: Any, what: str) -> None:
    if missing:
        raise ValueError(f"{what}: {', '.join(sorted(missing))}")
