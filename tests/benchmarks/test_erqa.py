"""ERQA on a file in the published schema."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.erqa import interleaved
from gumption.records import GumptionError, Image, Text
from gumption.suites import Suite

QUESTION = (
    "First look: then this: which way?\nChoices: A. Left. B. Right. C. Up. D. Down.\n"
    "Please answer directly with only the letter of the correct option and nothing else."
)


def write(folder: Path, indices: list[list[int]]) -> Path:
    pictures = hub_pictures([picture([[n]]) for n in range(2 * len(indices))])
    offsets = [2 * n for n in range(len(indices) + 1)]
    write_parquet(
        folder / "data/test-00000-of-00001.parquet",
        {
            "question_id": [f"ERQA_{n}" for n in range(len(indices))],
            "question": [QUESTION] * len(indices),
            "question_type": ["Spatial Reasoning"] * len(indices),
            "images": pa.ListArray.from_arrays(offsets, pictures),
            "answer": ["B"] * len(indices),
            "visual_indices": indices,
        },
    )
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("erqa")
    return get("erqa").load(write(folder, [[0, 0], [11, 22], [22, 11], [0, 11], []]))


def shape(suite: Suite, number: int) -> list[str | int]:
    """Texts, and pictures by their place in the row."""
    pictures = [picture([[2 * number + k]]) for k in range(2)]
    order = [hashlib.sha256(file).hexdigest() for file in pictures]
    parts = suite.items[number].parts
    return [part.text if isinstance(part, Text) else order.index(part.sha256) for part in parts]  # type: ignore[union-attr]


def test_pictures_stand_at_their_offsets(suite: Suite) -> None:
    assert shape(suite, 0) == [0, 1, QUESTION]
    assert shape(suite, 1) == ["First look:", 0, " then this:", 1, QUESTION[22:]]
    assert shape(suite, 2) == ["First look:", 1, " then this:", 0, QUESTION[22:]]
    assert shape(suite, 3) == [0, "First look:", 1, QUESTION[11:]]
    assert shape(suite, 4) == [0, 1, QUESTION]


def test_the_question_is_asked_as_published(suite: Suite) -> None:
    item = suite.items[0]
    assert next(get("erqa").episode(item)) == (item,)
    assert item.answer.choices == {"A": "Left.", "B": "Right.", "C": "Up.", "D": "Down."}


@given(st.text(max_size=40), st.lists(st.integers(0, 60), max_size=5))
def test_no_word_and_no_picture_is_lost(question: str, places: list[int]) -> None:
    pictures = [Image(str(n)) for n in range(len(places))]
    parts = interleaved(question, pictures, places)
    assert "".join(part.text for part in parts if isinstance(part, Text)) == question
    shown = [part for part in parts if isinstance(part, Image)]
    assert sorted(shown, key=lambda image: image.sha256) == pictures


def test_oracles_are_at_ceiling_and_floor(suite: Suite, tmp_path: Path) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, 0.25)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("B", 1.0, 1.0),
        (" b.\n", 1.0, 1.0),
        ("(B)", 0.0, 1.0),
        ("B. Right.", 0.0, 1.0),
        ("The answer is B.", 0.0, 1.0),
        ("<answer>B</answer>", 0.0, 1.0),
        ("C", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_hand_worked_replies(suite: Suite, reply: str, official: float, ours: float) -> None:
    item = suite.items[0]
    score = scored(get("erqa").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


def test_pictures_without_a_place_are_said(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="2 pictures and 1 visual_indices"):
        get("erqa").load(write(tmp_path, [[0]]))
