"""Scoring fidelity with a reference (A2Eval, arXiv 2602.01640): two scorers on the same replies.

The paper's figure, the relative difference of scores, stands beside what it hides: item agreement, kappa,
each model's shift, and the order of the models under both scorers. Of requests and replies:
`request_fidelity`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.stats import binom

from gumption.ranking import agreement, tau_b
from gumption.records import GumptionError, Interval
from gumption.synthesis.hidden import is_hidden

__all__ = [
    "Band",
    "Pair",
    "ScoringFidelity",
    "Shift",
    "scoring_fidelity",
    "split",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Band: TypeAlias = Literal["good", "acceptable", "fails"]

_SAME = 1e-6
"""Scores are recorded to six digits."""
_GOOD, _ACCEPTABLE = 0.025, 0.05
"""Differences to official results in EASI's table: 2.5 and 5 points."""
_DRAWS = 1000
_NAMED = 20


class Pair(Struct, frozen=True):
    """One reply under both scorers; None where one gives no score."""

    item: str
    model: str
    score: float | None
    reference: float | None
    category: str = ""
    """Of the item, where a model's mean is that over categories."""
    reply: str = ""


class Shift(Struct, frozen=True):
    """One model's mean under both scorers, over the items that both scored."""

    model: str
    score: float
    reference: float
    items: int
    fidelity: float | None
    """1 - |score - reference| / reference; None where the reference is 0."""

    @property
    def shift(self) -> float:
        """score - reference."""
        return self.score - self.reference

    @property
    def band(self) -> Band:
        """EASI's band: within 2.5 points, within 5, or beyond."""
        apart = round(abs(self.shift), 9)
        return "good" if apart <= _GOOD else "acceptable" if apart <= _ACCEPTABLE else "fails"


class ScoringFidelity(Struct, frozen=True):
    """How far one scorer does as the reference does."""

    pairs: int
    """Replies scored by both; the rest is about these."""
    only_score: int
    only_reference: int
    relative: float | None
    """The paper's scoring fidelity: the mean over models of 1 - |score - reference| / reference."""
    agreement: float | None
    """Share of replies with the same score."""
    difference: float | None
    """Mean of |score - reference| over replies."""
    kappa: Interval
    """Cohen's, over the scores as categories; None where nothing but one score occurs."""
    lost: int
    """Replies right (1) by the reference and wrong (0) here; only where all scores are 0 or 1."""
    gained: int
    mcnemar: float | None
    """Exact two-sided p of McNemar's test that lost and gained are as likely; None for scores between."""
    shifts: tuple[Shift, ...]
    """By model, the largest shift first."""
    tau: Interval
    """Kendall's tau-b of the models' means; its interval draws items. None for fewer than two models."""
    swapped: int
    """Pairs of models whose order is turned round."""
    largest_gap_swapped: float
    """The largest difference by the reference of two models whose order is turned round; 0 for none."""
    unequal: tuple[Pair, ...]
    """The first replies with another score."""


def split(ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Visible and hidden items, by the hash of their ids: see `synthesis.hidden`."""
    visible: list[str] = []
    hidden: list[str] = []
    for id in ids:
        (hidden if is_hidden(id) else visible).append(id)
    return visible, hidden


def scoring_fidelity(pairs: Sequence[Pair], *, macro: bool = False, seed: int = 0) -> ScoringFidelity:
    """Compares two scorers on the same replies. macro: a model's mean is that over categories of their means.

    Raises GumptionError where no reply was scored by both.
    """
    known = [one for one in pairs if one.score is not None and one.reference is not None]
    if not known:
        raise GumptionError(
            "no reply is scored by both", where="fidelity", remedy="give replies to the pipeline's items"
        )
    scores = np.array([one.score for one in known], dtype=np.float64)
    references = np.array([one.reference for one in known], dtype=np.float64)
    same = np.abs(scores - references) <= _SAME
    binary = bool(np.isin(np.concatenate([scores, references]), (0.0, 1.0)).all())
    lost, gained = int((scores < references).sum()), int((scores > references).sum())
    means = _Means(known, scores, references, macro)
    shifts = means.shifts()
    relative = [one.fidelity for one in shifts if one.fidelity is not None]
    tau, swapped, gap = _order(means, seed)
    return ScoringFidelity(
        pairs=len(known),
        only_score=sum(one.score is not None and one.reference is None for one in pairs),
        only_reference=sum(one.score is None and one.reference is not None for one in pairs),
        relative=sum(relative) / len(relative) if relative else None,
        agreement=float(same.mean()),
        difference=float(np.abs(scores - references).mean()),
        kappa=agreement(np.round([scores, references], 6), resamples=200, seed=seed).cohen,
        lost=lost if binary else 0,
        gained=gained if binary else 0,
        mcnemar=_mcnemar(lost, gained) if binary else None,
        shifts=shifts,
        tau=tau,
        swapped=swapped,
        largest_gap_swapped=gap,
        unequal=tuple([one for one, equal in zip(known, same, strict=True) if not equal][:_NAMED]),
    )


class _Means:
    """The models' means under both scorers, over the items or any resampling of them."""

    def __init__(self, pairs: Sequence[Pair], scores: Floats, references: Floats, macro: bool) -> None:
        self.models = {model: row for row, model in enumerate(dict.fromkeys(one.model for one in pairs))}
        category = {one.item: one.category if macro else "" for one in pairs}
        items = {item: column for column, item in enumerate(category)}
        cells = ([self.models[one.model] for one in pairs], [items[one.item] for one in pairs])
        self._sums = np.zeros((2, len(self.models), len(items)))
        self._counts = np.zeros((len(self.models), len(items)))
        for table, values in zip(
            (*self._sums, self._counts), (scores, references, np.ones(len(pairs))), strict=True
        ):
            np.add.at(table, cells, values)
        named = np.array(list(category.values()))
        self._groups = [np.flatnonzero(named == name) for name in dict.fromkeys(category.values())]
        self.items = len(items)

    def of(self, times: Floats) -> tuple[Floats, Floats]:
        """Under the scorer and under the reference, rows x models, where item i counts times[:, i] times.

        NaN for a model without any item.
        """
        sums = np.zeros((2, len(times), len(self.models)))
        categories = np.zeros(sums.shape[1:])
        for group in self._groups:
            count = times[:, group] @ self._counts[:, group].T
            categories += count > 0
            for side, table in enumerate(self._sums):
                sums[side] += np.divide(
                    times[:, group] @ table[:, group].T, count, out=np.zeros_like(count), where=count > 0
                )
        with np.errstate(invalid="ignore"):
            score, reference = sums / categories
        return score, reference

    def shifts(self) -> tuple[Shift, ...]:
        """By model, the largest first."""
        score, reference = (means[0] for means in self.of(np.ones((1, self.items))))
        replies = self._counts.sum(axis=1)
        found = []
        for model, row in self.models.items():
            mine, theirs = float(score[row]), float(reference[row])
            fidelity = 1.0 - abs(mine - theirs) / theirs if theirs > 0 else None
            found.append(Shift(model, mine, theirs, int(replies[row]), fidelity))
        return tuple(sorted(found, key=lambda one: (-abs(one.shift), one.model)))


def _mcnemar(lost: int, gained: int) -> float:
    """Exact and two-sided, by the binomial distribution (McNemar 1947)."""
    return min(1.0, 2.0 * float(binom.cdf(min(lost, gained), lost + gained, 0.5))) if lost + gained else 1.0


def _order(means: _Means, seed: int) -> tuple[Interval, int, float]:
    """Tau of the models' means with its interval, the pairs swapped, and the largest gap among those."""
    if len(means.models) < 2:
        return Interval(None, None, None, name="tau"), 0, 0.0
    first, second = (side[0] for side in means.of(np.ones((1, means.items))))
    tau = float(tau_b(first, second))
    upper = np.triu_indices(len(means.models), 1)
    turned = [np.round(side[upper[0]] - side[upper[1]], 10) for side in (first, second)]
    swaps = np.sign(turned[0]) * np.sign(turned[1]) < 0
    gap = float(np.abs(turned[1][swaps]).max()) if swaps.any() else 0.0
    rng = np.random.default_rng(seed)
    times = rng.multinomial(means.items, np.full(means.items, 1 / means.items), size=_DRAWS)
    drawn = means.of(times.astype(np.float64))
    # A draw may hold no item of some model.
    whole = ~np.isnan(drawn[0]).any(axis=1)
    taus = tau_b(drawn[0][whole], drawn[1][whole])
    taus = taus[~np.isnan(taus)]
    if np.isnan(tau) or not len(taus):
        return Interval(None, None, None, name="tau"), int(swaps.sum()), gap
    low, high = np.quantile(taus, [0.025, 0.975])
    return (
        Interval(tau, min(float(low), tau), max(float(high), tau), "bootstrap", "tau"),
        int(swaps.sum()),
        gap,
    )
