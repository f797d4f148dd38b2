"""Rows out of plain text: blocks of lines, each field known by how its line begins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["blocks_of", "is_rule", "is_ruled"]

_RULE = re.compile(r"([-=*_~#+.])\1{2,}")


def is_rule(line: str) -> bool:
    """Whether a line is of one sign only, three times or more: it divides."""
    return bool(_RULE.fullmatch(line))


def is_ruled(lines: Sequence[str], beginnings: Sequence[str]) -> bool:
    """Whether rules stand between blocks, not only below a title: at least one for two of a field's lines."""
    rules = sum(map(is_rule, lines))
    counts = [
        sum(line.startswith(begins) and not is_rule(line) for line in lines)
        for begins in beginnings
        if begins
    ]
    return rules >= 1 and 2 * rules >= min(counts, default=0)


def blocks_of(text: str, block: Mapping[str, str], remark: str) -> list[dict[str, str]]:
    """A block ends where a field comes again, and at a blank line, or at ruled ones where they divide.

    A line that begins like no field continues the one above it; at the start of a block it is the field whose
    beginning is "", if there is one, and is passed over otherwise.
    """
    # The longest beginning wins, so that "ANSWER:" is no "A".
    beginnings = sorted(block.items(), key=lambda item: -len(item[1]))
    rows: list[dict[str, str]] = []
    row: dict[str, str] = {}
    last = ""
    lines = [line.strip() for line in text.splitlines()]
    ruled = is_ruled(lines, [begins for _, begins in beginnings])
    for line in lines:
        if remark and line.startswith(remark):
            continue
        if is_rule(line) if ruled else not line:
            if row:
                rows.append(row)
            row, last = {}, ""
            continue
        if not line or is_rule(line):
            continue
        name = next((field for field, begins in beginnings if begins and line.startswith(begins)), "")
        if name:
            if name in row:
                rows.append(row)
                row = {}
            row[name], last = line[len(block[name]) :].strip(), name
        elif last:
            row[last] = f"{row[last]}\n{line}".strip()
        else:
            start = next((field for field, begins in beginnings if not begins), "")
            if start:
                row[start], last = line, start
    return [*rows, row] if row else rows
