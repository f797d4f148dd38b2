"""EmbSpatial-Bench on a file in the published schema."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from oracle_runs import card_of, picture

from gumption.benchmarks import get
from gumption.records import GumptionError, Image, Text


def write(folder: Path, answers: tuple[int, ...] = (0, 3, 1)) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "question_id": f"mp3d_{n}",
            "question": "Where is the chair?",
            "relation": ("left", "close", "far")[n],
            "answer_options": [
                "The chair is left of the bed.",
                "It is right.",
                "It is above.",
                "It is below.",
            ],
            "answer": answer,
            "objects": [{"bbox": [1, 2, 3, 4], "name": "chair"}],
            "data_source": "mp3d",
            "scene_id": "scene7",
            "image": base64.b64encode(picture([[n]])).decode(),
        }
        for n, answer in enumerate(answers)
    ]
    (folder / "embspatial_bench.json").write_text(json.dumps(rows))
    return folder


def test_items_and_oracles(tmp_path: Path) -> None:
    suite = get("embspatial").load(write(tmp_path / "data"))
    assert [item.answer.gold for item in suite.items] == ["A", "D", "B"]
    item = suite.items[0]
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text("Where is the chair?")
    assert (item.id, item.category, item.cluster) == ("embspatial/mp3d_0", "left", "mp3d/scene7")
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean, right.total.chance) == (1.0, 1.0, 0.25)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_a_wrong_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="option 4 is the answer") as caught:
        get("embspatial").load(write(tmp_path, (0, 4)))
    assert "embspatial_bench.json, row 2" in caught.value.where


def test_without_data_it_says_what_to_get(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"no embspatial_bench\.json") as caught:
        get("embspatial").load(tmp_path)
    assert "huggingface.co/datasets/Phineas476/EmbSpatial-Bench" in caught.value.remedy
