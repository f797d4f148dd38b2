"""Selectors on embeddings: against brute force on small pools, and what any selector must keep to."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.curation.select import SELECTORS, select
from gumption.records import GumptionError

NAN = float("nan")


def pool(items: int, dimensions: int = 8, seed: int = 0) -> np.ndarray:
    points = np.random.default_rng(seed).standard_normal((items, dimensions)).astype(np.float32)
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(SELECTORS)),
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(1, 4),
    st.booleans(),
    st.integers(0, 3),
)
def test_every_group_gets_k_or_all_it_has(
    method: str, items: int, k: int, groups: int, alike: bool, seed: int
) -> None:
    points = np.ones((items, 3), np.float32) if alike else pool(items)
    group = np.random.default_rng(seed).integers(0, groups, items)
    chosen = select(points, k, method, group, seed)
    assert (np.diff(chosen) > 0).all() and chosen.min() >= 0 and chosen.max() < items
    for name in np.unique(group):
        assert (group[chosen] == name).sum() == min(k, (group == name).sum())
    assert (chosen == select(points, k, method, group, seed)).all()


@pytest.mark.parametrize("method", sorted(SELECTORS))
def test_groups_are_chosen_from_apart(method: str) -> None:
    """What stands in one group changes nothing in a group before it."""
    points = pool(90)
    names = np.array(["a"] * 60 + ["b"] * 30)
    both = select(points, 7, method, names, 5)
    alone = select(points[:60], 7, method, names[:60], 5)
    assert (both[both < 60] == alone).all()


@pytest.mark.parametrize("method", sorted(SELECTORS))
def test_another_seed_is_another_suite(method: str) -> None:
    points = pool(200)
    suites = {tuple(select(points, 20, method, seed=seed)) for seed in range(5)}
    # Facility location draws nothing in a small pool but the order of ties.
    assert len(suites) == (1 if method == "facility" else 5)


def test_centroid_takes_the_middle_of_each_of_far_clusters() -> None:
    corners = np.array([[0, 0], [100, 0], [0, 100], [100, 100]])
    around = np.array([[0, 0], [3, 1], [-3, 1], [-1, -3], [1, -3], [0, 4]])
    points = (corners[:, None] + around).reshape(-1, 2)
    # The mean of each six is its first one.
    assert select(points, 4, "centroid").tolist() == [0, 6, 12, 18]


def test_facility_is_the_plain_greedy_choice() -> None:
    points = pool(60, 5)
    similar = (points @ points.T + 1) / 2
    chosen: list[int] = []
    for _ in range(8):
        value = {i: similar[[*chosen, i]].max(axis=0).sum() for i in range(60) if i not in chosen}
        chosen.append(max(value, key=value.__getitem__))
    assert select(points, 8, "facility").tolist() == sorted(chosen)


def test_kcenter_is_within_twice_the_best_radius() -> None:
    points = pool(14, 2, seed=3)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    best = min(apart[:, centres].min(axis=1).max() for centres in map(list, combinations(range(14), 3)))
    for seed in range(14):
        found = select(points, 3, "kcenter", seed=seed)
        assert apart[:, found].min(axis=1).max() <= 2 * best + 1e-6


def test_stratified_spreads_over_the_principal_axis() -> None:
    line = np.linspace(0, 100, 100)
    points = np.c_[line, np.random.default_rng(0).random(100)]
    assert (np.sort(line[select(points, 10, "stratified")]) // 10.001 == np.arange(10)).all()


def test_large_pools_are_sampled_and_stay_right() -> None:
    """40,000 items in 20 far clusters: each selector still finds all of them."""
    rng = np.random.default_rng(1)
    centres = 10 * np.eye(20, dtype=np.float32)
    label = rng.integers(0, 20, 40_000)
    points = centres[label] + rng.standard_normal((40_000, 20)).astype(np.float32)
    for method in ("centroid", "facility", "kcenter"):
        chosen = select(points, 40, method)
        assert len(chosen) == 40 and len(np.unique(label[chosen])) == 20


def test_places_are_shared_out_evenly() -> None:
    points = pool(100)
    source = np.array(["big"] * 85 + ["small"] * 12 + ["tiny"] * 3)
    chosen = select(points, 20, "kcenter", balance=source)
    assert {name: (source[chosen] == name).sum() for name in np.unique(source)} == {
        "big": 9,
        "small": 8,
        "tiny": 3,
    }


@pytest.mark.parametrize(
    ("points", "k", "more", "problem"),
    [
        (np.empty((0, 3)), 1, {}, "empty"),
        (np.ones(3), 1, {}, "shape"),
        ([[1.0, 2.0], [3.0]], 1, {}, "rectangular"),
        ([[1.0], [NAN]], 1, {}, "not finite"),
        (np.ones((3, 2)), 0, {}, "k = 0"),
        (np.ones((3, 2)), 1, {"method": "best"}, "best"),
        (np.ones((3, 2)), 1, {"groups": ["a"]}, "labels"),
        (np.ones((3, 2)), 1, {"balance": ["a", "b"]}, "labels"),
    ],
)
def test_what_does_not_fit_is_refused(points: object, k: int, more: dict[str, object], problem: str) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        select(points, k, **more)
    assert caught.value.remedy


def test_the_row_that_is_not_finite_is_named() -> None:
    points = np.ones((40_000, 2), np.float32)
    points[33_333, 1] = np.inf
    with pytest.raises(GumptionError) as caught:
        select(points, 5)
    assert "33333" in caught.value.where
