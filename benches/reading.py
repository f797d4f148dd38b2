"""Reading and scoring replies, against the cheapest reader there is, and how that grows."""

from __future__ import annotations

import re
import time

from benches._replies import replies
from benches._table import show
from gumption.answers import read, score

SIZES = (10_000, 100_000)
_FIRST_LETTER = re.compile(r"\b([A-D])\b")


def main() -> None:
    source, pairs = replies(SIZES[-1])
    rows = []
    seconds: dict[int, float] = {}
    for size in SIZES:
        part = pairs[:size]
        start = time.perf_counter()
        for text, answer in part:
            match = _FIRST_LETTER.search(text)
            _ = match is not None and match[1] == answer.gold
        bare = time.perf_counter() - start
        start = time.perf_counter()
        for text, answer in part:
            score(answer, read(text, answer))
        seconds[size] = time.perf_counter() - start
        rows.append(
            (
                f"{size:,}",
                f"{seconds[size]:.2f} s",
                f"{1e6 * seconds[size] / size:.0f} µs",
                f"{seconds[size] / bare:.0f}",
            )
        )
    show(f"Reading and scoring ({source})", ("replies", "time", "a reply", "x a first-letter pattern"), rows)
    print(f"\nTen times the replies take {seconds[SIZES[1]] / seconds[SIZES[0]]:.1f} times as long.")
