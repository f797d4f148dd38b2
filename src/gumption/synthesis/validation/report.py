"""What validation finds, in a form that goes back to whoever wrote the pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "Coverage",
    "Finding",
    "Gate",
    "GateName",
    "Mutants",
    "Validation",
    "gate",
    "quoted",
    "without_paths",
]

State: TypeAlias = Literal["passed", "refused", "not reached", "does not apply"]
GateName: TypeAlias = Literal["static", "run", "contract", "cases", "properties", "mutants"]

_KEPT = 12
"""Findings of a gate that are kept: one of each kind first."""
_LONGEST = 240
"""Characters of a quotation."""
_PATH = re.compile(r"(?<![\w/.])/(?:[\w.@+-]+/)+")


class Finding(Struct, frozen=True, omit_defaults=True):
    """One check that failed."""

    check: str
    """What should hold, in words."""
    item: str = ""
    """Its id, or the line of the file."""
    reply: str = ""
    expected: str = ""
    got: str = ""
    said: str = ""
    """The last lines of what was raised or printed."""


class Gate(Struct, frozen=True, omit_defaults=True):
    """One gate and its evidence."""

    name: GateName
    state: State
    checks: int = 0
    failed: int = 0
    findings: tuple[Finding, ...] = ()
    """The first of those that failed."""
    note: str = ""


class Mutants(Struct, frozen=True):
    """Small changes of the code, and how many of them the gates notice."""

    total: int
    caught: int
    survivors: tuple[str, ...]
    """Line and change of those that no check minds though they change a score."""
    unseen: tuple[str, ...]
    """Those that change no score of any reply: they may mean the same, or need a reply nobody made."""


class Coverage(Struct, frozen=True):
    """Branches of the file's own functions that ran."""

    reached: int
    total: int
    missed: tuple[str, ...]


class Validation(Struct, frozen=True, omit_defaults=True):
    """The gates in order. Two validations of the same code, folder and record are equal."""

    code_sha256: str
    spec_sha256: str
    """ "" where no protocol is declared."""
    gates: tuple[Gate, ...]
    items: int
    """Items that replies were made for."""
    rows: int
    replies: int
    """Made replies that were scored, each with what it must be worth."""
    mutants: Mutants | None = None
    coverage: Coverage | None = None
    mechanism: str = ""
    seed: int = 0

    @property
    def passed(self) -> bool:
        """Whether all gates that apply were reached and none refuses it."""
        return all(one.state in ("passed", "does not apply") for one in self.gates)

    @property
    def refused_by(self) -> tuple[GateName, ...]:
        """The gates that refuse it."""
        return tuple(one.name for one in self.gates if one.state == "refused")

    def feedback(self, characters: int = 6000) -> str:
        """What to mend, for the author: gates, findings and their evidence, bounded, without paths."""
        lines: list[str] = []
        for one in self.gates:
            told = f" ({one.failed} of {one.checks} checks failed)" if one.checks else ""
            lines.append(f"{one.name}: {one.state}{told}")
            lines += [f"  {one.note}"] if one.note else []
            for finding in one.findings:
                lines.append(f"  - {finding.check}")
                for name in ("item", "reply", "expected", "got", "said"):
                    shown = getattr(finding, name)
                    lines += [f"      {name}: {shown}"] if shown else []
        text = "\n".join(lines)
        return text if len(text) <= characters else f"{text[: characters - 24]}\n... (cut at a limit)"


def gate(name: GateName, checks: int, findings: Iterable[Finding], note: str = "") -> Gate:
    """A gate that was reached, with the first findings of each kind."""
    found = list(findings)
    firsts: list[Finding] = []
    rest: list[Finding] = []
    seen: set[str] = set()
    for one in found:
        (rest if one.check in seen else firsts).append(one)
        seen.add(one.check)
    state: State = "refused" if found else "passed"
    return Gate(name, state, checks, len(found), tuple([*firsts, *rest][:_KEPT]), note)


def quoted(value: Any) -> str:
    """A value as evidence: on one line, cut to a fixed length."""
    text = value if isinstance(value, str) else repr(value)
    shown = text.encode("unicode_escape", "surrogatepass").decode() if not text.isprintable() else text
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}... ({len(text):,} characters)"


def without_paths(text: str) -> str:
    """The last lines of a text without the folders of this machine."""
    lines = [line for line in text.strip().splitlines() if line.strip()][-6:]
    return "\n".join(_PATH.sub("", line)[:_LONGEST] for line in lines)
