"""Figures as a Markdown table, ready for docs/performance.md, and as JSON lines for a program."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Sequence
from pathlib import Path

from benches._machine import commit
from benches._processes import ROOT

__all__ = ["markdown", "show"]


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a titled table, and append its rows to `results.jsonl` in `$GUMPTION_BENCHES` or runs/benches."""
    print(f"### {title}\n")
    print(markdown(header, rows))
    folder = Path(os.environ.get("GUMPTION_BENCHES") or ROOT / "runs" / "benches")
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    about = {"title": title, "at": now, "commit": commit(), "load": round(os.getloadavg()[0], 1)}
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        for row in rows:
            cells = list(zip(header, row, strict=True))
            file.write(json.dumps({**about, "row": cells}, ensure_ascii=False) + "\n")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table as Markdown, without an end of line."""
    lines = [header, ["---"] * len(header), *rows]
    return (
        "\n".join(f"| {' | '.join(line)} |" for line in lines)
        .replace("| --- ", "|---")
        .replace("|--- |", "|---|")
    )
