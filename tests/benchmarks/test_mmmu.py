"""MMMU on files in the published schema, and the official parser by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._mmmu_rule import letter, open_is_right
from gumption.benchmarks.mmmu import _SUBJECTS
from gumption.records import GumptionError, Image, Text
from gumption.suites import Suite

ABCD = {"A": "a cat", "B": "the hat shop", "C": "12", "D": "none"}


def row(
    question: str, options: list[str], answer: str, kind: str = "multiple-choice", n: int = 1
) -> dict[str, Any]:
    return {"question": question, "options": repr(options), "answer": answer, "question_type": kind, "n": n}


def write(folder: Path, rows: dict[str, list[dict[str, Any]]], split: str = "validation") -> Path:
    """All thirty subjects have a file; those without rows of their own have one plain question."""
    usual = [row("Which <image 1>?", ["yes", "no"], "A")]
    for subject in _SUBJECTS:
        own = rows.get(subject, usual)
        pictures = [[picture([[k]]) if k < one["n"] else None for one in own] for k in range(7)]
        none = pa.nulls(len(own), pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
        write_parquet(
            folder / subject / f"{split}-00000-of-00001.parquet",
            {
                "id": [f"{split}_{subject}_{number}" for number in range(1, len(own) + 1)],
                **{
                    key: [one[key] for one in own]
                    for key in ("question", "options", "answer", "question_type")
                },
                **{
                    f"image_{k + 1}": hub_pictures(pictures[k]) if all(pictures[k]) else none  # type: ignore[arg-type]
                    for k in range(7)
                },
            },
        )
    return folder


ART = [
    row("Compare <image 2> with <image 1>. Which is older?", ["the first", "the second", "both"], "B", n=2),
    row("Which one follows?", ["<image 1>", "<image 2>"], "A", n=2),
]
MATH = [
    row("How long is <image 1>?", [], "42", "open"),
    row("And this <image 1>?", [], "['0.5', '1/2']", "open"),
]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("mmmu").load(
        write(tmp_path_factory.mktemp("mmmu"), {"Art": ART[:1], "Art_Theory": ART[1:], "Math": MATH})
    )


def item_of(suite: Suite, id: str) -> Any:
    return next(item for item in suite.items if item.id == f"mmmu/validation_{id}")


def test_there_are_thirty_subjects_in_six_disciplines(suite: Suite) -> None:
    assert len(_SUBJECTS) == 30 and len({item.dimension for item in suite.items}) == 6
    assert item_of(suite, "Art_Theory_1").category == "Art_Theory"


def test_pictures_stand_at_their_marks(suite: Suite) -> None:
    parts = item_of(suite, "Art_1").parts
    assert [part.text if isinstance(part, Text) else "#" for part in parts] == [
        "Compare ", "#", " with ", "#", ". Which is older?",
    ]  # fmt: skip
    first, second = (part for part in parts if isinstance(part, Image))
    assert suite.media.read(first.sha256) == picture([[1]]) and suite.media.read(second.sha256) == picture(
        [[0]]
    )


def test_options_that_are_pictures_are_shown_as_such(suite: Suite) -> None:
    (asked,) = next(get("mmmu").episode(item_of(suite, "Art_Theory_1")))
    assert [part.text if isinstance(part, Text) else "#" for part in asked.parts] == [
        "Which one follows?\nOptions:\nA. ", "#", "\nB. ", "#", "Answer with the letter of one option: A, B.",
    ]  # fmt: skip


def test_open_questions_have_texts(suite: Suite) -> None:
    assert item_of(suite, "Math_1").answer.gold == "42"
    assert item_of(suite, "Math_2").answer.gold == ["0.5", "1/2"]


def test_oracles(suite: Suite, tmp_path: Path) -> None:
    """A wrong open reply has no number and no accepted text in it, a wrong choice is another letter."""
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert right.total.chance == pytest.approx((27 / 2 + 1 / 3 + 1 / 2) / 31)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("B", "B"),
        ("'B'.", "B"),
        ("(A) or (B)? I take (A)", "A"),  # the last bracket
        ("Perhaps A but D ", "D"),
        ("A. because it purrs", "A"),
        ("(C), not B ", "C"),  # brackets before all else
        ("the hat shop", None),  # option texts need more than five words
        ("I think that it is the hat shop over there", "B"),
        ("no a cat and then the hat shop comes last of all", "B"),
        ("A cat", "A"),  # a letter before a blank, wherever it stands
        ("I am sorry, but there is nothing in it", None),
        ("", None),
        ("b", None),
    ],
)
def test_the_official_parser_of_letters(reply: str, found: str | None) -> None:
    assert letter(reply, ABCD) == found


@pytest.mark.parametrize(
    ("reply", "gold", "right"),
    [
        ("Therefore the answer is 0.5", "0.5", True),
        ("The answer is 42.", "42", True),
        ("x = 3 + 4 = 7", "7", True),
        ("it is 3\nso 4", "3", True),
        ("about 1,234.5 in all", "1234.5", False),  # no number of it is whole: 1,234 and 5
        ("1,234", "1234", True),
        ("3.14159", "3.14", True),  # two decimals
        ("3.149", "3.14", False),
        ("2e3", "2000", True),
        ("-5", "5", False),
        ("The result is photosynthesis.", "Photosynthesis", True),
        ("photosynthesis is it", "photosynthesis", False),  # only the tail "it" is looked at
        ("The answer is x", "x", True),
        ("The answer is box", "x", False),  # a single letter needs a blank beside it
        ("It is 1/2", ["0.5", "1/2"], True),
        ("I cannot say", "0.5", False),
        ("Solution A", "42", False),  # VLMEvalKit's A is the gold, its B all other answers
        ("42", "42", True),
        ("", "42", False),
    ],
)
def test_the_official_parser_of_open_answers(reply: str, gold: str | list[str], right: bool) -> None:
    assert open_is_right(reply, gold) is right


@pytest.mark.parametrize(
    ("id", "reply", "official", "ours"),
    [
        ("Art_1", "I can't say", 1 / 3, 0.0),  # drawn there, its expected value here
        ("Art_1", "", 1 / 3, 0.0),
        ("Art_1", "**B**", 1 / 3, 1.0),
        ("Art_1", "The answer is (B).", 1.0, 1.0),
        ("Art_1", "A", 0.0, 0.0),
        ("Math_1", "The answer is 42.", 1.0, 1.0),
        ("Math_1", "It could be 41\nor it is 42\nor it is 43\nFinal answer: 43", 1.0, 0.0),
        ("Math_1", "I can't say", 0.0, 0.0),
    ],
)
def test_both_rules(suite: Suite, id: str, reply: str, official: float, ours: float) -> None:
    item = item_of(suite, id)
    score = scored(get("mmmu").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (pytest.approx(official), ours)


def test_an_answer_that_is_kept_back_has_no_score(tmp_path: Path) -> None:
    folder = write(tmp_path, {s: [row("Which <image 1>?", ["yes", "no"], "?")] for s in _SUBJECTS}, "test")
    item = open_suite("mmmu:split=test", folder).items[0]
    score = scored(get("mmmu").episode(item), item, "A")
    assert score.value is None and OFFICIAL not in score.parts


def test_a_subject_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, {})
    (folder / "Music/validation-00000-of-00001.parquet").unlink()
    with pytest.raises(GumptionError, match="Music/validation"):
        get("mmmu").load(folder)


@pytest.mark.parametrize("options", ["[", "__import__('os').getcwd()", "(1, 2)", "[" * 5000, "x" * 30_000])
def test_a_list_that_is_none_is_said(tmp_path: Path, options: str) -> None:
    bad = row("Which <image 1>?", [], "A") | {"options": options}
    with pytest.raises(GumptionError, match="no list of texts") as caught:
        get("mmmu").load(write(tmp_path, {"Art": [bad]}))
    assert "Art/validation" in caught.value.where
