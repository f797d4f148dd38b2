"""EmbodiedBrain's group means against its own table (arXiv 2510.20578)."""

from __future__ import annotations

import math

import pytest

from gumption.benchmarks.groups import GROUPS, group_mean, group_means
from gumption.ranking import scorecard
from gumption.records import GumptionError, Interval, Scorecard, Scored

TABLE = {
    "Qwen2.5-VL-7B": (58.74, 62.03, 51.76, 41.00, 53.38),
    "RoboBrain2.0-7B": (62.94, 62.97, 52.12, 42.50, 55.13),
    "EB-7B": (88.11, 80.69, 75.04, 41.75, 71.40),
    "Qwen2.5-VL-32B": (73.43, 75.57, 67.39, 44.61, 65.25),
    "RoboBrain2.0-32B": (68.53, 68.27, 62.95, 45.11, 61.22),
    "EB-32B": (87.41, 83.64, 77.03, 43.50, 72.90),
}
"""BLINK, CV-Bench, EmbSpatial, ERQA, and the mean as printed."""


def card(benchmark: str, mean: float | None, width: float = 0.0, model: str = "m") -> Scorecard:
    rows = [Scored("x", 0, benchmark, "", "", "", "choice", 1.0, "ok", "answered", 0.25)]
    ends = (None, None) if mean is None else (mean - width, mean + width)
    official = Interval(mean, *ends)
    made = scorecard(rows, model=model)
    return Scorecard(
        benchmark=benchmark, model=model, total=made.total, official=official, micro=made.micro,
        macro=made.macro, categories=(), dimensions=(), statuses={}, outcomes={},
    )  # fmt: skip


@pytest.mark.parametrize("model", TABLE)
def test_the_spatial_mean_of_the_table(model: str) -> None:
    *scores, printed = TABLE[model]
    cards = [card(name, score / 100) for name, score in zip(GROUPS["spatial"], scores, strict=True)]
    (mean,) = group_means(cards)
    assert mean.mean is not None and abs(100 * mean.mean - printed) < 0.005 + 1e-9
    assert "spatial mean" in mean.name and "cv-bench" in mean.name


def test_four_equal_errors_halve() -> None:
    mean = group_mean("spatial", [card(name, 0.5, 0.1) for name in GROUPS["spatial"]])
    assert (mean.low, mean.high) == (pytest.approx(0.45), pytest.approx(0.55))


def test_unequal_errors_add_as_squares() -> None:
    widths = dict(zip(GROUPS["spatial"], (0.03, 0.04, 0.0, 0.12), strict=True))
    mean = group_mean("spatial", [card(name, 0.5, width) for name, width in widths.items()])
    assert mean.high == pytest.approx(0.5 + math.sqrt(0.0009 + 0.0016 + 0.0144) / 4)


def test_what_is_missing_is_said() -> None:
    cards = [card(name, 0.5) for name in GROUPS["spatial"][:3]]
    assert group_means(cards) == ()
    with pytest.raises(GumptionError, match="erqa is missing"):
        group_mean("spatial", cards)
    with pytest.raises(GumptionError, match="erqa has no score"):
        group_mean("spatial", [*cards, card("erqa", None)])
    with pytest.raises(GumptionError, match="erqa is there more than once"):
        group_mean("spatial", [*cards, card("erqa", 0.5), card("erqa", 0.6)])
    with pytest.raises(GumptionError, match="scorecards of 2 models: m, n"):
        group_mean("spatial", [*cards, card("erqa", 0.5, model="n")])
    with pytest.raises(GumptionError, match="no group is called 'social'"):
        group_mean("social", cards)
