"""Intervals against scipy, formulas and properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gumption.ranking import interval
from gumption.records import GumptionError


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (0, 12), (3, 20), (37, 40), (300, 303), (19, 900)])
def test_wilson_is_scipys(right: int, n: int) -> None:
    ours = interval([1.0] * right + [0.0] * (n - right))
    theirs = stats.binomtest(right, n).proportion_ci(method="wilson")
    assert ours.method == "wilson"
    assert ours.mean == pytest.approx(right / n)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_t_of_equal_clusters_is_scipys() -> None:
    rng = np.random.default_rng(1)
    values = np.clip(rng.normal(0.5, 0.1, (12, 1)) + rng.normal(0, 0.1, (12, 5)), 0, 1)
    ours = interval(values.ravel(), clusters=np.repeat(np.arange(12), 5))
    means = values.mean(axis=1)
    low, high = stats.t.interval(0.95, 11, loc=means.mean(), scale=stats.sem(means))
    assert ours.method == "t"
    assert (ours.low, ours.mean, ours.high) == pytest.approx((low, means.mean(), high), abs=1e-12)


def test_t_of_strata_adds_their_variances_and_degrees_of_freedom() -> None:
    # Clusters nested in two equal strata of 8: variance is the sum of w^2 s^2 / n, 14 degrees of freedom.
    rng = np.random.default_rng(2)
    first, second = rng.uniform(0.3, 0.6, 8), rng.uniform(0.4, 0.9, 8)
    ours = interval(np.r_[first, second], strata=["x"] * 8 + ["y"] * 8, weights={"x": 1.0, "y": 3.0})
    mean = 0.25 * first.mean() + 0.75 * second.mean()
    error = np.hypot(0.25 * stats.sem(first), 0.75 * stats.sem(second))
    shares = np.array([0.25**2, 0.75**2])
    dof = shares.sum() ** 2 / (shares**2 / 7).sum()
    low, high = stats.t.interval(0.95, dof, loc=mean, scale=error)
    assert ours.method == "t"
    assert (ours.low, ours.mean, ours.high) == pytest.approx((low, mean, high), abs=1e-12)


def test_strata_of_one_cluster_are_set_against_the_overall_mean() -> None:
    # Variance (.1^2 + .05^2 + 0 + .05^2 + .1^2) / 5^2 with 5 degrees of freedom.
    ours = interval([0.4, 0.45, 0.5, 0.55, 0.6], strata=list("abcde"))
    reach = stats.t.ppf(0.975, 5) * (0.025 / 25) ** 0.5
    assert (ours.low, ours.high) == pytest.approx((0.5 - reach, 0.5 + reach))


def test_bootstrap_of_small_strata_has_the_unbiased_standard_error() -> None:
    # 40 strata of 2 single items: resampled, their variance comes out at half of what it is, or nearly.
    values = np.random.default_rng(9).random((40, 2))
    ours = interval(values.ravel(), strata=np.repeat(np.arange(40), 2), resamples=20_000)
    error = (values.var(axis=1, ddof=1) / 2).sum() ** 0.5 / 40
    assert ours.method == "bootstrap"
    assert ours.high - ours.low == pytest.approx(2 * stats.t.ppf(0.975, 40) * error, rel=0.04)


def test_bootstrap_is_near_scipys() -> None:
    values = np.random.default_rng(3).beta(2, 5, 400)
    ours = interval(values, resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(4)
    ).confidence_interval
    assert ours.method == "bootstrap"
    assert (ours.low, ours.high) == pytest.approx(
        (theirs.low, theirs.high), abs=0.05 * (theirs.high - theirs.low)
    )


def test_bootstrap_of_clusters_has_the_clusters_standard_error() -> None:
    rng = np.random.default_rng(5)
    means = rng.uniform(0.2, 0.8, 200)
    ours = interval(np.repeat(means, 9), clusters=np.repeat(np.arange(200), 9), resamples=20_000)
    low, high = stats.t.interval(0.95, 199, loc=means.mean(), scale=stats.sem(means))
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.03 * (high - low))


def test_more_clusters_than_are_resampled_one_by_one_keep_their_standard_error() -> None:
    values = np.random.default_rng(6).uniform(0, 1, 60_000)
    ours = interval(values, resamples=4_000)
    error = stats.sem(values)
    assert (ours.low, ours.high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.1 * error
    )


def test_macro_is_the_mean_of_stratum_means_and_weights_scale_freely() -> None:
    values = [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, np.nan]
    strata = ["a", "a", "a", "a", "b", "c", "d"]
    assert interval(values, strata=strata).mean == pytest.approx((0.5 + 0.0 + 1.0) / 3)
    weights = {"a": 2, "b": 4, "c": 2, "d": 9}
    assert interval(values, strata=strata, weights=weights).mean == pytest.approx((1.0 + 0.0 + 2.0) / 8)
    weighty = {name: 10 * weight for name, weight in weights.items()}
    assert interval(values, strata=strata, weights=weighty) == interval(
        values, strata=strata, weights=weights
    )


def test_a_stratum_of_weight_zero_is_as_if_it_were_not_there() -> None:
    values = np.r_[np.random.default_rng(7).random(50), np.ones(9)]
    strata = ["in"] * 50 + ["out"] * 9
    assert interval(values, strata=strata, weights={"in": 1.0, "out": 0.0}) == interval(values[:50])


def test_clusters_that_repeat_their_items_count_once() -> None:
    few = np.r_[np.ones(60), np.zeros(40)]
    ours = interval(np.repeat(few, 10), clusters=np.repeat(np.arange(100), 10))
    alone = interval(few)
    blind = interval(np.repeat(few, 10))
    assert ours.high - ours.low == pytest.approx(alone.high - alone.low, rel=0.1)
    assert blind.high - blind.low == pytest.approx((alone.high - alone.low) / 10**0.5, rel=0.1)


def test_all_right_in_few_clusters_is_as_sure_as_the_clusters_are_many() -> None:
    ours = interval(np.ones(300), clusters=np.repeat(np.arange(30), 10))
    assert ours.low == pytest.approx(stats.binomtest(30, 30).proportion_ci(method="wilson").low)
    assert ours.high == 1.0


def test_nothing_scored_has_no_interval() -> None:
    for values in ([], [np.nan, np.nan], [None]):
        empty = interval(values, name="micro")
        assert (empty.mean, empty.low, empty.high, empty.name) == (None, None, None, "micro")
    unweighted = interval([0.5, np.nan], strata=["x", "y"], weights={"x": 0, "y": 1})
    assert unweighted.mean is None


def test_same_seed_same_interval() -> None:
    values = np.random.default_rng(8).random(300)
    assert interval(values, seed=1) == interval(values, seed=1)
    assert interval(values, seed=1) != interval(values, seed=2)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 1.0]) | st.floats(0, 1) | st.just(np.nan),
            st.integers(0, 5),
            st.sampled_from("xyz"),
        ),
        min_size=1,
        max_size=60,
    ),
    st.booleans(),
    st.booleans(),
)
def test_never_zero_width_and_always_around_the_mean(
    rows: list[tuple[float, int, str]], clustered: bool, stratified: bool
) -> None:
    values, clusters, strata = zip(*rows, strict=True)
    result = interval(
        values,
        clusters=clusters if clustered else None,
        strata=strata if stratified else None,
        resamples=50,
    )
    if np.isnan(values).all():
        assert result.mean is None
        return
    assert 0.0 <= result.low <= result.mean <= result.high <= 1.0
    assert result.low < result.high
    assert np.nanmin(values) - 1e-12 <= result.mean <= np.nanmax(values) + 1e-12


@settings(deadline=None)
@given(st.integers(40, 200), st.integers(0, 200), st.integers(0, 9))
def test_never_zero_width_for_many_items(n: int, right: int, seed: int) -> None:
    values = np.zeros(n)
    values[: min(right, n)] = 1.0
    result = interval(values, resamples=50, seed=seed)
    assert 0.0 <= result.low <= result.mean <= result.high <= 1.0
    assert result.low < result.high


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"values": [0.5, 1.2]}, "1.2"),
        ({"values": [[0.5]]}, "axes"),
        ({"values": ["right"]}, "numbers"),
        ({"values": [0.5, 0.5], "clusters": ["a"]}, "1 labels for 2"),
        ({"values": [0.5, 0.5], "clusters": ["a", None]}, "missing"),
        ({"values": [0.5, 0.5], "strata": ["a", 2]}, "strata"),
        ({"values": [0.5, 0.5], "strata": ["a", "b"], "weights": {"a": 1}}, "no weight for b"),
        ({"values": [0.5, 0.5], "weights": {"a": 1}}, "weights without strata"),
        ({"values": [0.5, 0.5], "strata": ["a", "b"], "weights": {"a": 1, "b": -1}}, "not usable"),
        ({"values": [0.5, 0.5], "strata": ["a", "b"], "weights": {"a": 0, "b": 0}}, "not usable"),
    ],
)
def test_bad_input_is_named(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(GumptionError, match=said) as caught:
        interval(**arguments)  # type: ignore[arg-type]
    assert caught.value.where
    assert caught.value.remedy
