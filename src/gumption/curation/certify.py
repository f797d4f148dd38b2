"""What a compact suite keeps of the order of models, beside random subsets and the noise ceiling.

A selector is fitted on one half of the models and judged on the other, over many splits: one that is judged
on the models that chose it looks better than it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.special import stdtrit

from gumption.curation._inputs import Floats, Ints, wanted
from gumption.curation.estimators import Estimator, plain
from gumption.curation.fit import fit
from gumption.ranking._resampling import bootstrap_counts, model_matrix, subset_flags, weighted_means
from gumption.ranking.fidelity import Z, item_rows, spearman, tau_b
from gumption.ranking.noise import split_half
from gumption.ranking.pair_order import GapBin, pair_order_of
from gumption.records import GumptionError

__all__ = ["Certificate", "certify"]

SHARED = 0.15
"""Variance between matrices of the mean lift, beyond what splits explain, as a share of the variance of one
split. Measured on 320 simulated matrices where no choice can help (12 and 24 models, with and without
differences between them): item-total .15 to .31, correlation .09 to .14, mixed .02 to .06, stratified 0."""
RANDOM = 50
"""Random subsets beside each split."""
RANDOM_FIXED = 400
"""Random subsets beside a fixed suite."""
RESAMPLES = 50
"""Bootstrap draws of the suite's items, and of all items, in each split."""
RESAMPLES_FIXED = 400
FEWEST = 4


class Certificate(Struct, frozen=True):
    """Rank fidelity of a suite. Scores and gaps are in [0, 1], tau is Kendall's tau-b with all items."""

    method: str
    k: int
    """Items of the suite."""
    items: int
    """Items of the pool, which contains the suite."""
    models: int
    """Models that are ordered: in each split, or all of them for a fixed suite."""
    pairs: int
    splits: int
    held_out: bool
    """Whether the models that are ordered had no part in the choice."""
    tau: float
    tau_interval: tuple[float, float]
    """tau +- 1.96 bootstrap standard errors of one suite (root mean square over splits), within [-1, 1]."""
    spearman: float
    random_tau: float
    """Mean over random subsets of k items, plain means, on the same models."""
    random_interval: tuple[float, float]
    """5 % and 95 % of random subsets."""
    lift: float
    """tau - random_tau, paired by split."""
    lift_interval: tuple[float, float]
    """95 %. Splits share their models, so the spread of a mean over splits says too little: on matrices
    where no choice of items can help, it alone would call item-total better than random one time in four.
    The variance of one split is therefore divided by the splits and SHARED of it is added (the form of
    Nadeau and Bengio 2003). For a fixed suite: of resampling its items."""
    lift_error: float
    """Standard error of the lift over splits of these very models alone; 0 for a fixed suite."""
    ceiling_tau: float
    """The item bootstrap of the same models: all items drawn anew, against all items."""
    split_half_tau: float
    """One half of the items against the other."""
    score_error: float
    """Mean absolute error of the estimated full-pool score."""
    random_score_error: float
    """The same of plain means over random subsets."""
    score_gain_interval: tuple[float, float] | None
    """random_score_error - score_error, 95 %, made like `lift_interval`; None for a fixed suite, which has
    one error only."""
    kept: tuple[GapBin, ...]
    """How often the suite keeps the order of two models, by their gap."""
    smallest_gap: float | None
    """The smallest gap whose order is kept 80 % of the time; None where there is none."""
    random_smallest_gap: float | None
    chosen_by: dict[str, int]
    """How many splits took which selector and estimator."""

    @property
    def verdict(self) -> str:
        """better than random | random is as good | worse than random: beyond the interval of the lift. A
        suite judged by the models that may have chosen it (`held_out` is False) is never called better."""
        if self.lift_interval[1] < 0:
            return "worse than random"
        return "better than random" if self.lift_interval[0] > 0 and self.held_out else "random is as good"

    @property
    def score_verdict(self) -> str | None:
        """The same of the error of the estimated scores; None for a fixed suite."""
        if self.score_gain_interval is None:
            return None
        low, high = self.score_gain_interval
        return "worse than random" if high < 0 else "better than random" if low > 0 else "random is as good"


@dataclass(frozen=True, slots=True)
class _Trial:
    """A suite on some models."""

    name: str
    full: Floats
    """models: scores by all items."""
    scores: Floats
    """models: scores estimated from the suite."""
    resampled: Floats
    """draws x models: the same with the suite's items resampled."""
    drawn: Floats
    """draws x models: plain means over random subsets."""
    ceiling: Floats
    """draws: tau of all items resampled."""


def certify(
    responses: npt.ArrayLike,
    method: str | npt.ArrayLike,
    k: int,
    embeddings: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    splits: int = 60,
    seed: int = 0,
) -> Certificate:
    """Certifies a method (see `fit`) or a fixed suite on a models x items matrix in [0, 1], NaN = missing.

    A name: in each of `splits` random splits the method is fitted on one half of the models (the smaller,
    where they are odd), with draws of its own, and judged on the other half. An array of item numbers: the
    suite is judged on all models by its plain mean, and `held_out` is False, as nobody knows which models
    it was chosen on; k must be its length.

    Orders that tie all models count as a tau of 0; a model without an answer in a suite stands at the mean
    of the others. Raises GumptionError for what `fit` refuses, and for fewer than four models.
    """
    scores = model_matrix(responses, "responses")
    wanted(k)
    if len(scores) < FEWEST or splits < 2:
        raise GumptionError(
            f"{len(scores)} models, {splits} splits",
            where="certify",
            remedy=f"give {FEWEST} models and 2 splits at least: half of the models choose, half judge",
        )
    if isinstance(method, str):
        trials = list(_held_out(scores, method, k, embeddings, groups, splits, seed))
        name, size = method, min(k, scores.shape[1])
    else:
        chosen = item_rows(method, scores.shape[1])
        if len(chosen) != k:
            raise GumptionError(
                f"k = {k}, but {len(chosen)} items are given",
                where="certify",
                remedy="give their number as k",
            )
        rng = np.random.default_rng(seed)
        trials = [
            _trial(scores, chosen, plain(k), "fixed", rng, RANDOM_FIXED, RESAMPLES_FIXED),
        ]
        name, size = "fixed", k
    return _certificate(scores, trials, name, size, isinstance(method, str), seed)


def _held_out(
    scores: Floats,
    method: str,
    k: int,
    embeddings: npt.ArrayLike | None,
    groups: npt.ArrayLike | None,
    splits: int,
    seed: int,
) -> Iterator[_Trial]:
    half = len(scores) // 2
    for split in range(splits):
        rng = np.random.default_rng([seed, split])
        order = rng.permutation(len(scores))
        source, judged = scores[order[:half]], scores[order[half:]]
        suite = fit(source, k, embeddings, groups, method, int(rng.integers(2**31)))
        yield _trial(judged, suite.chosen, suite.estimator, suite.method, rng, RANDOM, RESAMPLES)


def _trial(
    scores: Floats,
    chosen: Ints,
    estimator: Estimator,
    name: str,
    rng: np.random.Generator,
    random: int,
    resamples: int,
) -> _Trial:
    items, k = scores.shape[1], len(chosen)
    full = weighted_means(scores, np.ones((1, items)))[0]
    part = scores[:, chosen]
    return _Trial(
        name=name,
        full=full,
        scores=_at_the_mean(estimator(part)[None])[0],
        resampled=np.concatenate(
            [_at_the_mean(estimator(part, times)) for times in bootstrap_counts(rng, resamples, k)]
        ),
        drawn=np.concatenate(
            [weighted_means(scores, flags) for flags in subset_flags(rng, random, items, k)]
        ),
        ceiling=np.concatenate(
            [
                np.nan_to_num(tau_b(weighted_means(scores, times), full))
                for times in bootstrap_counts(rng, resamples, items)
            ]
        ),
    )


def _at_the_mean(scores: Floats) -> Floats:
    """draws x models, with a model that has no answer at the mean of the others."""
    known = ~np.isnan(scores)
    if known.all():
        return scores
    others = np.where(known, scores, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.where(known, scores, others[:, None])


def _certificate(
    scores: Floats, trials: list[_Trial], name: str, k: int, held_out: bool, seed: int
) -> Certificate:
    taus = np.array([_tau(trial.scores[None], trial.full)[0] for trial in trials])
    random = np.stack([_tau(trial.drawn, trial.full) for trial in trials])
    errors = np.array([_tau(trial.resampled, trial.full).std(ddof=1) for trial in trials])
    lifts = taus - random.mean(axis=1)
    tau, lift = float(taus.mean()), float(lifts.mean())
    reach = Z * float(np.sqrt((errors**2).mean()))
    missed = np.array([np.abs(trial.scores - trial.full).mean() for trial in trials])
    by_random = np.array([np.abs(trial.drawn - trial.full).mean() for trial in trials])
    gain = None
    if held_out:
        lift_error = float(lifts.std(ddof=1) / np.sqrt(len(lifts)))
        lift_reach, gain_reach = _reach(lifts), _reach(by_random - missed)
        middle = float((by_random - missed).mean())
        gain = (middle - gain_reach, middle + gain_reach)
        own = np.stack([trial.scores for trial in trials])
    else:
        # One suite says of each pair yes or no; its resamples say how nearly.
        lift_error, lift_reach, own = 0.0, reach, trials[0].resampled
    full = np.stack([trial.full for trial in trials])
    draws = random.shape[1]
    kept = pair_order_of(own, full)
    by_chance = pair_order_of(
        np.concatenate([trial.drawn for trial in trials]), np.repeat(full, draws, axis=0)
    )
    models = full.shape[1]
    return Certificate(
        method=name,
        k=k,
        items=scores.shape[1],
        models=models,
        pairs=models * (models - 1) // 2,
        splits=len(trials) if held_out else 0,
        held_out=held_out,
        tau=tau,
        tau_interval=(max(tau - reach, -1.0), min(tau + reach, 1.0)),
        spearman=float(np.mean([np.nan_to_num(spearman(trial.scores, trial.full)) for trial in trials])),
        random_tau=float(random.mean()),
        random_interval=(float(np.quantile(random, 0.05)), float(np.quantile(random, 0.95))),
        lift=lift,
        lift_interval=(lift - lift_reach, lift + lift_reach),
        lift_error=lift_error,
        ceiling_tau=float(np.mean([trial.ceiling.mean() for trial in trials])),
        split_half_tau=split_half(scores, seed=seed).mean,
        score_error=float(missed.mean()),
        random_score_error=float(by_random.mean()),
        score_gain_interval=gain,
        kept=kept.bins,
        smallest_gap=kept.smallest_gap,
        random_smallest_gap=by_chance.smallest_gap,
        chosen_by=dict(Counter(trial.name for trial in trials)),
    )


def _reach(differences: Floats) -> float:
    """Half of the 95 % interval of a mean over splits that share their models."""
    n = len(differences)
    quantile = float(stdtrit(n - 1, 0.975))
    return quantile * float(differences.std(ddof=1)) * float(np.sqrt(1 / n + SHARED))


def _tau(scores: Floats, full: Floats) -> Floats:
    taus: Floats = np.nan_to_num(tau_b(scores, full))
    return taus
