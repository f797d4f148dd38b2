"""Calling a pipeline in the sandbox: many calls at a time, each answered for itself. And the gate `run`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from gumption.records import GumptionError
from gumption.synthesis.calls import packages_for
from gumption.synthesis.contract import DRIVER, Row
from gumption.synthesis.sandbox import Limits, SandboxResult, run_sandboxed
from gumption.synthesis.sandbox._bubblewrap import DATA
from gumption.synthesis.sandbox.mechanisms import in_force
from gumption.synthesis.validation.report import Finding, Gate, gate, quoted, without_paths

__all__ = ["LIMITS", "Call", "Pipeline", "StoppedError", "check_run", "scored_of"]

LIMITS = Limits(wall_s=30.0, memory_mb=1024, processes=16, disk_mb=10, output_kb=128 * 1024)
"""Of one call of the sandbox, of which a validation makes six."""
_ANY = ("", " ", "A", "(B) it is.", "yes", "7", "[(1, 2)]", "I cannot say.")
"""Replies that say little: what they are worth is not looked at, only that it is the same each time. Their
number is even, so that no call keeps an odd or even number when the order is turned."""


class Call(Struct, frozen=True):
    """What came of one call of `build` or `score`."""

    value: Any
    raised: str
    """ "" or the end of the traceback."""
    untouched: bool
    """Whether the row was left as it was."""
    repeated: bool = True
    """Whether a second call gave the same."""


class StoppedError(Exception):
    """The sandbox ended before all calls were made."""

    def __init__(self, result: SandboxResult, check: str) -> None:
        self.result = result
        self.done = len(result.output)
        detail = without_paths(result.detail)
        self.finding = Finding(
            check, got=result.error or "crash", said=detail or without_paths(result.printed)
        )
        super().__init__(detail)


class Pipeline:
    """A pipeline's text on a folder."""

    def __init__(self, code: str, folder: Path, limits: Limits, mechanism: str = "auto") -> None:
        """mechanism: as for `run_sandboxed`. Raises GumptionError where no sandbox is to be had."""
        self.code, self.folder, self.limits = code, folder.resolve(), limits
        self.mechanism = in_force() if mechanism == "auto" else mechanism
        self.inside = DATA if self.mechanism == "bubblewrap" else str(self.folder)
        """Where the folder lies for the code."""
        self.packages = packages_for(folder)

    def few(self, replies: Sequence[str], ids: Sequence[str] = (), backwards: bool = False) -> list[Any]:
        """[the result of load, results of build by id, of score by id and reply] for some items."""
        job = ["few", self.inside, list(ids), list(replies), backwards]
        output: list[Any] = self._run([job], "load, build and score run on a few items")[0]
        return output

    def build(self, rows: Sequence[Row]) -> list[Call]:
        """A call of `build` for each row."""
        output = self._run([["build", list(rows)]], "build runs on all rows")[0]
        return [_call(one) for one in output]

    def score(self, jobs: Sequence[tuple[Row, Sequence[str]]]) -> list[list[Call]]:
        """For each row a call of `score` for each of its replies. Raises StoppedError."""
        output = self._run(
            [["score", row, list(replies)] for row, replies in jobs], "score runs on all replies"
        )
        return scored_of(output)

    def _run(self, jobs: list[Any], check: str) -> list[Any]:
        result = self.run(self.code + DRIVER + _harness(), jobs)
        if not result.ok:
            raise StoppedError(result, check)
        return result.output

    def run(self, text: str, jobs: Sequence[Any]) -> SandboxResult:
        """Another program on the same folder, with the same packages and limits."""
        return run_sandboxed(
            text, jobs, self.limits, packages=self.packages, data=self.folder, mechanism=self.mechanism
        )


@cache
def _harness() -> str:
    return (Path(__file__).parent / "_harness.py").read_text()


def scored_of(output: Sequence[Any]) -> list[list[Call]]:
    """What came back of `Pipeline.score`, or of the part of it that was done."""
    return [[_call(one) for one in several] for several in output]


def _call(one: Any) -> Call:
    match one:
        case ["ok", value, bool(untouched)]:
            return Call(value, "", untouched)
        case ["ok", value, bool(untouched), bool(repeated)]:
            return Call(value, "", untouched, repeated)
        case ["raised", str(told), bool(untouched), *rest]:
            return Call(None, without_paths(told) or "it raised", untouched, bool(rest and rest[0]))
    raise GumptionError("what came back is no call", where="validation", remedy="leave `main` to the driver")


def check_run(pipeline: Pipeline) -> tuple[Gate, Any]:
    """The gate `run`: two processes, two orders, equal outputs within the limits. Also what `load` gave."""
    try:
        first = pipeline.few(_ANY)
        found = first[0]
        if found[0] != "ok":
            return gate("run", 1, [Finding("load runs", said=without_paths(found[1]))]), None
        second = pipeline.few(_ANY, list(first[1]), backwards=True)
    except StoppedError as stopped:
        return gate("run", 1, [stopped.finding]), None
    findings = []
    if second[0] != found:
        findings.append(Finding("load gives the same in another process", got="two different lists of rows"))
    for name, at in (("build", 1), ("score", 2)):
        for key, one in first[at].items():
            item, _, reply = key.partition("\n")
            other = second[at].get(key)
            if one[0] != "ok":
                findings.append(
                    Finding(f"{name} runs", item, reply=quoted(reply), said=without_paths(one[1]))
                )
            elif other != one:
                findings.append(
                    Finding(
                        f"{name} gives the same in another process and another order",
                        item,
                        reply=quoted(reply),
                        expected=quoted(one[1]),
                        got=quoted(other and other[1]),
                    )
                )
    return gate("run", 1 + len(first[1]) + len(first[2]), findings), found[1]
