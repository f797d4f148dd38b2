"""What two suites ask differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import msgspec

from gumption.records import Item, Text
from gumption.suites.suite import Suite, canonical

__all__ = ["Changed", "Count", "Side", "SuiteDiff", "Told", "diff"]


class Side(msgspec.Struct, frozen=True):
    """One of the two."""

    name: str
    version: str
    checksum: str
    items: int
    rejected: int
    """Rows of its file that cannot be asked, which no item stands for."""


class Changed(msgspec.Struct, frozen=True):
    """An item of both, with other content."""

    id: str
    fields: tuple[str, ...]
    """Which parts of it differ: the keys of `FIELDS`."""


class Count(msgspec.Struct, frozen=True):
    """Items of one benchmark, dimension, kind or category in each."""

    name: str
    a: int
    b: int


class Told(msgspec.Struct, frozen=True):
    """What the two say differently of one thing, None where one says nothing."""

    key: str
    """A benchmark, or the keys of a provenance from the outermost inwards, with dots between."""
    a: Any
    b: Any


class SuiteDiff(msgspec.Struct, frozen=True):
    """How two suites differ. Everything is in the order of `a`, then of `b`."""

    same: bool
    """Whether both ask the same items under the same licences. Name, version, order and provenance are told
    and do not count."""
    a: Side
    b: Side
    unchanged: int
    """Items of both with the same content."""
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    changed: tuple[Changed, ...]
    counts: dict[str, tuple[Count, ...]]
    """By benchmark, dimension, kind and category, all that there are; an item without one is under ""."""
    licences: tuple[Told, ...]
    provenance: tuple[Told, ...]


FIELDS: dict[str, Callable[[Item], Any]] = {
    "benchmark": lambda item: item.benchmark,
    "text": lambda item: [part.text for part in item.parts if isinstance(part, Text)],
    "media": lambda item: [part for part in item.parts if not isinstance(part, Text)],
    "layout": lambda item: [isinstance(part, Text) for part in item.parts],
    "kind": lambda item: item.answer.kind,
    "options": lambda item: list((item.answer.choices or {}).items()),
    "gold": lambda item: item.answer.gold,
    "convention": lambda item: (item.answer.convention, item.answer.size, item.answer.tolerance),
    "category": lambda item: item.category,
    "dimension": lambda item: item.dimension,
    "cluster": lambda item: item.cluster,
    "meta": lambda item: item.meta,
}
"""Everything that an item's canonical form holds besides its id. Options count in the order shown."""


def diff(a: Suite, b: Suite) -> SuiteDiff:
    """How two suites differ, items matched by id.

    Content is compared by canonical form, the same that the suite's checksum is made of. An item that was
    given another id is one only in `a` and one only in `b`.
    """
    of_a, of_b = ({item.id: item for item in suite.items} for suite in (a, b))
    both = [id for id in of_a if id in of_b]
    changed = tuple(
        Changed(id, _fields(of_a[id], of_b[id])) for id in both if canonical(of_a[id]) != canonical(of_b[id])
    )
    licences = tuple(
        Told(name, a.licences.get(name), b.licences.get(name))
        for name in dict.fromkeys((*a.licences, *b.licences))
        if a.licences.get(name) != b.licences.get(name)
    )
    return SuiteDiff(
        same=a.checksum == b.checksum and not licences,
        a=_side(a),
        b=_side(b),
        unchanged=len(both) - len(changed),
        only_a=tuple(id for id in of_a if id not in of_b),
        only_b=tuple(id for id in of_b if id not in of_a),
        changed=changed,
        counts={
            "benchmark": _counts(a, b, lambda item: item.benchmark),
            "dimension": _counts(a, b, lambda item: item.dimension),
            "kind": _counts(a, b, lambda item: item.answer.kind),
            "category": _counts(a, b, lambda item: item.category),
        },
        licences=licences,
        provenance=tuple(_told("", a.provenance, b.provenance)),
    )


def _fields(a: Item, b: Item) -> tuple[str, ...]:
    encode = msgspec.json.Encoder(order="sorted").encode  # as the canonical form tells 1 from 1.0
    return tuple(name for name, value in FIELDS.items() if encode(value(a)) != encode(value(b)))


def _side(suite: Suite) -> Side:
    return Side(suite.name, suite.version, suite.checksum, len(suite.items), len(suite.rejected))


def _counts(a: Suite, b: Suite, key: Callable[[Item], str]) -> tuple[Count, ...]:
    in_a, in_b = Counter(map(key, a.items)), Counter(map(key, b.items))
    return tuple(Count(name, in_a[name], in_b[name]) for name in dict.fromkeys((*in_a, *in_b)))


_MISSING = object()


def _told(key: str, a: Any, b: Any) -> list[Told]:
    """The innermost values that differ. Lists of the same things in another order differ place by place."""
    if a == b:
        return []
    if isinstance(a, dict) and isinstance(b, dict):
        pairs = [
            (str(name), a.get(name, _MISSING), b.get(name, _MISSING)) for name in dict.fromkeys((*a, *b))
        ]
    elif isinstance(a, list) and isinstance(b, list):
        places = enumerate(zip_longest(a, b, fillvalue=_MISSING))
        pairs = [(str(number), one, other) for number, (one, other) in places]
    else:
        return [Told(key, None if a is _MISSING else a, None if b is _MISSING else b)]
    return [told for name, one, other in pairs for told in _told(f"{key}.{name}".lstrip("."), one, other)]
