"""Balance, redundancy, coverage and maps, from cases worked by hand and from properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.curation.composition import coverage, distribution, entropy, gini, maps
from gumption.curation.redundancy import redundancy
from gumption.records import GumptionError


def test_entropy_and_gini_by_hand() -> None:
    assert (entropy([5, 5, 5]), gini([5, 5, 5])) == pytest.approx((1.0, 0.0))
    assert (entropy([9, 0, 0]), gini([9, 0, 0])) == pytest.approx((0.0, 2 / 3))
    # 1 and 3: the mean difference over ordered pairs is 1, the mean 2.
    assert gini([1, 3]) == pytest.approx(1 / 4)
    assert entropy([1, 3]) == pytest.approx(-(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75)))
    assert (entropy([7]), gini([7]), entropy([]), gini([0, 0])) == (1.0, 0.0, 1.0, 0.0)


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=12).filter(any))
def test_gini_is_the_mean_difference(counts: list[int]) -> None:
    difference = np.abs(np.subtract.outer(counts, counts)).mean()
    assert gini(counts) == pytest.approx(difference / (2 * np.mean(counts)))
    assert 0 <= entropy(counts) <= 1 + 1e-12


def test_a_distribution_counts_before_and_after_and_leaves_other_out() -> None:
    found = distribution("dimension", [0, 0, 0, 1, 2, 2], [0, 3], ["Count", "Place", "Other", "Empty"])
    assert [(one.name, one.pool, one.suite) for one in found.counts] == [
        ("Count", 3, 1),
        ("Place", 1, 1),
        ("Other", 2, 0),
        ("Empty", 0, 0),
    ]
    assert found.suite_entropy == pytest.approx(math.log(2) / math.log(3))
    assert found.pool_gini == pytest.approx(gini([3, 1, 0]))
    by_text = distribution("kind", ["b", "a", "a"], [0])
    assert [(one.name, one.pool, one.suite) for one in by_text.counts] == [("a", 2, 0), ("b", 1, 1)]


@pytest.mark.parametrize(
    ("labels", "chosen", "names"), [([0, 5], [0], ["a"]), (["a"], [1], None), (["a", "a"], [0, 0], None)]
)
def test_a_distribution_refuses_what_does_not_fit(labels: list, chosen: list, names: list | None) -> None:
    with pytest.raises(GumptionError):
        distribution("x", labels, chosen, names)


def brute(points: np.ndarray, names: list[str], threshold: float) -> dict[str, int]:
    """Every pair, one after the other."""
    size = np.linalg.norm(points, axis=1)
    found = dict.fromkeys(("pairs_within", "alike_within", "pairs_across", "alike_across"), 0)
    for i in range(len(points)):
        for j in range(i):
            where = "within" if names[i] == names[j] else "across"
            found[f"pairs_{where}"] += 1
            cosine = float(points[i] @ points[j]) / max(size[i] * size[j], 1e-12)
            found[f"alike_{where}"] += cosine >= threshold - 1e-6
    return found


@settings(max_examples=40)
@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_redundancy_is_what_comparing_every_pair_gives(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Few distinct small vectors, a zero among them: equal items, opposite ones, items without a vector.
    points = rng.integers(-1, 2, size=(n, 3)).astype(np.float32)
    names = [f"bench {number}" for number in rng.integers(0, 3, n)]
    found = redundancy(points, names, 0.7)
    expected = brute(points.astype(float), names, 0.7)
    assert {name: getattr(found, name) for name in expected} == expected
    unit = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    own = np.equal.outer(names, names)
    assert found.items_alike == pytest.approx((cosines >= 0.7 - 1e-6).any(axis=1).mean())
    across = np.where(own, -np.inf, cosines)
    assert found.items_alike_across == pytest.approx((across >= 0.7 - 1e-6).any(axis=1).mean())
    for r, row in enumerate(found.benchmarks):
        for c, column in enumerate(found.benchmarks):
            part = cosines[np.ix_([name == row for name in names], [name == column for name in names])]
            best = part.max(axis=1)
            value = found.nearest[r][c]
            if np.isfinite(best).any():
                assert value == pytest.approx(best[np.isfinite(best)].mean(), abs=1e-5)
            else:
                assert value is None


def test_examples_are_the_most_alike_pairs() -> None:
    angles = np.radians([0, 1, 90, 95, 180, 91])
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = redundancy(points, ["a", "a", "a", "b", "b", "b"])
    assert (found.within[0].first, found.within[0].second) == (0, 1)
    assert [(one.first, one.second) for one in found.across] == [(2, 5)]
    assert found.across[0].similarity == pytest.approx(math.cos(math.radians(1)), abs=1e-4)


def test_items_without_a_vector_are_like_nothing() -> None:
    found = redundancy(np.zeros((5, 4)), ["a", "a", "b", "b", "b"])
    assert (found.alike_within, found.equal_within, found.alike_across, found.items_alike) == (0, 0, 0, 0)


def test_a_large_pool_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gumption.curation.redundancy.SAMPLE", 100)
    points = np.random.default_rng(0).standard_normal((300, 5))
    found = redundancy(points, ["a"] * 300)
    assert (found.items, found.of, found.pairs_within) == (100, 300, 4950)
    assert found == redundancy(points, ["a"] * 300)


def test_many_small_benchmarks_are_taken_together() -> None:
    names = [f"b{number:02}" for number in range(40)] + ["b00"]
    found = redundancy(np.eye(41), names)
    assert len(found.benchmarks) == 24 and found.benchmarks[0] == "b00"
    assert found.benchmarks[-1] == "all others"


def test_coverage_by_hand() -> None:
    angles = np.radians([0, 60, 90, 180])
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 3
    found = coverage(points, [0, 2])
    # 0, 1 - cos 30 degrees, 0, 1 - cos 90 degrees.
    assert found.mean == pytest.approx((1 - math.sqrt(3) / 2 + 1) / 4, abs=1e-5)
    assert (found.items, found.of) == (4, 4)
    assert coverage(points, [0, 1, 2, 3]).mean == pytest.approx(0, abs=1e-6)
    assert coverage(points, [0, 1, 2, 3]).random_mean == pytest.approx(0, abs=1e-6)


def test_a_suite_of_one_corner_covers_less_than_a_random_one() -> None:
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    found = coverage(points, np.arange(20))
    assert found.mean > 4 * found.random_mean
    low, high = found.random_mean_range
    assert low <= found.random_mean <= high


def test_a_map_keeps_distances_of_a_plane_and_counts_what_it_leaves_out() -> None:
    rng = np.random.default_rng(0)
    points = np.zeros((30, 6))
    angles = rng.uniform(0, 2 * np.pi, 30)
    points[:, 1], points[:, 4] = np.cos(angles), np.sin(angles)
    (found,) = maps(points, [3, 5])
    assert (found.pool, found.suite, len(found.left_out), len(found.kept)) == (30, 2, 28, 2)
    assert found.explained == pytest.approx(1.0)
    apart = math.dist(*found.kept)
    assert apart == pytest.approx(float(np.linalg.norm(points[3] - points[5])), abs=3e-3)
    many = maps(rng.standard_normal((2000, 3)), np.arange(900))[0]
    assert (len(many.left_out), len(many.kept), many.pool, many.suite) == (400, 200, 2000, 900)


def test_one_map_for_each_dimension_that_has_items() -> None:
    found = maps(np.eye(4), [0], [0, 0, 2, 2], ["A", "B", "C"])
    assert [(one.name, one.pool, one.suite) for one in found] == [("A", 2, 1), ("C", 2, 0)]


@pytest.mark.parametrize("points", [np.ones((1, 3)), np.ones((1, 1)), np.ones((7, 2)), np.zeros((3, 4))])
def test_one_item_and_equal_items_are_no_trouble(points: np.ndarray) -> None:
    (found,) = maps(points, [0])
    assert {*found.left_out, *found.kept} == {(0.0, 0.0)}
    near = coverage(points, [0])
    # Equal vectors are at no distance; vectors of nothing are at 1/2 |a - b|^2 = 0 too.
    assert near.mean == pytest.approx(0, abs=1e-6)
    alike = redundancy(points, ["a"] * len(points))
    if points.any():
        assert alike.share_within in (None, 1.0)
    assert alike.share_across is None
