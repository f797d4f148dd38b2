"""The loop by itself: who is asked when, when it ends, and what of a failure goes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import drawers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import GumptionError
from gumption.running import Talk
from gumption.synthesis._profile import profile
from gumption.synthesis.assembly import Assembled, assembled
from gumption.synthesis.feedback import MOST, shown
from gumption.synthesis.folder import BenchmarkFolder, Table, inspect_folder
from gumption.synthesis.hidden import is_hidden, showable
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.refine import Synthesis, synthesize
from gumption.synthesis.roles import Brief, Evidence, Failure, InferenceLogic, ScoringLogic, Unable
from gumption.synthesis.spec import Asking, Gold, Loading, Scoring, Source
from gumption.synthesis.trial import Loaded

LOADING = Loading((Source("drawers.csv", "csv"),), "no")
ASKING = Asking("asked")
SCORING = Scoring("text", Gold("word", "texts"), "exact", normalise=("lower",))
LOAD = "def load(folder):\n    return [{'id': 1}]  # %s\n\n\ndef build(row):\n    return {}\n"
SCORE = "def score(row, reply):\n    return {}  # %s\n"


class Asked:
    """An Evaluator or a Scorer that says what it is told to, in turn."""

    def __init__(self, *said: Any) -> None:
        self.name, self.left, self.briefs = "scripted", list(said), list[Brief]()

    def propose(self, brief: Brief, inference: InferenceLogic | None = None) -> Talk[Any]:
        yield from ()
        self.briefs.append(brief)
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


class Judge:
    """Failures for each attempt in turn; none is a pass."""

    def __init__(self, *found: Sequence[Failure], rows: Sequence[Sequence[dict[str, Any]]] = ()) -> None:
        self.found, self.rows, self.seen = list(found), list(rows), list[Assembled]()

    def load(self, inference: InferenceLogic) -> Loaded:
        if "broken" in inference.code:
            return Loaded((), (Failure("run", "load", said="broken"),))
        return Loaded(tuple(self.rows.pop(0) if self.rows else [{"id": 1}]))

    def validate(self, whole: Assembled) -> Evidence:
        self.seen.append(whole)
        failures = tuple(self.found.pop(0))
        return Evidence(not failures, failures)


def inference(mark: str = "", **asking: Any) -> InferenceLogic:
    return InferenceLogic(LOADING, Asking("asked", **asking), code=LOAD % mark if mark else "")


def scoring(mark: str = "") -> ScoringLogic:
    return ScoringLogic(SCORING, code=SCORE % mark if mark else "")


def fault(call: str, **fields: str) -> list[Failure]:
    return [Failure("cases", call, **fields)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkFolder:
    return inspect_folder(drawers.make(tmp_path_factory.mktemp("made") / "drawers"))


def end(folder: BenchmarkFolder, evaluator: Any, scorer: Any, judge: Any, **options: Any) -> Synthesis:
    talk = synthesize(folder, evaluator, scorer, judge, **options)
    with pytest.raises(StopIteration) as stop:
        next(talk)
    found: Synthesis = stop.value.value
    return found


@pytest.mark.parametrize(
    ("call", "evaluated", "scored"), [("score", 1, 2), ("build", 2, 1), ("load", 2, 1), ("", 2, 2)]
)
def test_who_is_at_fault_writes_anew(folder: BenchmarkFolder, call: str, evaluated: int, scored: int) -> None:
    evaluator, scorer = Asked(inference("a"), inference("b")), Asked(scoring("a"), scoring("b"))
    found = end(folder, evaluator, scorer, Judge(fault(call), []))
    assert (len(evaluator.briefs), len(scorer.briefs)) == (evaluated, scored)
    assert found.accepted is not None and found.accepted.number == 2
    assert [len(brief.past) for brief in evaluator.briefs] == [0, 1][:evaluated]


def test_other_rows_want_another_scorer(folder: BenchmarkFolder) -> None:
    scorer = Asked(scoring("a"), scoring("b"))
    judge = Judge(fault("build"), [], rows=[[{"id": 1}], [{"id": 1, "more": 2}]])
    assert end(folder, Asked(inference("a"), inference("b")), scorer, judge).accepted
    assert len(scorer.briefs) == 2


def test_a_half_that_does_not_load_never_reaches_the_scorer(folder: BenchmarkFolder) -> None:
    scorer = Asked(scoring())
    found = end(folder, Asked(inference("broken"), inference()), scorer, Judge([]))
    first, second = found.attempts
    assert first.scoring is None and first.spec is None and second.evidence.passed
    assert [len(brief.past) for brief in scorer.briefs] == [1]


def test_the_limit_and_every_attempt_is_kept(folder: BenchmarkFolder) -> None:
    told: list[int] = []
    scorer = Asked(*(scoring(str(n)) for n in range(9)))
    found = end(
        folder, Asked(inference()), scorer, Judge(*[fault("score")] * 9), attempts=4,
        told=lambda attempt: told.append(attempt.number),
    )  # fmt: skip
    assert found.accepted is None and "limit of 4" in found.stopped_because
    assert told == [one.number for one in found.attempts] == [1, 2, 3, 4]
    assert [one.scoring.code for one in found.attempts if one.scoring] == [SCORE % n for n in range(4)]
    with pytest.raises(GumptionError, match="0 attempts"):
        end(folder, Asked(inference()), scorer, Judge(), attempts=0)


def test_the_same_again_and_nothing_to_say_end_it(folder: BenchmarkFolder) -> None:
    judge = Judge(fault("score"), fault("score"))
    found = end(folder, Asked(inference()), Asked(scoring("a")), judge)
    assert len(found.attempts) == 1 and "proposed again" in found.stopped_because
    found = end(folder, Asked(Unable(("no rows", "no README"))), Asked(scoring()), Judge())
    assert found.attempts == () and found.stopped_because.endswith("propose: no rows; no README")
    found = end(folder, Asked(inference()), Asked(Unable(("no rule",))), Judge())
    assert found.stopped_because == "the Scorer has nothing to propose: no rule"


def test_a_record_that_no_recipe_can_follow_goes_back(folder: BenchmarkFolder) -> None:
    strange = ScoringLogic(Scoring("text", Gold("word", "texts"), "bleu"))
    found = end(folder, Asked(inference()), Asked(strange, scoring()), Judge([]))
    (failure,) = found.attempts[0].evidence.failures
    assert failure.call == "score" and "bleu" in failure.said and found.accepted


def test_halves_by_hand_and_by_recipe_make_one_file_with_three_functions() -> None:
    import ast

    for evaluator in ("", "one"):
        for scorer in ("", "two"):
            whole = assembled("drawers", inference(evaluator), scoring(scorer))
            names = [node.name for node in ast.parse(whole.code).body if isinstance(node, ast.FunctionDef)]
            assert sorted(names) == ["build", "load", "score"]
            assert ("# one" in whole.code, "# two" in whole.code) == (bool(evaluator), bool(scorer))
            begins = whole.scorer_begins
            assert (begins is None) == (not scorer)
            if begins is not None:
                assert whole.code.splitlines()[begins - 1] == "def score(row, reply):"


# ── what goes back, and what is hidden ───────────────────────────────────────────────────────────────


def test_of_a_hidden_item_only_the_check_is_told() -> None:
    hidden = next(str(n) for n in range(100) if is_hidden(n))
    open_one = next(str(n) for n in range(100) if not is_hidden(n))
    made = [
        Failure("cases", "score", item, expected="score 1 for spoon", got="fork", said="full marks\nspoon!")
        for item in (hidden, open_one)
    ]
    first, second = shown(made, ("score",))
    assert first == {
        "gate": "cases", "function": "score", "item": "(an item that is not shown)", "said": "full marks",
    }  # fmt: skip
    assert second["item"] == open_one and "spoon" in second["expected"]


def test_what_goes_back_names_no_place_and_is_bounded() -> None:
    said = "\n".join(f'File "/home/someone/there/x{n}.py", line 3' for n in range(50)) + "\n" + "y" * 9_000
    told = shown(
        [Failure("run", "score", str(n), said=said, got="1/2 of ~/x") for n in range(99)], ("score",)
    )
    assert len(told) <= MOST
    for one in told:
        assert "/home" not in str(one) and "~/x" not in str(one) and "1/2 of" in one.get("got", "1/2 of")
        assert len(one["said"]) < 500
    assert shown([Failure("run", "load", said="x")], ("score",)) == []


@given(st.sets(st.text(min_size=1, max_size=8), min_size=2, max_size=30))
def test_a_row_of_a_hidden_item_is_never_shown(ids: set[str]) -> None:
    rows = [
        {"q": f"question {number} " * 20, "key": id, "n": number} for number, id in enumerate(sorted(ids))
    ]
    columns = profile(rows, (), frozenset())
    table = Table(Source("x.csv", "csv"), len(rows), columns, ("q", "key", "n"))
    key = next(column for column in columns if column.name == "key")
    if not key.missing and key.distinct == len(rows) and key.holds in ("text", "integer"):
        assert not [row for row in showable(table, rows) if is_hidden(row["key"])]


def test_the_split_holds_about_a_quarter_back_and_does_not_move() -> None:
    hidden = [n for n in range(4_000) if is_hidden(n)]
    assert 900 < len(hidden) < 1_100
    assert is_hidden("17") == is_hidden(17)


def test_enough_rows_are_left_to_show(folder: BenchmarkFolder) -> None:
    (table,) = folder.tables
    found = list(showable(table, read(folder.path, table.source)))
    assert 3 <= len(found) < 24
    assert Path("recorded.jsonl").name in folder.withheld
