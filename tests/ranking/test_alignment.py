"""A benchmark's ranking beside people's: by hand, against SciPy, and with known noise."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from scipy import stats

from gumption.ranking import Alignment, align_rankings, all_pairs, tau_b
from gumption.records import GumptionError

NAN = float("nan")
ABC = ["a", "b", "c", "d"]


def test_four_models_by_hand() -> None:
    # One pair of six is turned: tau 4/6; squared rank differences 0, 0, 1, 1: rho 1 - 12/60.
    found = align_rankings([0.9, 0.7, 0.5, 0.4], [80, 70, 20, 30], models=ABC)
    assert found.tau_b.value == pytest.approx(2 / 3)
    assert found.spearman.value == pytest.approx(0.8)
    assert found.weighted_tau.value == pytest.approx(
        stats.weightedtau([0.9, 0.7, 0.5, 0.4], [80, 70, 20, 30]).statistic
    )
    # Of 24 orders 4 have tau 2/3 or more (1 with 6 pairs, 3 with 5).
    assert (found.tau_b.p, found.tau_b.p_method) == (pytest.approx(2 * 4 / 24), "exact")
    assert (found.pairs, found.agreeing, found.left_out, found.resampled) == (6, 5, (), ())
    (pair,) = found.disagreements
    assert (pair.better_by_a, pair.better_by_b) == ("c", "d")
    assert (pair.a_gap, pair.b_gap) == pytest.approx((0.1, 10))
    assert (pair.a_p, pair.b_p, pair.a_apart, pair.b_apart) == (None, None, None, None)
    assert [(model.a_place, model.b_place) for model in found.models] == [(1, 1), (2, 2), (3, 4), (4, 3)]
    assert [model.tau_without for model in found.models] == pytest.approx([1 / 3, 1 / 3, 1, 1])
    assert found.tau_b.items.low is None
    assert found.tau_b.models.low < found.tau_b.value
    assert msgspec.json.decode(msgspec.json.encode(found), type=Alignment) == found


def test_items_make_the_means_and_say_what_is_told_apart() -> None:
    rng = np.random.default_rng(1)
    a = (rng.random((4, 400)) < [[0.9], [0.7], [0.5], [0.3]]).astype(float)
    b = np.clip(rng.normal([[0.8], [0.6], [0.3], [0.5]], 0.1, (4, 40)), 0, 1)
    scenes = np.repeat(np.arange(20), 2)
    found = align_rankings(a, b, models=ABC, b_clusters=scenes, a_name="suite", b_name="raters")
    assert (found.resampled, found.a_name) == (("suite", "raters"), "suite")
    assert [model.a for model in found.models] == pytest.approx(a.mean(axis=1))
    assert [model.b for model in found.models] == pytest.approx(b.mean(axis=1))
    (pair,) = found.disagreements
    assert (pair.better_by_a, pair.a_apart, pair.b_apart) == ("c", True, True)
    assert pair.a_p == pytest.approx(all_pairs(a).pairs[5].p_holm)
    assert pair.b_p == pytest.approx(all_pairs(b, clusters=scenes).pairs[5].p_holm)
    assert found.tau_b.value == pytest.approx(2 / 3)
    assert found.tau_b.items.low <= 2 / 3 <= found.tau_b.items.high


def test_a_disagreement_within_noise_is_said_to_be() -> None:
    rng = np.random.default_rng(2)
    a = (rng.random((2, 30)) < 0.5).astype(float)
    (means,) = [a.mean(axis=1)]
    if means[0] == means[1]:
        a[0, 0] = 1 - a[0, 0]
    found = align_rankings(a, -a.mean(axis=1), models=["x", "y"])
    (pair,) = found.disagreements
    assert (pair.a_apart, pair.b_apart) == (False, None)


def test_the_items_interval_is_that_of_a_bootstrap_by_hand() -> None:
    rng = np.random.default_rng(3)
    a, b = (np.clip(rng.normal(np.linspace(0.3, 0.7, 8)[:, None], 0.3, (8, 60)), 0, 1) for _ in range(2))
    scene = np.repeat(np.arange(12), 5)
    found = align_rankings(a, b, models=list("abcdefgh"), b_clusters=scene, resamples=3000)
    taus = []
    for _ in range(3000):
        whole = np.concatenate([np.flatnonzero(scene == s) for s in rng.integers(0, 12, 12)])
        taus.append(tau_b(a[:, rng.integers(0, 60, 60)].mean(axis=1), b[:, whole].mean(axis=1)))
    reach = 1.96 * np.std(taus)
    assert found.tau_b.items.low == pytest.approx(found.tau_b.value - reach, abs=0.015)
    assert found.tau_b.items.high == pytest.approx(min(found.tau_b.value + reach, 1), abs=0.015)


def test_the_sides_are_drawn_apart() -> None:
    # One matrix as both sides: drawn together every tau would be 1 and the interval without width.
    a = np.random.default_rng(4).random((6, 30))
    found = align_rankings(a, a, models=list("abcdef"))
    assert found.tau_b.value == 1.0
    assert found.tau_b.items.low < 0.95


def test_more_items_narrow_the_interval_over_items_not_over_models() -> None:
    rng = np.random.default_rng(5)
    truth, b = np.linspace(0.2, 0.8, 10), [1, 3, 2, 4, 7, 5, 6, 9, 8, 10]

    def width(items: int) -> tuple[float, float]:
        a = (rng.random((10, items)) < truth[:, None]).astype(float)
        tau = align_rankings(a, b, models=[str(i) for i in range(10)]).tau_b
        return tau.items.high - tau.items.low, tau.models.high - tau.models.low

    few, many = width(50), width(3000)
    assert many[0] < 0.5 * few[0]
    assert many[1] > 0.3 * few[1]


@pytest.mark.parametrize("models", [8, 13, 30])
def test_perfect_agreement_leaves_what_chance_allows(models: int) -> None:
    names = [str(i) for i in range(models)]
    found = align_rankings(range(models), range(models), models=names)
    assert found.tau_b.value == found.tau_b.models.high == 1.0
    # Scores whose tau-b is at the lower end agree perfectly about once in forty times.
    rng = np.random.default_rng(models)
    x, noise = rng.normal(size=(2, 20_000, models))
    x.sort(axis=1)
    for low, rho in [
        (found.tau_b.models.low, np.sin(np.pi / 2 * found.tau_b.models.low)),
        (found.spearman.models.low, 2 * np.sin(np.pi / 6 * found.spearman.models.low)),
    ]:
        assert 0 < low < 1
        perfect = (np.diff(rho * x + (1 - rho**2) ** 0.5 * noise, axis=1) > 0).all(axis=1).mean()
        assert 0.01 < perfect < 0.05


def test_models_that_a_side_does_not_know_are_named() -> None:
    found = align_rankings([0.1, NAN, 0.3, 0.4], [[0.2], [0.3], [0.5], [NAN]], models=ABC)
    assert (found.left_out, found.pairs) == (("b", "d"), 1)
    assert [model.model for model in found.models] == ["a", "c"]
    assert [model.tau_without for model in found.models] == [None, None]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0.5] * 4, [1, 2, 3, 4]),
        (np.full((4, 9), 0.5), [1, 2, 3, 4]),
        (np.full((4, 9), NAN), [1, 2, 3, 4]),
        ([NAN] * 4, np.full((4, 2), NAN)),
        ([1, NAN, NAN, NAN], np.full((4, 2), 0.5)),
    ],
)
def test_nothing_to_align(a: object, b: object) -> None:
    found = align_rankings(a, b, models=ABC)
    for one in (found.spearman, found.tau_b, found.weighted_tau):
        assert (one.value, one.p, one.items.low, one.models.low) == (None, None, None, None)
    assert (found.disagreements, found.agreeing) == ((), 0)


def test_missing_cells_count_for_nothing() -> None:
    a = np.array([[1, 1, NAN, 0.5], [NAN, 0, 0, 1.0], [0, NAN, 0, 0]])
    found = align_rankings(a, [3, 2, 1], models=["x", "y", "z"])
    assert [model.a for model in found.models] == pytest.approx([2.5 / 3, 1 / 3, 0])


def test_seeds_repeat() -> None:
    a = np.random.default_rng(6).random((5, 20))
    one, same, other = (align_rankings(a, [1, 3, 2, 5, 4], models=list("abcde"), seed=s) for s in (0, 0, 1))
    assert one == same
    assert one.tau_b.items != other.tau_b.items


def test_what_does_not_fit_is_named() -> None:
    for a, b, more, message in [
        ([1, 2], [1, 2, 3], {"models": ["x", "y"]}, "2 and 3 models"),
        ([1, 2], [1, 2], {"models": ["x"]}, "1 names"),
        ([1, 2], [1, 2], {"models": ["x", "x"]}, "distinct"),
        ([1, 2], [1, 2], {"models": ["x", "y"], "a_clusters": [1]}, "clusters without items"),
        ([[0.1, 55], [1, 1]], [1, 2], {"models": ["x", "y"]}, "^benchmark, position 0, 1: 55"),
        ([[0.1, 0.5], [1, 1]], [1, 2], {"models": ["x", "y"], "a_clusters": [1]}, "labels for"),
        (np.empty((2, 0)), [1, 2], {"models": ["x", "y"]}, "shape"),
    ]:
        with pytest.raises(GumptionError, match=message):
            align_rankings(a, b, **more)
