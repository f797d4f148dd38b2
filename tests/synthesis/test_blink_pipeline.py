"""A written scorer on the 36,119 published replies to BLINK, run in the sandbox a shard at a time.

The four figures are those that the reading of choices has to meet: see docs/benchmarks/blink.md.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy.stats import kendalltau

from gumption.synthesis import Limits, run_sandboxed
from gumption.synthesis.codegen import write_pipeline
from gumption.synthesis.contract import DRIVER, Verdict, verdicts_of
from gumption.synthesis.recipes import load
from gumption.synthesis.spec import Asking, Gold, Loading, Options, Scoring, Source, Spec

pytestmark = pytest.mark.data

SHARD = 6000
SPEC = Spec(
    "blink",
    Loading((Source("blink_val.items.jsonl", "jsonl"),), "id"),
    Asking("id", options=Options(("choices",)), category="group"),
    Scoring("choice", Gold("answer", "letter"), "exact", region=("whole",), aggregate="macro"),
)


@pytest.fixture(scope="module")
def replies(public_data: Path) -> list[dict[str, str]]:
    with gzip.open(public_data / "response_matrices/blink_raw_val.jsonl.gz") as stream:
        return [msgspec.json.decode(line) for line in stream]


@pytest.fixture(scope="module")
def rows(public_data: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in load(public_data / "response_matrices", SPEC.loading)}


@pytest.fixture(scope="module")
def verdicts(replies: list[dict[str, str]], rows: dict[str, dict[str, Any]]) -> list[Verdict]:
    code = write_pipeline(SPEC) + DRIVER
    output: list[Any] = []
    for start in range(0, len(replies), SHARD):
        jobs = [["score", rows[one["id"]], one["reply"]] for one in replies[start : start + SHARD]]
        shard = run_sandboxed(
            code, jobs, Limits(wall_s=120, output_kb=20_000), packages=("gumption", "msgspec", "numpy")
        )
        assert shard.ok, shard.detail
        output += shard.output
    return verdicts_of(output)


def test_answered_and_agreement(replies: list[dict[str, str]], verdicts: list[Verdict]) -> None:
    read, both, same = Counter[str](), Counter[str](), Counter[str]()
    for one, verdict in zip(replies, verdicts, strict=True):
        letter = one["extracted"][1]
        if letter != "Z":
            answered = verdict.outcome == "answered"
            read[one["model"]] += 1
            both[one["model"]] += answered
            same[one["model"]] += answered and verdict.value == letter
    assert read.total() > 34_000
    assert both.total() / read.total() >= 0.975
    assert min(both[name] / read[name] for name in read) >= 0.93
    assert same.total() / both.total() >= 0.993


def test_shift_and_rank_correlation(
    replies: list[dict[str, str]], rows: dict[str, dict[str, Any]], verdicts: list[Verdict]
) -> None:
    theirs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    ours: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one, verdict in zip(replies, verdicts, strict=True):
        group = rows[one["id"]]["group"]
        theirs[one["model"]][group].append(one["extracted"][1] == one["gold"][1])
        ours[one["model"]][group].append(verdict.score or 0.0)
    published, made = (
        np.array([np.mean([np.mean(scores) for scores in groups.values()]) for groups in side.values()])
        for side in (theirs, ours)
    )
    assert len(published) == 19
    assert np.abs(published - made).max() < 0.02
    assert kendalltau(published, made).statistic >= 0.90
