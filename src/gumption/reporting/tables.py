"""Scorecards as plain data: one JSON object, or CSV with one row for every slice."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gumption.records import Interval, Scorecard, Slice
from gumption.reporting.leaderboard import Leaderboard

__all__ = ["leaderboard_csv", "scorecard_csv", "scorecard_json"]

_INTERVAL = ("mean", "low", "high")
_COLUMNS = (
    *("benchmark", "model", "slice", "name"),
    *_INTERVAL,
    *("method", "n", "planned", "coverage", "bound_low", "bound_high"),
    *("unread", "ambiguous", "refused", "truncated", "chance"),
    *(f"adjusted_{end}" for end in _INTERVAL),
    *(f"official_{end}" for end in ("name", *_INTERVAL)),
    *(f"macro_{end}" for end in ("name", *_INTERVAL)),
)

_PLACES = ("rank", "rank_low", "rank_high", "tier", "score_name", *(f"score_{end}" for end in _INTERVAL))
_OF_REPLIES = (
    *("unread", "ambiguous", "refused", "truncated", "chance"),
    *(f"adjusted_{end}" for end in _INTERVAL),
)
"""What nobody knows of a model of which only the scores are known."""


def scorecard_json(card: Scorecard) -> dict[str, Any]:
    """The scorecard as JSON-ready builtins, numbers unrounded, shares in [0, 1], unknown means None.

    `official`, `micro`, `macro` and `adjusted` are `{mean, low, high, method, name}`; `bounds` is
    `[low, high]`; `n` to `adjusted` are those of the whole run, and each entry of `categories` and
    `dimensions` has the same keys, with its own `name` and its mean under `score`.
    """
    plain: dict[str, Any] = msgspec.to_builtins(card)
    total = plain.pop("total")
    return {
        **{key: plain.pop(key) for key in ("benchmark", "model", "official", "micro", "macro")},
        **{key: value for key, value in total.items() if key not in ("name", "score")},
        **plain,
    }


def scorecard_csv(cards: Sequence[Scorecard]) -> str:
    """One row per slice (total, every category, every dimension) of every scorecard, under one header.

    Numbers are unrounded and shares are in [0, 1]; an unknown number is empty. The mean of a `total` row
    is over items (micro); the official and the macro aggregate stand in columns of their own in that row.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for card in cards:
        writer.writerows(_rows(card))
    return text.getvalue()


def leaderboard_csv(board: Leaderboard) -> str:
    """The rows of `scorecard_csv`, best model first. A `total` row begins with the model's place, its tier
    and the score that it is ranked by; in the other rows these are empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, (*_PLACES, *_COLUMNS), restval="", lineterminator="\n")
    writer.writeheader()
    for row, card in zip(board.rows, board.cards, strict=True):
        unknown = _OF_REPLIES if row.unread is None else ()
        places = {"rank": row.rank, "rank_low": row.rank_low, "rank_high": row.rank_high, "tier": row.tier}
        score = _ends("score_", row.official) | {"score_name": board.aggregate}
        for number, line in enumerate(_rows(card)):
            first = places | score if number == 0 else {}
            known = {key: value for key, value in line.items() if key not in unknown}
            writer.writerow(first | known | {"model": row.model})
    return text.getvalue()


def _rows(card: Scorecard) -> Iterator[dict[str, Any]]:
    aggregates = _ends("official_", card.official) | _ends("macro_", card.macro)
    names = {"official_name": card.official.name, "macro_name": card.macro.name}
    yield _row(card, "total", card.total) | aggregates | names
    for kind, slices in (("category", card.categories), ("dimension", card.dimensions)):
        for part in slices:
            yield _row(card, kind, part)


def _row(card: Scorecard, kind: str, part: Slice) -> dict[str, Any]:
    return {
        "benchmark": card.benchmark,
        "model": card.model,
        "slice": kind,
        "name": part.name,
        **_ends("", part.score),
        "method": part.score.method,
        "n": part.n,
        "planned": part.planned,
        "coverage": part.coverage,
        "bound_low": part.bounds[0],
        "bound_high": part.bounds[1],
        "unread": part.unread,
        "ambiguous": part.ambiguous,
        "refused": part.refused,
        "truncated": part.truncated,
        "chance": part.chance,
        **_ends("adjusted_", part.adjusted),
    }


def _ends(prefix: str, interval: Interval) -> dict[str, float | None]:
    return {f"{prefix}{end}": getattr(interval, end) for end in _INTERVAL}
