"""Orders under weights of the parts, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gumption.ranking import sensitivity
from gumption.records import GumptionError

NAN = float("nan")
DRAWS = 4000
FUZZ = 4 * (0.25 / DRAWS) ** 0.5


def test_two_parts_by_hand() -> None:
    # Part means (1, 0), (.4, .4), (.3, .35): the first leads where the first part weighs over .4; the last
    # is below the second always, and below the first where that part weighs over .35 / 1.05 = 1/3.
    matrix = [[1, 1, 0, 0], [0.4] * 4, [0.3, 0.3, 0.35, 0.35]]
    found = sensitivity(matrix, ["see", "see", "plan", "plan"], models=["a", "b", "c"], draws=DRAWS)
    a, b, c = found.models
    assert (found.parts, found.sizes) == (("plan", "see"), (2, 2))
    assert a.first == pytest.approx(0.6, abs=FUZZ)
    assert a.shares == pytest.approx((0.6, 1 / 15, 1 / 3), abs=FUZZ)
    assert b.shares == pytest.approx((0.4, 0.6, 0.0), abs=FUZZ)
    assert b.shares[2] == 0.0
    assert (a.best, a.worst, b.best, b.worst, c.best, c.worst) == (1, 3, 1, 2, 2, 3)
    assert a.first + b.first + c.first == pytest.approx(1.0)
    # Under equal weights a, b, c: tau 1 above .4, 1/3 between 1/3 and .4, -1/3 below.
    assert found.tau.mean == pytest.approx(0.6 + (1 / 15) / 3 - 1 / 9, abs=2 * FUZZ)
    assert [one.name for one in found.named.found] == ["equal", "proportional"]


def test_weights_are_dirichlet() -> None:
    # The first model leads where the first of three parts weighs over .4: Beta(c, 2c).
    matrix = [[1, 0, 0], [0.4, 0.4, 0.4]]
    for concentration in (0.5, 1.0, 8.0):
        found = sensitivity(matrix, [0, 1, 2], draws=DRAWS, concentration=concentration)
        expected = stats.beta.sf(0.4, concentration, 2 * concentration)
        assert found.models[0].first == pytest.approx(expected, abs=FUZZ)


def test_no_weights_turn_a_model_that_is_ahead_everywhere() -> None:
    rng = np.random.default_rng(1)
    worse = rng.random((3, 40)) * 0.5
    found = sensitivity(np.r_[worse, [worse.max(axis=0) + 0.1]], np.arange(40) % 5)
    assert (found.models[3].first, found.models[3].worst) == (1.0, 1)


def test_proportional_weights_are_the_plain_mean() -> None:
    rng = np.random.default_rng(2)
    matrix, parts = rng.random((4, 30)), rng.choice(["a", "b", "c"], 30)
    equal, proportional = sensitivity(matrix, parts).named.found
    assert proportional.score == pytest.approx(matrix.mean(axis=1))
    assert equal.score == pytest.approx(
        np.mean([matrix[:, parts == part].mean(axis=1) for part in "abc"], axis=0)
    )


def test_ties_everywhere_share_the_first_place() -> None:
    found = sensitivity(np.full((4, 6), 0.5), [0, 0, 1, 1, 2, 2], draws=100)
    for model in found.models:
        assert (model.first, model.best, model.worst) == (0.25, 1, 1)
        assert model.shares == (1.0, 0.0, 0.0, 0.0)
    assert (found.named.tau, found.tau.mean) == (None, 0.0)


def test_one_part_leaves_nothing_to_weigh() -> None:
    found = sensitivity([[0.1, 0.2], [0.3, 0.5]], ["x", "x"], draws=10)
    assert (found.tau.mean, found.tau.low, found.named.swapped) == (1.0, 1.0, 0)


def test_a_part_that_a_model_misses_is_left_out_of_its_mean() -> None:
    found = sensitivity([[0.9, NAN], [0.5, 0.5]], [0, 1], draws=50)
    assert found.named.found[0].score == pytest.approx((0.9, 0.5))
    assert found.models[0].first == 1.0


def test_seeds_repeat() -> None:
    matrix = np.random.default_rng(3).random((5, 12))
    assert sensitivity(matrix, np.arange(12) % 4) == sensitivity(matrix, np.arange(12) % 4)
    assert sensitivity(matrix, np.arange(12) % 4, seed=1) != sensitivity(matrix, np.arange(12) % 4)


def test_what_does_not_fit_is_named() -> None:
    good = np.ones((2, 3))
    for matrix, parts, more, message in [
        (good, [0, 1], {}, "labels of shape"),
        (good, [0.0, 1.0, 2.0], {}, "labels of shape"),
        (good[:1], [0, 1, 2], {}, "shape"),
        (np.full((2, 3), NAN), [0, 1, 2], {}, "no item of it is scored"),
        (0.5, [0], {}, "labels of shape"),
        (good, [0, 1, 2], {"concentration": 0.0}, "concentration"),
        (good, [0, 1, 2], {"models": ["a"]}, "names"),
    ]:
        with pytest.raises(GumptionError, match=message):
            sensitivity(matrix, parts, **more)
