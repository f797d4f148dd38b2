"""Where2Place on a folder in the published layout."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from oracle_runs import card_of, picture, scored

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.models.baseline import written
from gumption.records import GumptionError, Text
from gumption.suites import Suite

FORM = (
    " Your answer should be formatted as a list of tuples, where each tuple has x and y, for instance "
    "[(x1, y1)]."
)


def write(folder: Path, *, size: tuple[int, int] = (640, 480), questions: int = 12) -> Path:
    """`point_questions.jsonl`, `images/` and `masks/NN.jpg`: in each mask a box 120 wide and 90 high."""
    width, height = size
    for name in ("images", "masks"):
        (folder / name).mkdir(parents=True)
    lines = []
    for number in range(questions):
        mask = np.zeros((height, width), np.uint8)
        left, top = 8 * number, 16 * number
        mask[top : top + 96, left : left + 128] = 255
        scene = np.full((height, width, 3), number, np.uint8)
        (folder / f"images/{number:02d}.jpg").write_bytes(picture(scene, "JPEG"))
        (folder / f"masks/{number:02d}.jpg").write_bytes(picture(mask, "JPEG", quality=100))
        lines.append({
            "question_id": number,
            "image": f"{number:02d}.jpg",
            "text": f"Point at the free space left of thing {number}.{FORM}",
            "category": "points",
        })  # fmt: skip
    (folder / "point_questions.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("where2place").load(write(tmp_path_factory.mktemp("w2p")))


def test_items_show_the_question_without_the_authors_form(suite: Suite) -> None:
    item = suite.items[3]
    assert [part.text for part in item.parts if isinstance(part, Text)] == [
        "Point at the free space left of thing 3."
    ]
    assert item.answer.convention == "unit_xy" and item.answer.size == (640, 480)
    assert item.answer.gold == {"polygon": [[24, 48], [152, 48], [152, 144], [24, 144]]}
    assert len({item.cluster for item in suite.items}) == 12


def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert right.official.name == "mean over the pictures, mask not binarised"
    assert right.total.chance == pytest.approx(128 * 96 / (640 * 480))


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("[(0.05, 0.05)]", 1.0, 1.0),
        ("[(0.05, 0.05), (0.9, 0.9)]", 0.5, 0.5),
        ("[(32, 24)]", 1.0, 0.0),  # the official rule infers pixels; ours keeps to 0 to 1
        ("[0.05, 0.05]", 0.0, 1.0),
        ("( 0.05, 0.05 )", 0.0, 1.0),
        ("[(.05, .05)]", 0.0, 1.0),
        ("I cannot tell.", 0.0, 0.0),
        ("not (0.9, 0.9). Answer: (0.05, 0.05)", 0.5, 1.0),
        ("[(0.05, 0.05), (1.5, 0.5)]", 0.5, 0.5),  # outside the picture: kept, a miss
        ("(0, 0, 128, 192)", 0.5, 0.0),  # a box is all its pixels there; ours reads no point in it
    ],
)
def test_hand_worked_replies(suite: Suite, reply: str, official: float, ours: float) -> None:
    """The first mask is the box from (0, 0) to (128, 96)."""
    item = suite.items[0]
    score = scored(get("where2place").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


def test_greys_of_the_mask_count_officially_and_are_cut_at_half_for_us(tmp_path: Path) -> None:
    folder = write(tmp_path / "grey", questions=1)
    mask = np.zeros((480, 640), np.uint8)
    mask[:96, :128], mask[:96, 256:384] = 102, 204
    (folder / "masks/00.jpg").write_bytes(picture(mask, "JPEG", quality=100))
    (item,) = get("where2place").load(folder).items
    score = scored(get("where2place").episode(item), item, "[(0.05, 0.05), (0.5, 0.05)]")
    assert score.parts[OFFICIAL] == pytest.approx((0.4 + 0.8) / 2)
    assert score.value == 0.5


def test_official_takes_every_picture_for_640_by_480(tmp_path: Path) -> None:
    (item,) = get("where2place").load(write(tmp_path / "small", size=(320, 240), questions=1)).items
    score = scored(get("where2place").episode(item), item, "[(0.3, 0.3)]")
    assert score.value == 1.0  # (96, 72) in a box up to (128, 96)
    assert score.parts[OFFICIAL] == 0.0  # (192, 144)


def test_where_the_code_fails_the_official_mean_has_no_part(suite: Suite) -> None:
    item = suite.items[0]
    score = scored(get("where2place").episode(item), item, f"(0.5, {'9' * 400}.0)")
    assert score.value == 0.0 and OFFICIAL not in score.parts


def test_a_refusal_of_the_server_is_one(suite: Suite) -> None:
    item = suite.items[0]
    score = scored(get("where2place").episode(item), item, "(0.05, 0.05)", status="refused")
    assert score.value == 0.0 and score.reading and score.reading.outcome == "refused"


def test_the_convention_is_an_option_and_stands_in_the_protocol(tmp_path: Path) -> None:
    folder = write(tmp_path / "where2place", questions=2)
    suite = open_suite("where2place:family=gemini", folder)
    assert suite.name == "where2place:convention=per_mille_yx"
    assert {item.meta["protocol"] for item in suite.items} == {"convention=per_mille_yx"}
    item = suite.items[1]
    reply = written(100, 50, item.answer)  # in the box from (8, 16) to (136, 112)
    assert reply.startswith("[(104.16")  # y first, per mille of 480
    assert scored(get("where2place").episode(item), item, reply).value == 1.0
    with pytest.raises(GumptionError, match="names no one convention"):
        open_suite("where2place:convention=guess", folder)


def test_a_missing_mask_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "where2place", questions=2)
    (folder / "masks/01.jpg").unlink()
    with pytest.raises(GumptionError, match=r"masks/01\.jpg") as caught:
        get("where2place").load(folder)
    assert "row 2" in caught.value.where
