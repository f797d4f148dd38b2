"""Which of yes and no a reply settles on. Labelled by hand: what a careful person would say was answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers._reply import passage_of
from gumption.answers.yes_no import read_yes_no
from gumption.records import Reading


def read(reply: str) -> Reading:
    return read_yes_no(passage_of(reply))


YES = [
    "yes.",
    "YES!",
    "Yep",
    "yeah",
    "Yup.",
    "True",
    "Correct.",
    "affirmative",
    "**Yes**, it is",
    "'Yes'",
    "是",
    "是的,杯子在左边",
    "对",
    "Oh yes",
    "Yes it is",
    "Answer: yes. The other one? No.",
    "The answer is yes. For the other cup: no.",
    "The correct option is hard to find. Yes.",
    "Yes - the cup",
    "Yes, there is no obstacle",
    "Yes, there is a death notice on the wall",
    "yes, not no",
    "Yes, yes, yes",
    "The answer is yes",
    "The answer would be yes.",
    "The answer to the question is yes, since the cup is there.",
    "The correct answer is yes",
    "Probably yes.",
    "I'd say yes",
    "I am not certain. Answer: yes",
    "I can say yes with certainty",
    "The cup is left of the plate, so yes.",
    "It looks like a no, but it is in fact left, so yes.",
    "On a quick look no, but the colours differ on a second look.\nFinal answer: yes",
    "This is a yes/no question. The answer is yes.",
    "This is a yes or no question. Yes, it is.",
    "It is hard to say yes or no. I'd say yes.",
    "The statement is true.",
    "It is true that the cup is left",
    "It seems correct.",
    "It is not false.",
    "\\boxed{Yes}",
    "### Answer\nYes",
    "Looking at it.\n\nYes",
    '{"answer": true}',
    "<think>no</think>yes",
    "<explanation>No at first</explanation><answer>Yes</answer>",
]

NO = [
    "It is not a yes. It is a no.",
    "Would I say yes? No.",
    "no",
    "No.",
    "NO",
    "Nope.",
    "nah",
    "False.",
    "Incorrect!",
    "negative",
    "否",
    "不是。",
    "没有",
    "不对,它在右边",
    "答案:否",
    "No, it is not.",
    "No it isn't",
    "No \u2013 the cup",
    "no, nothing",
    "Well, no.",
    "No, the answer 'yes' would be wrong",
    "No, I cannot see a cup.",
    "not correct",
    "That is not true.",
    "That isn't true",
    "It's not correct.",
    "The statement is false because it is left",
    "Incorrect. The cup is on the right, not the left.",
    "Is it true? No.",
    "so the answer is no",
    "Therefore, no.",
    "I would say no.",
    "I cannot see the image, so no.",
    "Yes... wait, no.",
    "Yes. Actually, no.",
    "On reflection, the answer is no.",
    "Answer: Yes\nAnswer: No",
    "Answer: No, there is no yes here",
    "Answer: **No**.",
    "\\boxed{\\text{No}}",
    "no\n\nThe cup is right",
    "<explanation>Yes it looks so at first</explanation><answer>No</answer>",
    '{"answer": "no"}',
]

AMBIGUOUS = [
    "Yes and no.",
    "yes or no?",
    "It could be yes or no",
    "It could be yes or no, the picture is too small for me.",
    "maybe yes, maybe no",
    "yes no",
    "Yes/No",
    "yes\nno",
    "Answer: yes or no",
    "<answer>yes or no</answer>",
    "Both yes and no are possible",
]

UNANSWERED = [
    "",
    "not sure",
    "nothing",
    "Maybe.",
    "Unsure",
    "It depends",
    "right",
    "untrue",
    "not necessarily true",
    "yesterday",
    "Nobody",
    "no one knows",
    "no way to tell",
    "No. 3 is left",
    "I know now that nothing is there",
    "I notice a notice",
    "There is no cup on the table",
    "No cup is visible",
    "I think it is no longer there",
    "The correct option is shown",
    "There is negative space",
    "correctly placed",
    "true north",
    "not no",
    "The answer is not yes",
    "Answer: unknown",
    "At first I would say yes, then I looked again.",
    "On a quick look no, but the colours differ on a second look.",
    "[output cut off]",
    "#### \n\n",
    "<answer></answer>",
    "<think>yes",
]

REFUSED = [
    "I'm sorry, but I can't say yes or no.",
    "I am not able to answer this question.",
    "Sorry, I cannot judge this from what I was given.",
]


@pytest.mark.parametrize(
    ("value", "reply"), [*(("yes", reply) for reply in YES), *(("no", reply) for reply in NO)]
)
def test_settled(value: str, reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("answered", value)


@pytest.mark.parametrize(
    ("outcome", "reply"),
    [
        *(("ambiguous", reply) for reply in AMBIGUOUS),
        *(("unanswered", reply) for reply in UNANSWERED),
        *(("refused", reply) for reply in REFUSED),
    ],
)
def test_not_settled(outcome: str, reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == (outcome, None)


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("<answer>yes</answer>", "answer_tag"),
        ("Answer: it is yes", "explicit"),
        ("It is so.\nYes\nIt is.", "line"),
        ("Yes, it is", "leading"),
        ("是，杯子在左边", "leading"),
        ("Yes. Wait, no.", "correction"),
        ("My verdict would be no", "only_word"),
        ("I heard yes, and then no, so no.", "conclusion"),
    ],
)
def test_rule_is_named(reply: str, rule: str) -> None:
    assert read(reply).rule == rule


def test_cases(cases: Path) -> None:
    rows = [json.loads(line) for line in (cases / "answers.jsonl").read_text().splitlines()]
    for row in (row for row in rows if row["kind"] == "yes_no"):
        reading = read(row["reply"])
        assert (reading.outcome, reading.value) == (row["outcome"], row["answer"]), row


def test_recorded_scores_of_shelf_probe(cases: Path) -> None:
    folder = cases / "folders" / "shelf-probe"
    rooms = json.loads((folder / "probe.json").read_text())["rooms"]
    truth = {
        ask["k"]: "yes" if ask["truth"] else "no"
        for room in rooms
        for shot in room["shots"]
        for ask in shot["asks"]
    }
    rows = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    assert len(rows) == 120
    for row in rows:
        assert (read(row["reply"]).value == truth[row["item"]]) == bool(row["score"]), row


@given(
    st.sampled_from(["yes", "no"]),
    st.sampled_from([str.lower, str.upper, str.title]),
    st.sampled_from(
        [
            "{}",
            "{}.",
            "**{}**",
            " {}\n",
            "Answer: {}",
            "The answer is {}.",
            "<answer>{}</answer>",
            "\\boxed{{{}}}",
        ]
    ),
)
def test_either_word_reads_back_in_any_dress(word: str, case: object, frame: str) -> None:
    assert callable(case)
    assert read(frame.format(case(word))).value == word


@given(
    st.sampled_from(["yes", "no", "true", "false"]),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=6),
)
def test_a_longer_word_is_no_answer(word: str, rest: str) -> None:
    assert read(f"{word}{rest}").outcome != "answered" or f"{word}{rest}" in {"nope", "noah"}
    assert read(f"{rest}{word}").outcome != "answered"
