"""The paragraph on a suite that a paper could use, made from the numbers of its certificate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gumption.curation.dossier import Dossier
    from gumption.curation.orders import Orders
    from gumption.curation.rivals import Rivals

__all__ = ["paragraph"]


def paragraph(dossier: Dossier) -> str:
    """Sentences on size, balance, redundancy, coverage, voters, fidelity and cost, as far as they are
    known."""
    return " ".join(_sentences(dossier))


def _sentences(dossier: Dossier) -> Iterator[str]:
    origin, pool, suite = dossier.origin, dossier.pool_items, dossier.suite_items
    how = "at random" if origin.selector == "random" else f"by {origin.selector}"
    yield (
        f"The suite {origin.suite} keeps {suite:,} of the {pool:,} items of {origin.pool} "
        f"({100 * suite / pool:.1f} %), chosen {how} with seed {origin.seed}."
    )
    for spread in dossier.balance:
        if len(spread.counts) > 1:
            yield (
                f"Over {len(spread.counts)} values of {spread.by} the normalised entropy goes from "
                f"{spread.pool_entropy:.2f} to {spread.suite_entropy:.2f} and Gini's coefficient from "
                f"{spread.pool_gini:.2f} to {spread.suite_gini:.2f}."
            )
    alike, after = dossier.redundancy, dossier.suite_redundancy
    if alike is not None and after is not None:
        yield (
            f"At a cosine of {alike.threshold:g} ({origin.encoder}), {100 * alike.items_alike:.1f} % of the "
            f"pool's items and {100 * after.items_alike:.1f} % of the suite's have another that is alike."
        )
    if dossier.coverage is not None:
        near = dossier.coverage
        yield (
            f"A pool item is {near.mean:.3f} (1 - cosine) from the nearest item kept on average and within "
            f"{near.far:.3f} for 95 % of them; random suites of that size: {near.random_mean:.3f} and "
            f"{near.random_far:.3f}."
        )
    if dossier.voters is not None and dossier.voters.agreement.fleiss.mean is not None:
        fleiss = dossier.voters.agreement.fleiss
        low, high = fleiss.low, fleiss.high
        ends = "" if low is None or high is None else f" (95 % interval {low:.2f} to {high:.2f})"
        yield (
            f"The {dossier.voters.voters} voters agree at Fleiss' kappa {fleiss.mean:.2f}{ends} on "
            f"{dossier.voters.full} items{'; ' + dossier.voters.evidence if dossier.voters.evidence else ''}."
        )
    if dossier.fidelity is not None:
        yield from _fidelity(dossier.fidelity)
    if dossier.orders is not None:
        yield from _orders(dossier.orders)
    yield dossier.cost.basis


def _fidelity(rivals: Rivals) -> Iterator[str]:
    leading = next(one for one in rivals.certificates if one.method == rivals.recommendation.leader)
    low, high = leading.tau_interval
    yield (
        f"With {len(rivals.models)} models, half of them choosing and half judging in {leading.splits} "
        f"splits, {leading.k} items chosen by {leading.method} order the held-out models at Kendall's tau-b "
        f"{leading.tau:.2f} (95 % interval {low:.2f} to {high:.2f}) with the order by all {rivals.items:,} "
        f"items; random subsets of that size reach {leading.random_tau:.2f}, all items drawn anew "
        f"{leading.ceiling_tau:.2f}, one half of the items against the other {leading.split_half_tau:.2f}."
    )
    if leading.smallest_gap is not None:
        yield (f"Two models {100 * leading.smallest_gap:.1f} points apart keep their order 80 % of the time.")
    yield rivals.recommendation.words
    if rivals.suite is not None:
        low, high = rivals.suite.tau_interval
        part = "none of which had a part" if rivals.suite.held_out else "some of which may have had a part"
        yield (
            f"The certified suite itself reaches {rivals.suite.tau:.2f} ({low:.2f} to {high:.2f}) on all "
            f"{rivals.suite.models} models, {part} in its choice."
        )


def _orders(orders: Orders) -> Iterator[str]:
    known = sorted(
        (one.reliability.mean, one.name) for one in orders.dimensions if one.reliability is not None
    )
    if known:
        (low, worst), (high, best) = known[0], known[-1]
        yield (
            f"The split-half reliability of its dimensions (after Spearman and Brown) goes from {low:.2f} "
            f"({worst}) to {high:.2f} ({best})."
        )
    found = orders.weightings
    if found is not None and found.tau is not None:
        yield (
            f"Whether dimensions weigh the same or as much as their items, the orders of the models agree "
            f"at tau-b {found.tau:.2f} or better; {found.swapped} of {found.pairs} pairs change places."
        )
