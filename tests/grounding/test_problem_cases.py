"""The cases in tests/cases/pddl_problems.jsonl: content, repair and findings as each line says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gumption.grounding import Domain, read_domain, read_problem

CASES = Path(__file__).parents[1] / "cases"
LINES = [json.loads(line) for line in (CASES / "pddl_problems.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def blocksworld() -> Domain:
    return read_domain((CASES / "blocksworld.pddl").read_text("utf-8"))


@pytest.mark.parametrize("case", LINES, ids=[line["why"] or line["repair"] for line in LINES])
def test_content_repair_and_findings(case: dict[str, object], blocksworld: Domain) -> None:
    reading = read_problem(case["text"], blocksworld)
    assert reading.repair in (case["repair"], *case["repair_also"])
    assert {finding.kind for finding in reading.errors} == set(case["error_kinds"])
    assert (reading.problem is not None) == case["readable"]
    if reading.problem is not None:
        assert reading.problem.objects == case["objects"]
        assert reading.problem.init == {tuple(atom) for atom in case["init"]}
        assert reading.problem.goal_literals == {(sign, tuple(atom)) for sign, atom in case["goal"]}


@pytest.mark.parametrize("case", LINES, ids=[line["why"] or line["repair"] for line in LINES])
def test_without_repair_only_texts_that_need_none_are_read(
    case: dict[str, object], blocksworld: Domain
) -> None:
    repaired = read_problem(case["text"], blocksworld)
    strict = read_problem(case["text"], blocksworld, repair=False)
    assert (strict.problem is not None) == (case["repair"] == "none")
    assert strict.errors == repaired.errors
    assert strict.repairs == repaired.repairs
