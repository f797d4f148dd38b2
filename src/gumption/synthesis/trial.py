"""Trying what the roles wrote: running their halves in the sandbox, and keeping what came of it.

What was tried is known by its hash and kept in a folder, so that a loop which was cut short repeats no check.
"""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from gumption.atomic import replacing, written
from gumption.records import GumptionError
from gumption.synthesis.assembly import Assembled, half_of
from gumption.synthesis.calls import BrokenError, Calls
from gumption.synthesis.contract import Row
from gumption.synthesis.feedback import failure_of, failures_of, without
from gumption.synthesis.hidden import Secret, is_hidden
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.roles import Evidence, Failure, InferenceLogic
from gumption.synthesis.sandbox import Limits
from gumption.synthesis.validation import LIMITS, Validation, validate
from gumption.synthesis.validation._declared import declared_items
from gumption.synthesis.validation.cases import tries_of
from gumption.synthesis.validation.static import check_text

__all__ = ["Loaded", "SandboxTrial", "Trial"]

T = TypeVar("T")

_NO_SCORE = "there is one function score"
"""What the static check misses in a half."""
_TESTED = 40
"""Items of which the tests are kept, as many as `validate` draws."""
ROWS = 6
"""Rows that the Scorer is shown."""


class Loaded(Struct, frozen=True):
    """What the Evaluator's half loads."""

    rows: tuple[Row, ...]
    """A few, none of them hidden; empty where it fails."""
    failures: tuple[Failure, ...] = ()


class Trial(Protocol):
    """What the loop can do with code: nothing but try it."""

    def load(self, inference: InferenceLogic) -> Loaded:
        """Some rows that the Evaluator's half loads."""

    def validate(self, whole: Assembled) -> Evidence:
        """All gates over both halves together."""


class SandboxTrial:
    """In the sandbox, on a benchmark's folder without its recorded replies."""

    def __init__(
        self,
        shown: Path,
        checksum: str,
        mechanism: str,
        kept: Path | None = None,
        limits: Limits = LIMITS,
        secret: Secret = frozenset(),
    ) -> None:
        """shown: the folder as a pipeline may see it. checksum: of its data. kept: where to keep what was
        tried. limits: of one call of the sandbox. secret: what no failure may tell."""
        self._shown, self._checksum, self._mechanism = shown, checksum, mechanism
        self._kept, self._limits, self._secret = kept, limits, secret

    def load(self, inference: InferenceLogic) -> Loaded:
        code = half_of(inference)
        return self._once("load", Loaded, lambda: self._load(code), code)

    def validate(self, whole: Assembled) -> Evidence:
        return self._once(
            "validation", Evidence, lambda: self._validate(whole), whole.code, whole.spec.sha256
        )

    def _load(self, code: str) -> Loaded:
        static = check_text(code)
        careless = [one for one in static.findings if one.check != _NO_SCORE]
        if careless:
            return Loaded((), tuple([failure_of(static, one, None) for one in careless]))
        calls = Calls(code, self._shown, self._mechanism, self._limits)
        try:
            rows = [row for row in calls.load() if self._may_show(row)][:ROWS]
            calls.build(rows)
        except BrokenError as error:
            fault = error.fault
            told = Failure("run", fault.call, got=fault.problem, said=fault.said)
            return Loaded((), without((told,), self._secret))
        return Loaded(tuple(rows))

    def _may_show(self, row: Row) -> bool:
        return not is_hidden(row["id"]) and self._secret.isdisjoint(map(text_of, row.values()))

    def _validate(self, whole: Assembled) -> Evidence:
        began = time.monotonic()
        try:
            found = self._gates(whole)
            if found.passed:
                # It stands when all gates pass twice without change.
                again = self._gates(whole)
                found = found if again.passed else again
        except GumptionError as error:
            # The record itself does not fit the folder.
            return Evidence(False, (Failure("contract", said=f"{error.problem}: {error.remedy}"),))
        return Evidence(
            passed=found.passed,
            failures=() if found.passed else without(failures_of(found, whole.scorer_begins), self._secret),
            report=msgspec.to_builtins(found),
            tests=self._tests(whole) if found.passed else "",
            mechanism=self._mechanism,
            wall_s=round(time.monotonic() - began, 3),
        )

    def _gates(self, whole: Assembled) -> Validation:
        return validate(whole.code, self._shown, whole.spec, limits=self._limits, mechanism=self._mechanism)

    def _tests(self, whole: Assembled) -> str:
        """The made replies of the gate `cases`, for people and for other tools."""
        rows = Calls(whole.code, self._shown, self._mechanism, self._limits).load()
        declared, _ = declared_items(self._shown, whole.spec)
        lines = [
            {"item": one.row["id"], "reply": made.reply, "worth": made.worth, "because": made.why}
            for one in tries_of(rows, whole.spec, declared, _TESTED, 0)
            if one.gate == "cases"
            for made in one.made
        ]
        return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines)

    def _once(self, what: str, type: type[T], make: Any, *of: str) -> T:
        """What was made before of the same code and data, else what `make` makes of them."""
        if self._kept is None:
            made: T = make()
            return made
        told = "\0".join((what, self._checksum, self._mechanism, *of))
        path = self._kept / f"{what}-{hashlib.sha256(told.encode(errors='replace')).hexdigest()[:32]}.json"
        if path.exists():
            try:
                return msgspec.json.decode(path.read_bytes(), type=type)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise GumptionError(
                    f"a kept result is damaged: {error}", where=str(path), remedy="delete the file"
                ) from error
        made = make()
        with written(path), replacing(path) as temporary:
            temporary.write_bytes(msgspec.json.encode(made))
        return made
