"""AI2D on files in the published schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_runs import card_of, hub_pictures, picture, scored, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.records import GumptionError, Image, Text


def write(folder: Path, repo: str, answers: tuple[str, ...] = ("1", "3", "0")) -> Path:
    n = len(answers)
    write_parquet(
        folder / repo / "data/test-00000-of-00001.parquet",
        {
            "question": [f"Which part is number {i}?" for i in range(n)],
            "options": [["stem", "leaf", "root", "fruit"]] * n,
            "answer": list(answers),
            "image": hub_pictures([picture([[0]])] * n),
        },
    )
    return folder


def test_items_and_oracles(tmp_path: Path) -> None:
    suite = get("ai2d").load(write(tmp_path / "data", "ai2d"))
    assert [item.answer.gold for item in suite.items] == ["B", "D", "A"]
    assert suite.items[0].answer.choices == {"A": "stem", "B": "leaf", "C": "root", "D": "fruit"}
    assert isinstance(suite.items[0].parts[0], Image)
    assert suite.items[0].parts[1] == Text("Which part is number 0?")
    assert len({item.cluster for item in suite.items}) == 1  # one diagram
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, 0.25)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_drawn_labels_are_another_task(tmp_path: Path) -> None:
    data = write(write(tmp_path, "ai2d"), "ai2d-no-mask", ("2",))
    assert len(open_suite("ai2d", data).items) == 3
    drawn = open_suite("ai2d:labels=drawn", data)
    assert drawn.name == "ai2d:labels=drawn" and drawn.items[0].meta["protocol"] == "labels=drawn"
    with pytest.raises(GumptionError, match="none of ai2d's") as caught:
        open_suite("ai2d:labels=none", data)
    assert "masked, drawn" in caught.value.remedy


def test_a_letter_with_its_text_is_right(tmp_path: Path) -> None:
    item = get("ai2d").load(write(tmp_path, "ai2d")).items[0]
    for reply, value in (("B leaf", 1.0), ("leaf", 1.0), ("It is the root.", 0.0), ("A", 0.0)):
        assert scored(get("ai2d").episode(item), item, reply).value == value


def test_an_answer_without_its_option_is_said(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="option 4 is the answer, of 4") as caught:
        get("ai2d").load(write(tmp_path, "ai2d", ("0", "4")))
    assert "row 2" in caught.value.where
