"""Several selectors side by side on one response matrix, and whether any of them is worth taking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from scipy.special import stdtrit

from gumption.curation.certify import Certificate, certify
from gumption.curation.fit import METHODS
from gumption.ranking._resampling import model_matrix
from gumption.ranking.noise import Draws, item_bootstrap, random_subsets, split_half
from gumption.records import GumptionError

__all__ = [
    "BY_RESPONSES",
    "BY_VECTORS",
    "OVER_ALL",
    "Recommendation",
    "Rivals",
    "compare_methods",
    "recommend",
    "with_groups",
]

BY_RESPONSES = ("auto", "stratified", "item-total", "mixed")
BY_VECTORS = ("centroid", "kcenter")
"""Compared too where there are embeddings; `centroid` is the paper's (arXiv 2602.01640)."""
OVER_ALL = "/all"
"""Behind a method's name: it chooses over the whole pool, whatever the groups."""
SHARES = (0.05, 0.1, 0.15, 0.25, 0.5)
"""Sizes of suites, as shares of the pool, at which the leading selector is looked at."""
SPLITS_BY_SIZE = 20


class Recommendation(Struct, frozen=True):
    """Which selector to take."""

    method: str
    """`random` where none is better."""
    beats_random: bool
    leader: str
    """The selector with the highest lower end of its lift."""
    lift: float
    """Of the leader, over random, in tau-b."""
    interval: tuple[float, float]
    """95 %, of the leader's lift."""
    interval_allowing: tuple[float, float]
    """The same, widened for the number of selectors compared (Bonferroni)."""
    words: str


class Rivals(Struct, frozen=True):
    """What selectors keep of the order of models that had no part in the choice."""

    models: tuple[str, ...]
    items: int
    k: int
    certificates: tuple[Certificate, ...]
    suite: Certificate | None
    """The certified suite itself, judged by all models: some may have chosen it."""
    recommendation: Recommendation
    by_size: tuple[Certificate, ...]
    """The leading selector at other sizes, each with its random subsets."""
    random: Draws
    """Random suites of k items, on all models."""
    split_half: Draws
    item_bootstrap: Draws
    """On all models too."""


def compare_methods(
    responses: npt.ArrayLike,
    k: int,
    *,
    models: Sequence[str] = (),
    methods: Sequence[str] | None = None,
    embeddings: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    suite: npt.ArrayLike | None = None,
    splits: int = 60,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Rivals:
    """Certifies each method (see `fit`), and the fixed `suite` (item numbers) where one is given.

    `responses`: models x items in [0, 1], NaN = missing. `methods`: BY_RESPONSES by default, BY_VECTORS too
    where there are embeddings, and kcenter/all where there are groups as well; `random` is always the
    measure and needs no naming. `progress` is told how many certificates of how many are made. Raises
    GumptionError for what `certify` refuses and for an unknown method.
    """
    scores = model_matrix(responses, "responses")
    items = scores.shape[1]
    if methods is None:
        methods = BY_RESPONSES if embeddings is None else (*BY_RESPONSES, *BY_VECTORS)
        if embeddings is not None and groups is not None:
            methods = (*methods, f"kcenter{OVER_ALL}")
    methods = tuple(dict.fromkeys(methods))
    for name in methods:
        if with_groups(name, groups)[0].partition("+")[0] not in METHODS:
            raise GumptionError(
                f"no method is called {name!r}", where="certify", remedy=f"one of {', '.join(METHODS)}"
            )
    if not methods:
        raise GumptionError("no method is named", where="certify", remedy="name one at least")
    names = tuple(models) or tuple(map(str, range(len(scores))))
    k = min(k, items)
    sizes = sorted({max(1, round(share * items)) for share in SHARES} - {k})
    planned, made = len(methods) + len(sizes), 0

    def certified(method: str, size: int, rounds: int) -> Certificate:
        nonlocal made
        selector, cells = with_groups(method, groups)
        found = replace(certify(scores, selector, size, embeddings, cells, rounds, seed), method=method)
        made += 1
        if progress is not None:
            progress(made, planned)
        return found

    certificates = tuple(certified(name, k, splits) for name in methods)
    found = recommend(certificates)
    leading = next(one for one in certificates if one.method == found.leader)
    selector = max(leading.chosen_by, key=lambda name: leading.chosen_by[name])
    selector += OVER_ALL if leading.method.endswith(OVER_ALL) else ""
    by_size = [certified(selector, size, min(splits, SPLITS_BY_SIZE)) for size in sizes]
    return Rivals(
        models=names,
        items=items,
        k=k,
        certificates=certificates,
        suite=None
        if suite is None
        else certify(scores, suite, len(np.asarray(suite)), splits=splits, seed=seed),
        recommendation=found,
        by_size=tuple(by_size),
        random=random_subsets(scores, k, seed=seed),
        split_half=split_half(scores, seed=seed),
        item_bootstrap=item_bootstrap(scores, seed=seed),
    )


def with_groups(method: str, groups: npt.ArrayLike | None) -> tuple[str, npt.ArrayLike | None]:
    """The method as `fit` and `certify` name it, and the groups that it is to be given."""
    whole = method.removesuffix(OVER_ALL)
    return whole, groups if whole == method else None


def recommend(certificates: Sequence[Certificate]) -> Recommendation:
    """A selector only where its lift over random lies beyond its 95 % interval.

    Of six selectors that are no better than random, one in seven comparisons would show one that seems to
    be. So the words also give the interval widened after Bonferroni, and say so where that one holds 0.
    """
    rivals = [one for one in certificates if not _is_random(one)] or list(certificates)
    best = max(rivals, key=lambda one: (one.lift_interval[0], one.method))
    beats = best.verdict == "better than random" and not _is_random(best)
    low, high = best.lift_interval
    wide = _widened(best, len(rivals))
    sign = f"{best.lift:+.3f} in Kendall's tau-b, 95 % interval {low:+.3f} to {high:+.3f}"
    if beats:
        words = f"Take {best.method}: on held-out models it is ahead of random suites of its size ({sign})."
    else:
        words = (
            f"Random is as good: the leading selector, {best.method}, is not ahead of random suites beyond "
            f"its interval ({sign})."
        )
    if beats and len(rivals) > 1:
        words += f" Allowing for {len(rivals)} selectors compared: {wide[0]:+.3f} to {wide[1]:+.3f}"
        words += "." if wide[0] > 0 else ", which holds 0: confirm it on further models."
    return Recommendation(
        method=best.method if beats else "random",
        beats_random=beats,
        leader=best.method,
        lift=best.lift,
        interval=best.lift_interval,
        interval_allowing=wide,
        words=words,
    )


def _is_random(one: Certificate) -> bool:
    return one.method.partition("+")[0] == "random"


def _widened(one: Certificate, compared: int) -> tuple[float, float]:
    freedom = max(one.splits - 1, 1)
    wider = float(stdtrit(freedom, 1 - 0.025 / compared) / stdtrit(freedom, 0.975)) if one.splits else 1.0
    low, high = (one.lift + wider * (end - one.lift) for end in one.lift_interval)
    return low, high
