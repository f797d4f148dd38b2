"""MM-IFEval on a file in the published schema."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from oracle_runs import card_of, picture

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._mm_ifeval_judge import compared, judged, matched
from gumption.models import open_judge, open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError, Image, Item, Reply, Score, Text
from gumption.running import run
from gumption.suites import Suite

COLUMNS = ("index", "id", "tag", "question", "answer", "constraints", "infer_type", "del_cons", "image")
ONE_PARAGRAPH = {"func": "check_whether_response_paragraph_number_in_range", "params": [1, 1]}
NO_DIGITS = {"func": "check_whether_has_no_arabic_number_in_response", "params": []}


def constraint(key: str, method: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"key": key, "value": f"keep {key}", "judge": {"method": method, "verify_funcs": list(rules)}}


ALL = [
    constraint("tone", "direct_gpt"),
    constraint("colour", "direct_gpt"),
    constraint("length", "rule_based", ONE_PARAGRAPH, NO_DIGITS),
    constraint("role", "cmp_gpt"),
]


def row(id: str, tag: str, question: str, **cells: str) -> dict[str, str]:
    usual = dict.fromkeys(COLUMNS, "") | {"infer_type": "main", "answer": "nan", "constraints": "nan"}
    return usual | {"id": id, "tag": tag, "question": question} | cells


ROWS = [
    row("c1", "C-Level", 'Describe "it".\nKeep four things.', constraints=json.dumps(ALL)),
    row("c2", "C-Level", "Describe it shortly.", constraints=json.dumps([ALL[2]])),
    row("p1", "P-Level", "Which two colours?", answer=json.dumps(["red", "blue"])),
    row("c1", "C-Level", "Keep three things.", infer_type="aux_cmp_gpt", del_cons="role", constraints="[]"),
]


def write(folder: Path, rows: list[dict[str, str]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "MM-IFEval.tsv").open("w", newline="") as stream:
        table = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        table.writeheader()
        for number, cells in enumerate(rows):
            image = base64.b64encode(picture([[number]])).decode()
            table.writerow(cells | {"index": str(number), "image": image})
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("mm-ifeval").load(write(tmp_path_factory.mktemp("mmifeval"), ROWS))


def play(item: Item, answers: Mapping[str, str]) -> tuple[Score, list[str]]:
    """The score with these replies by call, and the calls in order."""
    episode = get("mm-ifeval").episode(item)
    calls: list[str] = []
    try:
        questions = next(episode)
        while True:
            named = [question.id[len(item.id) + 1 :] for question in questions]
            calls += named
            questions = episode.send(tuple(Reply(item.id, call=call, text=answers[call]) for call in named))
    except StopIteration as stop:
        score: Score = stop.value
        return score, calls


def direct(*scores: object) -> str:
    return "Summary: " + ", ".join(f"Score of constraint_{n}: {s}" for n, s in enumerate(scores, 1)) + "."


def test_tasks_less_one_constraint_belong_to_their_item(suite: Suite) -> None:
    assert [item.id for item in suite.items] == ["mm-ifeval/c1", "mm-ifeval/c2", "mm-ifeval/p1"]
    item = suite.items[0]
    assert item.parts[0] == Text('Describe "it".\nKeep four things.') and isinstance(item.parts[1], Image)
    assert item.meta["without"] == {"role": "Keep three things."} and item.category == "C-Level"
    main, aux = next(get("mm-ifeval").episode(item))
    assert main == item and aux.id == "mm-ifeval/c1/aux/role"
    assert aux.parts == (Text("Keep three things."), item.parts[1])


def test_the_oracle_with_an_oracle_for_judge(suite: Suite, tmp_path: Path) -> None:
    card = card_of(suite, tmp_path, 1.0, judged=True)
    assert (card.official.mean, card.micro.mean, card.total.n) == (1.0, 1.0, 3)


def test_the_wrong_oracle_keeps_the_rules_all_the_same(suite: Suite, tmp_path: Path) -> None:
    """One word is one paragraph without digits: 1/4 of the first item and all of the second."""
    card = card_of(suite, tmp_path, 0.0, judged=True)
    assert card.official.mean == pytest.approx((1 / 4 + 1 + 0) / 3)
    assert card.micro.mean == pytest.approx((1 / 4 + 1 + 0) / 3)
    parts = {part.name: part.score.mean for part in card.parts}
    assert (parts["rule-based"], parts["judged"], parts["compared"]) == (1.0, 0.0, 0.0)


def test_without_a_judge_only_rules_are_scored(suite: Suite, tmp_path: Path) -> None:
    (model,) = open_models("baseline/oracle")
    card = scorecard(run(suite, model, tmp_path / "run").folder)
    assert (card.total.n, card.total.planned) == (1, 3)


def test_judge_calls_are_judge_calls(suite: Suite, tmp_path: Path) -> None:
    (model,) = open_models("baseline/oracle")
    record = run(suite, model, tmp_path / "run", judge=open_judge("baseline/oracle"))
    calls = {(reply.item_id, reply.call) for reply in record.replies()}
    assert calls == {
        ("mm-ifeval/c1", ""), ("mm-ifeval/c1", "aux/role"), ("mm-ifeval/c1", "judge/direct"),
        ("mm-ifeval/c1", "judge/cmp/role"), ("mm-ifeval/c2", ""), ("mm-ifeval/p1", ""),
        ("mm-ifeval/p1", "judge/answers"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "verdict", "truth", "official", "ours"),
    [
        ("A red hat.", direct("1/1", "1/1"), "Summary: True", 1.0, 1.0),
        ("A red hat.", direct("1/1", "0/1"), "Summary: True", 3 / 4, 3 / 4),
        ("3 red hats.", direct("1/1", "0/1"), 'Summary: "False".', 1 / 4, 1 / 4),
        ("A red hat.", direct("1/1", "1/1"), "I cannot compare them.", 1.0, None),  # left out there
        ("A red hat.", direct("1/1"), "Summary: True", 0.0, None),  # one score is missing
        ("A red hat.", "Both are kept.", "Summary: True", 0.0, None),
        ("<think>4 hats?</think>A red hat.", direct("1/1", "1/1"), "Summary: True", 3 / 4, 1.0),
        ("", direct("0/1", "0/1"), "Summary: False", 0.0, 0.0),  # no paragraph at all
        ("I'm sorry, I can't do that.", direct("1/1", "1/1"), "Summary: True", 1.0, 0.0),
    ],
)
def test_hand_worked_items_of_the_c_level(
    suite: Suite, reply: str, verdict: str, truth: str, official: float, ours: float | None
) -> None:
    answers = {"": reply, "aux/role": "A hat.", "judge/direct": verdict, "judge/cmp/role": truth}
    score, calls = play(suite.items[0], answers)
    assert calls == list(answers)
    assert score.parts[OFFICIAL] == pytest.approx(official)
    assert score.value == (None if ours is None else pytest.approx(ours))


def test_what_the_judge_is_shown(suite: Suite) -> None:
    item = suite.items[0]
    episode = get("mm-ifeval").episode(item)
    next(episode)
    replies = (Reply(item.id, text="<think>hm</think>A red hat."), Reply(item.id, text="A plain hat."))
    seen, differing = episode.send(replies)
    assert isinstance(seen.parts[0], Text) and isinstance(seen.parts[1], Image)
    assert "constraint_2: keep colour" in seen.parts[0].text and "A red hat." in seen.parts[0].text
    assert "hm" not in seen.parts[0].text.split("---")[1] and "keep role" not in seen.parts[0].text
    (words,) = differing.parts
    assert isinstance(words, Text)
    assert all(text in words.text for text in ("keep role", "A red hat.", "A plain hat."))
    (points,) = _second(suite.items[2])
    assert (
        isinstance(points, Text) and '["red","blue"]' in points.text and "Which two colours?" in points.text
    )


def _second(item: Item) -> Iterator[Any]:
    episode = get("mm-ifeval").episode(item)
    next(episode)
    (judge,) = episode.send((Reply(item.id, text="red, blue"),))
    return iter(judge.parts)


@pytest.mark.parametrize(
    ("verdict", "ours", "official"),
    [
        ("right", 1.0, 1.0),
        ("Wrong.", 0.0, 0.0),
        ("not right", 0.0, 1.0),
        ("wrong, not right", 0.0, 1.0),
        ("At first sight right, but wrong.", 0.0, 1.0),
        ("not wrong", 1.0, 0.0),
        ("brightly wrong", 0.0, 1.0),
        ("yes", None, None),
        ("", None, None),
    ],
)
def test_verdicts_on_answers(suite: Suite, verdict: str, ours: float | None, official: float | None) -> None:
    assert matched(verdict) == (ours, official)
    score, _ = play(suite.items[2], {"": "red and blue", "judge/answers": verdict})
    assert (score.value, score.parts.get(OFFICIAL)) == (ours, official)


@pytest.mark.parametrize(
    ("verdict", "scores"),
    [
        (direct("1/1", "0/1"), [1.0, 0.0]),
        ("**Score of constraint_1:** 1/1\nScore  of\nconstraint_2: 1 / 2", [1.0, 0.5]),
        ("Score of constraint_1: x/1 ... Score of constraint_1: 0/1, score of Constraint_2: 1/1", [0.0, 1.0]),
        (direct("1/1", "0/0"), None),
        (direct("1/1", "2/1"), None),
        (direct("1/1"), None),
        ("", None),
    ],
)
def test_scores_of_a_list(verdict: str, scores: list[float] | None) -> None:
    assert judged(verdict, 2) == scores


@pytest.mark.parametrize(
    ("verdict", "truth"),
    [
        ('Reasoning: it may be False.\nSummary: "True".', 1.0),
        ("Summary: True? Summary: **False**", 0.0),
        ("True", None),
        ("Summary: untrue", None),
    ],
)
def test_comparisons(verdict: str, truth: float | None) -> None:
    assert compared(verdict) == truth


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"constraints": "[{]"}, "not an item of MM-IFEval"),
        ({"constraints": "[]"}, "has no constraints"),
        ({"constraints": json.dumps([constraint("a", "by_feel")])}, "not an item of MM-IFEval"),
        ({"constraints": json.dumps([constraint("a", "cmp_gpt")])}, "no row asks for the reply without a"),
        (
            {"constraints": json.dumps([constraint("a", "rule_based", {"func": "f", "params": []})])},
            "no rule is",
        ),
        (
            {"constraints": json.dumps([constraint("a", "rule_based", {"func": "f"})])},
            "not an item of MM-IFEval",
        ),
        ({"tag": "P-Level"}, "not an item of MM-IFEval"),
    ],
)
def test_a_row_that_is_not_as_published_is_named(
    tmp_path: Path, changed: dict[str, str], problem: str
) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        get("mm-ifeval").load(write(tmp_path, [ROWS[2], ROWS[1] | changed]))
    assert "row 2" in caught.value.where
