"""From people's preferences between two outputs to the strengths of the models."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gumption.ranking.bradley_terry import Strengths, bradley_terry
from gumption.records import GumptionError

__all__ = ["Preferences", "strengths_by_people"]


class Preferences(Struct, frozen=True):
    """Comparisons of two models' outputs for one scenario, a line each."""

    rater: Sequence[str]
    first: Sequence[str]
    """A model."""
    second: Sequence[str]
    choice: Sequence[int]
    """-1 where the first is preferred, 1 where the second is, 0 where neither is."""


def strengths_by_people(
    preferences: Preferences,
    *,
    models: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Strengths:
    """Strengths by Bradley and Terry's model; a tie is half a win each way, raters are drawn whole.

    `models`: all of them, None for those that occur. Raises GumptionError for columns that do not fit each
    other, a choice that is none, and a model that is compared with itself.
    """
    columns = (preferences.rater, preferences.first, preferences.second, preferences.choice)
    lengths = [len(column) for column in columns]
    if len(set(lengths)) > 1 or not lengths[0]:
        remedy = "give four columns of one length, and at least one comparison"
        raise GumptionError(f"columns of {lengths} lines", where="preferences", remedy=remedy)
    rows: list[tuple[str, str, float]] = []
    raters: list[str] = []
    for line, (rater, first, second, choice) in enumerate(zip(*columns, strict=True), 1):
        if choice not in (-1, 0, 1) or first == second:
            raise GumptionError(
                f"{choice!r} between {first!r} and {second!r}",
                where=f"preferences, line {line}",
                remedy="-1 is for the first model, 1 for the second, 0 a tie; compare two models",
            )
        if choice <= 0:
            rows.append((first, second, 0.5 if choice == 0 else 1.0))
        if choice >= 0:
            rows.append((second, first, 0.5 if choice == 0 else 1.0))
        raters += [rater] * (len(rows) - len(raters))
    return bradley_terry(rows, models=models, raters=raters, resamples=resamples, seed=seed)
