"""What goes back to the author of a refused half: which gate, which item, what was expected and what came.

It is structured and bounded. It names no path and nothing of this machine, and of an item that is hidden it
says only that there is one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from gumption.running.prompting import cut
from gumption.synthesis.contract import FUNCTIONS
from gumption.synthesis.hidden import Secret, is_hidden
from gumption.synthesis.roles import Failure
from gumption.synthesis.validation import Finding, Gate, Validation

__all__ = ["MOST", "failure_of", "failures_of", "shown", "without"]

MOST = 12
"""Failures that go back at once."""
_OF_A_KIND = 3
_CHARACTERS = 400
_LINES = 6
_PATH = re.compile(r"(?<![\w.~<])(?:[A-Za-z]:\\|~?/)[\w.+@\\/-]+")
_FUNCTION = re.compile(rf"\b({'|'.join(FUNCTIONS)})\b")
_LINE = re.compile(r"line (\d+)")


def failures_of(validation: Validation, scorer_begins: int | None) -> tuple[Failure, ...]:
    """What refused a file whose `load` and `build` have run before on some rows. scorer_begins: the line at
    which the Scorer's part begins, None where the recipes wrote it."""
    refused = [gate for gate in validation.gates if gate.state == "refused"]
    if not refused:
        # Nothing is wrong with what was looked at, but there was nothing to look at further on.
        missed = [gate.name for gate in validation.gates if gate.state == "not reached"]
        return (Failure(", ".join(missed), said="no rows are left to check replies on"),)
    return tuple(
        [
            failure_of(gate, finding, scorer_begins)
            for gate in refused
            for finding in gate.findings or (Finding(gate.note),)
        ]
    )


def without(failures: Iterable[Failure], secret: Secret) -> tuple[Failure, ...]:
    """The failures without what they tell of hidden items: written code may print what it likes."""
    return tuple(
        [
            replace(
                one,
                expected=_masked(one.expected, secret),
                got=_masked(one.got, secret),
                said=_masked(one.said, secret),
            )
            for one in failures
        ]
    )


def _masked(text: str, secret: Secret) -> str:
    for cell in sorted((cell for cell in secret if cell in text), key=len, reverse=True):
        text = text.replace(cell, "(hidden)")
    return text


def shown(failures: Sequence[Failure], calls: Iterable[str]) -> list[dict[str, Any]]:
    """The failures of some functions as their author is shown them: of each kind a few."""
    wanted = {*calls, ""}
    told: list[dict[str, Any]] = []
    kinds: Counter[str] = Counter()
    for one in failures:
        entry = _told(_redacted(one))
        kind = f"{one.gate}/{one.call}/{entry.get('said')}"
        if one.call in wanted and entry not in told and kinds[kind] < _OF_A_KIND:
            told.append(entry)
            kinds[kind] += 1
    return told[:MOST]


def failure_of(gate: Gate, finding: Finding, scorer_begins: int | None) -> Failure:
    """One finding, with the function that is at fault."""
    reply = f"for the reply {finding.reply}: " if finding.reply else ""
    return Failure(
        gate.name,
        _at_fault(gate, finding, scorer_begins),
        finding.item,
        finding.expected,
        f"{reply}{finding.got}" if finding.got or reply else "",
        "\n".join(one for one in (finding.check, finding.said) if one),
    )


def _at_fault(gate: Gate, finding: Finding, scorer_begins: int | None) -> str:
    line = _LINE.fullmatch(finding.item)
    if gate.name == "static" and line:
        return "score" if scorer_begins is not None and int(line[1]) >= scorer_begins else "build"
    named = set(_FUNCTION.findall(finding.check))
    if len(named) == 1:
        (only,) = named
        return str(only)
    return {"run": "score", "contract": "build", "static": ""}.get(gate.name, "score")


def _redacted(failure: Failure) -> Failure:
    if not failure.item or _LINE.fullmatch(failure.item) or not is_hidden(failure.item):
        return failure
    first = failure.said.partition("\n")[0] if failure.call else ""
    return Failure(failure.gate, failure.call, "(an item that is not shown)", said=first)


def _told(failure: Failure) -> dict[str, Any]:
    """Without what is empty."""
    bounded = replace(
        failure,
        item=cut(failure.item, 100),
        expected=_bounded(failure.expected),
        got=_bounded(failure.got),
        said=_bounded("\n".join(failure.said.strip().splitlines()[-_LINES:])),
    )
    fields = {name: getattr(bounded, name) for name in bounded.__struct_fields__}
    return {name if name != "call" else "function": value for name, value in fields.items() if value}


def _bounded(text: str) -> str:
    return cut(_PATH.sub("(a path)", text), _CHARACTERS)
