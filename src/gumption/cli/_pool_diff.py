"""How two suites differ, as a person reads it: what it amounts to first, then a few of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gumption.suites import SuiteDiff
    from gumption.suites.diff import Count, Side

__all__ = ["lines"]

_WIDEST = 60
_SORTING = {"dimension", "category", "cluster"}


def lines(found: SuiteDiff, limit: int) -> Iterator[str]:
    """The lines to print. `limit`: the most that are listed of each kind."""
    yield _side("a", found.a)
    yield _side("b", found.b)
    yield ""
    yield _summary(found)
    if not found.same and found.a.checksum == found.b.checksum:
        yield "The items are the same; the licences are not."
    for label, counts in found.counts.items():
        if any(count.a != count.b for count in counts):
            yield from _table(label, [count for count in counts if count.a != count.b], len(counts), limit)
    fields = Counter(field for one in found.changed for field in one.fields)
    if fields:
        yield ""
        yield "Other content: " + ", ".join(f"{field} of {count:,}" for field, count in fields.most_common())
        yield from _some([f"{_shown(one.id)}  {', '.join(one.fields)}" for one in found.changed], limit)
    for label, ids in (("Only in a", found.only_a), ("Only in b", found.only_b)):
        if ids:
            yield ""
            yield f"{label}: {len(ids):,}"
            yield from _some([_shown(id) for id in ids], limit)
    for label, told in (("Licences", found.licences), ("Provenance", found.provenance)):
        if told:
            yield ""
            yield f"{label}:"
            yield from _some([f"{_shown(one.key)}: {_shown(one.a)} | {_shown(one.b)}" for one in told], limit)


def _summary(found: SuiteDiff) -> str:
    if found.same:
        told = " What is said of their making differs." if found.provenance else ""
        return f"The same {found.a.items:,} items under the same licences.{told}"
    sorted_anew = sum(_SORTING.issuperset(one.fields) for one in found.changed)
    return (
        f"{found.unchanged:,} items are the same, {sorted_anew:,} ask the same under another dimension, "
        f"category or cluster; {len(found.changed) - sorted_anew:,} ask something else, "
        f"{len(found.only_a):,} are only in a, {len(found.only_b):,} only in b."
    )


def _side(label: str, side: Side) -> str:
    rejected = f", {side.rejected:,} rows left out" if side.rejected else ""
    title = f"{_shown(side.name)} {_shown(side.version)}"
    return f"{label}  {title}: {side.items:,} items{rejected}, checksum {side.checksum[:12]}"


def _table(label: str, counts: Sequence[Count], of: int, limit: int) -> Iterator[str]:
    alike = f" ({of - len(counts)} more are alike)" if of > len(counts) else ""
    yield ""
    yield f"{'a':>9} {'b':>9}  {label}{alike}"
    most = sorted(counts, key=lambda count: -abs(count.a - count.b))
    for count in most[:limit]:
        yield f"{count.a:>9,} {count.b:>9,}  {_shown(count.name) or '(none)'}"
    if len(most) > limit:
        yield f"{'':>19}  ... and {len(most) - limit:,} more"


def _some(rows: Sequence[str], limit: int) -> Iterator[str]:
    yield from (f"  {row}" for row in rows[:limit])
    if len(rows) > limit:
        yield f"  ... and {len(rows) - limit:,} more"


def _shown(value: Any) -> str:
    """In one short line, without anything that moves a terminal's cursor."""
    text = "(nothing)" if value is None else str(value)
    plain = "".join(letter if letter.isprintable() else "?" for letter in text[: _WIDEST + 1])
    return plain if len(text) <= _WIDEST else f"{plain[: _WIDEST - 3]}..."
