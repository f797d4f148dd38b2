"""The model as planner: one action of each plan, a history, a budget; and reading what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from viplan_play import call, play, task

from gumption.benchmarks import open_suite
from gumption.benchmarks.viplan.reading import read_plan, read_viplan, read_yes_no_reply
from gumption.records import Item, Reply, Text

NAMES = {"moveblock": ("block", "column"), "slice": ("sliceable", "slicer")}


def move(block: str, column: str, *more: tuple[str, str]) -> str:
    steps = [(block, column), *more]
    return json.dumps(
        {"plan": [{"action": "moveblock", "parameters": {"block": b, "column": c}} for b, c in steps]}
    )


def in_turn(*replies: str) -> object:
    return lambda question: replies[int(question.id.rsplit("/", 1)[1])]


def words(question: Item) -> str:
    return "\n".join(part.text for part in question.parts if isinstance(part, Text))


def small(**meta: object) -> Item:
    return task("viplan-blocksworld-planner", **meta)


def test_only_the_first_action_is_taken() -> None:
    item = small()
    score, asked = play(item, in_turn(move("R", "C2", ("b", "c3")), move("b", "c2")))
    assert score.value == 1.0 and score.parts["actions"] == 2 == score.parts["action_correct"]
    assert [call(item, one) for (one,) in asked] == ["step/0", "step/1"]
    first, second = (words(one) for (one,) in asked)
    assert "nothing yet" in first and "1. moveblock(r, c2): done" in second
    assert "The blue block is directly on top of the red block." in first
    assert asked[0][0].answer.gold == json.loads(move("r", "c2", ("b", "c2")))
    assert asked[1][0].answer.gold == json.loads(move("b", "c2"))


def test_gold_is_made_anew_after_a_detour() -> None:
    _, asked = play(small(), in_turn(move("r", "c3"), move("r", "c2"), move("b", "c2")))
    golds = [one.answer.gold["plan"] for (one,) in asked]
    assert golds[1] == json.loads(move("r", "c2", ("b", "c2")))["plan"]
    assert golds[2] == json.loads(move("b", "c2"))["plan"]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (move("b", "c2"), "missing_step"),
        (move("r", "c9"), "hallucinated_object"),
        (move("c2", "r"), "wrong_type"),
        ('{"plan": [{"action": "moveblock", "parameters": ["r"]}]}', "wrong_arity"),
        ('{"plan": [{"action": "pick", "parameters": ["r"]}]}', "unknown_action"),
        ('{"plan": ["moveblock r c2"]}', "unknown_action"),
    ],
)
def test_what_cannot_be_done_changes_nothing_and_is_told(reply: str, kind: str) -> None:
    score, asked = play(small(), in_turn(reply, move("r", "c2"), move("b", "c2")))
    assert score.value == 1.0 and {error.kind.value for error in score.errors} == {kind}
    pictures = [one.parts[0] for (one,) in asked]
    assert pictures[0] == pictures[1] != pictures[2]
    assert "nothing changed" in words(asked[1][0]) and "done" in words(asked[2][0])


def test_the_budget_and_an_empty_plan_end_it() -> None:
    back_and_forth = [move("r", "c3"), move("r", "c1")] * 2
    score, asked = play(small(), in_turn(*back_and_forth))
    assert len(asked) == 4 and score.value == 0.0 and score.reading and score.reading.outcome == "answered"
    assert {error.kind for error in score.errors} == {"goal_unreached"}
    score, asked = play(small(), in_turn('{"plan": []}'))
    assert len(asked) == 1 and score.value == 0.0 and score.reading and score.reading.outcome == "answered"


def test_an_unreadable_reply_costs_a_turn_and_is_an_outcome_of_its_own() -> None:
    score, asked = play(small(), in_turn("Let me think.", move("r", "c2"), move("b", "c2")))
    assert score.value == 1.0 and score.parts["unread"] == 1
    assert score.reading and score.reading.outcome == "answered"
    assert "could be read" in words(asked[1][0])
    score, asked = play(small(), in_turn(*["Let me think."] * 4))
    assert score.value == 0.0 and score.reading and score.reading.outcome == "unanswered"
    assert len(asked) == 4 and [error.kind.value for error in score.errors].count("unreadable") == 4


@pytest.mark.data
def test_household_takes_lists(public_data: Path) -> None:
    suite = open_suite("viplan-household-symbolic-planner", public_data)
    item = next(item for item in suite.items if item.cluster == "sorting_books_simple")
    score, asked = play(item, lambda question: json.dumps(question.answer.gold))
    assert score.value == 1.0 and isinstance(asked[0][0].answer.gold["plan"][0]["parameters"], list)
    assert "hardback_1" in words(asked[0][0]) and item.meta["budget"] == 10
    budgets = {one.category: one.meta["budget"] for one in suite.items}
    assert budgets == {"simple": 10, "medium": 20, "hard": 30}


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────

STEPS = [["moveblock", "r", "c2"]]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (move("r", "c2"), STEPS),
        (f"Sure! Here it is:\n```json\n{move('R', 'C2')}\n```\nGood luck.", STEPS),
        (f"<think>{move('b', 'c1')}</think> {move('r', 'c2')}", STEPS),
        ('{"plan": [{"action": "MoveBlock", "parameters": {"column": "c2", "block": "r"}}]}', STEPS),
        ('{"plan": [{"action": "moveblock", "parameters": ["r", "c2"]}]}', STEPS),
        ('[{"action": "moveblock", "parameters": ["r", "c2"]}]', STEPS),
        ('{"plan": [{"action": "moveblock", "parameters": {"a": "r", "b": "c2"}}]}', STEPS),
        ('{"plan": [{"action": "moveblock"}]}', [["moveblock"]]),
        ('{"plan": [{"action": "moveblock", "parameters": [3, null]}]}', [["moveblock", "", ""]]),
        ('{"plan": [7, {"action": null}]}', [[""], [""]]),
        ('{"plan": []}', []),
    ],
)  # fmt: skip
def test_plans_in_json(text: str, steps: list[list[str]]) -> None:
    reading = read_plan(Reply("q", text=text), NAMES)
    assert (reading.outcome, reading.value) == ("answered", steps)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"plan": "moveblock(r, c2)"}', '{"steps": []}', "I would move r.", f"<think>{move('r', 'c2')}",
     "[" * 100_000, '{"plan":' * 50_000, "{" * 30_000 + "}" * 30_000],
)  # fmt: skip
def test_what_holds_no_plan_is_unread(text: str) -> None:
    assert read_plan(Reply("q", text=text), NAMES).outcome == "unanswered"


def test_a_refusal_by_the_server_is_one() -> None:
    refused = Reply("q", status="refused", text="yes")
    assert read_plan(refused, NAMES).outcome == "refused"
    for rule in ("strict", "viplan"):
        assert read_yes_no_reply(refused, rule).outcome == "refused"


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert read_plan(Reply("q", text=text), NAMES).outcome in {"answered", "unanswered"}
    assert read_viplan(text).outcome in {"answered", "unanswered"}


@pytest.mark.parametrize(
    ("text", "viplan", "strict"),
    [
        ("Yes.", "yes", "yes"),
        ("no", "no", "no"),
        ("<answer>No</answer>", "no", "no"),
        ("It is not clear. <answer> YES! </answer>", "yes", "yes"),
        ("not sure", "no", None),
        ("Nothing is there", "no", None),
        ("north of it", "no", None),
        ("The answer is yes", "yes", "yes"),
        ("It is within reach of the arm.", None, None),
        ("", None, None),
    ],
)
def test_the_releases_reading_beside_the_strict_one(
    text: str, viplan: str | None, strict: str | None
) -> None:
    reply = Reply("q", text=text)
    assert read_yes_no_reply(reply, "viplan").value == viplan
    assert read_yes_no_reply(reply, "strict").value == strict
