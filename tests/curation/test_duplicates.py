"""Near-duplicates: never across media, never where the media are unknown."""

from __future__ import annotations

import numpy as np
import pytest

from gumption.curation.duplicates import measured_threshold, near_duplicates, similarities
from gumption.records import GumptionError


def angles(*degrees: float) -> np.ndarray:
    turn = np.radians(degrees)
    return np.c_[np.cos(turn), np.sin(turn)].astype(np.float32)


def test_the_first_is_kept_and_the_nearest_kept_one_stands() -> None:
    # cos 10 degrees is .985: 8 belongs to 0, 17 is kept (8 is not), 10 is nearer to 17 than to 0.
    stands = near_duplicates(angles(0, 8, 17, 10, 90), ["x"] * 5, 0.984)
    assert stands.tolist() == [0, 0, 2, 2, 4]


def test_equal_questions_on_other_or_unknown_media_are_none() -> None:
    same = angles(0, 0, 0, 0, 0, 0)
    assert near_duplicates(same, ["a", "b", "a", "", "", "b"], 0.9).tolist() == [0, 1, 0, 3, 4, 1]


def test_length_does_not_count_and_equal_vectors_meet_a_threshold_of_one() -> None:
    points = np.random.default_rng(0).standard_normal((300, 384)).astype(np.float32)
    doubled = np.concatenate([points, 7 * points])
    assert near_duplicates(doubled, ["x"] * 600, 1.0).tolist() == [*range(300), *range(300)]


def test_many_items_are_the_same_as_all_pairs() -> None:
    rng = np.random.default_rng(1)
    points = np.repeat(rng.standard_normal((400, 16)), 3, axis=0) + rng.normal(0, 0.01, (1200, 16))
    points = points[rng.permutation(1200)]
    stands = near_duplicates(points, ["x"] * 1200, 0.98)
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    kept: list[int] = []
    for row in range(1200):
        if not any(unit[row] @ unit[other] >= 0.98 for other in kept):
            kept.append(row)
    assert np.flatnonzero(stands == np.arange(1200)).tolist() == kept
    assert len(kept) == 400


def test_a_very_large_pool_of_one_media_is_split_into_cells() -> None:
    rng = np.random.default_rng(2)
    points = rng.standard_normal((17_000, 24)).astype(np.float32)
    stands = near_duplicates(np.concatenate([points, points]), ["x"] * 34_000, 0.9999)
    assert (stands[17_000:] == np.arange(17_000)).all()


def test_the_threshold_is_measured() -> None:
    found = measured_threshold([0.99, 0.97, 0.80], np.linspace(0, 0.9, 91), most_false=0.05)
    # Four of 91 are allowed: .87 to .90; so just above .86.
    assert found.similarity == pytest.approx(0.86, abs=1e-6)
    assert found.found == pytest.approx(2 / 3) and found.false == pytest.approx(4 / 91)
    assert measured_threshold([0.95], [0.5, 0.9], most_false=0.0).similarity > 0.9
    for same, different in (([], [0.1]), ([0.1], []), ([1.0], [1.1])):
        with pytest.raises(GumptionError):
            measured_threshold(same, different)


def test_similarities_of_pairs() -> None:
    assert similarities(angles(0, 60, 180), [[0, 1], [0, 2]]) == pytest.approx([0.5, -1.0])


@pytest.mark.parametrize("threshold", [0.0, 1.2, float("nan")])
def test_a_threshold_that_is_no_cosine_is_refused(threshold: float) -> None:
    with pytest.raises(GumptionError):
        near_duplicates(angles(0), ["x"], threshold)
