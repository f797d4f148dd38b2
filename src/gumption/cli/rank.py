"""`gumption rank`: runs of one suite side by side, best first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gumption.ranking import Ranking
    from gumption.records import Scorecard
    from gumption.reporting import RankRow

__all__ = ["rank", "rank_rows"]


def rank(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of one suite.")],
    force: Annotated[
        bool, typer.Option(help="Rank runs of different protocols all the same, and name the differences.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Also write every slice of every run as CSV.")] = None,
) -> None:
    """Rank runs by the official aggregate of their suite, with intervals and tiers.

    Example:  gumption rank runs/blink/*
    """
    import msgspec
    from rich.console import Console

    from gumption.ranking import rank_runs, scorecard
    from gumption.reporting import print_ranking, scorecard_csv

    ranking = rank_runs(runs, force)
    cards = [scorecard(folder) for folder in runs]
    if csv:
        csv.write_text(scorecard_csv(cards), encoding="utf-8")
    if as_json:
        sys.stdout.write(msgspec.json.encode(ranking).decode() + "\n")
        return
    print(f"{cards[0].benchmark}: {ranking.aggregate}, {ranking.items:,} items\n")
    print_ranking(rank_rows(ranking, cards), Console(soft_wrap=False))
    for difference in ranking.differences:
        print(f"Different protocols: {difference}")


def rank_rows(ranking: Ranking, cards: list[Scorecard]) -> list[RankRow]:
    """The lines of a ranking of runs, each with the score, interval and rates of its own scorecard, so that
    one run has one interval wherever it is shown."""
    from gumption.reporting import RankRow

    rows = []
    for place in ranking.models:
        card = cards[place.row]
        total = card.total
        rows.append(
            RankRow(
                model=place.model,
                rank=place.rank,
                rank_low=place.rank_low,
                rank_high=place.rank_high,
                official=card.official,
                n=total.n,
                planned=total.planned,
                coverage=total.coverage,
                unread=total.unread,
                ambiguous=total.ambiguous,
                refused=total.refused,
                truncated=total.truncated,
                adjusted=total.adjusted.mean,
                tier=str(place.tier),
            )
        )
    return rows
