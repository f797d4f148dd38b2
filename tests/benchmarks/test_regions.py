"""Masks, their outlines, and the six public readings of one reply."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from oracle_runs import picture

from gumption.answers import guess, inside, read
from gumption.benchmarks._point_lists import (
    bracketed,
    fenced_json,
    numbered_xml,
    pixel_bracketed,
    robopoint,
)
from gumption.benchmarks._pointing import FAMILIES, convention_of, score_points
from gumption.benchmarks._regions import Box, mask_of, outline, share
from gumption.records import Answer, GumptionError, Reading

SIZE = (640, 480)
MASK = np.zeros((480, 640), np.uint8)
MASK[268:289, 342:363] = 255  # around (352, 278), as in the table of the reference
masks = arrays.arrays(np.bool_, st.tuples(st.integers(1, 7), st.integers(1, 7))).filter(np.any)


@given(masks, st.sampled_from([(0.0, 0.0), (0.5, 0.5), (0.25, 0.75)]))
def test_the_outline_says_the_same_as_the_mask(mask: np.ndarray, off: tuple[float, float]) -> None:
    region = {"polygon": outline(mask)}
    padded = np.pad(mask, 1)
    for y in range(-1, mask.shape[0] + 1):
        for x in range(-1, mask.shape[1] + 1):
            assert inside(region, x + off[0], y + off[1]) == padded[y + 1, x + 1]


@given(masks)
def test_guessing_hits_the_area_of_the_mask(mask: np.ndarray) -> None:
    size = (mask.shape[1], mask.shape[0])
    chance = guess(Answer("point", gold={"polygon": outline(mask)}, size=size))
    assert chance == pytest.approx(mask.mean())


def test_an_empty_mask_has_no_outline() -> None:
    with pytest.raises(GumptionError, match="nothing is marked"):
        outline(np.zeros((3, 3), bool))


@given(
    arrays.arrays(np.uint8, (5, 6)),
    st.lists(st.tuples(*[st.integers(-3, 8)] * 4), max_size=4),
)
def test_the_share_is_the_mean_over_every_pixel(mask: np.ndarray, edges: list[tuple[int, ...]]) -> None:
    boxes = [Box(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in edges]
    values = [
        int(mask[y, x]) if 0 <= y < 5 and 0 <= x < 6 else 0
        for box in boxes
        for y in range(box.y0, box.y1)
        for x in range(box.x0, box.x1)
    ]
    assert share(mask, boxes, 255) == pytest.approx(sum(values) / 255 / len(values) if values else 0.0)


def test_a_mask_is_the_first_channel_of_its_file() -> None:
    grey = np.array([[0, 7], [255, 128]], np.uint8)
    assert (mask_of(picture(grey)) == grey).all()
    assert (mask_of(picture(np.stack([grey, 255 - grey, grey], 2))) == grey).all()
    with pytest.raises(GumptionError, match="no mask"):
        mask_of(b"not a picture")


TABLE = [
    ("[(0.55, 0.58)]", 1.0),
    ("[(350, 280)]", 1.0),
    ("[(550, 580)]", 0.0),
    ('```json\n[{"point_2d": [550, 580], "label": "cup"}]\n```', 0.0),
    ("[(0.55, 0.58), (0.1, 0.1)]", 0.5),
    ("I first considered (0.1, 0.1). Answer: [(0.55, 0.58)]", 0.5),
    ("[(0.55, 0.58)] is on the shelf.", 1.0),
    ("[0.55, 0.58]", 0.0),
    ("( 0.55, 0.58 )", 0.0),
    ("[(.55, .58)]", 0.0),
]
"""The column "official" of the table of six public scorers; the other five differ in these rows."""


@pytest.mark.parametrize(("reply", "value"), TABLE)
def test_the_official_column_of_the_table(reply: str, value: float) -> None:
    for boxes in (robopoint(reply), bracketed(reply, SIZE)):
        assert boxes is not None and share(MASK, boxes, 255) == value


def test_our_reading_of_the_table_says_the_same_for_every_way_of_writing() -> None:
    """Under the convention that each reply is meant in."""
    region = {"polygon": outline(MASK > 0)}
    for reply, convention in (
        ("[(0.55, 0.58)]", "unit_xy"),
        ("[(350, 280)]", "pixel_xy"),
        ("[(550, 580)]", "per_mille_xy"),
        ('```json\n[{"point_2d": [550, 580], "label": "cup"}]\n```', "per_mille_xy"),
        ("I first considered (0.1, 0.1). Answer: [(0.55, 0.58)]", "unit_xy"),
        ("[(0.55, 0.58)] is on the shelf.", "unit_xy"),
        ("[0.55, 0.58]", "unit_xy"),
        ("( 0.55, 0.58 )", "unit_xy"),
        ("[(.55, .58)]", "unit_xy"),
    ):
        answer = Answer("point", gold=region, convention=convention, size=SIZE)  # type: ignore[arg-type]
        assert score_points(answer, read(reply, answer)).value == 1.0


def test_the_labelled_cases_are_scored_by_where_their_points_lie(cases: Path) -> None:
    """The cases give the points in pixels; the score is the share of them in the mask."""
    region = {"polygon": outline(MASK > 0)}
    lines = (cases / "points.jsonl").read_text().splitlines()
    assert len(lines) == 14
    for line in lines:
        case = json.loads(line)
        answer = Answer("point", gold=region, convention=case["convention"], size=SIZE)
        inside_mask = [MASK[int(y), int(x)] > 0 if x >= 0 else False for x, y in case["points_px"]]
        expected = sum(inside_mask) / len(inside_mask) if inside_mask else 0.0
        score = score_points(answer, read(case["reply"], answer))
        assert (score.value, score.reading and score.reading.outcome) == (expected, case["outcome"])


def test_the_reductions_in_use() -> None:
    answer = Answer("point", gold={"box": [0, 0, 10, 10]}, convention="pixel_xy", size=SIZE)
    out_in = Reading("answered", [(50.0, 50.0), (5.0, 5.0)])
    parts = score_points(answer, out_in, "first").parts
    assert parts == {"mean": 0.5, "first": 0.0, "any": 1.0, "all": 0.0}
    assert score_points(answer, out_in, "any").value == 1.0
    nothing = score_points(answer, Reading("unanswered", []), "all")
    assert nothing.value == 0.0 and set(nothing.parts.values()) == {0.0}


def test_boxes_are_all_their_pixels() -> None:
    assert robopoint("(0.5, 0.5, 0.6, 0.6)") == [Box(320, 240, 384, 288)]
    assert robopoint("(10, 20, 12, 21)") == [Box(10, 20, 12, 21)]
    assert robopoint("(10, 0.5, 12, 21)") is None  # only the first number is looked at; the slice then fails
    assert robopoint("(10, 20, 5, 30)") == [Box(10, 20, 10, 30)]
    assert bracketed("(0.5, 0.5, 0.6, 0.6)", (100, 50)) == [Box(50, 25, 60, 30)]
    assert bracketed("(1, 1, 2, 2)", (100, 50)) == [Box(100, 50, 200, 100)]
    assert bracketed("(0.6, 0.6, 0.5, 0.5)", (100, 50)) is None
    assert pixel_bracketed("(1, 1, 3, 2)") == [Box(1, 1, 3, 2)]


def test_what_each_official_reader_reads() -> None:
    assert robopoint("(1, 0.5)") == [Box(640, 240, 641, 241)]  # one dot scales both
    assert robopoint("(-0.001, 0.5)") == [Box(0, 240, 1, 241)]  # cut toward zero: inside the picture
    assert robopoint("no such point") == []
    assert robopoint("(1, 2, 3)") == []
    assert robopoint(f"(0.5, {'9' * 400}.0)") is None
    assert pixel_bracketed("(350, 280)") == [Box(350, 280, 351, 281)]
    assert pixel_bracketed("(350.0, 280)") is None
    assert numbered_xml('<points x1="10" y1="20" x2="50.5" y2="50">', SIZE) == [
        Box(64, 96, 65, 97),
        Box(323, 240, 324, 241),
    ]
    assert numbered_xml('<point x="55.0" y="58.0">', SIZE) == []
    assert fenced_json('```json\n[{"point": [580, 550]}]\n```', SIZE) == [Box(352, 278, 353, 279)]
    assert fenced_json('[{"point": [580, 550]}]', SIZE) == []
    assert fenced_json("```json\n{not json}\n```", SIZE) == []
    assert fenced_json("```json\n[1, 2]\n```", SIZE) is None
    assert fenced_json('```json\n[{"point": ["a", 1]}]\n```', SIZE) is None


@pytest.mark.parametrize("text", ["(" + "9" * 200_000, "(1," * 60_000, "```\n" * 60_000, "x1=" * 60_000])
def test_long_replies_take_no_time_to_speak_of(text: str) -> None:
    for reader in (robopoint, pixel_bracketed):
        assert reader(text) == []
    for sized in (bracketed, numbered_xml, fenced_json):
        assert sized(text, SIZE) == []


def test_a_convention_is_chosen_by_name_or_family_and_by_nothing_else() -> None:
    assert convention_of("w", {}) == "unit_xy"
    assert convention_of("w", {"convention": "percent_xy"}) == "percent_xy"
    assert [convention_of("w", {"family": name}) for name in FAMILIES] == list(FAMILIES.values())
    for wrong in (
        {"convention": "auto"},
        {"family": "unknown"},
        {"frames": "8"},
        {"frames": "unit_xy"},
        {"family": "molmo", "convention": "unit_xy"},
    ):
        with pytest.raises(GumptionError, match="names no one convention"):
            convention_of("w", wrong)
