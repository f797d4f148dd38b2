"""Rank fidelity: against scipy, by hand, and against figures measured elsewhere on public matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gumption.ranking.fidelity import fidelity, spearman, tau_b
from gumption.ranking.noise import item_bootstrap, random_subsets, split_half
from gumption.ranking.pair_order import pair_order, pair_order_of, smallest_gap
from gumption.records import GumptionError

NAN = float("nan")
SCORES = st.lists(st.integers(0, 5), min_size=4, max_size=12)


def matrix(folder: Path, name: str) -> np.ndarray:
    with np.load(folder / "response_matrices" / f"{name}.npz", allow_pickle=False) as file:
        return file["X"].astype(float)


@given(SCORES, st.randoms())
def test_tau_and_rho_are_those_of_scipy(first: list[int], random: object) -> None:
    second = [random.randint(0, 3) for _ in first]
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert np.isnan(tau_b(first, second)) and np.isnan(spearman(first, second))
        return
    assert tau_b(first, second) == pytest.approx(stats.kendalltau(first, second).statistic)
    assert spearman(first, second) == pytest.approx(stats.spearmanr(first, second).statistic)


def test_tau_broadcasts_and_survives_rounding() -> None:
    full = [0.1, 0.2, 0.3]
    # 0.1 + 0.2 is not 0.3 in floats: a tie, for five pairs ordered of six, one of them tied.
    rows = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.1, 0.1 + 0.2, 0.3]]
    assert tau_b(rows, full) == pytest.approx([1.0, -1.0, 2 / np.sqrt(2 * 3)])


def test_all_items_order_the_models_as_themselves() -> None:
    scores = np.random.default_rng(0).integers(0, 2, (6, 40)).astype(float)
    found = fidelity(scores, np.arange(40))
    assert (found.tau.mean, found.spearman.mean) == pytest.approx((1.0, 1.0))
    assert (found.models, found.pairs, found.items, found.of) == (6, 15, 40, 40)
    assert found.tau.low < 1.0 == found.tau.high


def test_a_suite_of_the_reverse_order_is_minus_one() -> None:
    scores = np.zeros((4, 20))
    for model in range(4):
        scores[model, : 3 * model] = 1.0  # the pool: 0, 3, 6, 9 right
        scores[model, 16:] = np.arange(4) < 3 - model
    assert fidelity(scores, [16, 17, 18, 19]).tau.mean == pytest.approx(-1.0)


def test_missing_answers_leave_a_models_own_mean() -> None:
    scores = np.array([[1.0, NAN, 1.0, 0.0], [0.0, 0.0, 1.0, NAN], [0.0, 0.0, 0.0, 1.0]])
    # full: 2/3, 1/3, 1/4; on items 0 and 1: 1, 0, 0.
    assert fidelity(scores, [0, 1]).tau.mean == pytest.approx(2 / np.sqrt(2 * 3))


@pytest.mark.parametrize("chosen", [[], [0, 0], [4], [-1], [0.5]])
def test_item_numbers_that_do_not_fit_are_refused(chosen: list[float]) -> None:
    with pytest.raises(GumptionError):
        fidelity(np.eye(4), chosen)


def test_one_draw_of_pairs_by_hand() -> None:
    full, drawn = np.array([0.50, 0.505, 0.525, 0.65]), np.array([[0.6, 0.6, 0.5, 0.9]])
    found = pair_order_of(drawn, full)
    kept = {round(one.low, 2): (one.pairs, one.kept) for one in found.bins}
    assert kept == {
        0.0: (1, 0.0),  # a tie
        0.01: (0, None),
        0.02: (2, 0.0),  # .505-.525 and .5-.525 are turned round
        0.03: (0, None),
        0.05: (0, None),
        0.1: (3, 1.0),
    }
    assert found.smallest_gap == pytest.approx(0.125)


def test_the_smallest_gap_of_a_monotone_fit() -> None:
    assert smallest_gap([0.01, 0.02, 0.03, 0.04], [0.5, 0.9, 0.7, 1.0]) == pytest.approx(0.02)
    assert smallest_gap([0.01, 0.02, 0.03, 0.04], [0.5, 0.9, 0.6, 1.0]) == pytest.approx(0.04)
    assert smallest_gap([0.01, 0.02], [0.5, 0.7]) is None
    assert smallest_gap([], []) is None


# Measured independently: item bootstrap and random 15 % as 200 draws, split-half as 100 splits, mean and
# 5 to 95 %; the order of pairs and the smallest gap in points as 300 draws. Two means of so many draws
# differ by less than .03, the ends of the ranges by less than .05.
MEASURED = {
    "visonlyqa_noreason": (0.72, (0.86, 0.79, 0.93), (0.68, 0.53, 0.81), 0.62, 0.82, 3.7),
    "mathvista_testmini": (0.57, (0.80, 0.72, 0.87), (0.57, 0.42, 0.72), 0.47, 0.82, 3.3),
    "blink_val": (0.78, (0.89, 0.83, 0.95), (0.74, 0.62, 0.85), 0.70, 0.86, 2.9),
    "logicvista": (0.87, (0.94, 0.89, 0.99), (0.86, 0.76, 0.94), 0.80, 0.79, 3.8),
    "zeroeval_crux": (0.92, (0.96, 0.95, 0.98), (0.91, 0.88, 0.93), 0.89, 0.83, 3.1),
}


@pytest.mark.data
@pytest.mark.parametrize("name", MEASURED)
def test_the_measured_baselines_come_out_again(public_data: Path, name: str) -> None:
    halves, bootstrap, random, rest, kept, gap = MEASURED[name]
    scores = matrix(public_data, name)
    k = round(0.15 * scores.shape[1])
    assert split_half(scores).mean == pytest.approx(halves, abs=0.03)
    for found, expected in ((item_bootstrap(scores), bootstrap), (random_subsets(scores, k), random)):
        assert found.mean == pytest.approx(expected[0], abs=0.03)
        assert (found.low, found.high) == pytest.approx(expected[1:], abs=0.05)
    assert random_subsets(scores, k, rest=True).mean == pytest.approx(rest, abs=0.03)
    order = pair_order(scores, k)
    assert next(one.kept for one in order.bins if one.low == 0.03) == pytest.approx(kept, abs=0.03)
    assert 100 * order.smallest_gap == pytest.approx(gap, abs=0.8)


# Share of draws of 15 % that keep a pair's order, by gap in points (0 to 1, 1 to 2, 2 to 3, 3 to 5, 5 to 10);
# the smallest gap for suites of 5, 10, 25 and 50 %; tau of random 5 and 50 %.
ORDERS = {
    "visonlyqa_noreason": ((0.51, 0.62, 0.70, 0.82, 0.95), (5.5, 4.0, 2.5, 1.4), (0.50, 0.86)),
    "mathvista_testmini": ((0.50, 0.62, 0.71, 0.82, 0.94), (6.1, 4.1, 2.4, 1.4), (0.39, 0.80)),
    "blink_val": ((0.54, 0.65, 0.77, 0.86, 0.97), (4.9, 3.8, 2.0, 1.1), (0.59, 0.90)),
    "logicvista": ((0.29, None, 0.62, 0.79, 0.89), (9.0, 3.8, 3.6, 1.8), (0.72, 0.95)),
    "zeroeval_crux": ((0.49, 0.61, 0.71, 0.83, 0.96), (5.5, 3.9, 2.1, 1.2), (0.84, 0.96)),
}


@pytest.mark.data
@pytest.mark.parametrize("name", ORDERS)
def test_the_measured_orders_of_pairs_come_out_again(public_data: Path, name: str) -> None:
    kept, gaps, taus = ORDERS[name]
    scores = matrix(public_data, name)
    items = scores.shape[1]
    bins = {round(one.low, 3): one for one in pair_order(scores, round(0.15 * items)).bins}
    means = np.round(scores.mean(axis=1), 9)
    # Measured with pairs that tie on all items as pairs that no draw keeps; we leave them out.
    ties = sum(int((means[place + 1 :] == mean).sum()) for place, mean in enumerate(means))
    for low, share in zip((0.0, 0.01, 0.02, 0.03, 0.05), kept, strict=True):
        found = bins[low]
        assert (found.kept is None) == (share is None)
        if share is not None:
            all_pairs = found.pairs + (ties if low == 0.0 else 0)
            assert found.kept * found.pairs / all_pairs == pytest.approx(share, abs=0.04), low
    for share, gap in zip((0.05, 0.1, 0.25, 0.5), gaps, strict=True):
        assert 100 * pair_order(scores, round(share * items)).smallest_gap == pytest.approx(gap, abs=1.0), (
            share
        )
    for share, tau in zip((0.05, 0.5), taus, strict=True):
        assert random_subsets(scores, round(share * items)).mean == pytest.approx(tau, abs=0.03)


@pytest.mark.data
@pytest.mark.parametrize("name", MEASURED)
def test_the_interval_covers_the_expected_tau(public_data: Path, name: str) -> None:
    scores = matrix(public_data, name)
    items, rng = scores.shape[1], np.random.default_rng(0)
    k = round(0.15 * items)
    expected = random_subsets(scores, k, draws=1000, seed=1).mean
    suites = [rng.choice(items, k, replace=False) for _ in range(100)]
    taus = [fidelity(scores, suite, resamples=100, seed=n).tau for n, suite in enumerate(suites)]
    assert np.mean([one.low <= expected <= one.high for one in taus]) >= 0.9
    # And it is no wider than what covers: half of it is under 2.6 standard deviations.
    reach = np.mean([one.high - one.low for one in taus]) / 2
    assert reach < 2.6 * np.std([one.mean for one in taus])
