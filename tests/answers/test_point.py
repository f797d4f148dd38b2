"""Which points a reply settles on. The places are by hand, in a 640 x 480 picture or in plain pixels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gumption.answers._reply import passage_of
from gumption.answers.point import ConventionError, read_point
from gumption.records import Convention, Reading

SIZE = (640, 480)
CONVENTIONS: list[Convention] = ["unit_xy", "pixel_xy", "percent_xy", "per_mille_xy", "per_mille_yx"]


def read(reply: str, convention: Convention = "pixel_xy") -> Reading:
    return read_point(passage_of(reply), convention, SIZE)


ONE = [
    "(350, 280)",
    "[350, 280]",
    "[(350,280)]",
    "[[350, 280]]",
    "( 350 , 280 )",
    "(350; 280)",
    "(350 280)",
    "350, 280",
    "350 280",
    "(350.0, 2.8e2)",
    "(+350, 280)",
    "（350，280）",
    "**(350, 280)**",
    "(350px, 280px)",
    "$\\left(350, 280\\right)$",
    "\\boxed{(350, 280)}",
    "\\boxed{350, 280}",
    '{"x": 350, "y": 280}',
    '{"y": 280, "x": 350}',
    "{'x': '350', 'y': '280'}",
    '{"point": {"x": 350, "y": 280}}',
    '{"answer": [350, 280]}',
    '{"answer": "(350, 280)"}',
    "x=350, y=280",
    "x: 350, y: 280",
    "x = 350 and y = 280",
    "(x=350, y=280)",
    "x-coordinate: 350, y-coordinate: 280",
    '<point x="350" y="280" alt="cup">cup</point>',
    "<point>350, 280</point>",
    '```json\n[{"point_2d": [350, 280], "label": "cup"}]\n```',
    '[{"point_2d": [350, 280], "label": "the (red) cup. Big"}]',
    "<answer>(350, 280)</answer>",
    "<answer>350, 280</answer>",
    "<think>(1, 1)</think>(350, 280)",
    "Answer: 350, 280",
    "Answer: x=350, y=280",
    "The point is at approx. (350, 280).",
    "[(350, 280)] is on the shelf.",
    "I first considered (1, 1). Answer: [(350, 280)]",
    "Answer: (350, 280). I first considered (1, 1).",
    "Answer: (350, 280)\n\nIt is left of the plate at (1, 1).",
    "Answer: (350, 280). This answer is right.",
    "The plate is at (1, 1). The cup is at (350, 280).",
    "The plate is at (1, 1).\n[(350, 280)]",
    "First guess: (1, 1)\nCorrected: (350, 280)",
    "It is not at (1, 1) but at (350, 280).",
    "It is at (350, 280), not at (1, 1).",
    "It is at (350, 280). It is not at (1, 1).",
    "It is not at (1, 1), it is at (350, 280).",
    "(1, 1) is wrong; it is (350, 280)",
    "Answer: not (1, 1) but (350, 280)",
    "(1e999, 2), (350, 280)",
]

TWO = [
    "[(1, 2), (3, 4)]",
    "[[1, 2], [3, 4]]",
    "(1, 2), (3, 4)",
    "(1,2)(3,4)",
    "(1, 2)\n(3, 4)",
    "(1, 2). (3, 4)",
    "1, 2\n3, 4",
    "1. (1, 2)\n2. (3, 4)",
    "- cup: (1, 2)\n- mug: (3, 4)",
    "Point 1: (1, 2)\nPoint 2: (3, 4)",
    "Points: (1, 2)\n(3, 4)",
    '{"points": [[1, 2],\n [3, 4]]}',
    '[\n  {"point_2d": [1, 2], "label": "a. b"},\n  {"point_2d": [3, 4], "label": "c"}\n]',
    '[\n {\n  "x": 1,\n  "y": 2\n },\n {\n  "x": 3,\n  "y": 4\n }\n]',
    '<points x1="1" y1="2" x2="3" y2="4" alt="cups">cups</points>',
    '<point x="1" y="2" alt="a">a</point>\n<point x="3" y="4" alt="b">b</point>',
    "<answer>(1, 2), (3, 4)</answer>",
    "The plate is at (9, 9). The cups are at (1, 2) and (3, 4).",
    "Answer:\n1. (1, 2)\n2. (3, 4)",
    "Answer: The first is (1, 2). The second is (3, 4).",
]

NONE = [
    "",
    "...",
    "no such point",
    "[10, 20, 30, 40]",
    "(1, 2, 3)",
    "(1)",
    "max=3, y=4",
    "(nan, 2)",
    "(1e999, 2)",
    "It is not at (1, 1).",
    "not at (1, 1) or (2, 2)",
    "rather than (1, 1)",
    "<think>(1, 2)",
    "<answer></answer>",
]


@pytest.mark.parametrize("reply", ONE)
def test_one_point(reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("answered", [(350.0, 280.0)])


@pytest.mark.parametrize("reply", TWO)
def test_two_points(reply: str) -> None:
    assert read(reply).value == [(1.0, 2.0), (3.0, 4.0)]


@pytest.mark.parametrize("reply", NONE)
def test_no_point(reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("unanswered", [])


@pytest.mark.parametrize(
    "reply", ["I'm sorry, but I can't help with that.", "As a language model I have to decline here."]
)
def test_refused(reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("refused", [])


@pytest.mark.parametrize(
    ("convention", "point"),
    [
        ("unit_xy", (320.0, 120.0)),
        ("pixel_xy", (0.5, 0.25)),
        ("percent_xy", (3.2, 1.2)),
        ("per_mille_xy", (0.32, 0.12)),
        ("per_mille_yx", (0.16, 0.24)),
    ],
)
def test_the_convention_is_told_and_never_inferred(
    convention: Convention, point: tuple[float, float]
) -> None:
    """(0.5, 0.25) looks like 0-1 and is read as what was asked for. Places worked out by hand."""
    assert read("(0.5, 0.25)", convention).value == [pytest.approx(point)]


def test_named_coordinates_are_taken_by_name() -> None:
    assert read('{"x": 500, "y": 250}', "per_mille_yx").value == [(320.0, 120.0)]
    assert read('{"y": 250, "x": 500}', "per_mille_xy").value == [(320.0, 120.0)]


def test_points_outside_the_picture_are_kept() -> None:
    assert read("(-10, 900)").value == [(-10.0, 900.0)]


@pytest.mark.parametrize(
    "reply",
    [
        '{"bbox_2d": [10, 20, 30, 40]}',
        "bounding box: [10, 20, 30, 40]",
        "<|box_start|>(10,20),(30,40)<|box_end|>",
    ],
)
def test_only_what_is_called_a_box_is_read_as_its_centre(reply: str) -> None:
    reading = read(reply)
    assert reading.value == [(20.0, 30.0)]
    assert reading.repairs == ("box_centre",)
    assert read(reply + " and the point (1, 2)").value == [(1.0, 2.0)]


def test_no_more_than_a_thousand_points() -> None:
    reading = read(", ".join(["(1, 2)"] * 1001))
    assert len(reading.value) == 1000
    assert reading.repairs == ("too_many_points",)
    assert read(", ".join(["(1, 2)"] * 1000)).repairs == ()


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("<answer>(1, 2)</answer>", "answer_tag"),
        ("<answer>1, 2</answer>", "answer_tag"),
        ("<answer>Answer: (1, 2)</answer>", "answer_tag"),
        ("Answer:\n---\n1, 2", "explicit"),
        ("Answer: (1, 2)", "explicit"),
        ("1, 2", "line"),
        ("(1, 2)", "last_sentence"),
    ],
)
def test_rule_is_named(reply: str, rule: str) -> None:
    assert read(reply).rule == rule


def test_a_missing_convention_or_size_is_said() -> None:
    with pytest.raises(ConventionError, match="convention") as raised:
        read_point(passage_of("(1, 2)"), None, SIZE)
    assert "pixel_xy" in raised.value.remedy
    with pytest.raises(ValueError, match="size"):
        read_point(passage_of("(1, 2)"), "unit_xy", None)
    assert read_point(passage_of("(1, 2)"), "pixel_xy", None).value == [(1.0, 2.0)]


def test_cases(cases: Path) -> None:
    for line in (cases / "points.jsonl").read_text().splitlines():
        row = json.loads(line)
        reading = read_point(passage_of(row["reply"]), row["convention"], (row["width"], row["height"]))
        assert reading.outcome == row["outcome"], row
        assert reading.value == [pytest.approx(tuple(point)) for point in row["points_px"]], row


def test_recorded_scores_of_poke_map(cases: Path) -> None:
    """The folder's own rule: the share of the points on white pixels of the mask."""
    folder = cases / "folders" / "poke-map"
    listed = json.loads((folder / "poke_list.json").read_text())
    width, height = listed["canvas"]
    masks = {}
    for entry in listed["list"]:
        with Image.open(folder / entry["m"]) as mask:
            masks[entry["uid"]] = mask.convert("L")
    rows = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    assert len(rows) == 60
    for row in rows:
        points = read_point(passage_of(row["reply"]), "per_mille_xy", (width, height)).value
        hits = [
            0 <= x < width and 0 <= y < height and masks[row["item"]].getpixel((int(x), int(y))) == 255
            for x, y in points
        ]
        assert (sum(hits) / len(hits) if hits else 0.0) == pytest.approx(row["score"], abs=1e-6), row


def written(x: float, y: float, convention: Convention) -> tuple[float, float]:
    """A pixel as a model would write it, from the meaning of each convention."""
    width, height = SIZE
    match convention:
        case "unit_xy":
            return round(x / width, 5), round(y / height, 5)
        case "percent_xy":
            return round(100 * x / width, 3), round(100 * y / height, 3)
        case "per_mille_xy":
            return round(1000 * x / width, 2), round(1000 * y / height, 2)
        case "per_mille_yx":
            return round(1000 * y / height, 2), round(1000 * x / width, 2)
    return x, y


PIXELS = st.tuples(st.integers(-100, 740), st.integers(-100, 580))


@given(st.lists(PIXELS, min_size=1, max_size=6), st.sampled_from(CONVENTIONS), st.sampled_from(range(5)))
def test_any_points_read_back_to_the_pixel(
    pixels: list[tuple[int, int]], convention: Convention, form: int
) -> None:
    pairs = [written(x, y, convention) for x, y in pixels]
    replies = [
        str(pairs),
        json.dumps([list(pair) for pair in pairs]),
        json.dumps([{"point_2d": pair, "label": "cup"} for pair in pairs], indent=1),
        "Answer: " + ", ".join(f"({a:f}, {b:f})" for a, b in pairs),
        "The plate is at (1, 2). The cups are at " + " and ".join(f"({a:g},{b:g})" for a, b in pairs) + ".",
    ]
    reading = read(replies[form], convention)
    tolerance = 0.1 if form == 4 else 0.01
    assert reading.value == [pytest.approx(pixel, abs=tolerance) for pixel in pixels]
