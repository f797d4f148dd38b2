"""Faulty hand-written pipelines: each is refused by the gate that looks for its fault."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from faulty_scorers import FAULTS, HEARTH

from gumption.synthesis import Limits
from gumption.synthesis.validation import LIMITS, validate


def _filled(code: str, cases: Path) -> str:
    """The code with the right answers of the data written into it, where it wants them."""
    with (cases / "folders" / "hearth40" / "hearth40_eval.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {int(row["Unnamed: 0"]): int(row["key0"]) for row in rows}
    by_question = {row["Prompt Text (EN)"]: int(row["key0"]) for row in rows}
    return code.replace("{keys}", repr(keys)).replace("{by_question}", repr(by_question))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_refused_by_the_gate_that_looks_for_it(fault: str, cases: Path) -> None:
    gate, code = FAULTS[fault]

    limits = Limits(2.0 if "loops" in fault else 30.0, 1024, output_kb=LIMITS.output_kb)

    found = validate(_filled(code, cases), cases / "folders" / "hearth40", HEARTH, limits=limits, items=5)

    assert not found.passed
    assert found.refused_by[0] == gate, found.feedback()
