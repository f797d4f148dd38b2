"""Does a benchmark rank models as people do? Two rankings of the same models, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from gumption.ranking._design import Floats, Ints, lay_out
from gumption.ranking._paired import gap_blocks, gap_tests
from gumption.ranking.correlation import (
    STATISTICS,
    Correlation,
    RankCorrelation,
    rank_correlation,
    two_scores,
)
from gumption.ranking.fidelity import around, order_of_pairs, tau_b
from gumption.ranking.intervals import unit_scores
from gumption.ranking.pairs import holm, model_names
from gumption.ranking.weightings import places_of
from gumption.records import GumptionError, Interval

__all__ = ["AlignedCorrelation", "AlignedModel", "Alignment", "Disagreement", "align_rankings"]

LEVEL = 0.05
PERFECT = 16.0
"""Perfect agreement of n models has a chance of 2.5 % where tau is 1 - 16 / n^2 (simulated with normal
scores, within .02 for 8 to 50 models). A bootstrap of models in perfect agreement sees no other order."""


class AlignedCorrelation(Struct, frozen=True):
    """One rank correlation of the two sides."""

    name: str
    """"spearman", "tau_b" or "weighted_tau"."""
    value: float | None
    """None where one side ties all models."""
    p: float | None
    """Two-sided, by permutation of the models."""
    p_method: str
    """"exact" or "permutation"."""
    items: Interval
    """These models, other items and scenarios: the value +- 1.96 bootstrap standard errors; no ends where
    neither side is given by item. Simulated with 13 models, 150 items and 8 scenarios: it covers the tau-b
    that such studies have on average .92 to .95 of the time. Noise lowers that tau-b itself: the one without
    noise is covered .87."""
    models: Interval
    """Other models of the same kind: the value +- 1.96 standard errors of a bootstrap over models, but no
    less than to the correlation under which so many models agree perfectly 2.5 % of the time. Simulated with
    8 to 30 models: it covers .92 and more."""


class AlignedModel(Struct, frozen=True):
    """One model on both sides."""

    model: str
    a: float
    b: float
    a_place: int
    """From 1; models that tie share the better place."""
    b_place: int
    tau_without: float | None
    """tau-b when this model is left out: far from the others', the agreement hangs on it."""


class Disagreement(Struct, frozen=True):
    """Two models that the sides put in opposite orders."""

    better_by_a: str
    better_by_b: str
    a_gap: float
    """How far the one is ahead by a, above 0, in the unit of that side."""
    b_gap: float
    a_p: float | None
    """Two-sided, Holm-corrected for all pairs of side a; None where side a is not given by item."""
    b_p: float | None
    a_apart: bool | None
    """a tells the two apart (a_p < .05). Where neither side does, the disagreement may be noise."""
    b_apart: bool | None


class Alignment(Struct, frozen=True):
    """How two rankings of the same models agree."""

    a_name: str
    b_name: str
    models: tuple[AlignedModel, ...]
    """Those known on both sides, in the order given."""
    left_out: tuple[str, ...]
    """Models that a side does not know."""
    spearman: AlignedCorrelation
    tau_b: AlignedCorrelation
    weighted_tau: AlignedCorrelation
    pairs: int
    agreeing: int
    """Pairs that both sides order alike; those tied on a side are neither here nor in `disagreements`."""
    disagreements: tuple[Disagreement, ...]
    """The widest first, by the product of the gaps."""
    resampled: tuple[str, ...]
    """The sides that are given by item and were resampled."""


def align_rankings(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    models: Sequence[str],
    a_clusters: npt.ArrayLike | None = None,
    b_clusters: npt.ArrayLike | None = None,
    a_name: str = "benchmark",
    b_name: str = "people",
    resamples: int = 1000,
    seed: int = 0,
) -> Alignment:
    """Sets two rankings of the same models against each other.

    `a`, `b`: a score per model (any finite numbers, the higher the better, NaN = unknown), or models x items
    of scores in [0, 1], NaN = missing, of which the mean over a model's own scored items ranks; the two sides
    need not have the same items. `a_clusters`, `b_clusters`: a label per item of that side (scene, scenario),
    drawn whole. The sides are drawn independently. `models`: a name per row of both.

    Raises GumptionError for scores, matrices, labels or names that do not fit.
    """
    left, right = _Side.of(a, a_clusters, a_name), _Side.of(b, b_clusters, b_name)
    one, other = two_scores(left.means, right.means)
    names = model_names(models, len(one))
    known = np.flatnonzero(~np.isnan(one + other))
    left, right = left.of_models(known), right.of_models(known)
    kept = [names[row] for row in known]
    found = rank_correlation(left.means, right.means, seed=seed)
    order = order_of_pairs(np.stack([left.means, right.means]), np.triu_indices(len(kept), 1))
    return Alignment(
        a_name=a_name,
        b_name=b_name,
        models=_models(kept, left.means, right.means),
        left_out=tuple(name for row, name in enumerate(names) if row not in known),
        **_correlations(found, left, right, resamples, seed),
        pairs=found.pairs,
        agreeing=int((order[0] * order[1] > 0).sum()),
        disagreements=_disagreements(kept, left, right),
        resampled=tuple(side.name for side in (left, right) if side.matrix is not None),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    means: Floats
    matrix: Floats | None
    """Models x items, where it is given."""
    clusters: npt.ArrayLike | None

    @classmethod
    def of(cls, given: npt.ArrayLike, clusters: npt.ArrayLike | None, name: str) -> _Side:
        if np.ndim(given) == 2:
            matrix = unit_scores(given, name)
            if not matrix.size:
                raise GumptionError(
                    f"shape {matrix.shape}", where=name, remedy="give models x items, at least one of each"
                )
            return cls(name, lay_out(matrix, clusters=clusters).means(), matrix, clusters)
        if clusters is not None:
            raise GumptionError(
                "clusters without items", where=name, remedy="give models x items, or leave the clusters out"
            )
        return cls(name, two_scores(given, given)[0], None, None)

    def of_models(self, rows: Ints) -> _Side:
        matrix = None if self.matrix is None else self.matrix[rows]
        return _Side(self.name, self.means[rows], matrix, self.clusters)

    def draws(self, resamples: int, seed: int) -> Floats:
        """Draws x models, from items drawn anew; one line of the means where there are no items."""
        if self.matrix is None or not len(self.matrix):
            return self.means[None, :]
        return lay_out(self.matrix, clusters=self.clusters).draws(resamples, seed)

    def p_values(self, pairs: int) -> list[float | None]:
        """Of each pair of models, corrected."""
        if self.matrix is None:
            return [None] * pairs
        tests = (test for block in gap_blocks(self.matrix, self.clusters) for test in gap_tests(block.design))
        return holm([test.p if test else None for test in tests])


def _correlations(
    found: RankCorrelation, left: _Side, right: _Side, resamples: int, seed: int
) -> dict[str, AlignedCorrelation]:
    models = len(left.means)
    # The sides' items, and the models, are drawn independently of each other.
    for_left, for_right, for_models = map(int, np.random.SeedSequence(seed).generate_state(3))
    drawn = left.draws(resamples, for_left), right.draws(resamples, for_right)
    by_item = left.matrix is not None or right.matrix is not None
    picked = np.random.default_rng(for_models).integers(0, max(models, 1), (resamples, models))
    aligned = {}
    for name, statistic in STATISTICS.items():
        own: Correlation = getattr(found, name)
        items = models_ = Interval(own.value, None, None, name=name)
        if own.value is not None:
            if by_item:
                items = around(own.value, statistic(*drawn), name)
            others = around(own.value, statistic(left.means[picked], right.means[picked]), name)
            models_ = _no_narrower(others, models)
        aligned[name] = AlignedCorrelation(name, own.value, own.p, own.method, items, models_)
    return aligned


def _no_narrower(over_models: Interval, models: int) -> Interval:
    mean, low, high = over_models.mean, over_models.low, over_models.high
    assert mean is not None and low is not None and high is not None
    least = PERFECT / models**2
    if over_models.name == "spearman":
        least = 1.36 * least**2  # Of normal scores whose tau is 1 - least, near 1.
    return replace(over_models, low=max(min(low, mean - least), -1.0), high=min(max(high, mean + least), 1.0))


def _models(names: list[str], one: Floats, other: Floats) -> tuple[AlignedModel, ...]:
    places = places_of(one), places_of(other)
    found = []
    for row, name in enumerate(names):
        rest = np.delete(np.arange(len(names)), row)
        tau = float(tau_b(one[rest], other[rest])) if len(rest) > 1 else float("nan")
        found.append(
            AlignedModel(
                model=name,
                a=float(one[row]),
                b=float(other[row]),
                a_place=int(places[0][row]),
                b_place=int(places[1][row]),
                tau_without=None if np.isnan(tau) else tau,
            )
        )
    return tuple(found)


def _disagreements(names: list[str], left: _Side, right: _Side) -> tuple[Disagreement, ...]:
    upper = np.triu_indices(len(names), 1)
    order = order_of_pairs(np.stack([left.means, right.means]), upper)
    p_values = left.p_values(len(upper[0])), right.p_values(len(upper[0]))
    found = []
    for pair in np.flatnonzero(order[0] * order[1] < 0):
        first, second = upper[0][pair], upper[1][pair]
        if order[0][pair] < 0:
            first, second = second, first
        a_p, b_p = (p[pair] for p in p_values)
        found.append(
            Disagreement(
                better_by_a=names[first],
                better_by_b=names[second],
                a_gap=float(left.means[first] - left.means[second]),
                b_gap=float(right.means[second] - right.means[first]),
                a_p=a_p,
                b_p=b_p,
                a_apart=None if a_p is None else a_p < LEVEL,
                b_apart=None if b_p is None else b_p < LEVEL,
            )
        )
    return tuple(sorted(found, key=lambda d: -d.a_gap * d.b_gap))
