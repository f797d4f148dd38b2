"""Agreement of raters: published worked examples, the krippendorff package and scikit-learn."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from gumption.ranking.rater_agreement import agreement
from gumption.records import GumptionError

NAN = float("nan")
# Four observers and twelve units, five categories, gaps (Krippendorff 2011, "Computing Krippendorff's
# alpha-reliability"): nominal .743, ordinal .815, interval .849.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


def pairs(table: dict[tuple[int, int], int]) -> np.ndarray:
    """Two raters from a table of how often they gave which two categories."""
    return np.array([cell for cell, count in table.items() for _ in range(count)], dtype=float).T


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_example(level: str, alpha: float) -> None:
    found = agreement(KRIPPENDORFF, level)
    assert found.alpha.mean == pytest.approx(alpha, abs=5e-4)
    assert (found.raters, found.units, found.categories) == (4, 11, 5)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_the_krippendorff_package(level: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        table = rng.integers(1, 6, 40) + rng.integers(-1, 2, (4, 40)).astype(float)
        table[rng.random(table.shape) < 0.3] = NAN
        theirs = krippendorff.alpha(table, level_of_measurement=level)
        assert agreement(table, level, resamples=2).alpha.mean == pytest.approx(theirs)


def test_fleiss_example() -> None:
    # Ten subjects, fourteen raters, five categories: kappa .210 (a widely printed worked example).
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    table = np.array([np.repeat(np.arange(5.0), row) for row in counts]).T
    assert agreement(table).fleiss.mean == pytest.approx(0.2099, abs=1e-4)


def test_cohen_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement .7, chance .5.
    found = agreement(pairs({(1, 1): 20, (1, 0): 5, (0, 1): 10, (0, 0): 15}))
    assert found.cohen.mean == pytest.approx(0.4)
    # Fleiss takes the pooled shares, .55 and .45: chance .505.
    assert found.fleiss.mean == pytest.approx((0.7 - 0.505) / 0.495)


def test_the_paradox_of_kappa() -> None:
    # 118 of 125 agree on yes (Gwet 2008): agreement .944, kappa below 0, AC1 .941.
    found = agreement(pairs({(1, 1): 118, (1, 0): 5, (0, 1): 2}))
    assert found.cohen.mean == pytest.approx(-0.0234, abs=1e-4)
    assert found.ac1.mean == pytest.approx((0.944 - 2 * 0.972 * 0.028) / (1 - 2 * 0.972 * 0.028))


def test_weighted_kappa_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 5, 60)
    b = np.clip(a + rng.integers(-1, 2, 60), 0, 4)
    expected = cohen_kappa_score(a, b, weights="quadratic")
    for level in ("ordinal", "interval"):
        assert agreement(np.array([a, b]), level, resamples=2).cohen.mean == pytest.approx(expected)
    assert agreement([a, b], resamples=2).cohen.mean == pytest.approx(cohen_kappa_score(a, b))


def test_perfect_agreement_and_none_beyond_chance() -> None:
    rng = np.random.default_rng(2)
    same = agreement(np.tile(rng.integers(0, 3, 50), (3, 1)))
    guessed = agreement(rng.integers(0, 3, (3, 400)))
    for name in ("alpha", "fleiss", "cohen", "ac1"):
        assert getattr(same, name).mean == pytest.approx(1.0)
        one = getattr(guessed, name)
        assert one.low < 0.06 and one.high > -0.06 and abs(one.mean) < 0.06
        assert one.low < one.mean < one.high


def test_the_interval_covers_the_expected_alpha() -> None:
    """Raters who copy the truth with chance .8, else guess one of three: alpha is .8 squared."""
    rng, covered = np.random.default_rng(3), 0
    for trial in range(100):
        truth = rng.integers(0, 3, 150)
        copies = np.where(rng.random((2, 150)) < 0.8, truth, rng.integers(0, 3, (2, 150)))
        alpha = agreement(copies, resamples=100, seed=trial).alpha
        covered += alpha.low <= 0.64 <= alpha.high
    assert 88 <= covered <= 99


def test_categories_are_names() -> None:
    table = np.array([[0, 1, 2, 0, 1, 2, 2], [0, 1, 2, 0, 2, 2, 1]], dtype=float)
    renamed = np.array([5.0, -3.0, 100.0])[table.astype(int)]
    assert agreement(table).alpha == agreement(renamed).alpha


def test_nothing_to_agree_on() -> None:
    for table in (np.full((2, 3), NAN), np.ones((2, 3)), [[1, NAN], [NAN, 1]]):
        found = agreement(table)
        assert (found.alpha.mean, found.cohen.mean, found.fleiss.mean) == (None, None, None)


@pytest.mark.parametrize("table", [[1, 2], [[1, 2]], [[1, 2], [1, float("inf")]], [["a"], ["b"]]])
def test_what_is_no_table_is_refused(table: list[object]) -> None:
    with pytest.raises(GumptionError):
        agreement(table)


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(GumptionError, match="ratio"):
        agreement(np.eye(3), "ratio")
