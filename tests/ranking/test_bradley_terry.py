"""Bradley and Terry's model against a published example, choix and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.ranking import bradley_terry, bradley_terry_of_wins
from gumption.records import GumptionError

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)
"""American League East, 1987: Agresti, Categorical Data Analysis (2002), table 10.10."""


def test_agrestis_baseball() -> None:
    found = bradley_terry_of_wins(BASEBALL, models=TEAMS, prior=1e-9)
    strength = {model.model: model.strength.mean for model in found.models}
    # The coefficients that the R package BradleyTerry2 prints in its manual, Baltimore being 0.
    published = {
        "Boston": 1.1077,
        "Cleveland": 0.6839,
        "Detroit": 1.4364,
        "Milwaukee": 1.5814,
        "New York": 1.2476,
        "Toronto": 1.2945,
        "Baltimore": 0.0,
    }
    for team, value in published.items():
        assert strength[team] - strength["Baltimore"] == pytest.approx(value, abs=0.0001)
    assert [model.model for model in found.models][:2] == ["Milwaukee", "Detroit"]
    assert (found.models[0].place, found.models[0].wins, found.models[0].comparisons) == (1, 50, 78)


def _rows(wins: np.ndarray) -> list[tuple[int, int]]:
    return [(i, j) for i, j in zip(*np.nonzero(wins), strict=True) for _ in range(int(wins[i, j]))]


@pytest.mark.parametrize("prior", [0.01, 0.1, 1.0])
def test_the_penalised_fit_is_choixs(prior: float) -> None:
    import choix

    wins = np.random.default_rng(1).integers(0, 4, (6, 6))
    np.fill_diagonal(wins, 0)
    wins[0], wins[1:, 0] = wins[0] + 1, 0  # The first is undefeated.
    wins[0, 0] = 0
    theirs = choix.opt_pairwise(6, _rows(wins), alpha=prior, method="BFGS", tol=1e-9)
    found = bradley_terry_of_wins(wins, prior=prior, resamples=0)
    ours = {model.model: model.strength.mean for model in found.models}
    assert [ours[str(i)] for i in range(6)] == pytest.approx((theirs - theirs.mean()).tolist(), abs=1e-5)


def test_without_prior_it_is_choixs_ilsr() -> None:
    import choix

    theirs = choix.ilsr_pairwise(7, _rows(BASEBALL), alpha=1e-9)
    found = bradley_terry_of_wins(BASEBALL, prior=1e-9, resamples=0)
    ours = [next(m.strength.mean for m in found.models if m.model == str(i)) for i in range(7)]
    assert ours == pytest.approx((theirs - theirs.mean()).tolist(), abs=1e-5)


@given(st.integers(1, 40), st.integers(1, 40))
def test_two_models_have_a_closed_form(won: int, lost: int) -> None:
    found = bradley_terry_of_wins([[0, won], [lost, 0]], prior=1e-9, resamples=0)
    first = next(model for model in found.models if model.model == "0")
    assert 2 * first.strength.mean == pytest.approx(math.log(won / lost), abs=1e-6)
    # The variance of a log-odds is 1 / won + 1 / lost; each model has half of it.
    reach = 1.959964 * (1 / won + 1 / lost) ** 0.5 / 2
    assert first.strength.high - first.strength.mean == pytest.approx(reach, rel=1e-4)
    assert found.preferred[0][1] == pytest.approx(max(won, lost) / (won + lost), abs=1e-6)


def test_rows_ties_and_names() -> None:
    rows = [("a", "b"), ("b", "c", 2.0), ("a", "c", 0.5), ("c", "a", 0.5)]
    found = bradley_terry(rows, models=["c", "b", "a", "never"])
    wins = np.array([[0, 0, 0.5, 0], [2, 0, 0, 0], [0.5, 1, 0, 0], [0] * 4])
    same = bradley_terry_of_wins(wins, models=["c", "b", "a", "never"])
    assert [m.model for m in found.models] == [m.model for m in same.models]
    assert [m.strength.mean for m in found.models] == pytest.approx([m.strength.mean for m in same.models])
    assert (found.comparisons, found.units, found.groups) == (4.0, 4, 2)
    never = next(model for model in found.models if model.model == "never")
    assert (never.comparisons, never.wins, never.strength.mean) == (0.0, 0.0, pytest.approx(0.0))


def test_groups_that_no_comparison_joins() -> None:
    chain = [("a", "e"), ("d", "e"), ("d", "b")]
    assert bradley_terry([*chain, ("x", "y")], models=list("abdexyz"), resamples=2).groups == 3
    assert bradley_terry([*chain, ("x", "y"), ("b", "y"), ("z", "x")], resamples=2).groups == 1


def test_an_undefeated_model_is_finite_and_unsure() -> None:
    found = bradley_terry([("a", "b")] * 3 + [("b", "c")] * 3)
    a, _, c = found.models
    assert (a.model, c.model) == ("a", "c")
    assert np.isfinite([a.strength.low, a.strength.high]).all()
    # No draw of these rows shows a loss of a: only the curvature knows that three wins are little.
    assert 0.75 < found.beats[0][1] < 0.99
    more = bradley_terry([("a", "b")] * 30 + [("b", "c")] * 30)
    assert more.beats[0][1] > found.beats[0][1]


def test_raters_are_drawn_whole() -> None:
    # Two camps of raters, each of one mind: rows would say that 100 comparisons agree to differ.
    rows = [("a", "b")] * 60 + [("b", "a")] * 40
    raters = [f"r{i // 20}" for i in range(100)]
    alone, together = bradley_terry(rows), bradley_terry(rows, raters=raters)
    assert together.units == 5
    assert alone.models[0].strength.mean == together.models[0].strength.mean
    wide, narrow = (f.models[0].strength.high - f.models[0].strength.low for f in (together, alone))
    # The share of five raters: standard error (.24 / 4)^.5 = .245 instead of (.24 / 99)^.5 = .049.
    assert wide > 3 * narrow
    assert together.beats[0][1] < alone.beats[0][1]


def test_intervals_of_rows_are_the_binomials() -> None:
    found = bradley_terry([("a", "b")] * 600 + [("b", "a")] * 400, prior=1e-6)
    reach = 1.96 * (1 / 600 + 1 / 400) ** 0.5 / 2
    for model in found.models:
        assert model.strength.high - model.strength.mean == pytest.approx(reach, rel=0.1)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1, max_size=30))
def test_probabilities_add_up(pairs: list[tuple[str, str]]) -> None:
    rows = [(winner, loser) for winner, loser in pairs if winner != loser]
    found = bradley_terry(rows, models=list("abcd"), resamples=20)
    preferred, beats = np.array(found.preferred), np.array(found.beats)
    assert preferred + preferred.T == pytest.approx(np.ones((4, 4)))
    assert beats + beats.T == pytest.approx(np.ones((4, 4)))
    assert (beats[np.triu_indices(4)] >= 0.5 - 1e-9).all()
    means = [model.strength.mean for model in found.models]
    assert sum(means) == pytest.approx(0.0, abs=1e-9)
    assert means == sorted(means, reverse=True)
    for model in found.models:
        assert model.strength.low < model.strength.mean < model.strength.high


def test_nothing_is_known() -> None:
    found = bradley_terry([], models=["a", "b"])
    assert (found.groups, found.units, found.comparisons) == (2, 0, 0.0)
    assert [model.place for model in found.models] == [1, 1]
    assert found.beats == ((0.5, 0.5), (0.5, 0.5))
    assert bradley_terry_of_wins([[0]]).models[0].strength.mean == 0.0
    with pytest.raises(GumptionError, match="no model"):
        bradley_terry([])


def test_seeds_repeat() -> None:
    rows = [("a", "b"), ("b", "a"), ("a", "b"), ("a", "c"), ("c", "b")] * 9
    assert bradley_terry(rows) == bradley_terry(rows)
    assert bradley_terry(rows) != bradley_terry(rows, seed=1)


def test_what_does_not_fit_is_named() -> None:
    for rows, more, message in [
        ([("a", "a")], {}, "row 0"),
        ([("a", "b"), ("a", "b", -1.0)], {}, "row 1"),
        ([("a", "b", float("nan"))], {}, "no comparison"),
        ([("a",)], {}, "no comparison"),
        ([("a", "b")], {"models": ["a"]}, "b not among"),
        ([("a", "b")], {"raters": []}, "0 raters"),
        ([("a", "b")], {"prior": 0.0}, "prior"),
    ]:
        with pytest.raises(GumptionError, match=message):
            bradley_terry(rows, **more)
    for wins, message in [
        ([[0, 1]], "shape"),
        ([[1, 1], [0, 0]], "over itself"),
        ([[0, -1], [0, 0]], "negative"),
        ([["x"]], "not a matrix"),
    ]:
        with pytest.raises(GumptionError, match=message):
            bradley_terry_of_wins(wins)
