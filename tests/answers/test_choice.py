"""Which option a reply settles on. The labels are by hand: what a careful person would say was answered."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gumption as g

SIDES = {"A": "left", "B": "right", "C": "above", "D": "below"}


def read(reply: str, choices: dict[str, str] | None = SIDES) -> g.Reading:
    return g.read(reply, g.Answer("choice", choices=choices))


ANSWERED = [
    ("Option (B)", "B"),
    ("B)", "B"),
    ("b)", "B"),
    ("**Answer:** B", "B"),
    ("Answer: **B. right**", "B"),
    ("answer is: $\\boxed{\\text{C}}$", "C"),
    ("The correct answer is option D: below", "D"),
    ("I think it's B", "B"),
    ("It's B.", "B"),
    ("Definitely C", "C"),
    ("C, because the cup is above it", "C"),
    ("My answer: b", "B"),
    ("final answer - A", "A"),
    ("A.", "A"),
    ("A) left", "A"),
    ("(a)", "A"),
    ("Choice D", "D"),
    ("It isn't left, it's right", "B"),
    ("I'd go with A", "A"),
    ("The answer is A, not B", "A"),
    ("The answer is not A but B", "B"),
    ("[B]", "B"),
    ("`B`", "B"),
    ('"B"', "B"),
    ("### B", "B"),
    ("B</s>", "B"),
    ("答案：B", "B"),
    ("选B", "B"),
    ("选择（C）", "C"),
    ("我认为答案是 D。", "D"),
    ("Ｂ", "B"),
    ("（B）", "B"),
    ("不是左，是右", "B"),
    ("A: left", "A"),
    ("A - left", "A"),
    ("Option A is incorrect, Option B is correct.", "B"),
    ("Between left and right, I'd say right.", "B"),
    ("<answer>right</answer>", "B"),
    ("<answer>The answer is B</answer>", "B"),
    ('{"answer": "B", "reason": "A is wrong"}', "B"),
    ("Answer: B\n\nExplanation: Option A is wrong because it is not left.", "B"),
    ("The answer might be A. However, after a careful look, it is B.", "B"),
    ("<think>hm</think>The answer is C", "C"),
    ("D it is", "D"),
    ("The answer is (B) right, since A is farther away.", "B"),
    ("Answer:\nB", "B"),
    ("Answer:\n\n**B**\n", "B"),
    ("The final answer is $B$.", "B"),
    ("Final Answer: The final answer is B. I hope it is correct.", "B"),
    ("It is on the right side of the table.", "B"),
    ("The cup is to the left of the plate, so A.", "A"),
    ("The cup is to the left of the plate (A).", "A"),
    ("A\n\nThe cup is on the left.", "A"),
    ("B\n\nReason: the cup is right of the bowl, not left.", "B"),
    ("Answer: (C)\nOptions considered: A, B, C, D.", "C"),
    ("A or B? I believe B.", "B"),
    ("Is it A? No. The answer is D.", "D"),
    ("ANSWER: A\nANSWER: B", "B"),
    ("I cannot see the image, but the answer is B", "B"),
    ("option c", "C"),
    ("the answer is c", "C"),
    ("answer: a", "A"),
    ("The correct option is (A) left.", "A"),
    ("Thus, option B.", "B"),
    ("\\boxed{A} or \\boxed{B}", "B"),
    ("$\\boxed{D}$", "D"),
    ("\\boxed{\\textbf{(B)}}", "B"),
    ("C is correct.", "C"),
    ("D is the right answer.", "D"),
    ("The answer is: A. left", "A"),
    ("Answer: left", "A"),
    ("Answer: the cup is on the left", "A"),
    ("It's not below. It's above.", "C"),
    ("I would choose B over A", "B"),
    ("right, not left", "B"),
    ("rather left than right", "A"),
    ("Left.", "A"),
    ("LEFT", "A"),
    ("**left**", "A"),
    ("Answer = B", "B"),
    ("Answer is B", "B"),
    ("the answer's B", "B"),
    ("1. B", "B"),
    ("- B", "B"),
    ("Answer (B)", "B"),
    ("[[B]]", "B"),
    ("<B>", "B"),
    ("Option: B", "B"),
    ("Letter: B", "B"),
    ("B is my answer", "B"),
    ("So B.", "B"),
    ("B!", "B"),
    ("B?", "B"),
    ("\u200bB", "B"),
    ("故选：D", "D"),
    ("正确答案为（A）", "A"),
    ("答案应该是C", "C"),
    ("应选 B", "B"),
    ("所以答案是：左", "A"),
]
UNANSWERED = [
    "None of the above",
    "Not A",
    "not left",
    "neither left nor right",
    "Answer: not B",
    "The object is leftover",
    "It stands upright",
    "The correct answer is not listed",
    "<think>The answer is A",
    "<think>A</think>",
    "A robot arm holds a cup",
    "I see a cup.",
    "The",
    "Based on the picture",
    "Because it is far",
    "(E)",
    "Answer: E",
    "F",
    "   ",
    "...",
    "?",
    "I don't know",
    "Maybe",
    "answer: a cup",
    "B is not correct. C is.",
    "I would say neither.",
]
AMBIGUOUS = [
    "Both A and B",
    "left or right",
    "Answer: A and B",
    "Answer: A, B",
    "A, B",
    "A right",
    "The options are A, B, C and D.",
    "A. left\nB. right\nC. above\nD. below",
    "\\boxed{A, B}",
    "A、B、C、D 都不对",
    "Answer: C (below)",
    "C) left",
    "The answer is B or C",
]
REFUSED = [
    "I can't choose between A and B",
    "Sorry, I can't help",
    "I'm sorry, I cannot answer that.",
    "As an AI model, I can't view images.",
    "It could be option C or D) below; I can't tell which.",
]


@pytest.mark.parametrize(("reply", "letter"), ANSWERED)
def test_reads_the_answer(reply: str, letter: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("answered", letter)
    assert reading.rule


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        *((reply, "unanswered") for reply in UNANSWERED),
        *((reply, "ambiguous") for reply in AMBIGUOUS),
        *((reply, "refused") for reply in REFUSED),
    ],
)
def test_never_guesses(reply: str, outcome: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == (outcome, None)


def test_the_shared_cases(cases: Path) -> None:
    for line in (cases / "answers.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["kind"] == "choice":
            reading = read(case["reply"], case["choices"])
            assert (reading.outcome, reading.value) == (case["outcome"], case["answer"]), case


Golds = dict[int, tuple[dict[str, str], str]]


def tilequiz(folder: Path) -> Golds:
    csv.field_size_limit(1 << 24)
    with (folder / "tilequiz_test.tsv").open(newline="") as stream:
        return {
            int(row["index"]): ({k: row[k] for k in "ABCD" if row[k] not in ("", "NaN")}, row["answer"])
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def hearth40(folder: Path) -> Golds:
    with (folder / "hearth40_eval.csv").open(newline="") as stream:
        return {
            int(row["Unnamed: 0"]): (
                dict(zip("ABCD", map(str.strip, row["opts_pipe"].split("|")), strict=True)),
                "ABCD"[int(row["key0"])],
            )
            for row in csv.DictReader(stream)
        }


@pytest.mark.parametrize(("name", "load"), [("TileQuiz_TSV", tilequiz), ("hearth40", hearth40)])
def test_recorded_scores_of_folders(cases: Path, name: str, load: Callable[[Path], Golds]) -> None:
    items = load(cases / "folders" / name)
    for line in (cases / "folders" / name / "recorded.jsonl").read_text().splitlines():
        recorded = json.loads(line)
        choices, gold = items[recorded["item"]]
        assert float(read(recorded["reply"], choices).value == gold) == recorded["score"], recorded


@pytest.mark.parametrize(
    ("reply", "choices", "letter"),
    [
        ("A", None, "A"),
        ("The answer is (F).", None, "F"),
        ("Answer: E", None, "E"),
        ("A robot should move first", None, None),
        ("3", {"A": "1", "B": "2", "C": "12", "D": "3"}, "D"),
        ("There are twelve cups.", {"A": "1", "B": "2", "C": "12", "D": "3"}, "C"),
        ("12.0", {"A": "1", "B": "2", "C": "12", "D": "3"}, "C"),
        ("The dark red one", {"A": "red", "B": "dark red"}, "B"),
        ("A slow puncture", {"A": "a flat road", "B": "A slow puncture"}, "B"),
        ("None of the above", {"A": "a cup", "B": "none of the above"}, "B"),
        ("No, the cup is gone", {"A": "Yes", "B": "No"}, "B"),
        ("Point B is closer to the camera than point A.", {"A": "A is closer", "B": "B is closer"}, "B"),
        ("A is closer than B", {"A": "A is closer", "B": "B is closer"}, "A"),
        ("The mug", {"A": "mug", "B": "mug"}, None),
        ("B", {"A": "x", "B": ""}, "B"),
        ("右", {"A": "left", "B": "right"}, "B"),
    ],
)
def test_choices_of_every_sort(reply: str, choices: dict[str, str] | None, letter: str | None) -> None:
    assert read(reply, choices).value == letter


SIGNS = st.text("*_ .()[]\n`\"':", max_size=4)


@given(letter=st.sampled_from("ABCD"), before=SIGNS, after=SIGNS)
def test_a_letter_in_plain_signs_is_that_letter(letter: str, before: str, after: str) -> None:
    assert read(f"{before}{letter}{after}").value == letter


@given(st.text(max_size=400))
def test_a_value_is_always_one_of_the_choices(reply: str) -> None:
    reading = read(reply)
    assert (reading.value in SIDES) == (reading.outcome == "answered")
    assert reading == read(reply)


@given(
    st.sampled_from("ABCD"), st.text(st.characters(codec="ascii", exclude_characters="<>{}[]"), max_size=60)
)
def test_reasoning_never_answers(letter: str, thought: str) -> None:
    assert read(f"<think>{thought} The answer is {letter}.").outcome == "unanswered"
    assert read(f"<think>{thought} Answer: A</think>Answer: {letter}").value == letter


PLACES = {"A": "on the table", "B": "under the chair", "C": "in the box"}
COUNTS = {"A": "1", "B": "2", "C": "3", "D": "4"}
METRES = {"A": "1.5 m", "B": "3.5 m"}
YES_NO = {"A": "Yes", "B": "No"}
TALLER = {"A": "A is taller", "B": "B is taller", "C": "same height"}
# ruff: noqa: E501 - replies stay on one line
# A letter is the right reading; a longer word is the right outcome.
MORE = [
    (
        PLACES,
        "Let's analyze the image. The cup is on the table. The correct answer is **B. under the chair**.",
        "B",
    ),
    (
        PLACES,
        "To determine the answer, consider each option:\n\nA. on the table - no.\nB. under the chair - yes.\nC. in the box - no.\n\nTherefore, the answer is B.",
        "B",
    ),
    (
        PLACES,
        "To determine the answer, consider each option:\n\n- **A. on the table**: The cup is not there.\n- **B. under the chair**: It is there.\n\n**Answer: B**",
        "B",
    ),
    (PLACES, "Option A: on the table\nOption B: under the chair\n\nI choose option B.", "B"),
    (PLACES, "The cup is under the chair.", "B"),
    (PLACES, "The cup is not on the table; it's in the box.", "C"),
    (PLACES, "It's in the box, not under the chair.", "C"),
    (PLACES, "in the box", "C"),
    (PLACES, "In The Box.", "C"),
    (PLACES, "the box", "unanswered"),
    (PLACES, "box", "unanswered"),
    (PLACES, "on a table", "unanswered"),
    (PLACES, "(B) under the chair", "B"),
    (PLACES, "b. under the chair", "B"),
    (PLACES, "B: under the chair", "B"),
    (PLACES, "B - under the chair", "B"),
    (PLACES, "[B] under the chair", "B"),
    (PLACES, "Answer: B (under the chair)", "B"),
    (PLACES, "Answer: under the chair (B)", "B"),
    (PLACES, "The cup is under the chair, so the answer is B.", "B"),
    (PLACES, "Based on the image, the cup is located under the chair. So, the answer is: B", "B"),
    (PLACES, "\n\nB\n\n", "B"),
    (PLACES, "The answer is: \n\n(B)", "B"),
    (PLACES, "The answer should be B.", "B"),
    (PLACES, "My final answer: B.", "B"),
    (PLACES, "**Final Answer**: B", "B"),
    (PLACES, "Final answer: $\\boxed{B}$", "B"),
    (PLACES, "The best answer is B.", "B"),
    (PLACES, "Correct option: B", "B"),
    (PLACES, "Correct answer: B", "B"),
    (PLACES, "Choice: B", "B"),
    (PLACES, "Selected: B", "B"),
    (PLACES, "I'd choose B.", "B"),
    (PLACES, "I would pick B", "B"),
    (PLACES, "I'm going with B.", "B"),
    (PLACES, "Must be B", "B"),
    (PLACES, "Looks like B", "B"),
    (PLACES, "B is correct because A is empty.", "B"),
    (PLACES, "B it is!", "B"),
    (PLACES, "It's option B.", "B"),
    (PLACES, "That would be B.", "B"),
    (PLACES, "Neither A nor B, so C.", "C"),
    (PLACES, "Not A, not B, therefore C.", "C"),
    (PLACES, "It isn't A. It isn't C. So it must be B.", "B"),
    (PLACES, "A is wrong, B is wrong, C is right.", "C"),
    (PLACES, "A, B or C", "ambiguous"),
    (PLACES, "Could be A or maybe B.", "ambiguous"),
    (PLACES, "Either A or B", "ambiguous"),
    (PLACES, "A/B", "ambiguous"),
    (PLACES, "A & B", "ambiguous"),
    (PLACES, "AB", "ambiguous"),
    (PLACES, "A and C", "ambiguous"),
    (PLACES, "I can't see the image clearly, but my best guess is B.", "B"),
    (PLACES, "I cannot determine this from the picture.", "refused"),
    (PLACES, "Unable to answer.", "refused"),
    (PLACES, "It is impossible to tell.", "unanswered"),
    (PLACES, "No option is right.", "unanswered"),
    (PLACES, "None", "unanswered"),
    (PLACES, "D", "unanswered"),
    (PLACES, "The answer is D", "unanswered"),
    (PLACES, "d) none", "unanswered"),
    (PLACES, "Z", "unanswered"),
    (PLACES, "1", "unanswered"),
    (PLACES, "2", "unanswered"),
    (PLACES, "<answer>\nB. under the chair\n</answer>", "B"),
    (PLACES, "<think>A? no.</think>\n\nB", "B"),
    (PLACES, "<think>B</think>\n<answer>C</answer>", "C"),
    (PLACES, "<answer>A</answer> wait <answer>C</answer>", "C"),
    (PLACES, "```\nB\n```", "B"),
    (PLACES, '```json\n{"answer": "B"}\n```', "B"),
    (PLACES, '{"choice": "B", "why": "A is empty"}', "B"),
    (PLACES, "{'answer': 'B'}", "B"),
    (PLACES, '{"answer": "under the chair"}', "B"),
    (PLACES, '{"answer": null}', "unanswered"),
    (PLACES, "answer=B", "B"),
    (PLACES, "Answer - B", "B"),
    (PLACES, "ANSWER B", "B"),
    (PLACES, "选择B", "B"),
    (PLACES, "答案：B。", "B"),
    (PLACES, "正确答案是B", "B"),
    (PLACES, "我选B", "B"),
    (PLACES, "答案是 (B) under the chair", "B"),
    (PLACES, "B。", "B"),
    (PLACES, "【B】", "B"),
    (PLACES, "《B》", "B"),
    (PLACES, "Ｂ．", "B"),
    (PLACES, "The letter is B", "B"),
    (PLACES, "Answer letter: B", "B"),
    (PLACES, "Answer choice B", "B"),
    (PLACES, "B, final.", "B"),
    (PLACES, "Yes, B.", "B"),
    (PLACES, "Sure! B", "B"),
    (PLACES, "Okay, the answer's B.", "B"),
    (PLACES, "The object is in the box (C).", "C"),
    (PLACES, "The answer is (A) on the table. Wait, it is (B).", "B"),
    (PLACES, "A\nB", "ambiguous"),
    (PLACES, "A. on the table\nB. under the chair\nC. in the box\n\nAnswer:", "ambiguous"),
    (PLACES, "Answer: A or B, most likely B", "ambiguous"),
    (PLACES, "Answer: B, since A is empty", "B"),
    (PLACES, "Answer: B and not A", "B"),
    (PLACES, "Option B (not A)", "B"),
    (PLACES, "A cup can be seen under the chair", "B"),
    (PLACES, "A: The cup is under the chair", "ambiguous"),
    (PLACES, "I think a cup is on the table", "A"),
    (PLACES, "i", "unanswered"),
    (PLACES, "I", "unanswered"),
    (PLACES, "I am not sure", "unanswered"),
    (PLACES, "I'm not sure, maybe B", "B"),
    (PLACES, "B?", "B"),
    (COUNTS, "3", "C"),
    (COUNTS, "There are 3 apples", "C"),
    (COUNTS, "three", "C"),
    (COUNTS, "Answer: 3", "C"),
    (COUNTS, "C. 3", "C"),
    (COUNTS, "The count is 3, i.e. option C", "C"),
    (COUNTS, "13", "unanswered"),
    (COUNTS, "30", "unanswered"),
    (COUNTS, "3.0", "C"),
    (COUNTS, "2 or 3", "ambiguous"),
    (COUNTS, "I count 1, 2, 3. So there are 3.", "C"),
    (COUNTS, "There are two", "B"),
    (COUNTS, "(2)", "B"),
    (COUNTS, "B) 2", "B"),
    (COUNTS, "The answer is 2.", "B"),
    (COUNTS, "1/2", "ambiguous"),
    (METRES, "3.5 m", "B"),
    (METRES, "3.5", "unanswered"),
    (METRES, "3.5 meters", "unanswered"),
    (METRES, "B", "B"),
    (METRES, "The distance is 3.5 m.", "B"),
    (METRES, "about 1.5 m", "A"),
    (YES_NO, "yes", "A"),
    (YES_NO, "No.", "B"),
    (YES_NO, "Yes, it is.", "A"),
    (YES_NO, "no, there is no cup", "B"),
    (YES_NO, "A", "A"),
    (YES_NO, "(B) No", "B"),
    (YES_NO, "The answer is yes", "A"),
    (YES_NO, "Answer: no", "B"),
    (YES_NO, "There is no cup", "unanswered"),
    (YES_NO, "I don't know", "unanswered"),
    (YES_NO, "yes and no", "ambiguous"),
    (YES_NO, "True", "A"),
    (YES_NO, "nope", "B"),
    (YES_NO, "(A) No", "ambiguous"),
    (YES_NO, "Yes (A)", "A"),
    (TALLER, "A is taller", "A"),
    (TALLER, "B is taller than A.", "B"),
    (TALLER, "B", "B"),
    (TALLER, "They are the same height", "C"),
    (TALLER, "same height", "C"),
    (TALLER, "A is not taller, B is taller", "B"),
]


@pytest.mark.parametrize(("choices", "reply", "right"), MORE)
def test_what_models_write(choices: dict[str, str], reply: str, right: str) -> None:
    reading = read(reply, choices)
    assert (reading.value or reading.outcome) == right


@pytest.mark.xfail(reason="known misses, kept in sight", strict=True)
@pytest.mark.parametrize(
    ("choices", "reply", "right"),
    [
        (PLACES, "Initially A, but after checking, B.", "B"),
        (PLACES, "Probably B, but could be C", "B"),
        (YES_NO, "It's not possible to say yes", "unanswered"),
        (TALLER, "Person B", "unanswered"),
    ],
)
def test_what_is_not_read_rightly_yet(choices: dict[str, str], reply: str, right: str) -> None:
    reading = read(reply, choices)
    assert (reading.value or reading.outcome) == right
