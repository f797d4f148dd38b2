"""Power against statsmodels, published sample sizes, and clusters by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.ranking import PairedSpread, gap_seen, items_needed, paired_spread, power_of_gap
from gumption.records import GumptionError


@pytest.mark.parametrize("effect", [0.02, 0.1, 0.3, 0.9, 2.5])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("level", [0.05, 0.001])
def test_items_are_those_of_statsmodels(effect: float, power: float, level: float) -> None:
    from statsmodels.stats.power import TTestPower

    spread = PairedSpread(0.4 / effect) if effect < 1 else PairedSpread(1 / effect)
    gap = effect * spread.deviation
    needed = items_needed(gap, spread, power=power, level=level)

    def theirs(n: int) -> float:
        # The side on which nothing is ever seen is NaN at times; then the other side is all there is.
        both = TTestPower().power(effect, n, level)
        one = TTestPower().power(effect, n, level / 2, alternative="larger")
        return float(one if math.isnan(both) else both)

    # The power at n and at n - 1 stands on either side of what was asked for.
    assert theirs(needed.items) >= power - 1e-6
    if needed.items > 2:
        assert theirs(needed.items - 1) < power + 1e-6
    assert needed.clusters == needed.items


@given(st.floats(1e-4, 1.0), st.integers(2, 10**7), st.sampled_from([1e-6, 1e-3, 0.05, 0.2]))
def test_power_is_that_of_statsmodels(gap: float, n: int, level: float) -> None:
    from statsmodels.stats.power import TTestPower

    ours = power_of_gap(gap, n, PairedSpread(1 / 3), level=level)
    assert 0.0 <= ours <= 1.0
    theirs = TTestPower().power(3 * gap, n, level)
    if not math.isnan(theirs):
        assert ours == pytest.approx(theirs, abs=4e-6)


def test_millers_example() -> None:
    # Miller (arXiv 2411.00640): variance 1/9 of the differences, 3 points, 80 %: 969 by the normal formula,
    # (1.96 + .84)^2 (1/9) / .03^2; the t-test wants two more.
    assert items_needed(0.03, PairedSpread(1 / 3)).items == pytest.approx(969, abs=3)


def test_cohens_table() -> None:
    # Cohen (1988), table 2.4.1 as one sample: d = .5, two-sided .05, power .80 takes 34 observations.
    assert items_needed(0.5, PairedSpread(1.0)).items == 34


def test_the_gap_seen_is_the_other_way_round() -> None:
    from statsmodels.stats.power import TTestPower

    gap = gap_seen(200, PairedSpread(0.5))
    assert gap == pytest.approx(0.5 * TTestPower().solve_power(nobs=200, alpha=0.05, power=0.8), abs=1e-6)
    assert items_needed(gap + 1e-9, PairedSpread(0.5)).items == 200
    assert gap_seen(2, PairedSpread(0.5)) is None


def test_clusters_cost_their_design_effect() -> None:
    # Ten items per scene that agree at .2: 1 + 9 x .2 = 2.8 times the items, but for the t of fewer clusters.
    alone = items_needed(0.02, PairedSpread(0.5))
    grouped = items_needed(0.02, PairedSpread(0.5, per_cluster=10, design_effect=2.8))
    assert grouped.items == pytest.approx(2.8 * alone.items, rel=0.01)
    assert grouped.items == 10 * grouped.clusters
    # Scenes whose items are copies: as many scenes as single items.
    copies = items_needed(0.02, PairedSpread(0.5, per_cluster=10, design_effect=10))
    assert copies.clusters == alone.clusters


def test_the_spread_of_two_models_by_hand() -> None:
    a, b = np.array([[1, 1, 0, 0, 1, 1, 0, 1.0], [0, 1, 0, 1, 1, 0, 0, 0.0]])
    gap = a - b
    spread = paired_spread([a, b])
    assert spread.deviation == pytest.approx(gap.std(ddof=1))
    assert (spread.per_cluster, spread.design_effect) == pytest.approx((1.0, 1.0))
    # Copies of each item: the mean is as uncertain as with one each, with four times the items.
    copied = paired_spread(np.repeat([a, b], 4, axis=1), clusters=np.repeat(np.arange(8), 4))
    assert copied.per_cluster == 4.0
    # The items' own variance has 31 instead of 7 degrees of freedom.
    assert copied.design_effect == pytest.approx(4 * (31 / 28) * 32 / 32)
    assert copied.deviation == pytest.approx(gap.std(ddof=0) * (32 / 31) ** 0.5)


def test_simulated_power_of_clustered_items() -> None:
    from gumption.ranking import compare

    rng = np.random.default_rng(0)
    scene = np.repeat(np.arange(40), 5)

    def draw() -> np.ndarray:
        hard = rng.normal(0.1, 0.15, (1, 40))[:, scene]
        return np.clip(0.5 + np.r_[hard, 0 * hard] / 2 + rng.normal(0, 0.15, (2, 200)), 0, 1)

    spreads = [paired_spread(draw(), clusters=scene) for _ in range(40)]
    usual = PairedSpread(*(float(np.mean([s[k] for s in map(_fields, spreads)])) for k in range(3)))
    seen = np.mean([compare(*draw(), clusters=scene, resamples=2).p < 0.05 for _ in range(300)])
    assert seen == pytest.approx(power_of_gap(0.05, 40, usual), abs=0.08)


def _fields(spread: PairedSpread) -> tuple[float, float, float]:
    return spread.deviation, spread.per_cluster, spread.design_effect


def test_degenerate_input() -> None:
    with pytest.raises(GumptionError, match="no two models"):
        paired_spread([[1.0, np.nan], [np.nan, 0.5]])
    still = paired_spread([[1.0, 1.0], [1.0, 1.0]])
    assert (still.deviation, still.design_effect) == (0.0, 1.0)
    with pytest.raises(GumptionError, match="spread") as caught:
        items_needed(0.1, still)
    assert "USUAL" in caught.value.remedy
    for bad in (0.0, -0.1, 1.5, float("nan")):
        with pytest.raises(GumptionError, match="gap"):
            items_needed(bad)
    with pytest.raises(GumptionError, match="power 1"):
        items_needed(0.1, power=1.0)
    with pytest.raises(GumptionError, match="level"):
        gap_seen(100, level=0.0)
    with pytest.raises(GumptionError, match="clusters"):
        power_of_gap(0.1, 1)
    with pytest.raises(GumptionError, match="would be needed"):
        items_needed(1e-9)
