"""Runs the steps of pages as their readers would, each page in a folder and a process of its own.

    python doc_runner.py PAGES.json

A page is {folder, steps}; a step is {where, kind, source}: words of `gumption`, a Python program, an SQL
query, or text that the step before has to have printed. Prints what went wrong and ends with code 1 then.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import multiprocessing
import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any

# What most pages need is loaded once, before the processes part.
import matplotlib.figure  # noqa: F401
import pyarrow.parquet  # noqa: F401

import gumption as g
from gumption.cli import main as command_line

ROOMS = [getattr(g, room) for room in g.__all__]


def main() -> None:
    """Run every page, two at a time."""
    pages = json.loads(Path(sys.argv[1]).read_text())
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        told = pool.map(_page, pages, chunksize=1)
    print("".join(told))
    sys.exit(any(told))


def _page(page: dict[str, Any]) -> str:
    """What went wrong in a page. Every step is run, so that one that fails does not hide the next."""
    os.chdir(page["folder"])
    os.environ["GUMPTION_CACHE"] = str(Path("..", "cache").resolve())
    printed, told = "", ""
    for step in page["steps"]:
        out = io.StringIO()
        wrong = ""
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                wrong = RUN[step["kind"]](step["source"], step["where"], printed)
            except BaseException:  # whatever a page's program raises is told, with the page
                wrong = traceback.format_exc(limit=-3)
        if step["kind"] != "text":
            printed = out.getvalue()
        if wrong:
            told += f"{step['where']}: {step['source']}\n{wrong}\n{printed[-3000:]}\n"
    return told


def _command(source: dict[str, Any], where: str, printed: str) -> str:
    words = [
        found
        for word in source["words"]
        for found in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    sys.argv = words
    try:
        command_line()
    except SystemExit as end:
        code = end.code or 0
        return "" if code == source["code"] else f"ends with code {code} instead of {source['code']}"
    return "" if source["code"] == 0 else f"ends with code 0 instead of {source['code']}"


def _python(source: str, where: str, printed: str) -> str:
    """Runs a program; a value whose line is followed by a remark has to look like that remark."""
    lines = source.splitlines()
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong = []
    for statement in ast.parse(source, where).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), where, "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), where, "eval"), names)
        said = []
        for line in lines[statement.end_lineno :]:
            if not line.startswith("# "):
                break
            said.append(line[2:].strip())
        if said and " ".join(said) != repr(value):
            wrong.append(f"{ast.unparse(statement)} is {value!r}")
    return "\n".join(wrong)


def _sql(source: str, where: str, printed: str) -> str:
    import duckdb

    return "" if duckdb.sql(source).fetchall() else "no rows"


def _text(source: str, where: str, printed: str) -> str:
    """Every line that is shown was printed, blanks aside; a line of dots stands for some left out."""
    there = {_plain(line) for line in printed.splitlines()}
    return "\n".join(
        f"not printed: {line}" for line in source.splitlines() if _plain(line) not in {*there, "", "..."}
    )


def _plain(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip()


RUN = {"command": _command, "python": _python, "sql": _sql, "text": _text}

if __name__ == "__main__":
    main()
