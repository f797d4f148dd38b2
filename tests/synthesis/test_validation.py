"""Validation: right pipelines pass, evidence is bounded and repeatable, the oracle agrees with the facts."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from faulty_scorers import FAULTS, HEARTH, RIGHT, SHELF, SHELF_RIGHT

from gumption.synthesis.spec import Asking, Gold, Loading, Scoring, Source, Spec
from gumption.synthesis.validation import Validation, validate
from gumption.synthesis.validation._declared import Declared, declared_items
from gumption.synthesis.validation._edits import edits
from gumption.synthesis.validation._made import Made
from gumption.synthesis.validation._made_choice import choice
from gumption.synthesis.validation._worth import of_letters, of_marks, of_number, of_text
from gumption.synthesis.validation.cases import tries_of
from gumption.synthesis.validation.coverage import MARK, marked
from gumption.synthesis.validation.static import check_text


def _validated(code: str, cases: Path, items: int = 4) -> Validation:
    return validate(code, cases / "folders" / "hearth40", HEARTH, items=items)


def test_a_right_scorer_without_recipes_passes_every_gate(cases: Path) -> None:
    found = _validated(RIGHT, cases, 40)

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


def test_a_missing_picture_is_refused(cases: Path) -> None:
    code = SHELF_RIGHT.replace('{"image": row["file"]}', '{"image": "pics/" + row["file"]}')

    found = validate(code, cases / "folders" / "shelf-probe", SHELF, items=4)

    assert "contract" in found.refused_by
    assert "no such file" in found.feedback()


def test_two_validations_of_the_same_are_equal(cases: Path) -> None:
    code = FAULTS["the first capital letter is the answer"][1]

    assert _validated(code, cases) == _validated(code, cases)


def test_without_a_protocol_only_what_holds_for_any_scorer_is_checked(cases: Path) -> None:
    folder = cases / "folders" / "hearth40"
    constant = validate(FAULTS["everything is right"][1], folder, None, items=4)
    right = validate(RIGHT, folder, None, items=4)

    assert right.passed, right.feedback()
    assert [one.state for one in right.gates] == ["passed"] * 3 + [
        "does not apply",
        "passed",
        "does not apply",
    ]
    assert constant.refused_by == ("properties",)


def test_feedback_is_bounded_and_names_no_path(cases: Path) -> None:
    code = FAULTS["it raises on what is hardly ever said"][1]
    found = _validated(code, cases)

    text = found.feedback(1500)

    assert len(text) <= 1500
    assert "score never raises" in text
    assert str(cases) not in found.feedback(10**6)
    assert "/py/" not in found.feedback(10**6)
    assert "TypeError" in found.feedback(10**6)


# ── the text alone ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "check"),
    [
        ("import os", "only allowed modules are imported"),
        ("from urllib import request", "only allowed modules are imported"),
        ("from gumption import answers", "only allowed modules are imported"),
        ("from . import other", "only allowed modules are imported"),
        ("X = ().__class__", "nothing is run dynamically or reached by hidden names"),
        ("X = getattr(str, 'low' + 'er')", "nothing is run dynamically or reached by hidden names"),
        ("X = '{0.__class__}'", "nothing is run dynamically or reached by hidden names"),
        ("X = __builtins__", "nothing is run dynamically or reached by hidden names"),
        ("import os.path\nX = os.environ", "nothing is run dynamically or reached by hidden names"),
        ("import numpy as np\nX = np.random.rand()", "nothing is run dynamically or reached by hidden names"),
        ("X = open('a')", "only load reads files"),
        ("import pathlib\n\ndef f():\n    pathlib.Path('a').write_text('b')", "no file is written"),
        ("async def score(row, reply):\n    return {}", "there is one function score"),
    ],
)
def test_the_static_gate_names_what_it_refuses(line: str, check: str) -> None:
    found = check_text(f"{RIGHT}\n{line}\n")

    assert found.state == "refused"
    assert [one.check for one in found.findings] == [check]


@pytest.mark.parametrize(
    "code",
    [
        "",
        "def load(:",
        "x = 1\0",
        "(" * 5000,
        "def load(f): pass\ndef build(r): pass\ndef score(r): pass",
        "#" * 300_000,
    ],
)
def test_what_is_no_pipeline_is_refused_before_it_runs(code: str) -> None:
    assert check_text(code).state == "refused"


def test_allowed_imports_pass() -> None:
    lines = (
        "from __future__ import annotations\nimport os.path\nfrom os import path\nimport collections.abc\n"
        "from gumption.synthesis import recipes\nfrom gumption.synthesis.recipes import reading\n"
        "import numpy as np\n"
    )

    assert check_text(lines + RIGHT).state == "passed"


# ── marks and edits ──────────────────────────────────────────────────────────────────────────────────


def test_marks_stand_in_every_branch() -> None:
    code = (
        "def score(row, reply):\n    if row and reply:\n        return 1\n"
        "    for one in reply:\n        pass\n    return 2 if row else 3\n"
    )
    text, branches = marked(code)
    reached: list[int] = []
    space: dict[str, Any] = {MARK: reached.append}
    exec(text, space)

    assert space["score"]({}, "ab") == 3
    assert {branches[at].partition(": ")[2] for at in set(range(len(branches))) - set(reached)} == {
        "if holds",
        "`and` goes on",
        "the expression's if holds",
    }
    assert len(branches) == 7


def test_edits_are_different_valid_and_repeatable() -> None:
    found = edits(RIGHT, 25, 0)

    assert len(found) == 25
    assert found == edits(RIGHT, 25, 0)
    assert len({code for _, code in found}) == len(found)
    for _, code in found:
        compile(code, "edit", "exec")
    assert any("NotEq for Eq" in what for what, _ in edits(RIGHT, 500, 0))


# ── the oracle against facts that it did not make ────────────────────────────────────────────────────


def _recorded(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]


def test_numbers_are_worth_what_was_recorded(cases: Path) -> None:
    folder = cases / "folders" / "rough-measure"
    sources = (Source("prompts.jsonl", "jsonl"), Source("truth.csv", "csv", key="ref"))
    scoring = Scoring("number", Gold("gt_value", "number", unit="gt_unit"), "mra")
    items, lost = declared_items(folder, Spec("m", Loading(sources, "ref"), Asking("messages"), scoring))
    golds = {one.id: one.gold for one in items}
    plain = [
        (one, Fraction(match[1].replace(",", "")))
        for one in _recorded(folder)
        if (match := re.fullmatch(r"\s*\**(\d[\d,]*(?:\.\d+)?)\**(?: [a-zA-Z²³°]+)?\.?\s*", one["reply"]))
    ]

    assert (len(items), lost) == (40, [])
    assert len(plain) > 15
    for one, value in plain:
        worth = of_number(scoring, value, golds[one["item"]])
        assert worth is None or worth == pytest.approx(one["score"], abs=1e-6)
    assert sum(of_number(scoring, value, golds[one["item"]]) is not None for one, value in plain) > 15


def test_texts_are_worth_what_was_recorded(cases: Path) -> None:
    folder = cases / "folders" / "plainwords"
    block = {"id": "#", "Q": "Q:", "A": "A:"}
    source = Source("plainwords.txt", "blocks", block=block, remark="%%")
    steps = ("lower", "articles", "ends:.,!* ")
    scoring = Scoring("text", Gold("A", "texts", separator=";"), "exact", normalise=steps)
    items, _ = declared_items(folder, Spec("w", Loading((source,), "id"), Asking("Q"), scoring))
    golds = {one.id: one.gold for one in items}
    plain = [one for one in _recorded(folder) if "<" not in one["reply"] and "nswer" not in one["reply"]]

    assert len(plain) > 50
    assert {one["score"] for one in plain} == {0.0, 1.0}
    for one in plain:
        assert of_text(scoring, one["reply"], golds[one["item"]]) == one["score"], one["reply"]


def test_points_are_worth_what_was_recorded(cases: Path) -> None:
    folder = cases / "folders" / "poke-map"
    scoring = Scoring("point", Gold("m", "mask"), "share_on_target", {"scale": (1000, 1000)})
    loading = Loading((Source("poke_list.json", "json", rows="list[]"),), "uid")
    items, _ = declared_items(folder, Spec("p", loading, Asking("say", ("img",)), scoring))
    targets = {one.id: one.gold for one in items}
    lists = []
    for one in _recorded(folder):
        try:
            points = json.loads(one["reply"].replace("(", "[").replace(")", "]"))
        except ValueError:
            continue
        if isinstance(points, list) and points and isinstance(points[0], list):
            lists.append((one, points))

    assert len(lists) > 5
    for one, points in lists:
        target = targets[one["item"]]
        assert target.size == (480, 320)
        marks = [target.holds(x * 480 / 1000, y * 320 / 1000) for x, y in points]
        assert of_marks(scoring, marks) == pytest.approx(one["score"], abs=1e-6)


@pytest.mark.parametrize(
    ("metric", "parameters", "value", "worth"),
    [
        ("exact", {}, "4.0", 1.0),
        ("exact", {}, "4.1", 0.0),
        ("exact", {"decimals": 0}, "4.3", 1.0),
        ("tolerance", {"absolute": 0.5}, "4.4", 1.0),
        ("tolerance", {"absolute": 0.5}, "4.6", 0.0),
        ("tolerance", {"relative": 0.25}, "3.1", 1.0),
        ("tolerance", {"relative": 0.25}, "2.9", 0.0),
        ("bands", {"steps": ((0.1, 1.0), (0.3, 0.5))}, "4.3", 1.0),
        ("bands", {"steps": ((0.1, 1.0), (0.3, 0.5))}, "5.1", 0.5),
        ("bands", {"steps": ((0.1, 1.0), (0.3, 0.5))}, "5.3", 0.0),
        ("linear", {"zero": 0.5}, "5", 0.5),
        ("linear", {"zero": 2, "relative": False}, "4.5", 0.75),
        ("linear", {}, "9", 0.0),
        ("mra", {"thresholds": (0.5, 0.9)}, "5", 0.5),
    ],
)
def test_numbers_are_worth_what_a_person_works_out(
    metric: str, parameters: dict[str, Any], value: str, worth: float
) -> None:
    scoring = Scoring("number", Gold("g", "number"), metric, parameters)

    assert of_number(scoring, Fraction(value), Fraction(4)) == pytest.approx(worth)


def test_a_number_at_a_limit_is_left_open_unless_it_is_the_gold() -> None:
    scoring = Scoring("number", Gold("g", "number"), "tolerance", {"relative": 0.1})

    assert of_number(scoring, Fraction("4.4"), Fraction(4)) is None
    assert of_number(scoring, Fraction(4), Fraction(4)) == 1.0


@pytest.mark.parametrize(
    ("metric", "parameters", "reply", "worth"),
    [
        ("exact", {}, "A red  kite", 0.0),
        ("exact", {}, "The Red Kite!", 1.0),
        ("exact", {"contained": 0.5}, "It is a red kite.", 0.5),
        ("contains", {}, "It is a red kite.", 1.0),
        ("contains", {}, "It is a red kites.", 0.0),
        ("contains", {"words": False}, "It is a red kites.", 1.0),
        ("contains", {"how": "all"}, "red kite", 0.0),
        ("contains", {"how": "share"}, "red kite", 0.5),
        ("f1", {}, "red dragon", 0.5),
    ],
)
def test_texts_are_worth_what_a_person_works_out(
    metric: str, parameters: dict[str, Any], reply: str, worth: float
) -> None:
    scoring = Scoring(
        "text", Gold("g", "texts"), metric, parameters, normalise=("lower", "articles", "ends:.! ")
    )

    assert of_text(scoring, reply, ("red kite", "milan")) == pytest.approx(worth)


def test_sets_and_marks_are_worth_what_a_person_works_out() -> None:
    share = Scoring("choice", Gold("g", "letter"), "share_of_set")
    whole = Scoring("choice", Gold("g", "letter"), "exact_set")
    reduced = {
        how: of_marks(
            Scoring("point", Gold("g", "mask"), "share_on_target", {"reduce": how}), [True, False, False]
        )
        for how in ("share", "any", "all", "first", "last")
    }

    assert [of_letters(share, one, "AC") for one in ("A", "AC", "AB", "")] == [0.5, 1.0, 0.0, 0.0]
    assert [of_letters(whole, one, "AC") for one in ("A", "CA", "ABC")] == [0.0, 1.0, 0.0]
    assert reduced == {"share": pytest.approx(1 / 3), "any": 1.0, "all": 0.0, "first": 1.0, "last": 0.0}


# ── which replies a record allows ────────────────────────────────────────────────────────────────────


def _texts(region: tuple[str, ...], *evidence: str) -> list[Made]:
    scoring = Scoring(
        "text", Gold("key", "texts"), "exact", region=region, normalise=("lower",), evidence=evidence
    )
    spec = Spec("made", Loading((Source("a.json", "json"),), id="id"), Asking("ask"), scoring)
    items = [Declared("1", {"id": "1"}, gold=("belt",)), Declared("2", {"id": "2"}, gold=("rope",))]
    tried = tries_of([item.row for item in items], spec, items[:1], 1, 0)
    return [made for one in tried if one.gate == "cases" for made in one.made if made.reply == "belt"]


def test_a_bare_right_answer_scores_unless_the_readme_demands_a_mark() -> None:
    mild = "The answer stands in the tag; for a reply that has none it is the reply from beginning to end."
    assert [made.worth for made in _texts(("answer_tag",), mild, "Anything else is 0.")] == [1.0]
    assert [made.worth for made in _texts(("answer_tag",), "The answer stands in the tag.")] == [1.0]
    for strict in ("A reply without the tag gets 0.", "Only what stands in the tag is read."):
        assert [made.worth for made in _texts(("answer_tag",), strict)] == [0.0]
    assert [made.worth for made in _texts(("answer_tag", "whole"), mild)] == [1.0]


def test_a_number_is_no_option_unless_it_may_be_one() -> None:
    scoring = Scoring("choice", Gold("key", "letter"), "exact")

    def numbers(*texts: str) -> list[str]:
        options = dict(zip("ABC", texts, strict=True))
        made = choice(Declared("1", {"id": "1"}, options, ("B",)), scoring)
        return [one.reply for one in made if one.reply.isdigit()]

    assert numbers("red", "blue", "green") == ["2"]
    assert (
        numbers("one", "three", "five")
        == numbers("10", "20", "30")
        == numbers("Louis II", "rope", "tin")
        == []
    )
