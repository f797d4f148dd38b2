"""Rank correlations and their p-values against SciPy and printed tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gumption.ranking import rank_correlation
from gumption.ranking._weighted_tau import weighted_tau
from gumption.ranking.correlation import STATISTICS
from gumption.records import GumptionError

NAN = float("nan")
SCORES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n) for _ in range(2)])
)


@given(SCORES)
def test_weighted_tau_is_scipys(scores: tuple[list[int], list[int]]) -> None:
    x, y = scores
    ours = float(weighted_tau(x, y))
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(ours)
    else:
        assert ours == pytest.approx(stats.weightedtau(x, y).statistic)


def test_many_rankings_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (2, 40, 9)).astype(float)
    both = weighted_tau(x, y)
    assert both.shape == (40,)
    assert both.tolist() == pytest.approx(
        [stats.weightedtau(a, b).statistic for a, b in zip(x, y, strict=True)]
    )
    one = weighted_tau(x[0], y)
    assert one.tolist() == pytest.approx([stats.weightedtau(x[0], b).statistic for b in y])


@given(st.integers(3, 7).flatmap(lambda n: st.permutations(range(n))))
def test_exact_p_of_tau_is_kendalls(order: list[int]) -> None:
    found = rank_correlation(range(len(order)), order)
    theirs = stats.kendalltau(range(len(order)), order, method="exact")
    assert found.tau_b.value == pytest.approx(theirs.statistic)
    assert found.tau_b.p == pytest.approx(theirs.pvalue)
    assert found.tau_b.method == "exact"


@pytest.mark.parametrize(
    ("order", "rho", "p"),
    [
        # Printed tables of Spearman's rho (such as Zar 1972): the levels that stand beside these values.
        ([1, 2, 3, 5, 4], 0.9, 0.0833),
        ([1, 2, 3, 4, 5], 1.0, 0.0167),
        ([2, 1, 3, 4, 6, 5], 0.886, 0.0333),
        ([1, 2, 3, 4, 6, 5, 7], 0.964, 0.0028),
    ],
)
def test_exact_p_of_rho_is_in_the_tables(order: list[int], rho: float, p: float) -> None:
    found = rank_correlation(range(len(order)), order)
    assert found.spearman.value == pytest.approx(rho, abs=0.001)
    assert found.spearman.p == pytest.approx(p, abs=0.00006)


@pytest.mark.parametrize("name", ["spearman", "tau_b", "weighted_tau"])
@pytest.mark.parametrize("scores", [[3, 1, 4, 1, 5, 9], [1, 1, 2, 2, 3, 3]])
def test_exact_p_with_ties_is_scipys_permutation_test(name: str, scores: list[int]) -> None:
    x, y = np.array(scores, float), np.array([2.0, 7, 1, 8, 2, 8])
    theirs = stats.permutation_test(
        (y,),
        lambda shuffled: float(STATISTICS[name](x, shuffled)),
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    found = getattr(rank_correlation(x, y), name)
    assert found.value == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)


def test_nine_models_are_exact_and_ten_are_drawn() -> None:
    rng = np.random.default_rng(2)
    x = rng.random(9)
    y = x + 0.4 * rng.random(9)
    nine = rank_correlation(x, y)
    assert nine.tau_b.p == pytest.approx(stats.kendalltau(x, y, method="exact").pvalue)
    x, y = rng.random((2, 13))
    drawn = rank_correlation(x, y, resamples=20_000)
    exact = stats.kendalltau(x, y, method="exact").pvalue
    assert drawn.tau_b.method == drawn.weighted_tau.method == "permutation"
    assert drawn.tau_b.p == pytest.approx(exact, abs=4 * (exact / 20_000) ** 0.5)
    assert (drawn.models, drawn.pairs) == (13, 78)
    assert rank_correlation(x, y, resamples=20_000) == drawn
    assert rank_correlation(x, y, seed=1).tau_b.p != drawn.tau_b.p


def test_no_p_is_zero() -> None:
    found = rank_correlation(range(30), range(30), resamples=999)
    assert found.tau_b.p == pytest.approx(2 / 1000)


def test_unknown_models_are_left_out() -> None:
    found = rank_correlation([1, 2, NAN, 3, 4], [10, NAN, 5, 20, 30])
    assert (found.models, found.pairs, found.tau_b.value) == (3, 3, 1.0)
    assert found.tau_b.p == pytest.approx(2 / 6)


@pytest.mark.parametrize(
    ("x", "y"), [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([NAN, NAN], [1, 2]), ([1, 2], [3, 3])]
)
def test_nothing_is_ordered(x: list[float], y: list[float]) -> None:
    found = rank_correlation(x, y)
    for one in (found.spearman, found.tau_b, found.weighted_tau):
        assert (one.value, one.p, one.method) == (None, None, "")


def test_what_does_not_fit_is_named() -> None:
    for x, y, message in [
        ([1, 2], [1], "2 and 1 models"),
        ([[1, 2]], [1, 2], "shape"),
        ([1, float("inf")], [1, 2], "infinite"),
        (["a", "b"], [1, 2], "not an array of numbers"),
    ]:
        with pytest.raises(GumptionError, match=message):
            rank_correlation(x, y)
