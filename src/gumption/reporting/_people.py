"""Whether a board ranks its models as people do, from the ratings that `gumption rate export` writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gumption.ranking import Agreement, AlignedCorrelation, align_rankings
from gumption.ranking.people_file import PeopleFile
from gumption.records import GumptionError
from gumption.reporting._boards import Board

__all__ = ["check_people", "people_row"]

FEWEST = 3
"""Models on both sides: two have one order only."""


def check_people(boards: Sequence[Board], people: PeopleFile) -> None:
    """Raises GumptionError where no board has enough models that people rated."""
    if not any(len(set(board.names) & set(people.models)) >= FEWEST for board in boards):
        known = ", ".join(sorted({name for board in boards for name in board.names}))
        raise GumptionError(
            f"people rated {', '.join(people.models)}: fewer than {FEWEST} of them are among the runs",
            where="people",
            remedy=f"Models are matched by name; the runs are of {known}.",
        )


def people_row(board: Board, people: PeopleFile) -> dict[str, Any]:
    """How the board's order by means over items agrees with that of people.

    `{"why": ...}` where too few models are on both sides.
    """
    rows = [row for row, name in enumerate(board.names) if name in people.models]
    if len(rows) < FEWEST:
        return {"why": f"People rated {len(rows)} of these models; an agreement needs {FEWEST}."}
    names = [board.names[row] for row in rows]
    found = align_rankings(
        board.values[rows],
        people.matrix()[[people.models.index(name) for name in names]],
        models=names,
        a_clusters=board.clusters(),
    )
    run_of = dict(zip(board.names, board.runs, strict=True))
    return {
        "models": [
            {
                "run": run_of[model.model],
                "scores": [round(model.a, 4), round(model.b, 4)],
                "places": [model.a_place, model.b_place],
                "tau_without": None if model.tau_without is None else round(model.tau_without, 4),
            }
            for model in found.models
        ],
        "correlations": [_correlation(one) for one in (found.spearman, found.tau_b, found.weighted_tau)],
        "pairs": found.pairs,
        "agreeing": found.agreeing,
        "disagreements": [
            {
                "runs": [run_of[one.better_by_a], run_of[one.better_by_b]],
                "gaps": [round(one.a_gap, 4), round(one.b_gap, 4)],
                "apart": [one.a_apart, one.b_apart],
            }
            for one in found.disagreements
        ],
        "units": len(people.units),
        "raters": people.raters,
        "dimensions": people.dimensions,
        "raters_agree": _alpha(people.agreement.overall),
        "rated_only": sorted(set(people.models) - set(names)),
        "runs_only": [run for run, name in zip(board.runs, board.names, strict=True) if name not in names],
    }


def _correlation(found: AlignedCorrelation) -> dict[str, Any]:
    items, models = found.items, found.models
    ends = (items.low, items.high, models.low, models.high)
    low, high, models_low, models_high = (None if end is None else round(end, 4) for end in ends)
    return {
        "name": found.name,
        "value": None if found.value is None else round(found.value, 4),
        "p": None if found.p is None else float(f"{found.p:.3g}"),
        "items": [low, high],
        "models": [models_low, models_high],
    }


def _alpha(agreement: Agreement | None) -> list[float | None] | None:
    """Krippendorff's alpha with its ends."""
    if agreement is None:
        return None
    alpha = agreement.alpha
    return [None if end is None else round(end, 4) for end in (alpha.mean, alpha.low, alpha.high)]
