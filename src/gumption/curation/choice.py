"""Which items of a labelled pool make the suite: so many of each dimension, evenly shared out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gumption.curation._auto import best_method
from gumption.curation._inputs import Floats, Ints, Vectors, source_responses, wanted
from gumption.curation._responses import RESPONSE_SELECTORS, difficulty_order
from gumption.curation.dimensions import Assignment, Example
from gumption.curation.fit import METHODS
from gumption.curation.select import one_of_each, rows_of, select
from gumption.records import GumptionError

__all__ = ["BALANCES", "Choice", "check_rule", "choose", "per_dimension"]

BALANCES = ("benchmark", "category", "kind", "difficulty")
"""What the places of a dimension may be shared out over."""
FIFTHS = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which items of a pool make the suite."""

    rows: Ints
    """Ascending."""
    selector: str
    """By which they were chosen; what `auto` came to, where it was asked."""
    weight: npt.NDArray[np.float64]
    """float[len(rows)]: how many items of the pool each stands for. Those of a dimension add up to it."""
    duplicates: int
    """Items that were left out as near-duplicates of others."""
    other: int
    """Items that were left out since they fall under no dimension."""
    by_results: bool = False
    """Whether past results had a part in the choice."""
    parameters: dict[str, Any] = field(default_factory=dict)


def choose(
    examples: Sequence[Example],
    assignment: Assignment,
    k: int,
    *,
    method: str = "auto",
    vectors: Vectors | None = None,
    responses: npt.ArrayLike | None = None,
    balance: Sequence[str] = ("benchmark",),
    stands: Ints | None = None,
    with_other: bool = False,
    seed: int = 0,
) -> Choice:
    """k items of each dimension, all where it has fewer.

    method: random, or centroid, facility or kcenter by the vectors (`select`); stratified, by difficulty
    where there are past results, else by the vectors; or one by past results alone (`fit`), which balances
    nothing. auto: where every item has past results, what cross-validation among the source models finds
    ahead of random subsets, or stratified; else random, which nothing was found to beat by vectors alone.
    vectors: float32[n, d]. responses: source models x n, NaN = missing. balance: what the places of a
    dimension are shared out over, as evenly as they go (BALANCES). stands: row of the item that stands for
    each (`duplicates`); only those that stand for themselves are chosen. Deterministic given the seed.

    Raises GumptionError for arrays that do not fit, for what `check_rule` refuses, and where nothing is left.
    """
    wanted(k)
    check_rule(method, balance, responses is not None)
    label, other = assignment.label, len(assignment.dimensions.all)
    if len(label) != len(examples):
        raise GumptionError(
            f"{len(label)} labels for {len(examples)} items", where="choose", remedy="label the same pool"
        )
    kept = _kept(assignment, stands)
    open_rows = np.flatnonzero(kept if with_other else kept & (label != other))
    if not len(open_rows):
        raise GumptionError(
            f"none of the {len(label):,} items falls under any dimension: all are Other",
            where="choose",
            remedy="keep Other (--with-other), or induce other dimensions (other models, another seed)",
        )
    scores = None if responses is None else source_responses(responses)
    if method == "auto":
        method = _best(responses, scores, open_rows, label, k, seed)
    cell = _cells(examples, balance, scores)
    chosen = [
        rows[_some(method, rows, k, vectors, scores, cell, seed)]
        for rows in (open_rows[some] for some in rows_of(np.unique(label[open_rows], return_inverse=True)[1]))
    ]
    rows = np.sort(np.concatenate(chosen))
    return Choice(
        rows=rows,
        selector=method,
        weight=_weight(rows, label, cell),
        duplicates=int((~kept).sum()),
        other=0 if with_other else int((kept & (label == other)).sum()),
        by_results=scores is not None
        and (method in RESPONSE_SELECTORS or method == "stratified" or "difficulty" in balance),
        parameters={"k": k, "balance": list(balance), "with_other": with_other},
    )


def check_rule(method: str, balance: Sequence[str], results: bool) -> None:
    """Raises GumptionError for an unknown method or balance, and for one that needs past results where there
    are none: before any work is done."""
    if method not in METHODS:
        raise GumptionError(
            f"no method is called {method!r}", where="choose", remedy=f"one of {', '.join(METHODS)}"
        )
    if unknown := [name for name in balance if name not in BALANCES]:
        raise GumptionError(
            f"no balance is called {unknown[0]!r}", where="choose", remedy=f"any of {', '.join(BALANCES)}"
        )
    if not results and (method in RESPONSE_SELECTORS or "difficulty" in balance):
        raise GumptionError(
            f"{method if method in RESPONSE_SELECTORS else 'difficulty'} needs past results",
            where="choose",
            remedy="give past results over the pool (--results), or choose in another way",
        )


def per_dimension(
    total: int, assignment: Assignment, stands: Ints | None = None, with_other: bool = False
) -> int:
    """The most items of each dimension for which all together are at most `total`; one at least."""
    wanted(total)
    inside = _kept(assignment, stands) & (with_other | (assignment.label != len(assignment.dimensions.all)))
    sizes = np.bincount(assignment.label[inside], minlength=1)
    low, high = 1, max(1, int(sizes.max()))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(sizes, middle).sum() <= total else (low, middle - 1)
    return low


def _kept(assignment: Assignment, stands: Ints | None) -> npt.NDArray[np.bool_]:
    n = len(assignment.label)
    return np.ones(n, dtype=bool) if stands is None else np.asarray(stands) == np.arange(n)


def _best(
    responses: npt.ArrayLike | None, scores: Floats | None, rows: Ints, label: Ints, k: int, seed: int
) -> str:
    """What `auto` comes to."""
    if scores is None or np.isnan(np.asarray(responses, dtype=np.float64)[:, rows]).all(axis=0).any():
        return "random"
    size = int(np.minimum(np.bincount(label[rows]), k).sum())
    if size >= len(rows):
        return "random"
    return best_method(scores[:, rows], size, np.random.default_rng([seed, 1]))[0]


def _some(
    method: str, rows: Ints, k: int, vectors: Vectors | None, scores: Floats | None, cell: Ints, seed: int
) -> Ints:
    """Places in `rows` of k of them."""
    if len(rows) <= k:
        return np.arange(len(rows))
    rng = np.random.default_rng(seed)
    if scores is not None and method in RESPONSE_SELECTORS:
        return RESPONSE_SELECTORS[method](scores[:, rows], k, rng)
    if scores is not None and method == "stratified":
        return one_of_each(difficulty_order(scores[:, rows], cell[rows], rng), k, rng)
    if vectors is None and method != "random":
        raise GumptionError(f"{method} needs vectors", where="choose", remedy="give vectors, or take random")
    inside = np.zeros((len(rows), 1), np.float32) if vectors is None else vectors[rows]
    return select(inside, k, method, seed=seed, balance=cell[rows])


def _cells(examples: Sequence[Example], balance: Sequence[str], scores: Floats | None) -> Ints:
    """Items that are alike in all that is balanced have one number."""
    keys: list[list[Any]] = []
    for name in balance:
        if name == "difficulty" and scores is not None:
            mean = scores.mean(axis=0)
            keys.append(np.digitize(mean, np.quantile(mean, FIFTHS)).tolist())
        else:
            keys.append([getattr(one, name) for one in examples])
    number: dict[tuple[Any, ...], int] = {}
    rows = zip(*keys, strict=True) if keys else ((),) * len(examples)
    return np.array([number.setdefault(key, len(number)) for key in rows], dtype=np.int64)


def _weight(rows: Ints, label: Ints, cell: Ints) -> Floats:
    """Of each chosen item, the items of its dimension and cell over those chosen of them; what cells without
    any chosen item hold goes to the others of their dimension in proportion."""
    both = np.unique(np.stack([label, cell]), axis=1, return_inverse=True)[1].ravel()
    pool, chosen = np.bincount(both), np.bincount(both[rows], minlength=both.max() + 1)
    weight: Floats = (pool / np.maximum(chosen, 1))[both[rows]]
    told = np.bincount(label[rows], weight, minlength=label.max() + 1)
    return weight * (np.bincount(label) / np.maximum(told, 1e-12))[label[rows]]
