"""Scorecards for a terminal: legible in 80 columns, and plain text when piped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gumption.records import Interval, Scorecard, Slice
from gumption.reporting._percentages import percentage
from gumption.reporting._terminal_table import plain, table

__all__ = ["print_scorecard"]


def print_scorecard(card: Scorecard, console: Console) -> None:
    """Print what a run showed: the headline, the other aggregates, what became of every item, the slices."""
    total = card.total
    console.print()
    console.print(Text(f"{plain(card.model)} on {plain(card.benchmark)}", style="bold"))
    if total.for_people and not total.n:
        _print_for_people(card, console)
        return
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


def _print_for_people(card: Scorecard, console: Console) -> None:
    """A run that no rule scores has no mean: print how many replies there are for raters, of what kind."""
    total, rows = card.total, sum(card.statuses.values())
    console.print(Text("Rated by people: no rule scores these replies", style="bold"))
    if asked := card.protocol.get("prompt"):
        console.print(_asked(str(asked)))
    coverage = _percent(total.coverage)
    console.print(Text(f"Replies to {total.for_people:,} of {total.planned:,} planned, coverage {coverage}"))
    console.print()
    fates = (
        ("Failed requests", "infra_error", "left out: asked again at the next start"),
        ("Reply missing (diverged)", "diverged", "left out: lowers coverage"),
        ("Truncated", "truncated", "as far as it goes"),
        ("Refused by the server", "refused", "what it said"),
        ("Whole", "ok", "the reply without its reasoning"),
    )
    cells = [
        (label, f"{count:,}", _percent(count / rows), shown)
        for label, status, shown in fates
        if (count := card.statuses.get(status, 0))
    ]
    made = table(("What became of them", "Count", "Share", "Raters see"), cells, keep=True)
    made.columns[-1].justify = "left"
    console.print(made)
    for note in card.notes:
        console.print(Text(f"Note: {plain(note)}"))


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
    made = table(("Aggregate", "Mean", "95 % interval", "By"), rows, keep=True)
    made.columns[-1].justify = "left"
    return made


def _fates(card: Scorecard) -> Table:
    rows = [
        (label, f"{count:,}", _percent(count / whole) if whole else "–", effect)
        for label, count, whole, effect in _fate_rows(card)
    ]
    made = table(("What became of them", "Count", "Share", "In the mean as"), rows, keep=True)
    made.columns[-1].justify = "left"
    return made


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
            percentage(part.score.mean),
            _ends(part.score),
            f"{part.n:,}",
            percentage(part.coverage),
            percentage(part.chance),
            percentage(part.unread),
        )
        for part in slices
    ]
    return table((name, "Mean", "95 % interval", "Scored", "Coverage", "Guess", "Unread"), rows, keep=True)


def _parts(card: Scorecard) -> Table:
    """The named parts of the scores; one that is no share of something is a plain mean."""
    rows = []
    for part in card.parts:
        share = part.score.low is not None
        mean = percentage(part.score.mean) if share else f"{part.score.mean:.2f}"
        rows.append((part.name, mean, _ends(part.score), f"{part.n:,}"))
    return table(("Part", "Mean", "95 % interval", "Items"), rows, keep=True)


def _failures(card: Scorecard) -> Table:
    whole = sum(card.failures.values())
    rows = [(kind, f"{count:,}", _percent(count / whole)) for kind, count in card.failures.items()]
    return table(("First mistake", "Items", "Share"), rows, keep=True)


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:]


def _ends(interval: Interval) -> str:
    return "" if interval.low is None else f"{percentage(interval.low)} to {percentage(interval.high)}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{percentage(share)} %"
