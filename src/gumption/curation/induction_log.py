"""The log of an induction: lines of JSON that are read back, and Markdown that a person reads."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gumption.curation.dimensions import OTHER
from gumption.curation.induction import Induction
from gumption.curation.roles import Change, Past
from gumption.records import GumptionError

__all__ = ["document", "files", "line", "markdown", "read_log", "summary"]

SHOWN = 5
"""Pairs of dimensions that are shown."""


def line(past: Past) -> str:
    """An iteration as one line of JSON."""
    return msgspec.json.encode(past).decode()


def read_log(text: str) -> tuple[Past, ...]:
    """The iterations of lines of JSON; a last line that was cut short is left out.

    Raises GumptionError for any other line that is none.
    """
    found: list[Past] = []
    lines = text.split("\n")
    for number, one in enumerate(lines, 1):
        if not one.strip():
            continue
        try:
            found.append(msgspec.json.decode(one.encode(), type=Past))
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            if number == len(lines):
                break
            raise GumptionError(
                str(error), where=f"induction log, line {number}", remedy="delete the log and induce again"
            ) from error
    return tuple(found)


def markdown(past: Past, before: Past | None = None) -> str:
    """An iteration as a section: the set, its counts, the critique, and what changed since the one before."""
    names = past.dimensions.names
    told = [f"## Iteration {past.number}: {'accepted' if past.review.accepted else 'rejected'}", ""]
    told += [f"Quality {past.quality:.3f}. Hash {past.dimensions.sha256[:12]}."]
    if before is not None:
        told += ["", *_changed(before, past)]
    told += ["", "| dimension | items | sources | definition |", "|---|---|---|---|"]
    for one in past.dimensions.all:
        told.append(_row(one.name, past, one.definition))
    told += [_row(OTHER, past, "What fits no dimension."), ""]
    told += [f"Other {past.balance.other:.1%}; evenness {past.balance.entropy:.2f}.", ""]
    told += _pairs("Nearest to each other (cosine)", past.balance.overlap)
    told += _pairs("Confused by the voters (share of split votes)", past.balance.confusion)
    for subject in ("redundancy", "coverage", "balance"):
        judged = getattr(past.review, subject)
        if judged:
            told.append(f"- {subject.capitalize()}: {_plain(judged)}")
    told += [f"- Asked: {_change(change)}" for change in past.review.changes]
    told.append("")
    for name in (*names, OTHER):
        shown = past.balance.examples.get(name, ())
        if shown:
            told += [f"{_plain(name)}:", *(f"- {_plain(text)}" for text in shown), ""]
    return "\n".join(told)


def summary(induction: Induction) -> str:
    """How it began and ended, in a paragraph."""
    roles = ", ".join(f"{role} {name}" for role, name in induction.roles.items())
    kept = "No set was kept."
    if induction.dimensions is not None:
        count = len(induction.dimensions.all)
        marks = [f"{count} dimensions", "accepted" if induction.accepted else "not accepted"]
        low, high = induction.wanted
        if count < low:
            marks.append(f"fewer than the {low} that were wanted")
        if count > high:
            marks.append(f"more than the {high} that were wanted")
        kept = f"Kept: the set of iteration {induction.best} ({', '.join(marks)})."
    return (
        f"{len(induction.past)} iterations of at most {induction.rounds} on a probe of "
        f"{len(induction.probe)} items (seed {induction.seed}); {_plain(roles)}. "
        f"Stopped because {_plain(induction.stopped_because)}. {kept}"
    )


def files(induction: Induction, events: Iterable[str] = ()) -> dict[str, bytes]:
    """The log as a suite's folder keeps it: `induction.jsonl` to be read back, `induction.md` for people."""
    return {
        "induction.jsonl": "".join(f"{line(one)}\n" for one in induction.past).encode(),
        "induction.md": document(induction, events).encode(),
    }


def document(induction: Induction, events: Iterable[str] = ()) -> str:
    """The whole induction as Markdown. `events`: what went amiss with the roles' replies."""
    before = (None, *induction.past)
    parts = ["# How the dimensions were found", "", summary(induction), ""]
    amiss = [f"- {_plain(event)}" for event in events]
    if amiss:
        parts += ["## What went amiss", "", *amiss, ""]
    parts += [markdown(past, last) for past, last in zip(induction.past, before, strict=False)]
    return "\n".join(parts)


def _changed(before: Past, past: Past) -> list[str]:
    old = {one.name: one.definition for one in before.dimensions.all}
    new = {one.name: one.definition for one in past.dimensions.all}
    said = {
        "New": [name for name in new if name not in old],
        "Gone": [name for name in old if name not in new],
        "Defined anew": [name for name in new if name in old and new[name] != old[name]],
    }
    lines = [f"- {what}: {_plain(', '.join(names))}" for what, names in said.items() if names]
    return lines or ["- Nothing changed."]


def _row(name: str, past: Past, definition: str) -> str:
    inside = past.balance.sources.get(name, {})
    sources = ", ".join(f"{_plain(source)} {count}" for source, count in inside.items())
    return f"| {_plain(name)} | {past.balance.counts.get(name, 0)} | {sources} | {_plain(definition)} |"


def _pairs(title: str, found: dict[str, float]) -> list[str]:
    if not found:
        return []
    first = list(found.items())[:SHOWN]
    return [f"{title}: " + "; ".join(f"{_plain(pair)} {value:.2f}" for pair, value in first) + ".", ""]


def _change(change: Change) -> str:
    suggestion = f" ({change.suggestion})" if change.suggestion else ""
    return _plain(f"{change.action} {', '.join(change.dimensions)}: {change.reason}{suggestion}")


def _plain(text: str) -> str:
    """On one line, with nothing in it that would end a cell or begin a tag."""
    return " ".join(_escaped(text)).replace("|", "\\|")


def _escaped(text: str) -> Iterable[str]:
    return text.replace("<", "&lt;").split()
