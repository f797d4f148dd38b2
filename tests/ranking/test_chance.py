"""Chance adjustment before answer kinds are mixed, worked by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gumption.ranking import adjust_for_chance, rank, rank_adjusted, rank_runs, rank_runs_adjusted, scorecard
from gumption.records import GumptionError, Scored

Row = Callable[..., Scored]
NAN = float("nan")


def test_by_hand() -> None:
    found = adjust_for_chance([[1, 0, 0.5, NAN, 1]], [0.5, 0.25, 0.5, 0.5, 0.0])
    assert found[0] == pytest.approx([1, -1 / 3, 0, NAN, 1], nan_ok=True)
    assert adjust_for_chance([0.625], 0.25) == pytest.approx([0.5])
    assert adjust_for_chance([], 0.25).shape == (0,)


def test_a_guesser_scores_nothing_on_any_mix() -> None:
    rng = np.random.default_rng(1)
    chance = rng.choice([0.0, 0.25, 0.5], 40_000)
    guesses = (rng.random(40_000) < chance).astype(float)
    adjusted = adjust_for_chance(guesses, chance)
    assert adjusted.mean() == pytest.approx(0.0, abs=4 * adjusted.std() / 200)
    # Cut at 0, the same guesser would seem to know something.
    assert np.maximum(adjusted, 0).mean() > 0.2


def test_mixed_kinds_can_change_the_order() -> None:
    # Ten yes-no items (chance .5), ten numbers (chance 0). a: 10 and 2 right, raw .6; b: 5 and 6, raw .55.
    # Adjusted: a (1 + .2) / 2 = .6, b (0 + .6) / 2 = .3. c: 4 and 9, raw .65: adjusted (-.2 + .9) / 2 = .35.
    chance = np.repeat([0.5, 0.0], 10)
    matrix = np.zeros((3, 20))
    for row, (yes, numbers) in enumerate([(10, 2), (5, 6), (4, 9)]):
        matrix[row, :yes], matrix[row, 10 : 10 + numbers] = 1, 1
    raw, adjusted = (
        rank(matrix, models=["a", "b", "c"]),
        rank_adjusted(matrix, chance, models=["a", "b", "c"]),
    )
    assert [model.model for model in raw.models] == ["c", "a", "b"]
    assert [model.model for model in adjusted.models] == ["a", "c", "b"]
    assert [model.score.mean for model in adjusted.models] == pytest.approx([0.6, 0.35, 0.3])
    assert adjusted.aggregate == "micro, chance-adjusted"


def test_strata_and_a_mean_below_chance() -> None:
    matrix = [[0, 0, 0, 1.0], [1, 1, 1, 1.0]]
    found = rank_adjusted(matrix, [0.5, 0.5, 0.5, 0.0], strata=["y", "y", "y", "n"])
    assert [model.score.mean for model in found.models] == pytest.approx([1.0, 0.0])
    assert found.models[1].score.low >= -1.0
    below = rank_adjusted([[0, 0, 1, 0.0], [1, 0, 1, 0.0]], 0.5)
    assert [model.score.mean for model in below.models] == pytest.approx([0.0, -0.5])


@pytest.mark.parametrize("chance", [0.0, 0.25, 0.5])
def test_with_one_chance_only_the_scale_changes(chance: float) -> None:
    rng = np.random.default_rng(2)
    matrix = (rng.random((5, 300)) < np.linspace(0.4, 0.9, 5)[:, None]).astype(float)
    matrix[0, :50] = NAN
    scene = np.arange(300) // 3
    raw, adjusted = rank(matrix, clusters=scene), rank_adjusted(matrix, np.full(300, chance), clusters=scene)
    assert adjusted.beats == raw.beats
    for plain, moved in zip(raw.models, adjusted.models, strict=True):
        assert (moved.model, moved.rank_low, moved.rank_high, moved.tier, moved.score.method) == (
            plain.model, plain.rank_low, plain.rank_high, plain.tier, plain.score.method
        )  # fmt: skip
        ends = [
            (end - chance) / (1 - chance) for end in (plain.score.low, plain.score.mean, plain.score.high)
        ]
        assert [moved.score.low, moved.score.mean, moved.score.high] == pytest.approx(ends)


def test_intervals_on_mixed_kinds_cover() -> None:
    truth = np.r_[np.full(60, 0.75), np.full(60, 0.4)]
    chance = np.r_[np.full(60, 0.5), np.zeros(60)]
    expected, hits, runs = ((0.75 - 0.5) / 0.5 + 0.4) / 2, 0, 400
    for run in range(runs):
        rng = np.random.default_rng(run)
        (model,) = rank_adjusted([rng.random(120) < truth], chance, resamples=300).models
        hits += model.score.low <= expected <= model.score.high
    assert 0.93 - 0.022 <= hits / runs <= 0.985


def test_runs_are_ranked_by_adjusted_scores(row: Row, write_run: Callable[..., Path]) -> None:
    def run(name: str, yes: int, numbers: int) -> Path:
        rows = [row(f"y{i}", float(i < yes), chance=0.5, category="yes_no") for i in range(10)]
        rows += [row(f"n{i}", float(i < numbers), category="number") for i in range(10)]
        return write_run(name, rows, protocol={"prompt": "v1"})

    a, b, c = run("a", 10, 2), run("b", 5, 6), run("c", 4, 9)
    assert [model.model for model in rank_runs([a, b, c]).models] == ["c", "a", "b"]
    found = rank_runs_adjusted([a, b, c])
    assert [(m.model, m.score.mean) for m in found.models] == [
        ("a", pytest.approx(0.6)), ("c", pytest.approx(0.35)), ("b", pytest.approx(0.3))
    ]  # fmt: skip
    assert found.aggregate == "micro, chance-adjusted"
    # Within one kind it is the scorecard's figure.
    card = {one.name: one.adjusted.mean for one in scorecard(c).categories}
    assert card == {"number": pytest.approx(0.9), "yes_no": pytest.approx(-0.2)}


def test_an_aggregate_of_a_part_has_no_chance(row: Row, write_run: Callable[..., Path]) -> None:
    official = {"name": "order", "part": "order"}
    folder = write_run("a", [row("1", 1.0)], official=official)
    with pytest.raises(GumptionError, match="its chance is not known"):
        rank_runs_adjusted([folder])


def test_degenerate_input() -> None:
    silent = rank_adjusted([[NAN, NAN], [1, 0]], 0.5)
    assert (silent.models[1].score.mean, silent.models[0].score.mean) == (None, pytest.approx(0.0))
    same = rank_adjusted(np.ones((3, 30)), 0.25)
    assert [model.rank for model in same.models] == [1, 1, 1]
    assert all(model.score.low < model.score.mean <= model.score.high for model in same.models)
    for chance, message in [(1.0, "missing or 1"), ([0.5, NAN], "position 1"), ([0.5], "chance of shape")]:
        with pytest.raises(GumptionError, match=message):
            adjust_for_chance([1.0, 0.0], chance)
    with pytest.raises(GumptionError, match="is not a score"):
        adjust_for_chance([1.0], -0.5)
    with pytest.raises(GumptionError, match="no model has a score"):
        rank_adjusted([[NAN]], 0.5)
