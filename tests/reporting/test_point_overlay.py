"""The gold region and the read points over their picture, in a real browser."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest

from gumption.records import Answer, Image, Item, Text
from gumption.reporting import write_site

pytestmark = pytest.mark.browser

SIZE = (1200, 900)
"""More than a thumbnail's 480 pixels, so that what is drawn must be scaled with it."""
BOX = [300, 225, 600, 450]
"""From a quarter to a half of the picture, both ways."""
HOSTILE = "<img src=x onerror=alert(1)>"
EPOCHS = {
    "Model A": [[[450.04, 300.26]]],
    HOSTILE: [[[455, 300], [1200, 900], [1300, -7.26]]],
    "Model C": [
        [[10 * number + 5, 5] for number in range(40)],
        [[10 * number + 5, 15] for number in range(80)],
    ],
    "Model D": [[]],
}
"""Points read by model and epoch; the second point is beside the first, the last of the three outside."""


@pytest.fixture(scope="module")
def report(made, tmp_path_factory) -> Path:
    """Point items by the gold or the pictures that they show, each asked of four models."""
    (large, large_bytes), (small, small_bytes) = (
        made.picture((90, 120, 90), SIZE),
        made.picture((9, 9, 9), (64, 48)),
    )
    picture, other = Image(large, width=1200, height=900), Image(small, width=64, height=48)

    def item(name: str, gold, *pictures: Image, size=SIZE, tolerance=0.0) -> Item:
        answer = Answer("point", gold, convention="pixel_xy", size=size, tolerance=tolerance)
        return Item(name, "Toy", (*pictures, Text("Point at it.")), answer, category="Pointing")

    items = [
        item("box", {"box": BOX}, picture),
        item("polygon", {"polygon": [[0, 0], [1200, 0], [600, 900]]}, picture),
        item("points", {"points": [[600, 450], [900, 450]]}, picture, tolerance=60.0),
        item("one-of-two", {"box": BOX}, other, picture),
        item("same-size", {"box": BOX}, picture, picture),
        item("no-such-size", {"box": BOX}, other),
        item("no-size", {"box": BOX}, picture, size=None),
    ]

    def run(name: str, epochs: list[list[list[float]]]):
        scores = [
            made.scored(
                item, 0.0, epoch=epoch, kind="point", answer=json.dumps(points),
                outcome="answered" if points else "unanswered",
            )
            for item in items for epoch, points in enumerate(epochs)
        ]  # fmt: skip
        return made.run(items, scores, [], {large: large_bytes, small: small_bytes}, name=name)

    runs = [run(name, epochs) for name, epochs in EPOCHS.items()]
    return write_site(runs, tmp_path_factory.mktemp("site") / "report")


@pytest.fixture
def shown(page, report):
    """The question of an item, opened."""

    def show(name: str):
        page.goto(f"{report.as_uri()}#item={name}")
        page.get_by_role("heading", name=name, exact=True).wait_for()
        return page.locator(".asked")

    return show


def test_a_gold_box_has_the_coordinates_of_the_gold_and_lies_where_the_picture_has_it(shown):
    question = shown("box")
    overlay = question.locator("svg.overlay")
    assert overlay.get_attribute("viewBox") == "0 0 1200 900"
    gold = overlay.locator("rect.gold")
    assert [gold.get_attribute(name) for name in ("x", "y", "width", "height")] == [
        "300",
        "225",
        "300",
        "225",
    ]
    picture, box = question.locator("img").bounding_box(), gold.bounding_box()
    assert picture["width"] < 500, "the case needs a picture that is scaled down"
    assert box["x"] - picture["x"] == pytest.approx(picture["width"] / 4, abs=3)
    assert box["y"] - picture["y"] == pytest.approx(picture["height"] / 4, abs=3)
    assert box["width"] == pytest.approx(picture["width"] / 4, abs=5)
    assert box["height"] == pytest.approx(picture["height"] / 4, abs=5)


def test_there_are_as_many_marks_as_points_read_inside_and_fifty_of_a_model_at_most(shown):
    question = shown("box")
    of_model = [question.locator(f"svg.overlay .spot.hue-{number}").count() for number in range(4)]
    assert of_model == [1, 2, 50, 0]
    labels = question.locator("svg.overlay .label text").all_text_contents()
    assert sorted(labels) == ["1"] + ["2"] * 2 + ["3"] * 50
    first = question.locator("svg.overlay .spot.hue-0 circle")
    assert (first.get_attribute("cx"), first.get_attribute("cy")) == ("450", "300.3")


def test_the_legend_ties_marks_to_models_and_says_what_is_not_drawn(shown, page):
    lines = [" ".join(line.split()) for line in shown("box").locator(".drawn li").all_inner_texts()]
    assert lines == [
        "Right answer: a box from (300, 225) to (600, 450)",
        "1 Model A: 1 point",
        f"2 {HOSTILE}: 2 points; outside the picture, not drawn: (1300, −7.3)",
        "3 Model C: 50 points; 70 more not drawn",
        "4 Model D: no point read",
    ]
    assert page.locator(".model .key").all_inner_texts() == ["1", "2", "3", "4"]
    assert page.locator("dd .data").first.inner_text() == "(450, 300.3)", "one decimal at most"


def test_a_screen_reader_is_told_what_is_drawn(shown):
    drawing = shown("box").get_by_role("img", name="Drawn over picture 1")
    assert drawing.get_attribute("aria-label") == (
        "Drawn over picture 1: the right answer, a box from (300, 225) to (600, 450); "
        f"1 Model A at (450, 300.3); 2 {HOSTILE} at (455, 300), (1200, 900); "
        "3 Model C at (5, 5), (15, 5), (25, 5) and 47 more."
    )


def test_polygons_and_points_with_their_tolerance_are_drawn_as_the_gold_has_them(shown):
    assert shown("polygon").locator("polygon.gold").get_attribute("points") == "0,0 1200,0 600,900"
    circles = shown("points").locator("circle.gold")
    named = [[circle.get_attribute(name) for name in ("cx", "cy", "r")] for circle in circles.all()]
    assert named == [["600", "450", "60"], ["900", "450", "60"]]


def test_it_is_drawn_over_the_one_picture_of_the_right_size_and_over_no_other(shown):
    question = shown("one-of-two")
    assert question.locator("figure svg.overlay").count() == 1
    assert question.locator("figure").nth(1).locator("svg.overlay .spot").count() == 53
    unit = "Regions are in pixels of a 1200 × 900 picture, but"
    for name, reason in {
        "same-size": f"{unit} 2 pictures here have that size",
        "no-such-size": f"{unit} none here is known to have that size",
        "no-size": "The size of the picture that points refer to is not recorded",
    }.items():
        question = shown(name)
        assert question.locator("svg.overlay").count() == 0
        assert question.get_by_text(reason).count() == 1


def test_numbers_stay_in_the_picture_and_clear_of_each_other_where_there_is_room(shown):
    question = shown("one-of-two")
    picture = question.locator("img").nth(1).bounding_box()
    discs = [disc.bounding_box() for disc in question.locator(".label:not(.hue-2) circle").all()]
    assert len(discs) == 3
    for disc in discs:
        assert picture["x"] <= disc["x"] and disc["x"] + disc["width"] <= picture["x"] + picture["width"]
        assert picture["y"] <= disc["y"] and disc["y"] + disc["height"] <= picture["y"] + picture["height"]
    for one, two in itertools.combinations(discs, 2):
        apart = math.hypot(one["x"] - two["x"], one["y"] - two["y"])
        assert apart >= one["width"] - 2, "discs of one size whose rims at most touch"


@pytest.mark.parametrize("name", ["box", "one-of-two", "points"])
def test_a_phone_shows_it_without_scrolling_sideways(browser, report, name):
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.goto(f"{report.as_uri()}#item={name}")
    page.locator("svg.overlay").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    overlay, picture = (
        page.locator("svg.overlay").bounding_box(),
        page.locator(".drawn-over img").bounding_box(),
    )
    assert overlay["width"] == pytest.approx(picture["width"] - 2, abs=0.6), "inside the border"
    assert overlay["height"] == pytest.approx(picture["height"] - 2, abs=0.6)
    page.close()
