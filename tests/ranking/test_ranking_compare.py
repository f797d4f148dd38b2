"""Paired comparisons against scipy, by hand, and between run folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gumption.ranking import compare
from gumption.records import GumptionError, Scored

Row = Callable[..., Scored]
NAN = float("nan")


def test_counts_by_hand() -> None:
    a = [1.0, 1.0, 0.0, 0.5, 1.0, NAN, NAN, 0.2]
    b = [0.0, 1.0, 1.0, 0.25, 0.0, 1.0, NAN, NAN]
    result = compare(a, b)
    assert (result.n, result.only_a, result.only_b) == (5, 1, 1)
    assert (result.wins, result.losses, result.ties) == (3, 1, 1)
    assert (result.mean_a, result.mean_b) == pytest.approx((3.5 / 5, 2.25 / 5))
    assert result.difference.mean == pytest.approx(0.25)


@pytest.mark.parametrize("pairs", [5, 25])
def test_few_pairs_are_the_paired_t_test(pairs: int) -> None:
    rng = np.random.default_rng(1)
    a, b = 0.4 + 0.2 * rng.random((2, pairs))
    result, theirs = compare(a, b), stats.ttest_rel(a, b)
    low, high = theirs.confidence_interval()
    assert result.difference.method == "t"
    assert (result.difference.low, result.difference.high) == pytest.approx((low, high))
    one_sided = stats.ttest_rel(a, b, alternative="greater").pvalue
    assert result.p_better == pytest.approx(1 - one_sided)


def test_many_pairs_have_the_paired_standard_error_not_the_unpaired() -> None:
    rng = np.random.default_rng(2)
    base = rng.random(2000) * 0.8
    a, b = base + 0.01 + 0.1 * rng.random(2000), base + 0.1 * rng.random(2000)
    result = compare(a, b)
    error = stats.sem(a - b)
    assert result.difference.method == "bootstrap"
    assert (result.difference.high - result.difference.low) == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert result.p_better == pytest.approx(stats.norm.cdf((a - b).mean() / error), abs=0.01)


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, (2, 60)).astype(float)
    each = compare(a, b)
    copies = compare(np.repeat(a, 9), np.repeat(b, 9), clusters=np.repeat(np.arange(60), 9))
    width = each.difference.high - each.difference.low
    assert copies.difference.high - copies.difference.low == pytest.approx(width, rel=0.05)
    assert (copies.n, copies.clusters) == (540, 60)


def test_resamples_without_a_difference_count_half() -> None:
    gap = np.r_[np.ones(10), -np.ones(10), np.zeros(180)]
    result = compare(np.clip(gap, 0, 1), np.clip(-gap, 0, 1), resamples=10_000)
    assert result.difference.method == "bootstrap"
    assert result.p_better == pytest.approx(0.5, abs=0.02)


def test_swapping_the_two_turns_the_sign() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.random((2, 30))
    there, back = compare(a, b), compare(b, a)
    assert there.difference.low == pytest.approx(-back.difference.high)
    assert there.p_better == pytest.approx(1 - back.p_better)
    assert (there.wins, there.losses) == (back.losses, back.wins)


def test_equal_runs_are_a_coin_toss_within_agresti_and_mins_interval() -> None:
    # No discordant pair among 100: half a win and half a loss of 102 pairs, standard error 1 / 102.
    a = np.r_[np.ones(60), np.zeros(40)]
    result = compare(a, a)
    reach = stats.t.ppf(0.975, 99) / 102
    assert result.difference.mean == 0.0
    assert (result.difference.low, result.difference.high) == pytest.approx((-reach, reach))
    assert result.p_better == pytest.approx(0.5)


def test_agresti_and_min_with_a_few_discordant_pairs() -> None:
    # 4 wins, 1 loss, 95 ties: (4.5 + 1.5) events, difference 3 of 102 pairs.
    gap = np.r_[np.ones(4), -np.ones(1), np.zeros(95)]
    result = compare(np.clip(gap, 0, 1), np.clip(-gap, 0, 1))
    centre = 3 / 102
    error = ((6 / 102 - centre**2) / 102) ** 0.5
    reach = stats.t.ppf(0.975, 99) * error
    # The unbiased variance of the 100 pairs (n - 1) makes ours wider by less than 1 %.
    assert result.difference.low == pytest.approx(centre - reach, abs=0.01 * reach)
    assert result.difference.high == pytest.approx(centre + reach, abs=0.01 * reach)
    assert result.difference.mean == pytest.approx(0.03)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 0.5, NAN]), st.sampled_from([0.0, 1.0, 1 / 3, NAN])),
        min_size=1,
        max_size=80,
    ),
    st.integers(1, 9),
)
def test_never_zero_width_and_always_around_the_mean(rows: list[tuple[float, float]], scenes: int) -> None:
    a, b = zip(*rows, strict=True)
    result = compare(a, b, clusters=np.arange(len(rows)) % (scenes * 9), resamples=50)
    assert result.wins + result.losses + result.ties == result.n
    if not result.n:
        assert (result.p_better, result.difference.mean, result.mean_a) == (None, None, None)
        return
    assert -1.0 <= result.difference.low <= result.difference.mean <= result.difference.high <= 1.0
    assert result.difference.low < result.difference.high
    assert 0.0 <= result.p_better <= 1.0


def test_intervals_of_a_difference_cover() -> None:
    runs, hits = 400, 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        hard = rng.random(50)
        a, b = (rng.random((50, 6)) < 0.7 * hard[:, None] + lift for lift in (0.15, 0.05))
        result = compare(
            a.ravel().astype(float),
            b.ravel().astype(float),
            clusters=np.repeat(np.arange(50), 6),
            resamples=300,
        )
        hits += result.difference.low <= 0.1 <= result.difference.high
    assert 0.93 - 0.022 <= hits / runs <= 0.97 + 0.022


def test_arrays_that_do_not_fit_are_named() -> None:
    with pytest.raises(GumptionError, match="not aligned"):
        compare([1.0, 0.0], [1.0])
    with pytest.raises(GumptionError, match=r"^b, position 0: 55\.0 is not") as caught:
        compare([0.5], [55.0])
    assert "percent" in caught.value.remedy
    with pytest.raises(GumptionError, match="one is a run folder"):
        compare("run", [1.0])


def test_run_folders_are_joined_by_item_with_epochs_averaged(
    row: Row, write_run: Callable[..., Path]
) -> None:
    ours = [
        row("1", 1.0),
        row("1", 0.0, epoch=1),
        row("2", 1.0),
        row("3", 1.0),
        row("4"),
        row("1", 1.0, benchmark="b"),
    ]
    theirs = [row("2", 0.0), row("1", 0.5), row("4", 1.0), row("5", 1.0), row("1", 1.0, benchmark="b")]
    a = write_run("a", ours, protocol={"prompt": "v1", "model": {"id": "x"}})
    b = write_run("b", theirs, protocol={"prompt": "v1", "model": {"id": "y"}})
    result = compare(a, str(b))
    assert (result.a, result.b, result.n, result.only_a, result.only_b) == ("a", "b", 3, 1, 2)
    assert (result.wins, result.losses, result.ties) == (1, 0, 2)
    assert (result.mean_a, result.mean_b) == pytest.approx((2.5 / 3, 1.5 / 3))
    assert result.differences == ()


def test_run_folders_know_their_scenes(row: Row, write_run: Callable[..., Path]) -> None:
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 2, (2, 200)).astype(float)
    a, b = (
        write_run(name, [row(str(i), v, cluster=f"s{i // 4}") for i, v in enumerate(values)])
        for name, values in zip("ab", scores, strict=True)
    )
    expected = compare(*scores, clusters=np.arange(200) // 4)
    assert compare(a, b).difference == expected.difference


def test_runs_of_different_protocols_are_refused(row: Row, write_run: Callable[..., Path]) -> None:
    plain = {"prompt": "v1", "decode": {"temperature": 0, "top_p": 1}, "model": {"id": "x"}}
    other = {"prompt": "v1", "decode": {"temperature": 1, "top_p": 1}, "seed": 3, "model": {"id": "y"}}
    a = write_run("a", [row("1", 1.0)], protocol=plain)
    b = write_run("b", [row("1", 1.0)], protocol=other)
    with pytest.raises(GumptionError) as caught:
        compare(a, b)
    assert "decode.temperature: 0 in a, 1 in b" in caught.value.problem
    assert "seed: absent in a, 3 in b" in caught.value.problem
    assert "top_p" not in caught.value.problem
    assert "model" not in caught.value.problem
    forced = compare(a, b, force=True)
    assert forced.differences == ("decode.temperature: 0 in a, 1 in b", "seed: absent in a, 3 in b")
    assert msgspec.json.decode(msgspec.json.encode(forced), type=type(forced)) == forced
