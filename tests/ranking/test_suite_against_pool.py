"""A suite beside its pool: errors, places and tau against hand-worked cases and another program's figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from gumption.ranking.suite_against_pool import suite_against_pool
from gumption.records import GumptionError


def test_a_case_worked_by_hand() -> None:
    # Means on all four items .75, .5, .25; on the first two 1, 0, .5.
    matrix = [[1, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0]]
    found = suite_against_pool(matrix, [0, 1], models=["a", "b", "c"])
    assert [(one.model, one.pool.mean, one.suite.mean) for one in found.models] == [
        ("a", 0.75, 1.0),
        ("b", 0.5, 0.0),
        ("c", 0.25, 0.5),
    ]
    assert [one.error for one in found.models] == [0.25, -0.5, 0.25]
    assert (found.mean_error, found.largest_error) == (pytest.approx(1 / 3), 0.5)
    assert [(one.pool_place, one.suite_place) for one in found.models] == [(1, 1), (2, 3), (3, 2)]
    assert (found.pairs, found.swapped, found.pool_items, found.suite_items) == (3, 1, 4, 2)
    # Two pairs agree, one does not: (2 - 1) / 3.
    assert found.tau.mean == pytest.approx(1 / 3)


def test_the_whole_pool_as_its_suite_is_without_error() -> None:
    matrix = (np.random.default_rng(1).random((5, 40)) < 0.5).astype(float)
    found = suite_against_pool(matrix, range(40))
    assert (found.mean_error, found.swapped, found.within) == (0.0, 0, 5)
    assert found.tau.mean == pytest.approx(1.0)


def test_tau_is_scipys_and_lies_in_its_interval() -> None:
    rng = np.random.default_rng(2)
    matrix = (rng.random((9, 300)) < np.linspace(0.3, 0.7, 9)[:, None]).astype(float)
    chosen = rng.choice(300, 40, replace=False)
    found = suite_against_pool(matrix, chosen)
    theirs = kendalltau(matrix[:, chosen].mean(axis=1), matrix.mean(axis=1)).statistic
    assert found.tau.mean == pytest.approx(theirs)
    assert found.tau.low < found.tau.mean < found.tau.high


def test_an_interval_that_does_not_hold_the_pools_score_is_counted() -> None:
    # Right on every item of the suite and on none of 300 others: no interval of 100 out of 100 holds .25.
    matrix = np.zeros((2, 400))
    matrix[0, :100] = 1.0
    found = suite_against_pool(matrix, range(100))
    assert found.within == 1


def test_a_model_without_a_result_on_the_suite_is_named() -> None:
    with pytest.raises(GumptionError, match="chosen, model 1"):
        suite_against_pool([[1, 0], [float("nan"), 1]], [0])
