"""Rows out of plain text: blocks of lines, each field known by how its line begins."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["blocks_of"]


def blocks_of(text: str, block: Mapping[str, str], remark: str) -> list[dict[str, str]]:
    """A block ends at a blank line or where a field comes again.

    A line that begins like no field continues the one above it; at the start of a block it is the field whose
    beginning is "", if there is one, and is passed over otherwise.
    """
    # The longest beginning wins, so that "ANSWER:" is no "A".
    beginnings = sorted(block.items(), key=lambda item: -len(item[1]))
    rows: list[dict[str, str]] = []
    row: dict[str, str] = {}
    last = ""
    for raw in text.splitlines():
        line = raw.strip()
        if remark and line.startswith(remark):
            continue
        if not line:
            if row:
                rows.append(row)
            row, last = {}, ""
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
