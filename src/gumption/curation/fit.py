"""A suite and its estimator, fitted on past results where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from gumption.curation._auto import Trial, best_method
from gumption.curation._clusters import represented
from gumption.curation._inputs import Floats, Ints, Vectors, labels_of, source_responses, vectors_of, wanted
from gumption.curation._responses import RESPONSE_SELECTORS, difficulty_order
from gumption.curation.estimators import (
    ESTIMATORS,
    Estimator,
    calibrated,
    left_out,
    plain,
    post_stratified,
    regression,
    weighted,
)
from gumption.curation.quotas import proportional
from gumption.curation.select import SELECTORS, one_of_each, rows_of, some
from gumption.records import GumptionError

__all__ = ["METHODS", "Selection", "fit"]

METHODS = ("auto", *dict.fromkeys([*SELECTORS, *RESPONSE_SELECTORS]))
CLASSES = 5
"""Classes of difficulty for post-stratification where items have no groups."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A suite's items, and how a model's answers on them become its score on the whole pool."""

    chosen: Ints
    """k item numbers, ascending."""
    method: str
    """selector+estimator; what `auto` chose, where it was asked."""
    estimator: Estimator
    trials: Mapping[str, Trial] = field(default_factory=lambda: MappingProxyType({}))
    """What `auto` measured of each candidate, on the source models alone."""

    def estimate(self, answers: npt.ArrayLike) -> Floats:
        """Full-pool score in [0, 1] of each model, from models x k answers in the order of `chosen`.

        NaN = missing; NaN for a model without any answer. Raises GumptionError for answers that do not fit.
        """
        return self.estimator(answers)


@dataclass(frozen=True, slots=True)
class _Pool:
    """What is known of the items."""

    items: int
    responses: Floats | None
    vectors: Vectors | None
    group: Ints
    grouped: bool


def fit(
    responses: npt.ArrayLike | None,
    k: int,
    embeddings: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    method: str = "auto",
    seed: int = 0,
) -> Selection:
    """Chooses k items of a pool (all where it has fewer) and an estimator of the full-pool score.

    `responses`: source models x items in [0, 1], NaN = missing, or None. `embeddings`: items x d, finite.
    `groups`: a label per item. At least one of them says how many items there are.

    `method`: a selector, or "selector+estimator". Selectors: random; stratified (in proportion to groups,
    and by difficulty where there are responses); centroid, facility, kcenter (need embeddings; in
    proportion to groups); item-total, correlation, mixed, anchor, disagreement (need
    responses, look at no groups). Estimators: mean (the default), calibrated (the default of the selectors
    by response), weighted (by the items that each stands for; the default of anchor), post-stratified (by
    groups, else by difficulty), regression (on past models).

    auto: with eight source models or more, `mixed` or `correlation` where cross-validation among the source
    models puts it ahead of random subsets by more than 1.3 standard errors; else stratified, or random
    where there are neither groups nor responses. Embeddings play no part in it.

    The line of `calibrated` goes through scores of source models that were left out of the choice, where
    the selector looks at their answers (the choice is made again without each quarter of them).

    Deterministic given the seed. Raises GumptionError for an unknown method, one that needs what is not
    given, and arrays that do not fit one another.
    """
    pool = _pool(responses, embeddings, groups)
    wanted(k)
    if method == "auto":
        # The trials have draws of their own: auto chooses the very items that its choice by name does.
        trials: dict[str, Trial] = {}
        name = "stratified" if pool.grouped or pool.responses is not None else "random"
        if pool.responses is not None and k < pool.items:
            name, trials = best_method(pool.responses, k, np.random.default_rng([seed, 1]))
        fitted = _fit(pool, k, name, seed)
        return Selection(fitted.chosen, fitted.method, fitted.estimator, MappingProxyType(trials))
    return _fit(pool, k, method, seed)


def _fit(pool: _Pool, k: int, method: str, seed: int) -> Selection:
    selector, plus, estimator = method.partition("+")
    if selector not in METHODS[1:]:
        raise GumptionError(
            f"no method is called {selector!r}", where="fit", remedy=f"one of {', '.join(METHODS)}"
        )
    if not plus:
        estimator = (
            "weighted" if selector == "anchor" else "calibrated" if selector in RESPONSE_SELECTORS else "mean"
        )
    rng = np.random.default_rng(seed)
    chosen = np.arange(pool.items) if k >= pool.items else np.sort(_choose(pool, k, selector, rng))
    if k >= pool.items:
        estimator = "mean"
    if estimator == "calibrated" and selector in RESPONSE_SELECTORS and k < pool.items:
        return Selection(chosen, f"{selector}+{estimator}", _cross_fitted(pool, selector, chosen, seed))
    return Selection(chosen, f"{selector}+{estimator}", _estimator(pool, estimator, chosen))


def _choose(pool: _Pool, k: int, selector: str, rng: np.random.Generator) -> Ints:
    if selector == "random":
        return rng.choice(pool.items, size=k, replace=False)
    if selector == "stratified":
        if pool.responses is not None:
            return one_of_each(difficulty_order(pool.responses, pool.group, rng), k, rng)
        return one_of_each(np.lexsort((rng.random(pool.items), pool.group)), k, rng)
    if selector in RESPONSE_SELECTORS:
        if pool.responses is None:
            raise _needs(selector, "responses")
        return RESPONSE_SELECTORS[selector](pool.responses, k, rng)
    if pool.vectors is None:
        raise _needs(selector, "embeddings")
    cells = rows_of(pool.group)
    places = proportional([len(rows) for rows in cells], k)
    return np.concatenate(
        [
            rows[some(pool.vectors, rows, int(n), SELECTORS[selector], rng)]
            for rows, n in zip(cells, places, strict=True)
            if n
        ]
    )


def _cross_fitted(pool: _Pool, selector: str, chosen: Ints, seed: int) -> Estimator:
    """The line of a suite that the source models chose, through scores of models that had no part in it."""
    if pool.responses is None:
        raise _needs(selector, "responses")
    if len(pool.responses) < 2:
        return plain(len(chosen))
    rng = np.random.default_rng([seed, 2])

    def choose(responses: Floats) -> Ints:
        return RESPONSE_SELECTORS[selector](responses, len(chosen), rng)

    return calibrated(pool.responses, chosen, left_out(pool.responses, choose, rng))


def _estimator(pool: _Pool, name: str, chosen: Ints) -> Estimator:
    if name == "mean":
        return plain(len(chosen))
    if name == "post-stratified":
        return post_stratified(_strata(pool), chosen)
    if name == "weighted":
        if pool.vectors is not None:
            return weighted(represented(pool.vectors, chosen))
        if pool.responses is not None:
            return weighted(represented(np.ascontiguousarray(pool.responses.T, np.float32), chosen))
        raise _needs(name, "embeddings or responses")
    if name not in ESTIMATORS:
        raise GumptionError(
            f"no estimator is called {name!r}", where="fit", remedy=f"one of {', '.join(ESTIMATORS)}"
        )
    if pool.responses is None:
        raise _needs(name, "responses")
    return calibrated(pool.responses, chosen) if name == "calibrated" else regression(pool.responses, chosen)


def _strata(pool: _Pool) -> Ints:
    if pool.grouped:
        return pool.group
    if pool.responses is None:
        raise _needs("post-stratified", "groups or responses")
    order = difficulty_order(pool.responses, pool.group, np.random.default_rng(0))
    stratum = np.empty(pool.items, dtype=np.int64)
    stratum[order] = np.arange(pool.items) * CLASSES // pool.items
    return stratum


def _pool(
    responses: npt.ArrayLike | None, embeddings: npt.ArrayLike | None, groups: npt.ArrayLike | None
) -> _Pool:
    scores = None if responses is None else source_responses(responses)
    vectors = None if embeddings is None else vectors_of(embeddings)
    sizes = {
        name: size
        for name, size in (
            ("responses", None if scores is None else scores.shape[1]),
            ("embeddings", None if vectors is None else len(vectors)),
            ("groups", None if groups is None else len(np.asarray(groups))),
        )
        if size is not None
    }
    if not sizes or not min(sizes.values()):
        raise GumptionError("the pool is empty", where="fit", remedy="give responses, embeddings or groups")
    if len(set(sizes.values())) > 1:
        raise GumptionError(
            ", ".join(f"{name} of {size} items" for name, size in sizes.items()),
            where="fit",
            remedy="give the same items in the same order everywhere",
        )
    items = next(iter(sizes.values()))
    return _Pool(items, scores, vectors, labels_of(groups, items, "groups"), groups is not None)


def _needs(name: str, what: str) -> GumptionError:
    return GumptionError(f"{name} needs {what}", where="fit", remedy=f"give {what}, or take another method")
