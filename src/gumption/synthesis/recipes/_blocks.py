"""Rows out of plain text: blocks of lines, each field known by how its line begins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["blocks_of", "bracketed", "is_rule", "is_ruled"]

_HEADED = re.compile(r"([\[({])([\w./:#-]{1,40}(?: \d{1,9})?)[\])}]")
"""A line that is nothing but a name in brackets."""
_RULE = re.compile(r"([-=*_~#+.])\1{2,}")


def is_rule(line: str) -> bool:
    """Whether a line is of one sign only, three times or more: it divides."""
    return bool(_RULE.fullmatch(line))


def bracketed(line: str) -> tuple[str, str]:
    """The opening bracket and the name of a line that is no more than that; else two empty texts."""
    found = _HEADED.fullmatch(line)
    return (found[1], found[2]) if found else ("", "")


def is_ruled(lines: Sequence[str], beginnings: Sequence[str]) -> bool:
    """Whether rules stand between blocks, not only below a title: at least one for two of a field's lines."""
    rules = sum(map(is_rule, lines))
    counts = [
        sum(line.startswith(begins) and not is_rule(line) for line in lines)
        for begins in beginnings
        if begins
    ]
    return rules >= 1 and 2 * rules >= min(counts, default=0)


def blocks_of(
    text: str, block: Mapping[str, str], remark: str, several: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """A block ends where a field comes again that has but one value, and at a blank line, or at ruled ones
    where they divide.

    A line that begins like no field is the field whose beginning is "", if there is one that the block has
    not yet; else it continues the line above it, and at the start of a block it is passed over. A title
    before the first block is no row.
    """
    # The longest beginning wins, so that "ANSWER:" is no "A".
    fields = dict(sorted(((begins, field) for field, begins in block.items()), key=lambda one: -len(one[0])))
    plain = fields.pop("", "")
    rows: list[dict[str, Any]] = []
    row: dict[str, Any] = {}
    last = ""
    lines = [line for line in map(str.strip, text.splitlines()) if not (remark and line.startswith(remark))]
    lines = _without_title(lines, [*fields])
    ruled = is_ruled(lines, [*fields])
    for line in lines:
        if is_rule(line) if ruled else not line:
            if row:
                rows.append(row)
            row, last = {}, ""
            continue
        if not line or is_rule(line):
            continue
        begins = _begun(line, [*fields])
        name = fields.get(begins, "")
        said = bracketed(line)[1] if begins in ("[", "(", "{") else line[len(begins) :].strip()
        if name and begins in several:
            row.setdefault(name, []).append(said)
        elif name:
            if name in row:
                rows.append(row)
                row = {}
            row[name] = said
        elif plain and plain not in row:
            row[plain], name = said, plain
        elif last and isinstance(row[last], list):
            row[last][-1] = f"{row[last][-1]}\n{said}".strip()
        elif last:
            row[last] = f"{row[last]}\n{said}".strip()
        last = name or last
    return [*rows, row] if row else rows


def _without_title(lines: list[str], beginnings: Sequence[str]) -> list[str]:
    """Without what stands before the first field, where most blocks begin with one."""
    begins = [bool(_begun(line, beginnings)) for line in lines]
    starts = [
        begin
        for before, line, begin in zip(["", *lines], lines, begins, strict=False)
        if line and not is_rule(line) and (not before or is_rule(before))
    ]
    return lines[begins.index(True) :] if 2 * sum(starts) > len(starts) else lines


def _begun(line: str, beginnings: Sequence[str]) -> str:
    """The first of the beginnings that a line has; a bracket only where it has nothing but a name in it."""
    return next(
        (
            one
            for one in beginnings
            if one and (bracketed(line)[0] == one if one in "[({" else line.startswith(one))
        ),
        "",
    )
