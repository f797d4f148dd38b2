"""Where rules meet their edges: ties, single items, lone clusters, gaps; by hand and against SciPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gumption.ranking import (
    PairedSpread,
    agreement,
    align_rankings,
    bradley_terry_of_wins,
    compare,
    compare_slices,
    interval,
    pair_order,
    power_of_gap,
    rank,
    scorecard,
    sensitivity,
    under_weights,
)
from gumption.ranking._design import MOST_CLUSTERS, lay_out, resample_rows
from gumption.ranking._resampling import halves
from gumption.ranking.people import Ratings, rank_by_people
from gumption.ranking.suite_against_pool import suite_against_pool, suite_against_pool_of_runs
from gumption.records import GumptionError, Scored

Row = Callable[..., Scored]
NAN = float("nan")


# ── sums, spreads and draws ──────────────────────────────────────────────────────────────────────────


def test_two_strata_spread_as_welchs_test_says() -> None:
    # Both of variance .04, so that Welch's degrees of freedom are those of a common variance.
    x, y = np.array([0.1, 0.3, 0.5]), 0.5 + 0.02**0.5 * np.array([-1, 1])
    spread = lay_out([np.r_[x, y]], strata=["x"] * 3 + ["y"] * 2).spread()
    welch = stats.ttest_ind(x, y, equal_var=False)
    assert spread.mean == pytest.approx(0.4)
    # A mean of two strata has half the standard error of their difference.
    assert 2 * spread.variance**0.5 == pytest.approx((x.mean() - y.mean()) / welch.statistic)
    assert spread.dof == pytest.approx(welch.df)
    assert spread.items == pytest.approx(1 / (0.25 / 3 + 0.25 / 2))
    assert (spread.clusters, spread.bernoulli) == (5, False)


def test_the_lone_cluster_of_a_stratum_by_hand() -> None:
    """x is 0 and 1, y is 1: the means are .5 and 1, their mean is .75.

    x has a quarter of the variance .5 / 2, one degree of freedom; y is .25 from the mean, and half of that
    counts. By Satterthwaite's rule (.125 + .25)^2 / (.125^2 + .25^2), a unit variance being taken for both.
    """
    spread = lay_out([[0.0, 1.0, 1.0]], strata=["x", "x", "y"]).spread()
    assert spread.mean == 0.75
    assert spread.variance == pytest.approx(0.25 * 0.25 + 0.125**2)
    assert spread.dof == pytest.approx(1.8)


def test_missing_values_of_three_models_by_hand() -> None:
    matrix = np.array([[1, 0, NAN, 1], [0, 0, 1, 0], [NAN, NAN, NAN, NAN]])
    means, spreads, drawn, clusters = resample_rows(
        matrix, clusters=list("ppqq"), strata=None, weights=None, resamples=40, seed=0
    )
    assert means.tolist() == pytest.approx([2 / 3, 1 / 4, NAN], nan_ok=True)
    assert clusters == 2 and spreads[2] is None and spreads[0].clusters == 2
    # Twice p: 1 of 2 and 0 of 2. Twice q: 1 of 1 and 1 of 2. One of each: the means.
    assert {tuple(row) for row in np.round(drawn[:, :2], 9).tolist()} == {
        (0.5, 0.0),
        (1.0, 0.5),
        (round(2 / 3, 9), 0.25),
    }
    assert lay_out(matrix[:, :2]).counts.shape == (2, 3) and lay_out(matrix[1:2]).counts.shape == (4, 1)
    assert lay_out(matrix[[1, 1, 1]]).means().tolist() == [0.25] * 3


def test_as_many_clusters_as_are_drawn_one_by_one_are_not_pooled() -> None:
    matrix = np.random.default_rng(0).random((1, MOST_CLUSTERS))
    found = resample_rows(matrix, clusters=None, strata=None, weights=None, resamples=3, seed=4)[2]
    assert found.tolist() == lay_out(matrix).draws(3, 4).tolist()


def test_halves_are_apart_and_leave_an_odd_item_out() -> None:
    for one, other in halves(np.random.default_rng(0), 9, 5):
        assert one.shape == other.shape == (9, 5)
        assert set(one.ravel().tolist()) == set(other.ravel().tolist()) == {0.0, 1.0}
        assert (one.sum(axis=1) == 2).all() and (other.sum(axis=1) == 2).all() and not (one * other).any()


def test_near_the_edge_it_is_wilsons_formula_with_the_quantile_of_t() -> None:
    # 16 ones and 4 halves: mean .9; t of 19 degrees of freedom at .975 is 2.0930 (printed tables).
    found = interval([1.0] * 16 + [0.5] * 4)
    n, p, t = 20, 0.9, 2.093024
    centre = (p + t**2 / (2 * n)) / (1 + t**2 / n)
    reach = t / (1 + t**2 / n) * (p * (1 - p) / n + t**2 / (4 * n**2)) ** 0.5
    assert (found.method, found.mean) == ("wilson", pytest.approx(0.9))
    assert (found.low, found.high) == pytest.approx((centre - reach, centre + reach), abs=1e-6)


# ── models beside each other ─────────────────────────────────────────────────────────────────────────


def test_a_subset_of_one_item_keeps_the_order_of_half_the_pairs() -> None:
    # a is ahead of b on three of four items, and tied on the other: means 1 and .25, a gap of .75.
    found = pair_order([[1.0] * 4, [0.0, 0.0, 0.0, 1.0]], 1, draws=2000, gaps=(0.0, 0.5))
    near, far = found.bins
    assert (near.pairs, near.kept, far.pairs) == (0, None, 1)
    assert far.kept == pytest.approx(0.75, abs=0.04)
    # With a tie for one half it is kept .875 of the time.
    assert found.smallest_gap == 0.75
    for k in (0, 5):
        with pytest.raises(GumptionError, match=f"k = {k} of 4 items"):
            pair_order([[1.0] * 4, [0.0] * 4], k)


def test_a_pair_that_one_side_ties_neither_agrees_nor_disagrees() -> None:
    found = align_rankings([0.9, 0.5, 0.1], [30, 20, 20], models=["a", "b", "c"])
    assert (found.pairs, found.agreeing, found.disagreements) == (3, 2, ())
    assert [model.b_place for model in found.models] == [1, 2, 2]


def test_a_tie_under_one_weighting_is_no_order_turned_round() -> None:
    # Equal weights tie all three; x alone puts a before b before c, y alone the other way round.
    means = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    tied = under_weights(means, {"equal": [1, 1], "x": [1, 0]}, ("a", "b", "c"))
    assert (tied.swapped, tied.pairs, tied.farthest, tied.tau) == (0, 3, 2, None)
    turned = under_weights(means, {"equal": [1, 1], "x": [1, 0], "y": [0, 1]}, ("a", "b", "c"))
    assert (turned.swapped, turned.farthest) == (3, 2)
    assert isinstance(turned.pairs, int)


def test_who_is_stronger_is_walds_test_of_the_log_odds() -> None:
    # 30 wins of 50: the log-odds log(30 / 20) have the standard error (1 / 30 + 1 / 20)^.5.
    found = bradley_terry_of_wins([[0, 30], [20, 0]], prior=1e-9, resamples=0)
    sure = stats.norm.cdf(np.log(30 / 20) / (1 / 30 + 1 / 20) ** 0.5)
    assert found.beats[0] == pytest.approx((0.5, sure), abs=1e-6)
    assert found.beats[1] == pytest.approx((1 - sure, 0.5), abs=1e-6)
    assert [model.model for model in found.models] == ["0", "1"]


def test_orders_under_random_weights_are_set_beside_that_under_equal_ones() -> None:
    # By parts 1, 0 and .2, 1: the first is ahead where x weighs over 5/9, so under weights by size (3 to 1)
    # and not under equal ones. Over all weights the order is that of equal ones 5 times in 9.
    matrix = [[1.0, 1.0, 1.0, 0.0], [0.2, 0.2, 0.2, 1.0]]
    found = sensitivity(matrix, ["x", "x", "x", "y"], draws=4000)
    assert [one.place for one in found.named.found] == [(2, 1), (1, 2)]
    assert found.tau.mean == pytest.approx(5 / 9 - 4 / 9, abs=0.06)


def test_only_a_matrix_can_be_weighed() -> None:
    for flat in ([0.5, 0.7], 0.5):
        with pytest.raises(GumptionError, match="shape"):
            sensitivity(flat, [0, 1])


def test_two_arrays_are_called_a_and_b() -> None:
    found = compare([1.0, 0.0], [0.0, 0.0])
    assert (found.a, found.b, found.mean_a, found.mean_b) == ("a", "b", 0.5, 0.0)


def test_what_was_given_is_named() -> None:
    with pytest.raises(GumptionError, match=r"^matrix, position 1, 0: 70\.0 is not a score"):
        rank([[1.0, 0.0], [70.0, 0.0]])
    with pytest.raises(GumptionError, match="level"):
        power_of_gap(0.1, 100, level=0.0)
    with pytest.raises(GumptionError, match="spread"):
        power_of_gap(0.1, 100, PairedSpread(0.0))


def test_the_pool_score_may_stand_on_the_edge_of_the_interval() -> None:
    # a is right everywhere: 1 by the pool, and an interval up to 1 by the suite.
    found = suite_against_pool([[1] * 6, [0] * 6], [0, 1, 2])
    best, worst = found.models
    assert (best.model, best.pool.mean, best.suite.high) == ("0", 1.0, 1.0)
    assert (worst.pool.mean, worst.suite.low) == (0.0, 0.0)
    assert found.within == 2


# ── run folders ──────────────────────────────────────────────────────────────────────────────────────


def test_runs_of_a_suite_beside_runs_of_its_pool(row: Row, write_run: Callable[..., Path]) -> None:
    def runs(side: str, **values: list[float]) -> list[Path]:
        return [
            write_run(f"{side}-{name}", [row(str(i), v) for i, v in enumerate(own)], model=name)
            for name, own in values.items()
        ]

    pool = runs("pool", a=[1, 1, 1, 0], b=[0, 0, 1, 1], c=[1, 0, 0, 0])
    suite = runs("suite", a=[1, 1], b=[0, 0], c=[1, 0])
    found = suite_against_pool_of_runs(pool, suite)
    assert [(one.model, one.pool.mean, one.suite.mean) for one in found.models] == [
        ("a", 0.75, 1.0),
        ("b", 0.5, 0.0),
        ("c", 0.25, 0.5),
    ]
    assert (found.aggregate, found.pool_items, found.suite_items, found.swapped) == ("micro", 4, 2, 1)
    assert found.tau.mean == pytest.approx(1 / 3)
    with pytest.raises(GumptionError, match="a, b, c on the pool and b, a, c on the suite"):
        suite_against_pool_of_runs(pool, [suite[1], suite[0], suite[2]])


def test_slices_of_runs_of_different_protocols_are_refused(row: Row, write_run: Callable[..., Path]) -> None:
    a, b = (
        write_run(name, [row("1", 1.0, dimension="see")], protocol={"prompt": name}) for name in ("v1", "v2")
    )
    with pytest.raises(GumptionError, match="different protocols"):
        compare_slices(a, b)
    assert compare_slices(a, b, force=True).total.differences == ('prompt: "v1" in v1, "v2" in v2',)


def test_two_categories_make_a_macro_mean_and_one_makes_none(row: Row) -> None:
    rows = [row("1", 1.0, category="x"), row("2", 0.0, category="x"), row("3", 1.0, category="y")]
    two, one = scorecard(rows).macro, scorecard(rows[:2]).macro
    assert (two.name, two.mean) == ("macro over category", 0.75)
    assert (one.name, one.mean) == ("micro", 0.5)


# ── raters ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shift", [1e6, -1e8])
def test_a_shifted_scale_of_intervals_says_the_same(shift: float) -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 5, 60).astype(float)
    table = np.array([first, np.clip(first + rng.integers(-1, 2, 60), 0, 4), first[::-1]])
    table[2, :20] = NAN
    near, far = (agreement(given, "interval", resamples=0) for given in (table, table + shift))
    for name in ("alpha", "fleiss", "cohen", "ac1"):
        assert getattr(far, name).mean == pytest.approx(getattr(near, name).mean, abs=1e-9)


def test_ratings_that_do_not_fit_are_told_which() -> None:
    with pytest.raises(GumptionError) as caught:
        rank_by_people(Ratings(["r"], ["m"], ["s"], ["d"], [3.0, 4.0]))
    assert all(f"'{name}': 1" in caught.value.problem for name in ("rater", "model", "scenario", "dimension"))
    assert "'value': 2" in caught.value.problem
    names = {"rater": ["r", "r"], "model": ["m", "m"], "scenario": ["s", "s"], "dimension": ["d", "d"]}
    for name in names:
        with pytest.raises(GumptionError, match=f"^ratings, line 2: '' names no {name}"):
            rank_by_people(Ratings(**{**names, name: [names[name][0], ""]}, value=[3.0, 4.0]))
