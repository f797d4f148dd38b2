"""What is known of each rater: how severe, how consistent, how attentive."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.ranking._rating_table import RatingTable, means
from gumption.ranking.rater_agreement import agreement
from gumption.records import GumptionError

__all__ = ["MUST_PASS", "RaterRecord", "rater_records"]

MUST_PASS = 0.75
"""Share of the attention checks below which a rater is flagged: one miss in four is a slip. Our rule."""


class RaterRecord(Struct, frozen=True):
    """One rater."""

    rater: str
    ratings: int
    """That count."""
    severity: float | None
    """Mean of (the others' mean - this one's rating) over the cells that others rated too, in points of the
    scale: above 0 is harder than the others. None where nobody else rated those cells."""
    repeats: int
    """Cells that were rated a second time."""
    exact: float | None
    """Share of the repeats that say the same again; None without repeats."""
    kappa: float | None
    """Cohen's kappa of first and second rating with quadratic weights (Cohen 1968); None where it is not
    defined: no repeats, or one value throughout."""
    passed: int
    """Attention checks."""
    checks: int
    flagged: bool
    """Less than three quarters of the attention checks were passed."""


def rater_records(table: RatingTable, checks: Mapping[str, tuple[int, int]]) -> tuple[RaterRecord, ...]:
    """All raters, in the order of the table. `checks`: attention checks (passed, asked) by rater.

    Raises GumptionError for checks of a rater who has no ratings, and for counts that cannot be.
    """
    for name, (passed, asked) in checks.items():
        if name not in table.raters:
            raise GumptionError(f"no ratings of rater {name!r}", where="checks", remedy="leave them out")
        if not 0 <= passed <= asked:
            problem = f"{passed} of {asked} attention checks passed"
            raise GumptionError(problem, where=f"checks, rater {name}", remedy="give (passed, asked)")
    ratings = np.bincount(table.rater, minlength=len(table.raters))
    severity = _severity(table)
    records = []
    for place, name in enumerate(table.raters):
        mine = table.rater[table.first] == place
        once, again = table.value[table.first[mine]], table.again[mine]
        passed, asked = checks.get(name, (0, 0))
        records.append(
            RaterRecord(
                rater=name,
                ratings=int(ratings[place]),
                severity=None if np.isnan(severity[place]) else float(severity[place]),
                repeats=len(once),
                exact=float((once == again).mean()) if len(once) else None,
                kappa=_kappa(once, again),
                passed=passed,
                checks=asked,
                flagged=asked > 0 and passed / asked < MUST_PASS,
            )
        )
    return tuple(records)


def _severity(table: RatingTable) -> Floats:
    cells = len(table.models) * len(table.scenarios) * len(table.dimensions)
    count = np.bincount(table.cell, minlength=cells)[table.cell]
    total = np.bincount(table.cell, table.value, cells)[table.cell]
    shared = count > 1
    others = (total - table.value)[shared] / (count[shared] - 1)
    return means(others - table.value[shared], table.rater[shared], len(table.raters))


def _kappa(once: Floats, again: Floats) -> float | None:
    if not len(once):
        return None
    return agreement(np.array([once, again]), "interval", resamples=0).cohen.mean
