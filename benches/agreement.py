"""How the reader agrees with BLINK's published extraction, model by model, and what the rest is.

Needs the public data: `python -m benches agreement`.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from pathlib import Path

import msgspec

from benches._table import show
from gumption.answers import read
from gumption.benchmarks import get

_PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")


def main() -> None:
    items = {item.id: item for item in get("blink").load(_PUBLIC).items}
    with gzip.open(_PUBLIC / "response_matrices" / "blink_raw_val.jsonl.gz") as stream:
        replies = [msgspec.json.decode(line) for line in stream]
    counts: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter(item.category for item in items.values())
    ours: dict[str, Counter[str]] = {}
    theirs: dict[str, Counter[str]] = {}
    classes: Counter[str] = Counter()
    for row in replies:
        item, model = items[row["id"]], row["model"]
        count = counts.setdefault(model, Counter())
        reading = read(row["reply"], item.answer)
        published = row["extracted"][1]
        ours.setdefault(model, Counter())[item.category] += reading.value == item.answer.gold
        theirs.setdefault(model, Counter())[item.category] += published == item.answer.gold
        if published == "Z":
            count["Z"] += 1
            count["Z read"] += reading.outcome == "answered"
            continue
        count["read"] += 1
        if reading.outcome == "answered":
            count["both"] += 1
            count["same"] += reading.value == published
            if reading.value != published:
                classes[f"differs, ours by {reading.rule}"] += 1
        else:
            classes[f"{reading.outcome} {reading.rule}".strip()] += 1
    rows = []
    total: Counter[str] = Counter()
    for model, count in sorted(counts.items()):
        total += count
        published = _macro(theirs[model], sizes)
        rows.append(
            (
                model,
                f"{count['read']:,}",
                f"{count['both'] / count['read']:.2%}",
                f"{count['same'] / count['both']:.2%}",
                f"{count['Z']} ({count['Z read']})",
                f"{100 * published:.2f}",
                f"{100 * _macro(ours[model], sizes):.2f}",
                f"{100 * (_macro(ours[model], sizes) - published):+.2f}",
            )
        )
    rows.append(
        (
            "**all**",
            f"{total['read']:,}",
            f"{total['both'] / total['read']:.2%}",
            f"{total['same'] / total['both']:.2%}",
            f"{total['Z']} ({total['Z read']})",
            "",
            "",
            "",
        )
    )
    header = (
        "model",
        "read by the authors",
        "we answer",
        "of these agree",
        "authors read none (we answer)",
        "published macro",
        "ours, unread = 0",
        "difference",
    )
    show("Agreement with the published extraction", header, rows)
    print()
    show("The rest, by class", ("class", "replies"), [(name, str(n)) for name, n in classes.most_common()])


def _macro(right: Counter[str], sizes: Counter[str]) -> float:
    return sum(right[category] / size for category, size in sizes.items()) / len(sizes)
