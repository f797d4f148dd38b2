"""The resampling itself."""

from __future__ import annotations

import numpy as np
import pytest

from gumption.ranking._design import lay_out, resample_rows


@pytest.mark.parametrize("clusters", [100, 5_000, 80_000])
def test_draws_spread_like_the_mean_pooled_or_not(clusters: int) -> None:
    values = np.random.default_rng(clusters).random((2, clusters))
    drawn = lay_out(values).draws(4_000, seed=1)
    assert drawn.shape == (4_000, 2)
    error = values.std(axis=1) / clusters**0.5
    assert drawn.mean(axis=0) == pytest.approx(values.mean(axis=1), abs=0.1 * error.max())
    assert drawn.std(axis=0) == pytest.approx(error, rel=0.05)
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(np.corrcoef(values)[0, 1], abs=0.1)


def test_sums_of_clusters_and_strata_by_hand() -> None:
    design = lay_out(
        [[1.0, 0.0, 0.5, np.nan, 1.0], [0.0, np.nan, 1.0, np.nan, 1.0]],
        clusters=["p", "q", "p", "q", "p"],
        strata=["x", "x", "y", "y", "x"],
    )
    assert design.sums.tolist() == [[2.0, 1.0], [0.0, 0.0], [0.5, 1.0]]
    assert design.counts.tolist() == [[2.0, 2.0], [1.0, 0.0], [1.0, 1.0]]
    assert design.means().tolist() == pytest.approx([(2 / 3 + 0.5) / 2, 0.75])


def test_spread_of_unequal_clusters_has_fewer_degrees_of_freedom() -> None:
    equal = lay_out([np.linspace(0, 1, 40)], clusters=np.repeat(np.arange(10), 4)).spread()
    unequal = lay_out([np.linspace(0, 1, 40)], clusters=np.r_[np.zeros(31), np.arange(1, 10)]).spread()
    assert equal.dof == pytest.approx(9)
    assert unequal.dof < 5
    assert (equal.items, equal.clusters) == (pytest.approx(40), 10)


def test_variance_is_nearly_unbiased_for_unequal_clusters() -> None:
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(12), rng.integers(1, 9, 12))
    spreads = [lay_out([rng.random(len(cluster))], clusters=cluster).spread() for _ in range(2_000)]
    true = 1 / 12 / len(cluster)
    assert np.mean([s.variance for s in spreads]) == pytest.approx(true, rel=0.04)
    assert np.var([s.mean for s in spreads]) == pytest.approx(true, rel=0.1)
    # A chi-square over its degrees of freedom has variance 2 / dof.
    relative = np.var([s.variance for s in spreads]) / true**2
    assert relative == pytest.approx(2 / spreads[0].dof, rel=0.3)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("clusters", [40, 30_000])
def test_rows_read_by_blocks_give_what_the_whole_gives(kind: type, clusters: int, monkeypatch) -> None:
    rng = np.random.default_rng(3)
    matrix = (rng.random((7, 60_000)) < 0.4).astype(kind)
    matrix[2, ::3] = np.nan
    matrix[5] = np.nan
    labels, strata = rng.integers(0, clusters, 60_000), rng.integers(0, 3, 60_000)
    whole = lay_out(matrix, clusters=labels, strata=strata)
    monkeypatch.setattr("gumption.ranking._frame.CELLS", 2 * 60_000)
    means, spreads, drawn, from_clusters = resample_rows(
        matrix, clusters=labels, strata=strata, weights=None, resamples=50, seed=4
    )
    assert from_clusters == whole.clusters
    assert means == pytest.approx(whole.means(), nan_ok=True)
    assert drawn == pytest.approx(whole.draws(50, 4), nan_ok=True)
    assert spreads[5] is None
    assert spreads[2].variance == pytest.approx(whole.spread(2).variance)
