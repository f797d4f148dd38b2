"""SAT on a file in the published schema."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from oracle_runs import card_of, hub_pictures, picture, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.records import GumptionError, Image, Text


def write(folder: Path, n: int = 40, correct: str = "moved left") -> Path:
    pictures = hub_pictures([picture([[i]]) for i in range(2 * n)])
    write_parquet(
        folder / "SAT_test.parquet",
        {
            "image_bytes": pa.ListArray.from_arrays([2 * i for i in range(n + 1)], pictures),
            "question": ["How did the camera move?"] * n,
            "answers": [["moved left", "moved right"]] * n,
            "question_type": ["ego_movement"] * n,
            "correct_answer": [correct] * n,
        },
    )
    return folder


def test_items_and_oracles(tmp_path: Path) -> None:
    suite = get("sat").load(write(tmp_path / "data"))
    item = suite.items[0]
    assert [type(part) for part in item.parts] == [Image, Image, Text]
    assert all((one.answer.choices or {})[one.answer.gold] == "moved left" for one in suite.items)
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, 0.5)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_options_are_shuffled_once_and_for_all(tmp_path: Path) -> None:
    folder = write(tmp_path)
    first, again = open_suite("sat", folder), open_suite("sat", folder)
    assert first.checksum == again.checksum
    golds = Counter(item.answer.gold for item in first.items)
    assert set(golds) == {"A", "B"} and min(golds.values()) >= 8
    published = open_suite("sat:order=published", folder)
    assert {item.answer.gold for item in published.items} == {"A"}
    assert {item.meta["protocol"] for item in published.items} == {"order=published"}


def test_bytes_alone_are_pictures_too(tmp_path: Path) -> None:
    write_parquet(
        tmp_path / "SAT_test.parquet",
        {
            "image_bytes": [[picture([[1]])]],
            "question": ["Which is nearer?"],
            "answers": [["cup", "hat"]],
            "question_type": ["obj_movement"],
            "correct_answer": ["hat"],
        },
    )
    (item,) = get("sat").load(tmp_path).items
    assert isinstance(item.parts[0], Image)


def test_an_answer_that_is_no_option_is_said(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="none of the answers") as caught:
        get("sat").load(write(tmp_path, 1, "flew"))
    assert "row 1" in caught.value.where
