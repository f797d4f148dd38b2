"""How many items: of each cell, for a budget, to tell a gap apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gumption.curation.quotas import even, proportional, size_for_budget, size_for_gap, size_for_gap_known
from gumption.records import GumptionError

NAN = float("nan")
SIZES = st.lists(st.integers(0, 50), min_size=1, max_size=8)


@given(SIZES, st.integers(1, 200))
def test_all_places_are_given_and_no_cell_is_overfull(sizes: list[int], k: int) -> None:
    for rule in (even, proportional):
        places = rule(sizes, k)
        assert places.sum() == min(k, sum(sizes))
        assert (places >= 0).all() and (places <= sizes).all()


@given(SIZES, st.integers(1, 200))
def test_even_means_that_a_cell_with_fewer_is_full(sizes: list[int], k: int) -> None:
    places = even(sizes, k)
    room = [int(n) for n, size in zip(places, sizes, strict=True) if n < size]
    assert not room or max(places) <= min(room) + 1


def test_places_by_hand() -> None:
    assert even([85, 12, 3], 20).tolist() == [9, 8, 3]
    assert proportional([50, 30, 20], 10).tolist() == [5, 3, 2]
    assert proportional([2, 2, 2], 4).tolist() == [2, 1, 1]
    with pytest.raises(GumptionError):
        even([-1, 2], 1)


def test_a_budget() -> None:
    assert size_for_budget(100, 3) == 33
    assert size_for_budget(1.0, [0.1, 0.3, 0.2, 0.2, 0.1, 0.3]) == 5
    # Cached items cost nothing, those never run are not known.
    assert size_for_budget(2.0, [0.0, 2.0, NAN, 1.0]) == 2


@pytest.mark.parametrize(
    ("budget", "cost"),
    [(1, 3), (10, 0), (10, [-1, 3]), (10, [NAN]), (10, []), (10, [1, float("inf")]), (float("inf"), 1)],
)
def test_a_budget_that_says_nothing_is_refused(budget: float, cost: object) -> None:
    with pytest.raises(GumptionError) as caught:
        size_for_budget(budget, cost)
    assert caught.value.remedy


def test_the_size_for_a_gap_keeps_the_order_as_often_as_asked() -> None:
    """Drawn without replacement from a pool of two models 4 points apart, unrelated, near .5."""
    rng, items = np.random.default_rng(0), 2000
    k = size_for_gap(0.04, items)
    right = np.zeros((2, items))
    right[0, rng.permutation(items)[:1040]] = 1
    right[1, rng.permutation(items)[:960]] = 1
    gaps = np.array(
        [np.subtract(*right[:, rng.choice(items, k, replace=False)].mean(1)) for _ in range(3000)]
    )
    assert ((gaps > 0) + (gaps == 0) / 2).mean() == pytest.approx(0.8, abs=0.03)


def test_the_size_for_a_gap_by_formula() -> None:
    # An endless pool: 2 * .25 * z(.8)^2 / gap^2
    assert size_for_gap(0.05, 10**9) == np.ceil(0.5 * stats.norm.ppf(0.8) ** 2 / 0.05**2)
    assert size_for_gap(0.001, 500) <= 500
    assert size_for_gap(0.05, 10**9, correlation=0.5) < size_for_gap(0.05, 10**9)
    with pytest.raises(GumptionError):
        size_for_gap(0.0, 10)


def test_the_size_for_a_gap_from_past_results() -> None:
    rng = np.random.default_rng(1)
    ability = np.linspace(0.3, 0.7, 12)
    answers = (rng.random((12, 600)) < ability[:, None]).astype(float)
    large, small = (size_for_gap_known(gap, answers, draws=60) for gap in (0.03, 0.12))
    assert 1 <= small < large <= 600
    with pytest.raises(GumptionError):
        size_for_gap_known(0.1, np.ones(5))


def test_the_formula_and_a_figure_measured_elsewhere_agree() -> None:
    """VisOnlyQA: accuracies about .4, the paired error .85 of the unpaired one (median over pairs), and 3.7
    points the smallest gap that 180 random items of 1,200 keep 80 % of the time."""
    found = size_for_gap(0.037, 1200, spread=0.49, correlation=1 - 0.85**2)
    assert 180 / 1.3 < found < 180 * 1.3


# Items and the smallest gaps, in points, that random subsets of 10 %, 15 % and 25 % keep 80 % of the time,
# measured elsewhere: the size for the middle gap lies between the outer sizes.
KNOWN = {
    "visonlyqa_noreason": (0.037, 120, 300),
    "blink_val": (0.029, 190, 475),
    "zeroeval_crux": (0.031, 80, 200),
}


@pytest.mark.data
@pytest.mark.parametrize("name", KNOWN)
def test_the_size_for_a_gap_on_public_results(public_data: Path, name: str) -> None:
    gap, low, high = KNOWN[name]
    with np.load(public_data / "response_matrices" / f"{name}.npz", allow_pickle=False) as file:
        scores = file["X"].astype(float)
    assert low < size_for_gap_known(gap, scores) < high
