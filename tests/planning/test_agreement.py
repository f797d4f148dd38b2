"""Two judges beside each other: every figure worked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.planning.agreement import (
    JudgeAgreement,
    PlanPair,
    judge_agreement,
    read_judgements,
    read_pairs,
)
from gumption.planning.judges import ExactJudge, RecordedJudge
from gumption.planning.rules import RuleJudge
from gumption.records import GumptionError

A, B, C = ("pick", "Apple"), ("open", "Fridge"), ("wash", "Mug")


def table(both: int, first: int, second: int, neither: int) -> JudgeAgreement:
    from gumption.planning.agreement import Effect

    nothing = Effect(None, None, None, None, ())
    return JudgeAgreement(("a", "b"), 1, 0, both, first, second, neither, nothing, nothing, ())


def recorded(*triples: tuple[tuple[str, ...], tuple[str, ...], bool]) -> RecordedJudge:
    return RecordedJudge(list(triples))


@pytest.mark.parametrize(
    ("cells", "agreement", "kappa", "on_matches"),
    [
        # 35 of 50 agree; chance .5 x .6 + .5 x .4 = .5; (.7 - .5) / .5.
        ((20, 5, 10, 15), 0.7, 0.4, 40 / 55),
        # Same agreement of 60 of 100 with two splits of the margins (a textbook pair of tables).
        ((45, 15, 25, 15), 0.6, (0.6 - 0.54) / 0.46, 90 / 130),
        ((25, 35, 5, 35), 0.6, (0.6 - 0.46) / 0.54, 50 / 90),
        ((10, 0, 0, 90), 1.0, 1.0, 1.0),
        # Never the same: chance .5, so -1.
        ((0, 5, 5, 0), 0.0, -1.0, 0.0),
        # 90 % agree and none of it on a match: chance .95 x .95 + .05 x .05 = .905.
        ((0, 5, 5, 90), 0.9, (0.9 - 0.905) / 0.095, 0.0),
    ],
)
def test_tables_worked_by_hand(
    cells: tuple[int, int, int, int], agreement: float, kappa: float, on_matches: float
) -> None:
    found = table(*cells)
    assert found.agreement == pytest.approx(agreement)
    assert found.kappa == pytest.approx(kappa)
    assert found.on_matches == pytest.approx(on_matches)


def test_kappa_is_not_known_where_chance_agrees_on_everything() -> None:
    assert table(0, 0, 0, 7).kappa is None
    assert table(0, 0, 0, 7).agreement == 1
    assert table(0, 0, 0, 7).on_matches is None
    assert table(0, 0, 0, 0).agreement is None
    assert table(0, 0, 0, 0).kappa is None


def test_a_pair_of_plans_worked_by_hand() -> None:
    # exact:     A-A only            recorded: A-A and C-B
    second = recorded((A, A, True), (A, B, False), (C, A, False), (C, B, True))
    found = judge_agreement(ExactJudge(), second, [PlanPair((A, C), (A, B), "m")])
    assert found.judges == ("exact", "recorded")
    assert (found.both, found.only_first, found.only_second, found.neither) == (1, 0, 1, 2)
    assert found.agreement == pytest.approx(3 / 4)
    assert found.kappa == pytest.approx(0.5)  # chance 1/4 x 2/4 + 3/4 x 2/4 = 1/2
    assert (found.quantity.first, found.quantity.second) == (0.5, 1.0)
    assert (found.order.first, found.order.second) == (0.5, 1.0)
    assert found.quantity.largest == 0.5
    assert found.quantity.tau is None  # one model
    (one,) = found.disagreements
    assert (one.predicted, one.gold, one.first, one.count) == (C, B, False, 1)


def test_order_can_change_where_quantity_does_not() -> None:
    straight = recorded((A, A, True), (A, B, False), (B, A, False), (B, B, True))
    crossed = recorded((A, A, False), (A, B, True), (B, A, True), (B, B, False))
    found = judge_agreement(straight, crossed, [PlanPair((A, B), (A, B))])
    assert (found.quantity.first, found.quantity.second, found.quantity.largest) == (1, 1, 0)
    assert (found.order.first, found.order.second, found.order.largest) == (1, 0.5, 0.5)
    assert found.kappa == -1


def test_a_failed_judge_leaves_the_pair_out_of_everything() -> None:
    knows_one = recorded((A, A, True))
    pairs = [PlanPair((A,), (A,), "m"), PlanPair((B,), (B,), "m")]
    found = judge_agreement(ExactJudge(), knows_one, pairs)
    assert (found.pairs, found.unscored, found.cells) == (1, 1, 1)
    assert found.quantity.first == found.quantity.second == 1
    assert found.quantity.models[0].pairs == 1


def test_a_ranking_with_a_tie_and_a_swap() -> None:
    # exact: x 1, y 2/3, z 0.
    pairs = [PlanPair((A,), (A,), "x"), PlanPair((A,), (A, B), "y"), PlanPair((A,), (C,), "z")]
    second = recorded((A, A, True), (A, B, False), (A, C, True))
    found = judge_agreement(ExactJudge(), second, pairs)
    assert [one.model for one in found.quantity.models] == ["x", "y", "z"]
    assert [one.second for one in found.quantity.models] == [1, pytest.approx(2 / 3), 1]
    # exact x > y > z; recorded x = z > y. Concordant: xy. Discordant: yz. Tied: xz. Tau-b = 0.
    assert found.quantity.tau == pytest.approx(0)


def test_a_ranking_turned_round() -> None:
    pairs = [PlanPair((A,), (A,), "x"), PlanPair((A,), (B,), "y")]
    # Where the first says match, the second says no, and the other way round.
    found = judge_agreement(ExactJudge(), recorded((A, A, False), (A, B, True)), pairs)
    assert found.quantity.tau == found.order.tau == -1
    level = judge_agreement(ExactJudge(), recorded((A, A, True), (A, B, True)), pairs)
    assert level.quantity.tau is None


@given(st.lists(st.tuples(*[st.lists(st.sampled_from([A, B, C]), max_size=4)] * 2), max_size=5))
def test_a_judge_agrees_with_itself(plans: list[tuple[list[tuple[str, ...]], ...]]) -> None:
    pairs = [
        PlanPair(tuple(one), tuple(other), f"m{number % 3}") for number, (one, other) in enumerate(plans)
    ]
    found = judge_agreement(RuleJudge(), RuleJudge(), pairs)
    assert found.only_first == found.only_second == 0
    assert found.disagreements == ()
    assert found.kappa in (None, 1)
    assert found.quantity.first == found.quantity.second
    assert found.quantity.tau in (None, pytest.approx(1))


def test_searching_is_left_out_unless_told() -> None:
    pair = PlanPair((("Find", "Apple"), A), (A,))
    assert judge_agreement(ExactJudge(), ExactJudge(), [pair]).cells == 1
    assert judge_agreement(ExactJudge(), ExactJudge(), [pair], ignore_verbs=()).cells == 2


def test_files_hold_lists_and_replies(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [
        {"predicted": [["Pick", "Apple"]], "gold": [["Pick", "Apple"]], "model": "m", "note": 3},
        {"predicted": "<actions>[['Pick','Apple']]</actions>", "gold": [["Pick", "Apple"]]},
        {"predicted": None, "gold": "<actions>[]</actions>"},
    ]
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    first, second, third = read_pairs(file)
    assert first == PlanPair((("Pick", "Apple"),), (("Pick", "Apple"),), "m")
    assert second.predicted == (("Pick", "Apple"),)
    assert (third.predicted, third.gold) == ((), ())


@pytest.mark.parametrize("line", ["{", "[]", '{"gold": []}', '{"predicted": [[1]], "gold": []}'])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"predicted": [], "gold": []}\n' + line + "\n")
    with pytest.raises(GumptionError) as caught:
        read_pairs(file)
    assert caught.value.where == f"{file}, line 2"
    assert "predicted" in caught.value.remedy


def test_recorded_verdicts_judge(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    rows = [
        {"predicted": ["pick", "Cup"], "gold": ["pick", "Mug"], "match": True, "by": "somebody"},
        {"predicted": ["pick", "Cup"], "gold": ["open", "Fridge"], "match": False},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judge = read_judgements(file)
    assert judge.judge(["Pick", "cup"], [["pick", "mug"], ["open", "fridge"]]).row == (True, False)
    assert judge.judge(["pick", "cup"], [["wash", "mug"]]).failed


def test_verdicts_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    row = {"predicted": ["pick", "Cup"], "gold": ["pick", "Mug"]}
    file.write_text("".join(json.dumps(row | {"match": one}) + "\n" for one in (True, False)))
    with pytest.raises(GumptionError, match="two verdicts"):
        read_judgements(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="cannot be read"):
        read_pairs(tmp_path / "nowhere.jsonl")


@pytest.mark.data
def test_exact_and_rule_on_the_public_plans(public_data: Path) -> None:
    """720 pairs whose gold plans repeat no step under another name: what is equal word for word matches."""
    pairs = read_pairs(public_data / "embodiedbrain" / "official_apm.jsonl")
    assert len(pairs) == 720
    found = judge_agreement(ExactJudge(), RuleJudge(), pairs)
    assert (found.pairs, found.unscored) == (720, 0)
    assert found.only_first == 0, found.disagreements[:3]
    assert found.quantity.first is not None and found.quantity.second is not None
    assert found.quantity.first <= found.quantity.second
