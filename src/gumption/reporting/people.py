"""What people think of some models, and how far they agree, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from gumption.ranking.bradley_terry import Strengths
from gumption.ranking.people import PeopleRanking
from gumption.ranking.rater_agreement import Agreement
from gumption.records import Interval
from gumption.reporting._terminal_table import plain, table

__all__ = ["print_agreements", "print_people", "print_strengths"]


def print_people(people: PeopleRanking, console: Console) -> None:
    """The ranking, the scores by dimension, agreement, and what has to be known before using them."""
    scenarios, raters = len(people.scenarios), len(people.raters)
    console.print(Text(f"Ranking by {raters} people over {scenarios} scenarios", style="bold"))
    console.print(
        table(
            ("model", "rank", "tier", "score", "95 % interval", "outputs"),
            [
                (
                    one.model,
                    f"{one.rank} ({one.rank_low} to {one.rank_high})",
                    str(one.tier),
                    _number(one.score.mean, 3),
                    _between(one.score, 3),
                    str(one.n),
                )
                for one in people.ranking.models
            ],
        )
    )
    console.print()
    order = [people.models.index(one.model) for one in people.ranking.models]
    console.print(
        table(
            ("dimension", *(people.models[place] for place in order)),
            [(one.name, *(_number(one.scores[place], 2) for place in order)) for one in people.dimensions],
        )
    )
    found = {one.name: one.agreement for one in people.dimensions}
    if people.agreement:
        found["all, by each person's mean"] = people.agreement
    print_agreements({name: one for name, one in found.items() if one}, console)
    for note in people.notes:
        console.print(Text(f"Note: {plain(note)}"))


def print_strengths(question: str, strengths: Strengths, console: Console) -> None:
    """The models by which one people preferred, after Bradley and Terry."""
    console.print(Text(f"{plain(question)}: {strengths.comparisons:g} comparisons", style="bold"))
    console.print(
        table(
            ("model", "place", "strength", "95 % interval", "preferred", "of"),
            [
                (
                    one.model,
                    str(one.place),
                    _number(one.strength.mean, 2),
                    _between(one.strength, 2),
                    f"{one.wins:g}",
                    f"{one.comparisons:g}",
                )
                for one in strengths.models
            ],
        )
    )
    console.print(Text("Strength: log-odds; 1.1 above another is preferred three times in four."))
    if strengths.groups > 1:
        console.print(Text(f"Note: {strengths.groups} groups of models are joined by no comparison."))


def print_agreements(found: Mapping[str, Agreement], console: Console) -> None:
    """Four coefficients of agreement a line, with the interval of the first."""
    console.print()
    if not found:
        console.print(Text("No agreement yet: no output has two people's ratings."))
        return
    console.print(
        table(
            ("agreement", "alpha", "95 % interval", "Cohen", "Fleiss", "Gwet", "units"),
            [
                (
                    name,
                    _number(one.alpha.mean, 2),
                    _between(one.alpha, 2),
                    *(_number(each.mean, 2) for each in (one.cohen, one.fleiss, one.ac1)),
                    str(one.units),
                )
                for name, one in found.items()
            ],
        )
    )


def _between(interval: Interval, digits: int) -> str:
    return f"{_number(interval.low, digits)} to {_number(interval.high, digits)}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
