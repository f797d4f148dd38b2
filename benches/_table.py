"""Figures as a Markdown table, ready for docs/performance.md."""

from __future__ import annotations

from collections.abc import Sequence


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a titled table."""
    print(f"### {title}\n")
    print(f"| {' | '.join(header)} |")
    print(f"|{'|'.join('---' for _ in header)}|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
