"""All pairs of models and slices of two, against scipy and statsmodels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gumption.ranking import all_pairs, all_pairs_of_runs, compare, compare_slices, holm
from gumption.ranking._design import lay_out
from gumption.ranking._paired import gap_tests
from gumption.records import Aggregate, GumptionError, Scored

Row = Callable[..., Scored]
NAN = float("nan")


@pytest.mark.parametrize("tests", [1, 2, 5, 30])
def test_holm_is_that_of_statsmodels(tests: int) -> None:
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(tests)
    for p_values in (rng.random(tests), np.round(rng.random(tests) ** 4, 2), np.zeros(tests), np.ones(tests)):
        assert holm(p_values.tolist()) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())


def test_holm_by_hand_with_a_pair_that_is_no_test() -> None:
    # .01 x 3; .04 x 1 would fall below .03 x 2 and takes its place.
    assert holm([0.04, None, 0.01, 0.03]) == [
        pytest.approx(0.06),
        None,
        pytest.approx(0.03),
        pytest.approx(0.06),
    ]
    assert holm([]) == []
    assert holm([None]) == [None]


def test_p_values_are_the_paired_t_tests() -> None:
    matrix = np.random.default_rng(1).random((4, 60))
    pairs = all_pairs(matrix, models=["a", "b", "c", "d"])
    assert [(pair.a, pair.b) for pair in pairs.pairs] == [
        ("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")
    ]  # fmt: skip
    first, second = np.triu_indices(4, 1)
    theirs = [stats.ttest_rel(matrix[i], matrix[j]).pvalue for i, j in zip(first, second, strict=True)]
    assert [pair.p for pair in pairs.pairs] == pytest.approx(theirs)


def test_p_values_of_equal_clusters_are_those_of_statsmodels() -> None:
    from statsmodels.api import OLS

    rng = np.random.default_rng(2)
    scene = np.repeat(np.arange(25), 4)
    matrix = np.clip(rng.random((2, 100)) * 0.5 + 0.5 * rng.random((2, 25))[:, scene], 0, 1)
    (pair,) = all_pairs(matrix, clusters=scene).pairs
    gap = matrix[0] - matrix[1]
    fit = OLS(gap, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": scene}, use_t=True)
    assert pair.difference.mean == pytest.approx(fit.params[0])
    assert pair.p == pytest.approx(fit.pvalues[0])
    assert (pair.difference.low, pair.difference.high) == pytest.approx(tuple(fit.conf_int()[0]))
    assert pair.mcnemar is None


@pytest.mark.parametrize("clustered", [False, True])
def test_each_pair_is_what_compare_finds(clustered: bool) -> None:
    rng = np.random.default_rng(3)
    matrix = (rng.random((3, 300)) < [[0.5], [0.6], [0.65]]).astype(float)
    scene = np.arange(300) // 3 if clustered else None
    for pair in all_pairs(matrix, clusters=scene).pairs:
        alone = compare(matrix[int(pair.a)], matrix[int(pair.b)], clusters=scene)
        assert pair.difference == alone.difference
        assert (pair.p, pair.p_better, pair.n) == (alone.p, alone.p_better, alone.n)


def test_a_pair_is_over_its_own_common_items() -> None:
    rng = np.random.default_rng(4)
    matrix = rng.random((3, 30))
    matrix[0, :7], matrix[1, 3:12], matrix[2, 25:] = NAN, NAN, NAN
    for pair in all_pairs(matrix).pairs:
        a, b = matrix[int(pair.a)], matrix[int(pair.b)]
        both = ~np.isnan(a + b)
        assert pair.n == both.sum()
        assert pair.p == pytest.approx(stats.ttest_rel(a[both], b[both]).pvalue)


@pytest.mark.parametrize(("wins", "losses", "ties"), [(10, 2, 50), (30, 30, 1), (0, 6, 9), (0, 0, 12)])
def test_mcnemar_is_the_exact_one_of_statsmodels(wins: int, losses: int, ties: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    gap = np.r_[np.ones(wins), -np.ones(losses), np.zeros(ties)]
    (pair,) = all_pairs(np.clip([gap, -gap], 0, 1)).pairs
    assert pair.mcnemar == pytest.approx(mcnemar([[ties, wins], [losses, 0]], exact=True).pvalue)


def test_mcnemar_only_stands_where_it_holds() -> None:
    binary = np.random.default_rng(5).integers(0, 2, (2, 40)).astype(float)
    half = binary.copy()
    half[0, 0] = 0.5
    labels = np.arange(40) // 2
    assert all_pairs(binary).pairs[0].mcnemar is not None
    assert all_pairs(half).pairs[0].mcnemar is None
    assert all_pairs(binary, clusters=labels).pairs[0].mcnemar is None
    assert all_pairs(binary, strata=labels % 2).pairs[0].mcnemar is None


def test_macro_differences_weigh_strata_alike() -> None:
    matrix = np.array([[1, 1, 0, 1, 0, 0, 1, 1.0], [0, 1, 0, 0, 0, 1, 0, 0.0]])
    strata = [0, 0, 0, 0, 0, 0, 1, 1]
    pairs = all_pairs(matrix, strata=strata)
    assert pairs.pairs[0].difference.mean == pytest.approx((1 / 6 + 1) / 2)
    assert pairs.aggregate == "macro"


def test_equal_models_are_rarely_told_apart_whatever_their_number() -> None:
    # Twelve equal models, 66 pairs: without correction some pair falls below .05 nearly always.
    rng = np.random.default_rng(6)
    corrected = plain = 0
    for _ in range(60):
        pairs = all_pairs((rng.random((12, 150)) < 0.5).astype(float), resamples=50)
        corrected += pairs.apart > 0
        plain += any(pair.p < 0.05 for pair in pairs.pairs)
    assert corrected / 60 <= 0.05 + 2 * (0.05 * 0.95 / 60) ** 0.5
    assert plain / 60 > 0.5


def test_degenerate_models() -> None:
    same = all_pairs(np.ones((2, 50))).pairs[0]
    assert (same.p, same.mcnemar, same.apart) == (pytest.approx(1.0), 1.0, False)
    assert same.difference.low < 0.0 < same.difference.high
    assert all_pairs([[0.3, 0.4]]).pairs == ()
    apart = all_pairs([[0.3, NAN], [NAN, 0.4], [NAN, NAN]])
    assert [pair.n for pair in apart.pairs] == [0, 0, 0]
    assert all(pair.p is pair.p_holm is pair.p_better is pair.mcnemar is None for pair in apart.pairs)
    assert apart.apart == 0
    assert all_pairs([[1.0, NAN], [0.0, 1.0]]).pairs[0].difference.high == 1.0


def test_what_does_not_fit_is_named() -> None:
    for bad, message in [
        ({"models": ["a"]}, "1 names"),
        ({"level": 0.0}, "level"),
        ({"clusters": [1]}, "labels for"),
    ]:
        with pytest.raises(GumptionError, match=message):
            all_pairs(np.ones((2, 3)), **bad)
    with pytest.raises(GumptionError, match="shape"):
        all_pairs([0.5])


def test_runs_are_compared_by_their_official_aggregate(row: Row, write_run: Callable[..., Path]) -> None:
    official = {"name": "macro over category", "by": "category"}
    a, b = (
        write_run(
            name,
            [row(str(i), v, category="x" if i < 6 else "y") for i, v in enumerate(values)],
            official=official,
            protocol={"prompt": "v1"},
        )
        for name, values in [("a", [1, 1, 0, 1, 0, 0, 1, 1.0]), ("b", [0, 1, 0, 0, 0, 1, 0, 0.0])]
    )
    pairs = all_pairs_of_runs([a, b])
    assert (pairs.models, pairs.aggregate) == (("a", "b"), Aggregate("macro over category").name)
    assert pairs.pairs[0].difference.mean == pytest.approx((1 / 6 + 1) / 2)
    other = write_run("c", [row("1", 1.0)], protocol={"prompt": "v2"}, official=official)
    with pytest.raises(GumptionError, match="different protocols"):
        all_pairs_of_runs([a, other])
    assert all_pairs_of_runs([a, other], force=True).differences
    with pytest.raises(GumptionError, match="no run"):
        all_pairs_of_runs([])


def test_slices_are_compared_each_and_corrected_together() -> None:
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(7)
    a, b = rng.random((2, 90))
    labels = np.array(["see", "plan", ""])[np.arange(90) % 3]
    found = compare_slices(a, b, labels=labels)
    assert [one.name for one in found.slices] == ["plan", "see"]
    p_values = [stats.ttest_rel(a[labels == one.name], b[labels == one.name]).pvalue for one in found.slices]
    assert [one.comparison.p for one in found.slices] == pytest.approx(p_values)
    assert [one.p_holm for one in found.slices] == pytest.approx(multipletests(p_values, method="holm")[1])
    assert found.total == compare(a, b)
    assert found.unlabelled == 30
    with pytest.raises(GumptionError, match="without labels"):
        compare_slices(a, b)
    with pytest.raises(GumptionError, match="labels of shape"):
        compare_slices(a, b, labels=["x"])


def test_slices_of_run_folders(row: Row, write_run: Callable[..., Path]) -> None:
    runs = [
        write_run(
            name,
            [
                row(str(i), float(v), dimension="see" if i < 4 else "plan", cluster=f"s{i % 2}")
                for i, v in enumerate(values)
            ],
        )
        for name, values in [("a", [1, 1, 1, 1, 0, 0]), ("b", [0, 1, 0, 1, 0, 1])]
    ]
    found = compare_slices(*runs)
    assert [(one.name, one.comparison.n) for one in found.slices] == [("plan", 2), ("see", 4)]
    assert [one.comparison.difference.mean for one in found.slices] == pytest.approx([-0.5, 0.5])
    assert [one.comparison.clusters for one in found.slices] == [2, 2]
    assert not compare_slices(*runs, by="category").slices
    with pytest.raises(GumptionError, match="labels were given"):
        compare_slices(*runs, labels=["x"] * 6)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        ("zeroeval_crux", 0.74),
        ("visonlyqa_noreason", 0.85),
        ("mathvista_testmini", 0.86),
        ("blink_val", 0.93),
        ("logicvista", 1.00),
    ],
)
def test_pairing_narrows_the_error_as_the_reference_found(public_data: Path, name: str, ratio: float) -> None:
    with np.load(public_data / "response_matrices" / f"{name}.npz", allow_pickle=False) as file:
        scores = file["X"].astype(np.float64)
    first, second = np.triu_indices(len(scores), 1)
    tests = gap_tests(lay_out(scores[first] - scores[second]))
    paired = np.array([test.spread.variance for test in tests])
    alone = scores.var(axis=1, ddof=1) / scores.shape[1]
    assert np.median(np.sqrt(paired / (alone[first] + alone[second]))) == pytest.approx(ratio, abs=0.006)
