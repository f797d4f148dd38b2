"""Reliability of a part, and what an order owes to weights: known formulas, hand-worked cases, properties."""

from __future__ import annotations

import numpy as np
import pytest

from gumption.ranking import reliability, under_weights
from gumption.ranking.reliability import spearman_brown
from gumption.ranking.weightings import part_means, places_of
from gumption.records import GumptionError


def test_the_formula_by_hand() -> None:
    # Doubling a test of .6 gives .75, one of .5 two thirds; five times .5 is 2.5 / 3.
    assert spearman_brown([0.6, 0.5, 0.0, 1.0]) == pytest.approx([0.75, 2 / 3, 0.0, 1.0])
    assert spearman_brown(0.5, 5) == pytest.approx(2.5 / 3)
    assert spearman_brown(-0.4) == pytest.approx(-0.4)


def test_halves_that_say_the_same_are_fully_reliable() -> None:
    scores = np.repeat(np.linspace(0, 1, 6)[:, None], 10, axis=1)
    found = reliability(scores)
    assert (found.mean, found.low, found.high) == pytest.approx((1.0, 1.0, 1.0))


def test_noise_is_not_reliable() -> None:
    rng = np.random.default_rng(0)
    means = [reliability((rng.random((40, 60)) < 0.5).astype(float), seed=n).mean for n in range(10)]
    assert abs(float(np.mean(means))) < 0.15


def test_it_comes_near_cronbachs_alpha() -> None:
    """alpha is the mean of all split-half coefficients (Cronbach 1951), where halves vary alike."""
    rng = np.random.default_rng(1)
    able = rng.normal(0, 1, (60, 1))
    scores = (rng.random((60, 80)) < 1 / (1 + np.exp(-able))).astype(float)
    items = scores.shape[1]
    alpha = items / (items - 1) * (1 - scores.var(axis=0, ddof=1).sum() / scores.sum(axis=1).var(ddof=1))
    assert reliability(scores, draws=400).mean == pytest.approx(alpha, abs=0.02)


def test_one_item_has_no_halves_and_one_model_no_order() -> None:
    with pytest.raises(GumptionError, match="halves"):
        reliability([[1.0], [0.0]])
    with pytest.raises(GumptionError):
        reliability([[1.0, 0.0]])


def test_weights_turn_an_order_by_hand() -> None:
    """Good at A (three items), bad at B (one item), or the other way round: equal weights prefer the second
    model, .45 to .50, weights by size the first, .675 to .25."""
    means = [[0.9, 0.0], [0.0, 1.0], [0.1, 0.1]]
    found = under_weights(means, {"equal": [1, 1], "size": [3, 1]}, ("first", "second", "third"))
    equal, size = found.found
    assert equal.score == pytest.approx((0.45, 0.5, 0.1)) and equal.place == (2, 1, 3)
    assert size.score == pytest.approx((0.675, 0.25, 0.1)) and size.place == (1, 2, 3)
    assert (found.swapped, found.pairs, found.farthest) == (1, 3, 1)
    assert found.tau == pytest.approx(1 / 3)


def test_one_weighting_turns_nothing_and_ties_share_a_place() -> None:
    found = under_weights([[0.5], [0.5], [0.1]], {"equal": [1], "double": [2]}, ("a", "b", "c"))
    assert found.found[0].place == (1, 1, 3) and found.swapped == 0 and found.tau == pytest.approx(1.0)
    assert places_of(np.array([0.2, 0.3, 0.2])).tolist() == [2, 1, 2]


def test_means_of_parts_leave_gaps_out() -> None:
    scores = [[1, 0, np.nan, 1], [np.nan, 1, np.nan, 0]]
    found = part_means(scores, [0, 0, 1, 2], 3)
    assert found[0, 0] == 0.5 and found[1, 0] == 1.0 and np.isnan(found[:, 1]).all()


@pytest.mark.parametrize("weights", [{}, {"none": [0, 0]}, {"negative": [1, -1]}, {"short": [1]}])
def test_weights_that_fit_nothing_are_refused(weights: dict[str, list[int]]) -> None:
    with pytest.raises(GumptionError):
        under_weights([[0.1, 0.2], [0.3, 0.4]], weights, ("a", "b"))
