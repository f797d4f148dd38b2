"""Suites fitted on past results, and the estimators of the full-pool score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.curation._auto import lift
from gumption.curation.estimators import calibrated, plain, post_stratified, regression, weighted
from gumption.curation.fit import METHODS, fit
from gumption.ranking.fidelity import tau_b
from gumption.records import GumptionError

NAN = float("nan")


def one_factor(models: int, sharp: int, dull: int, seed: int = 0) -> np.ndarray:
    """`sharp` items that good models get and poor ones miss, among `dull` ones that all guess."""
    rng = np.random.default_rng(seed)
    chance = np.r_[np.linspace(0.05, 0.95, models)][:, None] * np.ones(sharp)
    return np.c_[rng.random((models, sharp)) < chance, rng.random((models, dull)) < 0.25].astype(float)


@settings(max_examples=30)
@given(
    st.sampled_from(METHODS),
    st.integers(1, 40),
    st.integers(1, 9),
    st.integers(1, 45),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
)
def test_k_items_and_scores_in_range(
    method: str, items: int, models: int, k: int, gaps: bool, constant: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, 2, (models, items)).astype(float) if not constant else np.ones((models, items))
    source = np.where(rng.random(answers.shape) < 0.2, NAN, answers) if gaps else answers
    if np.isnan(source).all():
        return
    points, groups = rng.standard_normal((items, 4)), rng.integers(0, 3, items)
    found = fit(source, k, points, groups, method, seed)
    assert len(found.chosen) == min(k, items) == len(np.unique(found.chosen))
    assert (np.diff(found.chosen) > 0).all()
    estimate = found.estimate(answers[:, found.chosen])
    assert estimate.shape == (models,) and (estimate >= 0).all() and (estimate <= 1).all()
    again = fit(source, k, points, groups, method, seed)
    assert (again.chosen == found.chosen).all() and again.method == found.method
    if k >= items:
        assert estimate == pytest.approx(answers.mean(axis=1))


def test_a_mean_over_what_is_answered() -> None:
    assert plain(3)([[1.0, NAN, 0.0], [1.0, 1.0, NAN], [NAN, NAN, NAN]]) == pytest.approx(
        [0.5, 1.0, NAN], nan_ok=True
    )


def test_weights_by_hand() -> None:
    rule = weighted([1, 3])
    assert rule([[1.0, 0.0], [0.0, 1.0], [1.0, NAN]]) == pytest.approx([0.25, 0.75, 1.0])


def test_strata_by_hand() -> None:
    # Stratum 0 has eight items of ten and two chosen; stratum 1 two and one; stratum 2 none is chosen of.
    rule = post_stratified(np.array([0] * 8 + [1] * 2 + [2] * 5), np.array([0, 5, 9]))
    assert rule([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]) == pytest.approx([0.8 * 0.5 + 0.2, 0.8])


def test_calibration_finds_an_easier_suite_and_keeps_the_order() -> None:
    rng = np.random.default_rng(0)
    ability = np.linspace(0.2, 0.8, 12)
    hard, easy = ability - 0.15, ability + 0.15
    pool = (
        rng.random((12, 4000)) < np.c_[np.tile(hard[:, None], 2000), np.tile(easy[:, None], 2000)]
    ).astype(float)
    chosen = np.arange(2000, 3000)  # easy ones only
    rule = calibrated(pool[:6], chosen)
    answers, full = pool[6:, chosen], pool[6:].mean(axis=1)
    assert np.abs(answers.mean(axis=1) - full).mean() > 0.1
    assert np.abs(rule(answers) - full).mean() < 0.03
    assert (np.argsort(rule(answers)) == np.argsort(answers.mean(axis=1))).all()


def test_no_line_is_fitted_to_two_models_or_to_equal_ones() -> None:
    chosen = np.array([0, 1])
    for source in (np.eye(4)[:2], np.ones((6, 4))):
        assert calibrated(source, chosen)([[1.0, 0.0]]) == pytest.approx([0.5])


def test_a_suite_by_its_own_choosers_is_calibrated_on_models_left_out() -> None:
    """Items that few source models happen to get are chosen: new models do worse on them than those did."""
    rng, naive, honest = np.random.default_rng(5), [], []
    for seed in range(12):
        pool = (rng.random((16, 300)) < np.tile([0.1, 0.2, 0.3, 0.4], 4)[:, None]).astype(float)
        source, new = pool[:8], pool[8:]
        found = fit(source, 30, method="correlation", seed=seed)
        answers, full = new[:, found.chosen], new.mean(axis=1)
        naive.append((calibrated(source, found.chosen)(answers) - full).mean())
        honest.append((found.estimate(answers) - full).mean())
    assert np.mean(naive) < -0.05
    assert abs(np.mean(honest)) < 0.02


def test_regression_learns_which_items_speak_for_the_pool() -> None:
    """Nine tenths of the pool are as item 0, the rest as item 1: the plain mean weighs both alike."""
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 40))
    pool = np.c_[np.tile(first[:, None], 90), np.tile(second[:, None], 10)]
    chosen = np.array([0, 99])
    full = pool[20:].mean(axis=1)
    by_line, by_ridge = (
        np.abs(rule(pool[:20], chosen)(pool[20:, chosen]) - full).mean() for rule in (calibrated, regression)
    )
    assert by_ridge < by_line / 4
    assert by_ridge < 0.02


def test_regression_on_noise_stays_with_the_calibrated_mean() -> None:
    rng = np.random.default_rng(2)
    pool = (rng.random((40, 400)) < np.linspace(0.2, 0.8, 40)[:, None]).astype(float)
    order = rng.permutation(40)
    source, new, chosen = pool[order[:10]], pool[order[10:]], np.arange(0, 400, 8)
    full = new.mean(axis=1)
    line, ridge = (
        np.abs(rule(source, chosen)(new[:, chosen]) - full).mean() for rule in (calibrated, regression)
    )
    assert ridge < 1.15 * line


@pytest.mark.parametrize("method", ["item-total", "correlation", "disagreement"])
def test_the_items_that_tell_models_apart_are_found(method: str) -> None:
    answers = one_factor(14, sharp=40, dull=360)
    chosen = fit(answers[::2], 40, method=method).chosen
    # Four of the forty by chance, with a standard deviation of 1.8.
    assert (chosen < 40).sum() >= 12


def test_the_lift_of_random_subsets_is_none() -> None:
    judged = one_factor(5, 60, 240, seed=1)
    rng = np.random.default_rng(0)
    for k in (3, 30, 150):
        lifts = [lift(judged, rng.choice(300, k, replace=False)) for _ in range(400)]
        assert abs(np.mean(lifts)) < 0.05
    assert lift(judged, np.arange(300)) == pytest.approx(0.0)


def test_the_lift_of_the_items_that_tell_models_apart_and_of_their_reverse() -> None:
    judged = one_factor(5, 60, 240)
    assert lift(judged, np.arange(60)) > 0.1
    judged[:, 100:160] = 1 - judged[:, :60][:, ::-1]
    judged[:, 160:220] = judged[:, :60]  # so that the pool keeps the order
    assert lift(judged, np.arange(100, 160)) < -1


@pytest.mark.parametrize("models", [1, 2, 7])
def test_auto_compares_nothing_on_a_few_models(models: int) -> None:
    found = fit(one_factor(models, 60, 100), 20)
    assert found.method == "stratified+mean" and not found.trials


def test_auto_takes_them_and_orders_new_models_better_than_chance_does() -> None:
    answers = one_factor(24, sharp=60, dull=540)
    source, new = answers[::2], answers[1::2]
    found = fit(source, 60)
    assert found.method.split("+")[0] in found.trials
    assert found.trials[found.method.split("+")[0]].lift > 0.1
    full = new.mean(axis=1)
    rng = np.random.default_rng(0)
    by_chance = [tau_b(new[:, rng.choice(600, 60, replace=False)].mean(axis=1), full) for _ in range(50)]
    assert tau_b(found.estimate(new[:, found.chosen]), full) > np.mean(by_chance) + 0.1


def test_auto_stays_with_strata_where_nothing_can_be_learnt() -> None:
    rng, taken = np.random.default_rng(3), []
    for seed in range(10):
        noise = (rng.random((10, 300)) < 0.5).astype(float)
        taken.append(fit(noise, 45, seed=seed).method)
    assert taken.count("stratified+mean") >= 7
    assert fit(noise[:5], 45).method == "stratified+mean"  # five models are too few to compare


def test_auto_is_what_it_names() -> None:
    answers = one_factor(12, 30, 100)
    found = fit(answers, 20, seed=4)
    assert (found.chosen == fit(answers, 20, method=found.method, seed=4).chosen).all()


def test_without_responses() -> None:
    groups = np.array(["a"] * 60 + ["b"] * 30 + ["c"] * 10)
    found = fit(None, 10, groups=groups)
    assert found.method == "stratified+mean"
    assert np.unique(groups[found.chosen], return_counts=True)[1].tolist() == [6, 3, 1]
    points = np.random.default_rng(0).standard_normal((100, 5))
    assert fit(None, 10, points).method == "random+mean"
    shared = fit(None, 10, points, groups, "facility")
    assert np.unique(groups[shared.chosen], return_counts=True)[1].tolist() == [6, 3, 1]


def test_weights_stand_for_the_pool() -> None:
    points = np.repeat([[0.0, 1.0], [1.0, 0.0]], [30, 10], axis=0)
    found = fit(None, 2, points, method="centroid+weighted")
    assert found.estimate([[1.0, 0.0]]) == pytest.approx([0.75])


@pytest.mark.parametrize(
    ("responses", "more", "problem"),
    [
        (None, {}, "empty"),
        (np.empty((3, 0)), {}, "shape"),
        (np.full((2, 3), NAN), {}, "no answer"),
        (np.ones((2, 3)) * 100, {}, "not a score"),
        (np.ones((2, 3)), {"groups": ["a", "b"]}, "groups of 2"),
        (np.ones((2, 3)), {"embeddings": [[NAN]] * 3}, "not finite"),
        (np.ones((2, 3)), {"method": "best"}, "best"),
        (np.ones((2, 3)), {"method": "random+best"}, "best"),
        (np.ones((2, 3)), {"method": "facility"}, "needs embeddings"),
        (None, {"groups": ["a", "b", "c"], "method": "item-total"}, "needs responses"),
        (None, {"groups": ["a", "b", "c"], "method": "random+regression"}, "needs responses"),
        (None, {"groups": ["a", "b", "c"], "method": "random+weighted"}, "needs embeddings or"),
        (None, {"embeddings": np.ones((3, 2)), "method": "random+post-stratified"}, "needs groups or"),
    ],
)
def test_what_does_not_fit_is_refused(responses: object, more: dict[str, object], problem: str) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        fit(responses, 2, **more)
    assert caught.value.remedy


def test_answers_that_do_not_fit_the_suite_are_refused() -> None:
    found = fit(np.eye(4), 2)
    with pytest.raises(GumptionError, match="suite of 2"):
        found.estimate(np.ones((1, 3)))
    with pytest.raises(GumptionError):
        fit(np.eye(4), 0)
