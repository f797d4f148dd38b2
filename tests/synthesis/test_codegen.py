"""Pipelines written from protocol records: readable, the same every time, harmless whatever they quote."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis import Limits, run_sandboxed
from gumption.synthesis.codegen import METRICS, write_pipeline
from gumption.synthesis.contract import ALLOWED, DRIVER, FUNCTIONS, verdicts_of
from gumption.synthesis.spec import Asking, Gold, Loading, Options, Scoring, Source, Spec

PACKAGES = ("gumption", "msgspec", "numpy")
LOADING = Loading((Source("data.jsonl", "jsonl"),), "id")
CHOICE = Spec(
    "quiz",
    LOADING,
    Asking("q", options=Options(("A", "B"))),
    Scoring("choice", Gold("key", "letter"), "exact"),
)


def spec(scoring: Scoring) -> Spec:
    return replace(CHOICE, scoring=scoring)


def run(record: Spec, row: dict[str, Any], *replies: str) -> list[float | None]:
    result = run_sandboxed(
        write_pipeline(record) + DRIVER, [["score", row, reply] for reply in replies], packages=PACKAGES
    )
    assert result.ok, result.detail
    return [one.score for one in verdicts_of(result.output)]


ALL = {
    f"{kind} {metric}": spec(Scoring(kind, gold, metric, parameters))  # type: ignore[arg-type]
    for kind, metric, gold, parameters in (
        ("choice", "exact", Gold("key", "letter"), {"letters": "capital", "open_credit": 0.5}),
        ("choice", "exact_set", Gold("key", "letter"), {}),
        ("choice", "share_of_set", Gold("key", "letter"), {"texts": False}),
        ("yes_no", "exact", Gold("key", "yes_no"), {"words": {"aye": "yes"}}),
        ("number", "exact", Gold("key", "number"), {"decimals": 0}),
        ("number", "tolerance", Gold("key", "number"), {"relative": 0.1, "several": "last"}),
        ("number", "mra", Gold("key", "number"), {"thresholds": [0.5, 0.9]}),
        ("number", "bands", Gold("key", "number"), {"steps": [[0.1, 1.0], [0.2, 0.5]]}),
        ("number", "linear", Gold("key", "number"), {"zero": 0.5}),
        (
            "point", "share_on_target", Gold("key", "box_xyxy"),
            {"scale": [1.0, 1.0], "size": ["w", "h"], "reduce": "any"},
        ),
        ("text", "exact", Gold("key", "texts", separator=";"), {"contained": 0.5}),
        ("text", "contains", Gold("key", "texts"), {"how": "all"}),
        ("text", "f1", Gold("key", "texts"), {}),
        (
            "text", "label", Gold("key", "texts"),
            {"labels": {"so": "so", "not so": "not so", "unclear": "open", "open": "open"}},
        ),
    )
}  # fmt: skip
ROWS: dict[str, dict[str, Any]] = {
    "choice exact": {"key": "A"},
    "choice exact_set": {"key": "AB"},
    "choice share_of_set": {"key": "AB"},
    "yes_no exact": {"key": True},
    "number exact": {"key": 10},
    "number tolerance": {"key": "10 kg"},
    "number mra": {"key": 10},
    "number bands": {"key": 10},
    "number linear": {"key": 10},
    "point share_on_target": {"key": [0, 0, 50, 50], "w": "100", "h": "200"},
    "text exact": {"key": "tap; faucet"},
    "text contains": {"key": ["tap", "hose"]},
    "text f1": {"key": "red door"},
    "text label": {"key": "Open"},
}
REPLIES: dict[str, list[tuple[str, float]]] = {
    "choice exact": [("A", 1), ("a", 0), ("B", 0), ("A or B", 0.5), ("", 0)],
    "choice exact_set": [("A, B", 1), ("A", 0)],
    "choice share_of_set": [("A, B", 1), ("A", 0.5), ("one", 0)],
    "yes_no exact": [("aye", 1), ("yes", 1), ("no", 0), ("hm", 0)],
    "number exact": [("9.6", 1), ("11", 0)],
    "number tolerance": [("5, no, 11", 1), ("11, no, 5", 0)],
    "number mra": [("10", 1), ("14", 0.5), ("16", 0)],
    "number bands": [("11", 1), ("12", 0.5), ("13", 0), ("4 to 6", 0)],
    "number linear": [("10", 1), ("12.5", 0.5), ("15", 0)],
    "point share_on_target": [
        ("(0.5, 0.25)", 1),
        ("(0.5, 0.3)", 0),
        ("(0.9, 0.9), (0.1, 0.1)", 1),
        ("no", 0),
    ],
    "text exact": [("tap", 1), ("a tap", 0.5), ("tape", 0), ("", 0)],
    "text contains": [("hose and tap", 1), ("tap", 0)],
    "text f1": [("red door", 1), ("the red door", 0.8), ("gate", 0)],
    "text label": [("It is unclear.", 1), ("OPEN", 1), ("not so", 0), ("so or open", 0), ("", 0)],
}


def test_every_metric_is_written_here() -> None:
    assert set(ALL) == {f"{kind} {metric}" for kind, metrics in METRICS.items() for metric in metrics}


@pytest.mark.parametrize("name", ALL)
def test_pipelines_score_in_the_sandbox(name: str) -> None:
    row = {"id": 1, "q": "?", "A": "one", "B": "two", **ROWS[name]}
    replies = REPLIES[name]
    assert run(ALL[name], row, *(reply for reply, _ in replies)) == pytest.approx(
        [worth for _, worth in replies]
    )


@pytest.mark.parametrize("name", ALL)
def test_pipelines_keep_to_the_contract(name: str) -> None:
    code = write_pipeline(ALL[name])
    tree = ast.parse(code)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert functions == list(FUNCTIONS)
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"gumption.synthesis", *ALLOWED}
    assert max(map(len, code.splitlines())) <= 310
    assert code == write_pipeline(ALL[name])


def test_the_record_decides_the_text() -> None:
    assert write_pipeline(CHOICE) == write_pipeline(replace(CHOICE))
    other = replace(CHOICE, scoring=replace(CHOICE.scoring, parameters={"letters": "capital"}))
    assert write_pipeline(other) != write_pipeline(CHOICE)


HOSTILE = (
    'end """\nimport os\nos.system("x")\n"""',
    "a\nraise SystemExit\n#",
    "\\",
    "it's {0} \\N{BULLET} \u2028 raise",
    "x'); import os; ('",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_readme_or_a_column_says_is_never_code(text: str) -> None:
    column = replace(CHOICE.scoring, gold=Gold(text, "letter"), evidence=(text,), region=("whole",))
    record = Spec(text, replace(LOADING, id=text), CHOICE.asking, column, (text,))
    tree = ast.parse(write_pipeline(record))
    plain = ast.parse(write_pipeline(replace(CHOICE, scoring=replace(CHOICE.scoring, region=("whole",)))))
    shape = [[type(node).__name__ for node in ast.walk(one)] for one in (tree, plain)]
    assert sorted(shape[0]) == sorted(shape[1])
    row = {"id": 1, "q": "?", "A": "one", "B": "two", text: "A"}
    assert run(record, row, "A", "B") == [1.0, 0.0]


def test_what_no_recipe_has_is_refused() -> None:
    with pytest.raises(GumptionError, match="no metric"):
        write_pipeline(spec(Scoring("choice", Gold("key", "letter"), "bleu")))
    with pytest.raises(GumptionError, match="takes no"):
        write_pipeline(spec(Scoring("number", Gold("key", "number"), "mra", {"relative": 0.1})))


def test_the_recipes_load_quickly_enough_for_the_sandbox() -> None:
    """1,000 replies in one sandbox, within the limits that a call has by default."""
    row = {"id": 1, "q": "?", "A": "one", "B": "two", "key": "A"}
    code = write_pipeline(CHOICE) + DRIVER
    result = run_sandboxed(code, [["score", row, "The answer is A."]] * 1000, Limits(), packages=PACKAGES)
    assert result.ok, result.detail
    assert len(result.output) == 1000


def test_a_dark_mask_is_another_pipeline() -> None:
    light, dark = (
        spec(Scoring("point", Gold("m", "mask", dark=one), "share_on_target", {"scale": [1.0, 1.0]}))
        for one in (False, True)
    )
    assert "dark" not in write_pipeline(light)
    assert "dark=True" in write_pipeline(dark)
