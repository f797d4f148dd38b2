"""What the pages show of an item, and of what a run made of it, as JSON-ready rows with bounded texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gumption.records import Image, Item, Part, Reply, Text
from gumption.reporting._pages import clip
from gumption.reporting._points import points_row, target_row
from gumption.reporting._thumbnails import Thumbnail

__all__ = [
    "OUTCOMES",
    "Found",
    "Row",
    "bits",
    "flags",
    "found",
    "index_row",
    "item_row",
    "mistake_kinds",
    "part",
    "run_row",
    "value",
    "words",
]

OUTCOMES = (
    *("right", "partly", "wrong"),
    *("unread", "ambiguous", "refused", "truncated", "failed", "diverged", "unscored"),
)
"""What a reader can filter by. An item can be several: a truncated reply may hold a right answer."""
MOST_KINDS = 30
"""A script's whole numbers have 32 bits; the taxonomy has fewer kinds."""
CALLS_SHOWN = 400
"""Replies of one item by one run; longer episodes are cut and say so."""

Row = dict[str, Any]
"""One row of a run's table of scores: the fields of `records.Scored`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one run made of one item, over its epochs."""

    flags: int
    """A sum of 2 ** (place in OUTCOMES)."""
    value: float | None
    official: float | None
    """What the official aggregate averages."""
    mistakes: frozenset[str]
    """The kind of the first mistake of each scored epoch that has one; later ones may only follow from it."""


def found(scores: Sequence[Row], official: str, *, answered: bool) -> Found:
    """`official`: the part of the scores that the official aggregate averages, "" for the value."""
    mistakes = frozenset(
        score["errors"][0] for score in scores if score["value"] is not None and score["errors"]
    )
    return Found(flags(scores, answered=answered), value(scores), part(scores, official), mistakes)


def mistake_kinds(found: Iterable[Iterable[Found]]) -> tuple[str, ...]:
    """The kinds of first mistakes, the commonest first, as many as the pages can filter by."""
    counts = Counter(kind for row in found for one in row for kind in one.mistakes)
    return tuple(kind for kind, _ in counts.most_common(MOST_KINDS))


def bits(names: Container[str], known: Sequence[str]) -> int:
    """A sum of 2 ** (place in `known`) over the names."""
    return sum(1 << place for place, name in enumerate(known) if name in names)


def flags(scores: Sequence[Row], *, answered: bool) -> int:
    """The outcomes of an item's scores over all epochs, as a sum of 2 ** (place in OUTCOMES).

    Replies without a score are "unscored"; 0 is an item that was never asked.
    """
    return bits(set().union(*map(_named, scores)) if scores or not answered else {"unscored"}, OUTCOMES)


def _named(score: Row) -> set[str]:
    value, status, outcome = score["value"], score["status"], score["outcome"]
    found = {outcome, status} & {"ambiguous", "refused", "truncated", "diverged", "unscored"}
    if outcome == "unanswered":
        found.add("unread")
    if status == "infra_error":
        found.add("failed")
    elif value is None:
        found.add("diverged" if status == "diverged" else "unscored")
    elif value > 0:
        found.add("right" if value >= 1 else "partly")
    elif not found & {"unread", "ambiguous", "refused"}:
        found.add("wrong")
    return found


def value(scores: Sequence[Row]) -> float | None:
    """Mean over the epochs that have a value."""
    return _mean([score["value"] for score in scores])


def part(scores: Sequence[Row], name: str) -> float | None:
    """Mean of a named part of the scores over the epochs that have it; "" is the value itself."""
    return _mean([dict(score["parts"] or {}).get(name) for score in scores]) if name else value(scores)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return sum(known) / len(known) if known else None


def index_row(item: Item, found: Sequence[Found], kinds: Sequence[str]) -> list[Any]:
    """What the list of items filters by: of every run the flags, the value to three places, and, if there are
    any `kinds`, the mistakes."""
    names = [item.id, item.benchmark, item.category, item.dimension]
    values = [None if one.value is None else round(one.value, 3) for one in found]
    mistakes = [[bits(one.mistakes, kinds) for one in found]] if kinds else []
    return [*names, [one.flags for one in found], values, *mistakes]


def item_row(limit: int, item: Item, thumbnails: Mapping[str, Thumbnail]) -> Row:
    """The question: its parts in the order shown, its options, its gold, and what its points refer to."""
    answer = item.answer
    row = {
        "cluster": clip(item.cluster, limit),
        "kind": answer.kind,
        "parts": [_part(part, thumbnails, limit) for part in item.parts],
        "choices": [
            [clip(letter, limit), clip(text, limit)] for letter, text in (answer.choices or {}).items()
        ],
        "gold": clip(words(answer.gold), limit),
        "meta": clip(_json(item.meta), limit) if item.meta else "",
    }
    if answer.kind == "point":
        row["point"] = target_row(answer)
    return row


def _part(part: Part, thumbnails: Mapping[str, Thumbnail], limit: int) -> Row:
    if isinstance(part, Text):
        return {"text": clip(part.text, limit)}
    if isinstance(part, Image):
        picture = {"sha256": part.sha256, "size": [part.width, part.height]}
        return {"image": picture | msgspec.to_builtins(thumbnails[part.sha256])}
    return {"video": {"sha256": clip(part.sha256, limit), "seconds": part.seconds}}


def run_row(
    limit: int,
    scores: Sequence[Row],
    replies: Sequence[Reply],
    asked: Item | None,
    thumbnails: Mapping[str, Thumbnail],
) -> Row | None:
    """What one run made of an item; None if it was never asked. `asked` is its own question if it differs."""
    if not scores and not replies:
        return None
    row: Row = {
        "scores": [_score(score, limit) for score in scores],
        "replies": [_reply(reply, limit) for reply in replies[:CALLS_SHOWN]],
    }
    if len(replies) > CALLS_SHOWN:
        row["more"] = len(replies) - CALLS_SHOWN
    if asked is not None:
        row["asked"] = item_row(limit, asked, thumbnails)
    return row


def _score(score: Row, limit: int) -> Row:
    parts = dict(score["parts"] or {})
    points = points_row(score["answer"]) if score["kind"] == "point" else None
    texts = {
        "rule": score["rule"],
        "read": score["answer"] if points is None else "",
        "repairs": ", ".join(score["repairs"] or ()),
        "parts": "\n".join(f"{name}: {round(number, 3):g}" for name, number in parts.items()),
        "errors": _mistakes(score["errors"] or (), score["details"] or ()),
    }
    plain = {name: score[name] for name in ("epoch", "value", "status", "outcome", "chance")}
    return plain | (points or {}) | {name: clip(text, limit) for name, text in texts.items() if text}


def _mistakes(kinds: Sequence[str], details: Sequence[str]) -> str:
    """One mistake a line: its kind, and what it is where that was kept."""
    lines = [f"{kind}: {detail}" if detail else kind for kind, detail in zip(kinds, details, strict=False)]
    if len(kinds) > len(details):
        lines += [f"{kind}, {count} times more" for kind, count in Counter(kinds[len(details) :]).items()]
    return "\n".join(lines)


def _reply(reply: Reply, limit: int) -> Row:
    texts = {
        "call": reply.call,
        "text": reply.text,
        "reasoning": reply.reasoning,
        "error": reply.error,
        "finish": reply.finish_reason,
        "request": reply.request_sha256,
    }
    row: Row = {"epoch": reply.epoch, "status": reply.status}
    row |= {name: clip(text, limit) for name, text in texts.items() if text}
    if reply.usage is not None and reply.usage.output_tokens is not None:
        row["tokens"] = reply.usage.output_tokens
    if reply.latency_s is not None:
        row["seconds"] = round(reply.latency_s, 2)
    return row


def words(thing: Any) -> str:
    """A text as it is, anything else as JSON, nothing as an empty text."""
    return "" if thing is None else thing if isinstance(thing, str) else _json(thing)


def _json(thing: Any) -> str:
    return json.dumps(msgspec.to_builtins(thing), ensure_ascii=False)
