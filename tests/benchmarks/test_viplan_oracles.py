"""Oracles in the ViPlan benchmarks: a task of each split, solved by right answers and by no wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_runs import card_of

from gumption.benchmarks import open_suite
from gumption.suites import Suite

pytestmark = pytest.mark.data


@pytest.mark.parametrize(
    "name",
    [
        "viplan-blocksworld",
        "viplan-blocksworld-planner",
        "viplan-household-symbolic",
        "viplan-household-symbolic-planner",
    ],
)
def test_oracles(public_data: Path, tmp_path: Path, name: str) -> None:
    """A grounder that turns every yes into a no knows no state as it is; a planner that leaves the first step
    out takes a later one, which is not possible yet or not enough."""
    suite = open_suite(name, public_data)
    first = {item.category: item for item in reversed(suite.items)}
    assert set(first) == {"simple", "medium", "hard"}
    part = Suite(suite.name, "part", tuple(first.values()), suite.media)
    right, wrong = (card_of(part, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
