"""Runs that ended before their last item, on suites of four items worked by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gumption.ranking import rank_runs, scorecard
from gumption.records import Answer, Item, Scored
from gumption.suites import write_items
from gumption.suites.drawing import draw

Row = Callable[..., Scored]
SEED = 7
ITEMS = [Item(f"q{number}", "toy", (), Answer("choice")) for number in range(4)]
FIRST = [ITEMS[number].id for number in draw(ITEMS, None, SEED).items(0, 2)]
"""The two items that a run with this seed asks first."""


@pytest.fixture
def stopped(row: Row, write_run: Callable[..., Path]) -> Callable[..., Path]:
    """A run of two of the four items."""

    def make(name: str, values: tuple[float | None, ...], reason: str = "settled", **rule: Any) -> Path:
        verdicts = {"low": "better", "mid": "open", "twin": "equal", "top": "worse"}
        folder = write_run(
            name,
            [row(item, value) for item, value in zip(FIRST, values, strict=True)],
            stop={"seed": SEED, "settled": True, **rule},
            stopped_early={
                "reason": reason,
                "draws": 2,
                "asked": 2,
                "items": 4,
                "verdicts": verdicts if reason == "settled" else {},
                "at": "2026-01-01T00:00:00Z",
            },
        )
        write_items(folder / "items.parquet", ITEMS)
        return folder

    return make


@pytest.mark.parametrize(
    ("values", "mean", "low", "high"),
    [
        # Two of four are known, and so few bets rule out nothing else: the rest may be all wrong or right.
        ((1.0, 1.0), 1.0, 0.5, 1.0),
        ((1.0, 0.0), 0.5, 0.25, 0.75),
        ((0.0, 0.0), 0.0, 0.0, 0.5),
        # A request that failed may have been either.
        ((1.0, None), 1.0, 0.25, 1.0),
    ],
)
def test_the_official_interval_is_for_the_whole_suite(
    stopped: Callable[..., Path], values: tuple[float | None, ...], mean: float, low: float, high: float
) -> None:
    card = scorecard(stopped("run", values))
    assert card.official == card.micro
    assert (card.official.mean, card.official.method) == (mean, "confidence sequence")
    assert (card.official.low, card.official.high) == pytest.approx((low, high), abs=1e-6)
    assert card.official.name == "micro (no official aggregate given)"
    # The others are as for a run of that size.
    assert card.total.score.method == "wilson"


def test_what_is_said_of_it(stopped: Callable[..., Path]) -> None:
    card = scorecard(stopped("run", (1.0, 1.0), margin=0.02, confidence=0.9))
    assert card.stopped is not None and card.stopped.saved == 0.5
    assert card.notes[0] == (
        "Stopped early, settled: 2 of 4 items were asked, 50.0 % saved. At 90 %, over the whole suite: "
        "better than low; not told apart from mid; no further than 0.02 from twin; worse than top. "
        "The official interval holds for the whole suite however the run ended; "
        "the others are as for a run of that size."
    )
    budget = scorecard(stopped("budget", (1.0, 1.0), "tokens", most_tokens=10)).notes[0]
    assert budget.startswith(
        "Stopped early, its budget of tokens was used up: 2 of 4 items were asked, 50.0 % saved. The official"
    )


def test_an_order_that_is_not_random_has_no_interval(stopped: Callable[..., Path]) -> None:
    card = scorecard(stopped("run", (1.0, 0.0), order="information"))
    assert (card.official.mean, card.official.low, card.official.high) == (0.5, None, None)
    assert card.official.method == "none: the order was not random"
    assert card.notes[0].startswith(
        "Stopped early, settled: 2 of 4 items were asked, 50.0 % saved. Exploratory: the items"
    )


def test_a_ranking_says_which_runs_ended_early(
    stopped: Callable[..., Path], row: Row, write_run: Callable[..., Path]
) -> None:
    whole = write_run("whole", [row(item.id, 0.5) for item in ITEMS], stop={"seed": SEED})
    one, other = stopped("one", (1.0, 1.0)), stopped("other", (1.0, 0.0))
    chosen, failed = stopped("chosen", (1.0, 1.0), order="information"), stopped("failed", (0.0, None))
    found = rank_runs([one, whole, other, chosen, failed])
    lines = {line.model: line for line in found.models}
    # Of what they were going to ask.
    assert {name: (line.n, line.coverage, line.flagged) for name, line in lines.items()} == {
        "one": (2, 1.0, False),
        "whole": (4, 1.0, False),
        "other": (2, 1.0, False),
        "chosen": (2, 1.0, False),
        "failed": (1, 0.5, True),
    }
    random, exploratory = sorted(found.notes, key=lambda note: "exploratory" in note)
    assert random.startswith("one, other, failed stopped early, in random order: places and tiers are as for")
    assert exploratory.startswith("chosen stopped early, on items chosen to tell models apart: exploratory")
