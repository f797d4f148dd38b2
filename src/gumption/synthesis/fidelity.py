"""Scoring fidelity with a reference (A2Eval, arXiv 2602.01640): two scorers on the same replies.

The paper's figure, the relative difference of scores, stands beside what it hides: item agreement, kappa,
each model's shift, and the order of the models under both scorers. Of requests and replies:
`request_fidelity`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from scipy.stats import binom

from gumption.ranking import agreement, tau_b
from gumption.records import GumptionError, Interval
from gumption.synthesis.hidden import is_hidden

__all__ = [
    "Band",
    "Pair",
    "Recorded",
    "ScoringFidelity",
    "Shift",
    "read_recorded",
    "scoring_fidelity",
    "split",
]

Band: TypeAlias = Literal["good", "acceptable", "fails"]

_SAME = 1e-6
"""Scores are recorded to six digits."""
_GOOD, _ACCEPTABLE = 0.025, 0.05
"""Differences to official results in EASI's table: 2.5 and 5 points."""
_DRAWS = 1000
_NAMED = 20
_LARGEST_LINE = 2**24


class Recorded(Struct, frozen=True):
    """A line of a recorded file: a reply and what it is worth by the reference."""

    item: str | int
    model: str
    reply: str
    score: float | None


class Pair(Struct, frozen=True):
    """One reply under both scorers; None where one gives no score."""

    item: str
    model: str
    score: float | None
    reference: float | None


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
    unequal: tuple[str, ...]
    """The first replies with another score, as `item model`."""


def split(ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Visible and hidden items, by the hash of their ids: see `synthesis.hidden`."""
    visible: list[str] = []
    hidden: list[str] = []
    for id in ids:
        (hidden if is_hidden(id) else visible).append(id)
    return visible, hidden


def read_recorded(path: Path) -> list[Recorded]:
    """The lines of a recorded file. Raises GumptionError with the line that is none."""
    found = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                if len(line) > _LARGEST_LINE:
                    raise msgspec.ValidationError("the line is over 16 MB")
                one = msgspec.json.decode(line, type=Recorded)
            except msgspec.MsgspecError as error:
                raise GumptionError(
                    str(error),
                    where=f"{path.name}, line {number}",
                    remedy="give item, model, reply and score",
                ) from error
            if one.score is not None and not 0.0 <= one.score <= 1.0:
                raise GumptionError(
                    f"the score {one.score!r}",
                    where=f"{path.name}, line {number}",
                    remedy="scores are in [0, 1]",
                )
            found.append(one)
    return found


def scoring_fidelity(pairs: Sequence[Pair], *, seed: int = 0) -> ScoringFidelity:
    """Compares two scorers on the same replies. Raises GumptionError where none was scored by both."""
    known = [
        (one, one.score, one.reference)
        for one in pairs
        if one.score is not None and one.reference is not None
    ]
    if not known:
        raise GumptionError("no reply is scored by both", where="fidelity", remedy="score the same replies")
    scores, references = (np.array([one[at] for one in known], dtype=np.float64) for at in (1, 2))
    same = np.abs(scores - references) <= _SAME
    binary = bool(np.isin(np.concatenate([scores, references]), (0.0, 1.0)).all())
    lost, gained = int((scores < references).sum()), int((scores > references).sum())
    shifts = _shifts([one for one, _, _ in known], scores, references)
    relative = [one.fidelity for one in shifts if one.fidelity is not None]
    tau, swapped, gap = _order([one for one, _, _ in known], scores, references, seed)
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
        unequal=tuple(
            [f"{one.item} {one.model}" for (one, _, _), equal in zip(known, same, strict=True) if not equal][
                :_NAMED
            ]
        ),
    )


def _shifts(pairs: Sequence[Pair], scores: Any, references: Any) -> tuple[Shift, ...]:
    rows: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(pairs):
        rows[one.model].append(at)
    found = []
    for model, places in rows.items():
        score, reference = float(scores[places].mean()), float(references[places].mean())
        fidelity = 1.0 - abs(score - reference) / reference if reference > 0 else None
        found.append(Shift(model, score, reference, len(places), fidelity))
    return tuple(sorted(found, key=lambda one: (-abs(one.shift), one.model)))


def _mcnemar(lost: int, gained: int) -> float:
    """Exact and two-sided, by the binomial distribution (McNemar 1947)."""
    return min(1.0, 2.0 * float(binom.cdf(min(lost, gained), lost + gained, 0.5))) if lost + gained else 1.0


def _order(pairs: Sequence[Pair], scores: Any, references: Any, seed: int) -> tuple[Interval, int, float]:
    """Tau of the models' means with its interval, the pairs swapped, and the largest gap among those."""
    models = {model: row for row, model in enumerate(dict.fromkeys(one.model for one in pairs))}
    items = {item: column for column, item in enumerate(dict.fromkeys(one.item for one in pairs))}
    if len(models) < 2:
        return Interval(None, None, None, name="tau"), 0, 0.0
    rows = np.array([models[one.model] for one in pairs])
    columns = np.array([items[one.item] for one in pairs])
    tables = np.zeros((3, len(models), len(items)))
    for table, values in zip(tables, (scores, references, np.ones(len(pairs))), strict=True):
        np.add.at(table, (rows, columns), values)
    first, second = (
        tables[0].sum(axis=1) / tables[2].sum(axis=1),
        tables[1].sum(axis=1) / tables[2].sum(axis=1),
    )
    tau = float(tau_b(first, second))
    upper = np.triu_indices(len(models), 1)
    turned = [np.round(means[upper[0]] - means[upper[1]], 10) for means in (first, second)]
    swaps = np.sign(turned[0]) * np.sign(turned[1]) < 0
    gap = float(np.abs(turned[1][swaps]).max()) if swaps.any() else 0.0
    rng = np.random.default_rng(seed)
    times = rng.multinomial(len(items), np.full(len(items), 1 / len(items)), size=_DRAWS)
    with np.errstate(invalid="ignore"):
        drawn = [times @ table.T for table in tables]
        taus = tau_b(drawn[0] / drawn[2], drawn[1] / drawn[2])
    taus = taus[~np.isnan(taus)]
    if np.isnan(tau) or not len(taus):
        return Interval(None, None, None, name="tau"), int(swaps.sum()), gap
    low, high = np.quantile(taus, [0.025, 0.975])
    return (
        Interval(tau, min(float(low), tau), max(float(high), tau), "bootstrap", "tau"),
        int(swaps.sum()),
        gap,
    )
