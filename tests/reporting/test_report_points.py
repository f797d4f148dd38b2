"""What the pages are told about regions and points: bounded, checked, in pixels to one decimal."""

from __future__ import annotations

import io
import json

import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import Answer
from gumption.reporting._points import points_row, target_row
from gumption.reporting._thumbnails import make_thumbnails

PIXELS = st.floats(-1e6, 1e6)


def target(gold: object, **more) -> dict:
    return target_row(Answer("point", gold=gold, size=(640, 480), **more))


@given(st.lists(st.tuples(PIXELS, PIXELS), max_size=120))
def test_the_first_fifty_points_stay_where_they_are_to_a_twentieth_of_a_pixel(points):
    row = points_row(json.dumps(points))
    assert len(row["points"]) + row.get("more", 0) == len(points)
    assert len(row["points"]) <= 50
    for shown, read in zip(row["points"], points, strict=False):
        assert shown == pytest.approx(read, abs=0.0501)
        assert json.dumps(shown[0]).partition(".")[2].isdigit() and len(str(shown[0]).partition(".")[2]) == 1


@pytest.mark.parametrize(
    "read", ["", '"A"', "3", "{}", "[[1]]", "[[1, 2, 3]]", '[["<b>", 1]]', "[[1, null]]"]
)
def test_a_value_that_is_no_list_of_points_is_left_to_be_shown_as_it_is(read):
    assert points_row(read) is None


def test_a_reading_without_points_has_none():
    assert points_row("[]") == {"points": []}


def test_regions_are_handed_on_as_the_gold_has_them():
    assert target({"box": [342, 141, 394, 193]}) == {
        "size": (640, 480),
        "tolerance": 0.0,
        "box": [342, 141, 394, 193],
    }
    corners = [[0, 0], [10.5, 0], [5, 7]]
    assert target({"polygon": corners})["polygon"] == corners
    assert target({"points": corners}, tolerance=12.0) == {
        "size": (640, 480),
        "tolerance": 12.0,
        "points": corners,
    }


def test_a_polygon_is_whole_or_not_there_and_points_are_counted():
    many = [[number, number % 7] for number in range(1_500)]
    assert target({"polygon": many[:1_000]})["polygon"] == many[:1_000]
    assert target({"polygon": many}) == target(None) | {"polygon": [], "more": 1_500}
    assert target({"points": many}) == target(None) | {"points": many[:1_000], "more": 500}


@pytest.mark.parametrize(
    "gold",
    [
        None,
        "left",
        {"mask": [1, 2]},
        {"box": [1, 2, 3]},
        {"box": [1, 2, 3, "<script>"]},
        {"box": [0, 0, True, 1]},
        {"box": [0, 0, 1, 10**400]},
        {"box": [0, 0, 1, float("nan")]},
        {"points": [[0, float("inf")]]},
        {"points": []},
        {"polygon": [[0, 0], [1, 1]]},
        {"polygon": [[0, 0], [1, 1], [2]]},
    ],
)
def test_what_is_no_region_is_not_handed_on(gold):
    assert target(gold) == {"size": (640, 480), "tolerance": 0.0}


@pytest.mark.parametrize(
    ("orientation", "turned"), [(None, False), (1, False), (3, True), (6, True), (99, False)]
)
def test_a_picture_that_its_file_asks_to_turn_is_marked(tmp_path, orientation, turned):
    buffer, exif = io.BytesIO(), PIL.Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    PIL.Image.new("RGB", (60, 20)).save(buffer, "JPEG", exif=exif)
    name = "a" * 64
    [thumbnail] = make_thumbnails([name], lambda _: buffer.getvalue(), tmp_path, lambda: None).values()
    assert thumbnail.turned is turned
    assert (thumbnail.width, thumbnail.height) == ((20, 60) if orientation == 6 else (60, 20))
