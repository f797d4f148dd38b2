"""Rankings: order, ties, tiers, missing scores and run folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy import stats

from gumption.ranking import interval, rank, rank_runs
from gumption.records import GumptionError, Scored

Row = Callable[..., Scored]


def of_skill(*skills: float, items: int = 400, seed: int = 0) -> np.ndarray:
    """Models that answer independently with the given chances of being right."""
    draws = np.random.default_rng(seed).random((len(skills), items))
    return (draws < np.array(skills)[:, None]).astype(float)


def test_order_means_and_names() -> None:
    matrix = of_skill(0.3, 0.9, 0.6)
    result = rank(matrix, models=["low", "high", "mid"])
    assert [m.model for m in result.models] == ["high", "mid", "low"]
    assert [m.rank for m in result.models] == [1, 2, 3]
    assert [m.tier for m in result.models] == [1, 2, 3]
    assert [m.score.mean for m in result.models] == pytest.approx(matrix.mean(axis=1)[[1, 2, 0]])
    assert all((m.rank_low, m.rank_high) == (m.rank, m.rank) for m in result.models)
    assert (result.items, result.clusters, result.aggregate) == (400, 400, "micro")


def test_a_models_interval_is_the_interval_of_its_scores() -> None:
    matrix = of_skill(0.5, 0.97, items=200)
    matrix[0, :30] = np.nan
    strata = np.arange(200) % 3
    result = rank(matrix, strata=strata, resamples=4000)
    for model, row in zip(result.models, (1, 0), strict=True):
        alone = interval(matrix[row], strata=strata, resamples=4000)
        assert model.score.mean == pytest.approx(alone.mean)
        assert model.score.method == alone.method
        assert (model.score.low, model.score.high) == pytest.approx((alone.low, alone.high), abs=0.01)


def test_identical_models_share_a_rank_and_are_a_coin_toss() -> None:
    one = of_skill(0.5)[0]
    result = rank([one, one, 1 - one * 0.9])
    assert [m.rank for m in result.models] == [1, 2, 2]
    assert [(m.rank_low, m.rank_high) for m in result.models[1:]] == [(2, 3), (2, 3)]
    assert result.models[1].tier == result.models[2].tier
    assert result.beats[1][2] == result.beats[2][1] == 0.5


def test_beats_is_a_pairing_and_near_the_normal_probability() -> None:
    matrix = of_skill(0.55, 0.52, 0.50, items=600)
    result = rank(matrix, resamples=5000)
    beats = np.array(result.beats)
    assert beats + beats.T == pytest.approx(np.ones((3, 3)))
    best, second = (matrix[int(m.model)] for m in result.models[:2])
    z = (best - second).mean() / stats.sem(best - second)
    assert beats[0, 1] == pytest.approx(stats.norm.cdf(z), abs=0.02)


def test_models_share_each_draw_so_pairing_counts() -> None:
    # 12 wins and no loss among items both get right or wrong: sure, though the two intervals overlap.
    base = of_skill(0.5, items=400)[0]
    better = base.copy()
    better[np.flatnonzero(base == 0)[:12]] = 1.0
    result = rank([base, better])
    assert result.models[0].score.low < result.models[1].score.high
    assert result.beats[0][1] > 0.999
    assert [m.tier for m in result.models] == [1, 2]


def test_a_tier_starts_where_its_best_is_beaten_surely() -> None:
    # Steps of one standard error of a difference: neighbours are not told apart, the ends are.
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.05, (4, 900))
    noise -= noise.mean(axis=1, keepdims=True)
    step = 0.05 * 2**0.5 / 30
    matrix = 0.5 + noise - 1.3 * step * np.arange(4)[:, None]
    result = rank(matrix, resamples=4000)
    assert [m.model for m in result.models] == ["0", "1", "2", "3"]
    # z = 1.3 to the next, 2.6 to the one after: P = .90, .995.
    assert [m.tier for m in result.models] == [1, 1, 2, 2]
    assert all(m.rank_low <= m.rank <= m.rank_high for m in result.models)
    assert result.models[1].rank_low == 1


def test_clusters_are_drawn_whole() -> None:
    matrix = of_skill(0.52, 0.48, items=100, seed=3)
    alone = rank(matrix, resamples=4000)
    copied = rank(np.repeat(matrix, 10, axis=1), clusters=np.repeat(np.arange(100), 10), resamples=4000)
    blind = rank(np.repeat(matrix, 10, axis=1), resamples=4000)
    assert copied.beats[0][1] == pytest.approx(alone.beats[0][1], abs=0.03)
    assert blind.beats[0][1] > copied.beats[0][1]
    assert (copied.clusters, blind.clusters) == (100, 1000)


def test_strata_and_weights_decide_the_order() -> None:
    # "a" is better on the one item of x, "b" on the three of y.
    matrix = np.repeat([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0]], 20, axis=1)
    strata = np.repeat(list("xyyy"), 20)
    assert rank(matrix, models=["a", "b"]).models[0].model == "b"
    macro = rank(matrix, models=["a", "b"], strata=strata)
    assert [m.rank for m in macro.models] == [1, 1]
    weighted = rank(matrix, models=["a", "b"], strata=strata, weights={"x": 3, "y": 1})
    assert [(m.model, m.score.mean) for m in weighted.models] == [("a", 0.75), ("b", 0.25)]


def test_missing_scores_lower_coverage_and_flag_never_the_mean() -> None:
    matrix = of_skill(0.8, 0.4, 0.6, items=200)
    matrix[1, ::10] = np.nan
    matrix[2, :4] = np.nan
    result = rank(matrix)
    by_name = {m.model: m for m in result.models}
    assert [by_name[n].n for n in "012"] == [200, 180, 196]
    assert [by_name[n].coverage for n in "012"] == [1.0, 0.9, 0.98]
    assert [by_name[n].flagged for n in "012"] == [False, True, False]
    assert by_name["1"].score.mean == pytest.approx(np.nanmean(matrix[1]))


def test_a_model_with_two_scores_is_still_compared_in_every_draw() -> None:
    matrix = np.vstack([np.full(60, np.nan), of_skill(0.5, items=60)])
    matrix[0, :2] = [0.0, 1.0]
    beats = np.array(rank(matrix).beats)
    assert beats + beats.T == pytest.approx(np.ones((2, 2)))


def test_a_model_without_a_score_stands_last_and_nothing_is_said_of_it() -> None:
    matrix = np.vstack([np.full(50, np.nan), of_skill(0.9, 0.1, items=50)])
    result = rank(matrix)
    last = result.models[-1]
    assert (last.model, last.score.mean, last.rank, last.rank_low, last.rank_high) == ("0", None, 3, 1, 3)
    assert (last.n, last.coverage, last.flagged, last.tier) == (0, 0.0, True, 3)
    assert result.beats[0][2] == result.beats[2][0] == 0.5


def test_one_model_one_item_and_the_same_seed() -> None:
    only = rank([[1.0]]).models[0]
    assert (only.rank, only.rank_low, only.rank_high, only.tier) == (1, 1, 1, 1)
    assert only.score.low < only.score.mean == 1.0
    matrix = of_skill(0.5, 0.51, items=90)
    assert rank(matrix, seed=1) == rank(matrix, seed=1)
    assert rank(matrix, seed=1) != rank(matrix, seed=2)


def test_bad_matrices_are_named() -> None:
    with pytest.raises(GumptionError, match="shape"):
        rank([1.0, 0.0])
    with pytest.raises(GumptionError, match=r"70\.0"):
        rank([[70.0, 0.0]])
    with pytest.raises(GumptionError, match="names"):
        rank([[1.0], [0.0]], models=["a", "a"])
    with pytest.raises(GumptionError, match="no model has a score"):
        rank([[np.nan]])
    with pytest.raises(GumptionError, match="labels for 2"):
        rank([[1.0, 0.0]], clusters=["a"])


def test_runs_are_ranked_by_their_official_aggregate(row: Row, write_run: Callable[..., Path]) -> None:
    def rows(x: list[float], y: list[float]) -> list[Scored]:
        return [row(f"x{i}", v, category="x") for i, v in enumerate(x)] + [
            row(f"y{i}", v, category="y") for i, v in enumerate(y)
        ]

    official = {"name": "macro over 2", "by": "category"}
    a = write_run("a", rows([1.0] * 10, [0.0] * 20 + [1.0] * 10), official=official)
    b = write_run("b", rows([0.0] * 10, [1.0] * 30)[::-1], official=official)
    c = write_run("c", rows([0.0] * 10, [1.0] * 15), official=official)
    result = rank_runs([b, str(a), c])
    assert [(m.model, m.n, m.flagged) for m in result.models] == [
        ("a", 40, False),
        ("b", 40, False),
        ("c", 25, True),
    ]
    assert [m.score.mean for m in result.models] == pytest.approx([(1 + 1 / 3) / 2, 0.5, 0.5])
    assert (result.aggregate, result.items, result.clusters) == ("macro over 2", 40, 40)
    assert msgspec.json.decode(msgspec.json.encode(result), type=type(result)) == result


def test_runs_of_different_protocols_are_refused(row: Row, write_run: Callable[..., Path]) -> None:
    a = write_run("a", [row("1", 1.0)], protocol={"prompt": "v1"})
    b = write_run("b", [row("1", 1.0)], protocol={"prompt": "v2"})
    c = write_run(
        "c", [row("1", 1.0)], protocol={"prompt": "v1"}, official={"name": "macro", "by": "category"}
    )
    with pytest.raises(GumptionError, match='prompt: "v1" in a, "v2" in b'):
        rank_runs([a, b])
    with pytest.raises(GumptionError, match="official: null in a"):
        rank_runs([a, c])
    assert len(rank_runs([a, b, c], force=True).differences) >= 2
    with pytest.raises(GumptionError, match="no run"):
        rank_runs([])


def test_runs_of_one_model_keep_their_folders_apart(row: Row, write_run: Callable[..., Path]) -> None:
    folders = [write_run(name, [row("1", 1.0)], model="same") for name in ("first", "second")]
    assert {m.model for m in rank_runs(folders).models} == {f"same ({folder})" for folder in folders}


@pytest.mark.data
def test_blink_ranking_as_published(public_data: Path) -> None:
    blink = np.load(public_data / "response_matrices" / "blink_val.npz")
    result = rank(blink["X"].astype(float), models=[str(m) for m in blink["models"]], strata=blink["groups"])
    assert (result.models[0].model, round(result.models[0].score.mean or 0, 4)) == ("GPT4o", 0.6004)
    by_name = {m.model: m for m in result.models}
    assert round(by_name["GPT4V"].score.mean or 0, 4) == 0.5109
    assert result.models[0].rank_high == 1
