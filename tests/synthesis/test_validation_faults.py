"""Validation of hand-written pipelines: a right one passes, and each faulty one is refused by a named gate."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from faulty_scorers import FAULTS, HEARTH, RIGHT, SHELF, SHELF_RIGHT

from gumption.synthesis import Limits
from gumption.synthesis.validation import LIMITS, Validation, validate

_SHORT = Limits(wall_s=4.0, memory_mb=1024, output_kb=LIMITS.output_kb)


def _validated(code: str, cases: Path, items: int = 8) -> Validation:
    return validate(code, cases / "folders" / "hearth40", HEARTH, limits=_SHORT, items=items)


def _filled(code: str, cases: Path) -> str:
    """The code with the right answers of the data written into it, where it wants them."""
    with (cases / "folders" / "hearth40" / "hearth40_eval.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {int(row["Unnamed: 0"]): int(row["key0"]) for row in rows}
    by_question = {row["Prompt Text (EN)"]: int(row["key0"]) for row in rows}
    return code.replace("{keys}", repr(keys)).replace("{by_question}", repr(by_question))


def test_a_right_scorer_without_recipes_passes_every_gate(cases: Path) -> None:
    found = _validated(RIGHT, cases, items=40)

    assert found.passed, found.feedback()
    assert [one.state for one in found.gates] == ["passed"] * 6
    assert (found.rows, found.items) == (40, 40)
    assert found.mutants is not None
    assert found.coverage is not None
    assert found.mutants.caught >= 0.75 * found.mutants.total
    assert found.coverage.missed == ()


def test_a_right_scorer_with_pictures_passes_every_gate(cases: Path) -> None:
    found = validate(SHELF_RIGHT, cases / "folders" / "shelf-probe", SHELF, items=10)

    assert found.passed, found.feedback()


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_refused_by_the_gate_that_looks_for_it(fault: str, cases: Path) -> None:
    gate, code = FAULTS[fault]

    found = _validated(_filled(code, cases), cases)

    assert not found.passed
    assert found.refused_by[0] == gate, found.feedback()


def test_a_missing_picture_is_refused(cases: Path) -> None:
    code = SHELF_RIGHT.replace('{"image": row["file"]}', '{"image": "pics/" + row["file"]}')

    found = validate(code, cases / "folders" / "shelf-probe", SHELF, items=4)

    assert "contract" in found.refused_by
    assert "no such file" in found.feedback()


def test_two_validations_of_the_same_are_equal(cases: Path) -> None:
    code = FAULTS["the first capital letter is the answer"][1]

    assert _validated(code, cases, items=4) == _validated(code, cases, items=4)


def test_without_a_protocol_only_what_holds_for_any_scorer_is_checked(cases: Path) -> None:
    folder = cases / "folders" / "hearth40"
    constant = validate(FAULTS["everything is right"][1], folder, None, items=4)
    right = validate(RIGHT, folder, None, items=4)

    assert right.passed, right.feedback()
    assert [one.state for one in right.gates] == ["passed"] * 3 + ["does not apply", "passed", "does not apply"]
    assert constant.refused_by == ("properties",)


def test_feedback_is_bounded_and_names_no_path(cases: Path) -> None:
    code = FAULTS["it raises on what is hardly ever said"][1]
    found = _validated(code, cases, items=4)

    text = found.feedback(1500)

    assert len(text) <= 1500
    assert "score never raises" in text
    assert str(cases) not in found.feedback(10**6)
    assert "/py/" not in found.feedback(10**6)
    assert "TypeError" in found.feedback(10**6)
