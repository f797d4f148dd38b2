"""Bets on the mean of a suite: what Ville's inequality promises, counted over every order there is."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.ranking.sequential import confidence_sequence, log_wealth, settle, suite_interval
from gumption.records import Aggregate, Answer, GumptionError, Item
from gumption.suites.drawing import Drawing, draw

scores_of_few = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=6)


def plain(n: int) -> Drawing:
    """n items, each its own draw, in order."""
    return Drawing(np.full(n, 1 / n), np.arange(n))


def items_of(n: int, *, per_cluster: int = 1, categories: str = "") -> list[Item]:
    return [
        Item(
            f"q{number}",
            "quiz",
            (),
            Answer("choice"),
            cluster=f"c{number // per_cluster}" if per_cluster > 1 else "",
            category=categories[number % len(categories)] if categories else "",
        )
        for number in range(n)
    ]


def test_the_first_bets_by_hand() -> None:
    # Four items, "the mean is at most 1/2", two right answers. The first pays its stake; what is left may
    # then average 1/3 at most, so the second pays twice its stake.
    fractions = 0.8 * 0.4 ** np.arange(5)
    wealth = np.exp(log_wealth(np.array([[1.0, 1.0]]), plain(4), 0.5)[0])
    assert wealth == pytest.approx([np.mean(1 + fractions), np.mean((1 + fractions) * (1 + 2 * fractions))])


def test_what_was_drawn_rules_out_what_it_exceeds() -> None:
    assert np.isinf(log_wealth(np.array([[1.0, 1.0, 1.0]]), plain(4), 0.5)[0, 2])


@settings(max_examples=40)
@given(values=scores_of_few)
def test_over_all_orders_the_true_mean_is_never_ruled_out_too_often(values: list[float]) -> None:
    orders = np.array(list(permutations(values)))
    most = log_wealth(orders, plain(len(values)), float(np.mean(values)))[:, -1]
    for error in (0.5, 0.3, 0.1, 0.05):
        assert (most >= np.log(1 / error)).mean() <= error + 1e-12


@settings(max_examples=25)
@given(
    values=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=4, max_size=4),
    sizes=st.lists(st.integers(1, 6), min_size=4, max_size=4),
    rates=st.lists(st.sampled_from([1.0, 2.0, 5.0]), min_size=4, max_size=4),
)
def test_so_it_is_for_clusters_of_any_size_and_weight(
    values: list[float], sizes: list[int], rates: list[float]
) -> None:
    size, rate, value = np.array(sizes), np.array(rates), np.array(values)
    mass = size * rate / (size @ rate)
    true = float(mass @ value)
    exceeded = dict.fromkeys((0.5, 0.2, 0.05), 0.0)
    for order in permutations(range(4)):
        # The next cluster comes in proportion to its mass per item.
        left, chance = rate.sum(), 1.0
        for cluster in order:
            chance *= rate[cluster] / left
            left -= rate[cluster]
        placed = list(order)
        drawing = Drawing(
            np.repeat(rate[placed] / (size @ rate), size[placed]), np.repeat(np.arange(4), size[placed])
        )
        for end in (value, 1 - value):
            most = log_wealth(end[None, placed], drawing, true if end is value else 1 - true)[0, -1]
            for error in exceeded:
                exceeded[error] += chance / 2 * (most >= np.log(1 / error))
    # The mean of both sides: each is bounded, so their mean is.
    assert all(share <= error + 1e-12 for error, share in exceeded.items())


@settings(max_examples=20)
@given(values=st.lists(st.floats(0, 1), min_size=1, max_size=40), seed=st.integers(0, 5))
def test_the_interval_ends_as_the_mean_and_shrinks_to_it(values: list[float], seed: int) -> None:
    drawing = draw(items_of(len(values)), None, seed)
    means = drawing.means(np.array([values]))
    widths = []
    for drawn in range(len(values) + 1):
        low, high = confidence_sequence(means[:, :drawn], drawing, 0.05)
        assert low[0] - 1e-6 <= np.mean(values) <= high[0] + 1e-6 or drawn < len(values)
        widths.append(high[0] - low[0])
    assert widths[0] == 1.0 and widths[-1] == pytest.approx(0.0, abs=1e-6)
    assert all(after <= before + 1e-9 for before, after in pairwise(widths))


@pytest.mark.parametrize(
    "official", [None, Aggregate("macro", "category"), Aggregate("w", "category", {"a": 3, "b": 1})]
)
def test_the_interval_holds_the_weighted_mean_of_clustered_suites_at_any_time(
    official: Aggregate | None,
) -> None:
    rng = np.random.default_rng(0)
    items = items_of(300, per_cluster=3, categories="aaab")
    hard = np.repeat(rng.random(100), 3)
    values = (rng.random(300) < hard).astype(float)
    misses = 0
    for seed in range(60):
        drawing = draw(items, official, seed)
        true = drawing.mass @ values
        means = drawing.means(values[None, :])
        ends = [confidence_sequence(means[:, :drawn], drawing, 0.1) for drawn in (5, 20, 60)]
        misses += not all(low[0] - 1e-9 <= true <= high[0] + 1e-9 for low, high in ends)
    assert misses <= 6


def test_a_macro_mean_is_weighed_by_stratum() -> None:
    items = items_of(8, categories="aaab")
    mass = draw(items, Aggregate("macro", "category"), 0).mass
    assert mass == pytest.approx([1 / 12, 1 / 12, 1 / 12, 1 / 4] * 2)


def test_clusters_are_drawn_whole_and_by_their_rate() -> None:
    items = items_of(12, per_cluster=3, categories="ab")
    drawing = draw(items, None, 3)
    assert sorted(drawing.items(0, 4)) == list(range(12)) and len(drawing.items(0, 1)) == 3
    assert len({number // 3 for number in drawing.items(1, 2)}) == 1
    # One item in four of a macro suite of two strata has half the mass: it comes first in half of the draws.
    few = items_of(4, categories="aaab")
    first = [draw(few, Aggregate("macro", "category"), seed).items(0, 1) == [3] for seed in range(2000)]
    assert np.mean(first) == pytest.approx(0.5, abs=0.05)


def test_verdicts_and_when_they_are_given() -> None:
    drawing = draw(items_of(400), None, 1)
    rng = np.random.default_rng(1)
    good, bad = (rng.random(400) < 0.9).astype(float), (rng.random(400) < 0.5).astype(float)
    found = settle(np.stack([bad, good, good]), drawing, [400] * 3, models=["bad", "good", "same"])
    by_pair = {(pair.a, pair.b): pair for pair in found.pairs}
    assert by_pair["bad", "good"].verdict == "b" and (by_pair["bad", "good"].draws or 400) < 150
    # Exact ties are equal when the last item is in, and not before.
    assert by_pair["good", "same"].verdict == "equal"
    assert found.of("bad") == {"good": "worse", "same": "worse"}
    assert found.of("good") == {"bad": "better", "same": "equal"}
    near = settle(np.stack([good, good]), drawing, [400] * 2, models="ab", margin=0.1).pairs[0]
    assert near.verdict == "equal" and (near.draws or 400) < 150


@pytest.mark.parametrize("confidence", [0.5, 0.7, 0.9])
def test_over_all_orders_three_ties_are_told_apart_no_more_often_than_said(confidence: float) -> None:
    # Four of eight items right each, on other ones: every verdict but "equal" is wrong.
    tied = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 0, 0]], float)
    kinds = sorted(set(permutations([0, 0, 1, 1, 2, 2, 3, 3])))
    wrong = 0
    for kind in kinds:
        order = [2 * one + kind[:place].count(one) for place, one in enumerate(kind)]
        found = settle(tied[:, order], plain(8), [8] * 3, models="abc", confidence=confidence)
        wrong += any(pair.verdict != "equal" for pair in found.pairs)
    assert wrong / len(kinds) <= 1 - confidence


def test_nothing_is_settled_of_what_was_not_asked_and_pairs_of_earlier_runs_are_left_out() -> None:
    drawing = draw(items_of(50), None, 0)
    scores = np.vstack([np.ones(50), np.zeros(50), np.full(50, np.nan)])
    found = settle(scores, drawing, [50, 50, 0], models="abc", fixed=2)
    assert [(pair.a, pair.b, pair.verdict) for pair in found.pairs] == [
        ("a", "c", "open"),
        ("b", "c", "open"),
    ]
    assert found.needs("c") and found.needs("a")


def test_a_verdict_stands_whatever_is_drawn_later() -> None:
    drawing = plain(300)
    ahead = np.concatenate([np.ones(60), np.zeros(240)])
    behind = 1 - ahead
    early = settle(np.stack([ahead, behind]), drawing, [60, 60], models="ab").pairs[0]
    late = settle(np.stack([ahead, behind]), drawing, [300, 300], models="ab").pairs[0]
    assert early == late and early.verdict == "a"


def test_a_failed_item_is_a_tie_and_takes_no_side() -> None:
    drawing = plain(100)
    failed = np.full(100, np.nan)
    found = settle(np.stack([np.ones(100), failed]), drawing, [100, 100], models="ab")
    assert found.pairs[0].verdict == "equal"
    interval = suite_interval(np.array([1.0, np.nan] * 50), drawing, 100, 1.0)
    # Half of the suite failed: with all of it wrong the mean is one half.
    assert (interval.low, interval.high) == pytest.approx((0.5, 1.0), abs=1e-6)


@pytest.mark.parametrize(("confidence", "margin"), [(1.0, 0.0), (0.0, 0.0), (0.95, -0.1), (0.95, 1.0)])
def test_a_rule_that_says_nothing_is_refused(confidence: float, margin: float) -> None:
    with pytest.raises(GumptionError, match=r"a (confidence|margin) of"):
        settle(np.ones((2, 4)), plain(4), [4, 4], models="ab", confidence=confidence, margin=margin)


@pytest.mark.data
def test_ties_of_real_models_are_hardly_ever_told_apart(public_data: Path) -> None:
    with np.load(public_data / "response_matrices" / "logicvista.npz") as file:
        matrix = file["X"].astype(float)
    wrong = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        one = matrix[seed % len(matrix)]
        drawing = draw(items_of(len(one)), None, seed)
        pair = settle(np.stack([one, rng.permutation(one)]), drawing, [len(one)] * 2, models="ab").pairs[0]
        wrong += pair.verdict != "equal"
    # At 5 % a hundred tries have more than 10 with a chance of 1 %.
    assert wrong <= 10
