"""Back-solving n: the published EmbodiedBrain table (arXiv 2510.20578), and what must hold of any figures."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.ranking.denominators import denominators, numerators
from gumption.records import GumptionError

BLINK = ["58.74", "62.94", "88.11", "73.43", "68.53", "87.41"]
MMMU = ["51.33", "48.67", "52.67", "60.00", "60.89", "60.44"]
ERQA = ["41.00", "42.50", "41.75", "44.61", "45.11", "43.50"]
EGOPLAN = ["41.30", "36.73", "49.10", "51.11", "46.83", "54.66"]
EGOPLAN2 = ["38.63", "33.54", "49.58", "49.81", "49.96", "57.11"]
PLANSIM = ["23.2", "21.21", "31.31", "25.25", "24.24", "46.46"]
MMSTAR = ["62.27", "59.40", "62.17", "64.70", "65.80", "65.40"]
AI2D = ["82.55", "81.83", "82.61", "85.37", "85.23", "84.39"]
EMBSPATIAL = ["51.76", "52.12", "75.04", "67.39", "62.95", "77.03"]


def test_blink_is_one_sub_task_of_143() -> None:
    first = denominators(BLINK)[0]
    assert first.n == 143
    assert first.counts == (84, 90, 126, 105, 98, 125)


@pytest.mark.parametrize(
    ("figures", "n"), [(MMMU, 900), (EGOPLAN, 3346), (EGOPLAN2, 1315), (PLANSIM, 99), (BLINK, 143)]
)
def test_denominators_that_fit_all_six_models(figures: list[str], n: int) -> None:
    assert n in {one.n for one in denominators(figures)}
    assert None not in numerators(figures, n)


@pytest.mark.parametrize(("figures", "n"), [(EGOPLAN, 3346), (EGOPLAN2, 1315), (PLANSIM, 99), (BLINK, 143)])
def test_there_is_no_smaller_one(figures: list[str], n: int) -> None:
    assert denominators(figures)[0].n == n


def test_half_of_900_fits_mmmu_too() -> None:
    assert [one.n for one in denominators(MMMU, most=900)] == [450, 900]


def test_erqa_rests_on_400_for_four_models_and_399_for_two() -> None:
    assert numerators(ERQA, 400) == (164, 170, 167, None, None, 174)
    assert numerators(["44.61", "45.11"], 399) == (178, 180)
    assert denominators(ERQA, most=400) == ()


@pytest.mark.parametrize(
    ("figures", "n", "fit"),
    [
        (MMSTAR, 1500, 4),
        (AI2D, 3088, 5),
        (EMBSPATIAL, 3640, 4),
        (EGOPLAN, 3355, 2),
        (EGOPLAN2, 1321, 4),
        (BLINK, 1901, 1),
    ],
)
def test_how_many_figures_the_official_size_fits(figures: list[str], n: int, fit: int) -> None:
    assert sum(k is not None for k in numerators(figures, n)) == fit


def test_the_planning_figures_on_99_tasks() -> None:
    assert numerators(PLANSIM, 99) == (23, 21, 31, 25, 24, 46)


@given(
    n=st.integers(1, 5000),
    share=st.lists(st.floats(0, 1), min_size=1, max_size=5),
    digits=st.integers(0, 4),
    rounding=st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]),
)
def test_the_true_n_is_always_found(n: int, share: list[float], digits: int, rounding: str) -> None:
    counts = [round(one * n) for one in share]
    step = Decimal(1).scaleb(-digits)
    figures = [str((Decimal(100 * k) / n).quantize(step, rounding)) for k in counts]
    assert n in {one.n for one in denominators(figures, most=n)}


@given(figure=st.decimals(0, 100, places=2), n=st.integers(1, 300))
def test_what_fits_prints_as_the_figure(figure: Decimal, n: int) -> None:
    (k,) = numerators([str(figure)], n)
    nearest = min(abs(Decimal(100 * j) / n - figure) for j in range(n + 1))
    assert (k is not None) == (nearest <= Decimal("0.005"))


def test_trailing_zeros_say_more() -> None:
    assert numerators(["41"], 99) == (41,)  # 41.41 prints as 41
    assert numerators(["41.00"], 99) == (None,)
    assert numerators(["41"], 99, digits=2) == (None,)


def test_by_chance_tells_a_number_that_fits_everything() -> None:
    (found,) = [one for one in denominators(["12.3"], most=1000) if one.n == 1000]
    assert found.by_chance == 1
    assert denominators(BLINK)[0].by_chance == pytest.approx((144 / 10001) ** 6, rel=1e-9)


@pytest.mark.parametrize("figure", ["x", "", "101", "-1", "nan", "inf", "1e400", "0." + "1" * 20])
def test_what_is_no_percentage_says_so(figure: str) -> None:
    with pytest.raises(GumptionError) as caught:
        denominators([figure])
    assert caught.value.remedy


@pytest.mark.parametrize(("figures", "most"), [([], 10), (["1.0"], 0), (["1.0"], 10**7)])
def test_bounds(figures: list[str], most: int) -> None:
    with pytest.raises(GumptionError):
        denominators(figures, most)
