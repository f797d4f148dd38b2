"""How often 95 % intervals hold the true mean, by simulation.

Bounds are widened by two standard errors of the simulated share.
"""

from __future__ import annotations

import numpy as np
import pytest

from gumption.ranking import interval

RUNS = 500
SLACK = 2 * (0.05 * 0.95 / RUNS) ** 0.5


def covered(mean: float, clusters: int, size: int, correlation: float, strata: int) -> float:
    """Share of runs whose interval holds `mean`: beta-binomial clusters, items spread over strata."""
    rng = np.random.default_rng([int(1000 * mean), clusters, size, strata])
    hits = 0
    for run in range(RUNS):
        if correlation:
            spread = 1.0 / correlation - 1.0
            ability = rng.beta(mean * spread, (1 - mean) * spread, clusters)
        else:
            ability = np.full(clusters, mean)
        cluster = np.repeat(np.arange(clusters), size)
        values = (rng.random(clusters * size) < ability[cluster]).astype(float)
        stratum = rng.permutation(clusters * size) % strata
        result = interval(
            values,
            clusters=cluster if size > 1 else None,
            strata=stratum if strata > 1 else None,
            resamples=300,
            seed=run,
        )
        hits += result.low <= mean <= result.high
    return hits / RUNS


@pytest.mark.parametrize("mean", [0.1, 0.4, 0.9])
@pytest.mark.parametrize(
    ("clusters", "size", "correlation", "strata"),
    [
        pytest.param(20, 10, 0.3, 1, id="20 clusters, micro"),
        pytest.param(60, 10, 0.2, 1, id="60 clusters, micro"),
        pytest.param(25, 18, 0.2, 14, id="25 clusters, macro over 14"),
        pytest.param(200, 1, 0.0, 1, id="200 single items, micro"),
        pytest.param(280, 1, 0.0, 14, id="280 single items, macro over 14"),
    ],
)
def test_between_93_and_97_percent(
    mean: float, clusters: int, size: int, correlation: float, strata: int
) -> None:
    assert 0.93 - SLACK <= covered(mean, clusters, size, correlation, strata) <= 0.97 + SLACK


@pytest.mark.parametrize("mean", [0.02, 0.98])
@pytest.mark.parametrize(
    ("clusters", "size", "correlation", "strata"),
    [
        pytest.param(20, 10, 0.3, 1, id="20 clusters, micro"),
        pytest.param(20, 20, 0.15, 14, id="20 clusters, macro over 14"),
        pytest.param(100, 1, 0.0, 1, id="100 single items, micro"),
    ],
)
def test_at_least_92_percent_near_the_edge(
    mean: float, clusters: int, size: int, correlation: float, strata: int
) -> None:
    assert covered(mean, clusters, size, correlation, strata) >= 0.92 - SLACK
