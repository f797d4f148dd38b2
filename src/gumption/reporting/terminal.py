"""Scorecards and rankings for a terminal: legible in 80 columns, and plain text when piped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeAlias

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gumption.records import Interval, Scorecard, Slice
from gumption.reporting._terminal_table import plain

__all__ = ["RankRow", "print_ranking", "print_scorecard"]

FULL_ENOUGH = 0.95
"""Below this coverage a model's place in a ranking is marked."""

WIDE = 132
"""Columns from which a ranking fits into one table."""

_TENTH = Decimal("0.1")


class RankRow(Struct, frozen=True):
    """One model's line in a ranking; shares and means in [0, 1]."""

    model: str
    rank: int
    """1 is best."""
    rank_low: int
    """Best place that the data leave open."""
    rank_high: int
    """Worst place that the data leave open."""
    official: Interval
    n: int
    planned: int
    coverage: float
    unread: float
    ambiguous: float
    refused: float
    truncated: float
    adjusted: float | None
    """Chance-adjusted mean; None when nothing was scored."""
    tier: str = ""
    """Models that the data cannot tell apart share one."""


_Columns: TypeAlias = dict[str, Callable[[RankRow], str]]


def print_scorecard(card: Scorecard, console: Console) -> None:
    """Print what a run showed: the headline, the other aggregates, what became of every item, the slices."""
    total = card.total
    console.print()
    console.print(Text(f"{plain(card.model)} on {plain(card.benchmark)}", style="bold"))
    console.print(_headline(card))
    if asked := card.protocol.get("prompt"):
        console.print(_asked(str(asked)))
    console.print(_scored(total))
    console.print()
    console.print(_aggregates(card))
    console.print()
    console.print(_fates(card))
    for name, slices in (("Category", card.categories), ("Dimension", card.dimensions)):
        if slices:
            console.print()
            console.print(_slices(name, slices))
    if card.parts:
        console.print()
        console.print(_parts(card))
    if card.failures:
        console.print()
        console.print(_failures(card))
    for note in card.notes:
        console.print(Text(f"Note: {plain(note)}"))


def print_ranking(rows: Sequence[RankRow], console: Console) -> None:
    """Print several runs of one benchmark, best first, with every rate a reader needs to trust the order.

    A console narrower than 132 columns gets two tables: the order, then what became of the replies.
    """
    order: _Columns = {
        "Rank": _place,
        "Score [95 %]": lambda row: _with_interval(row.official),
        "Tier": lambda row: row.tier,
        "Adjusted": lambda row: _number(row.adjusted),
    }
    rates: _Columns = {
        "Scored": lambda row: f"{row.n:,}",
        "Coverage": lambda row: _number(row.coverage),
        "Unread": lambda row: _number(row.unread),
        "Ambiguous": lambda row: _number(row.ambiguous),
        "Refused": lambda row: _number(row.refused),
        "Truncated": lambda row: _number(row.truncated),
    }
    for columns in [order | rates] if console.width >= WIDE else [order, rates]:
        cells = [(row.model, *(show(row) for show in columns.values())) for row in rows]
        console.print(_table(("Model", *columns), cells))
        console.print()
    console.print(Text("All numbers but ranks and counts are percentages. Rank [a-b]: places left open."))
    console.print(Text("Adjusted: 0 is guessing, 100 is all right. One tier: not told apart by the data."))
    if any(row.coverage < FULL_ENOUGH for row in rows):
        limit = f"{FULL_ENOUGH:.0%}".replace("%", " %")
        console.print(Text(f"* Coverage under {limit}: items that were not scored could change this place."))


def _headline(card: Scorecard) -> Text:
    official = card.official
    # By the authors' rule, but asked in whatever words the protocol names: never "the official number".
    line = Text("Official scoring rule " if card.protocol.get("prompt") else "Official score ", style="bold")
    line.append(f"({plain(official.name)})  " if official.name else " ", style="")
    line.append(_percent(official.mean), style="bold cyan")
    if official.low is not None and official.high is not None:
        line.append(f", 95 % interval {_ends(official)}", style="not bold")
    return line


def _asked(prompt: str) -> Text:
    """In which words the questions were put."""
    known = {"recorded": "Asked elsewhere, in a prompt that is not known"}
    of_ours = f"Asked in words of our own, the prompt {plain(prompt)}"
    return Text(
        known.get(prompt, f"Asked in the {plain(prompt)}" if prompt.startswith("prompts of") else of_ours)
    )


def _scored(total: Slice) -> Text:
    line = Text(f"Scored {total.n:,} of {total.planned:,} planned, coverage {_percent(total.coverage)}")
    if total.n < total.planned:
        low, high = total.bounds
        line.append(f"\nMean over items if all missing are wrong {_percent(low)}, ")
        line.append(f"if all are right {_percent(high)}")
    return line


def _aggregates(card: Scorecard) -> Table:
    total = card.total
    rows = [
        (label, _percent(interval.mean), _ends(interval), interval.method)
        for label, interval in (
            (_titled(card.micro.name or "micro"), card.micro),
            (_titled(card.macro.name or "macro"), card.macro),
            *((_titled(other.name), other) for other in card.further),
            ("Above guessing (0 guess, 100 all right)", total.adjusted),
        )
    ]
    rows.append(("Guess level", _percent(total.chance), "", ""))
    table = _table(("Aggregate", "Mean", "95 % interval", "By"), rows)
    table.columns[-1].justify = "left"
    return table


def _fates(card: Scorecard) -> Table:
    rows = [
        (label, f"{count:,}", _percent(count / whole) if whole else "–", effect)
        for label, count, whole, effect in _fate_rows(card)
    ]
    table = _table(("What became of them", "Count", "Share", "In the mean as"), rows)
    table.columns[-1].justify = "left"
    return table


def _fate_rows(card: Scorecard) -> Iterator[tuple[str, int, int, str]]:
    """Label, count, the count it is a share of, and what it does to the mean."""
    statuses, outcomes, total = card.statuses, card.outcomes, card.total
    rows, scored = sum(statuses.values()), sum(outcomes.values())
    yield "Failed requests", statuses.get("infra_error", 0), rows, "left out: lowers coverage"
    for status, label in (("diverged", "Reply missing (diverged)"), ("unscored", "Not judged")):
        if count := statuses.get(status, 0):
            yield label, count, rows, "left out: lowers coverage"
    yield "Truncated", round(total.truncated * total.n), total.n, "read like any reply"
    yield "Refused", round(total.refused * total.n), total.n, "0"
    yield "Unread: no answer found", round(total.unread * total.n), total.n, "0"
    yield "Ambiguous: several answers", round(total.ambiguous * total.n), total.n, "0"
    answered = outcomes.get("answered", 0)
    yield "Answered", answered, scored, "what the answer is worth"
    # Only with one row an item, each worth 0 or 1, is the credit lost a number of wrong answers.
    lost = answered - (total.score.mean or 0.0) * total.n
    if scored == total.n > 0 and math.isclose(lost, round(lost), abs_tol=1e-6):
        yield "  of these right", answered - round(lost), scored, "1"
        yield "  of these wrong", round(lost), scored, "0"


def _slices(name: str, slices: Sequence[Slice]) -> Table:
    rows = [
        (
            part.name or "(none)",
            _number(part.score.mean),
            _ends(part.score),
            f"{part.n:,}",
            _number(part.coverage),
            _number(part.chance),
            _number(part.unread),
        )
        for part in slices
    ]
    return _table((name, "Mean", "95 % interval", "Scored", "Coverage", "Guess", "Unread"), rows)


def _parts(card: Scorecard) -> Table:
    """The named parts of the scores; one that is no share of something is a plain mean."""
    rows = []
    for part in card.parts:
        share = part.score.low is not None
        mean = _number(part.score.mean) if share else f"{part.score.mean:.2f}"
        rows.append((part.name, mean, _ends(part.score), f"{part.n:,}"))
    return _table(("Part", "Mean", "95 % interval", "Items"), rows)


def _failures(card: Scorecard) -> Table:
    whole = sum(card.failures.values())
    rows = [(kind, f"{count:,}", _percent(count / whole)) for kind, count in card.failures.items()]
    return _table(("First mistake", "Items", "Share"), rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """The first column folds and stands left; the others keep their width and stand right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(header):
        first = number == 0
        table.add_column(Text(name), overflow="fold", no_wrap=not first, justify="left" if first else "right")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    return table


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:]


def _place(row: RankRow) -> str:
    mark = "" if row.coverage >= FULL_ENOUGH else "*"
    open_places = "" if row.rank_low == row.rank_high else f" [{row.rank_low}-{row.rank_high}]"
    return f"{row.rank}{mark}{open_places}"


def _with_interval(interval: Interval) -> str:
    return _number(interval.mean) + (f" [{_ends(interval)}]" if interval.low is not None else "")


def _ends(interval: Interval) -> str:
    return "" if interval.low is None else f"{_number(interval.low)} to {_number(interval.high)}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{_number(share)} %"


def _number(share: float | None) -> str:
    # As the pages round, whose toFixed rounds a half up.
    return "–" if share is None else str(Decimal(100 * share).quantize(_TENTH, ROUND_HALF_UP))
