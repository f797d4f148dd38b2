"""Default scores, against values worked out by hand and against other ways to compute them."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers.scoring import guess, inside, score
from gumption.records import Answer, GumptionError, Reading

BOX = {"box": [10, 20, 30, 40]}
TRIANGLE = {"polygon": [[0, 0], [10, 0], [0, 10]]}


def answered(value: Any) -> Reading:
    return Reading("answered", value, "line")


@pytest.mark.parametrize(
    ("answer", "value", "expected"),
    [
        (Answer("choice", "B"), "B", 1.0),
        (Answer("choice", "B"), "C", 0.0),
        (Answer("yes_no", "yes"), "yes", 1.0),
        (Answer("yes_no", "yes"), "no", 0.0),
        (Answer("number", 3), 3.0, 1.0),
        (Answer("number", 3), 3.1, 0.0),
        (Answer("number", 3, tolerance=0.2), 3.1, 1.0),
        (Answer("number", 1e12), 1e12 + 100, 1.0),
        (Answer("number", 1e12), 1e12 + 10_000, 0.0),
        (Answer("number", 0), 0.0, 1.0),
        (Answer("number", 0), 1e-12, 0.0),
        (Answer("number", "0.5"), 0.5, 1.0),
        (Answer("text", "Soup spoon"), " soup  SPOON. ", 1.0),
        (Answer("text", ["spoon", "ladle"]), "ladle", 1.0),
        (Answer("text", ["spoon", "ladle"]), "a ladle", 0.0),
        (Answer("text", "Straße"), "STRASSE", 1.0),
        (Answer("text", "5"), "-5", 0.0),
        (Answer("text", "?"), "?", 1.0),
        (Answer("point", BOX), [(10, 20), (30, 40), (9.9, 30), (0, 0)], 0.5),
        (Answer("point", TRIANGLE), [(1, 1), (9, 9), (3, 3)], 2 / 3),
        (Answer("point", {"points": [[0, 0], [9, 9]]}, tolerance=5), [(3, 4), (3, 4.1), (9, 9)], 2 / 3),
    ],
)
def test_score(answer: Answer, value: Any, expected: float) -> None:
    reading = answered(value)
    got = score(answer, reading)
    assert got.value == pytest.approx(expected)
    assert got.reading == reading


@pytest.mark.parametrize("outcome", ["unanswered", "ambiguous", "refused"])
@pytest.mark.parametrize("kind", ["choice", "yes_no", "number", "text", "point"])
def test_what_is_not_answered_scores_zero_and_keeps_its_outcome(kind: Any, outcome: Any) -> None:
    got = score(Answer(kind, "A"), Reading(outcome))
    assert got.value == 0.0
    assert got.reading is not None
    assert got.reading.outcome == outcome


def test_nothing_to_score_without_gold() -> None:
    assert score(Answer("text"), answered("cup")).value is None
    assert score(Answer("text"), Reading("refused")).value is None


def test_wrong_golds_and_kinds_are_said() -> None:
    with pytest.raises(GumptionError, match="number"):
        score(Answer("number", "many"), answered(3.0))
    with pytest.raises(GumptionError, match="region"):
        score(Answer("point", [1, 2]), answered([(1.0, 2.0)]))
    with pytest.raises(GumptionError, match="actions"):
        score(Answer("actions", []), answered([]))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("choice", "A", choices={"A": "", "B": "", "C": "", "D": ""}), 0.25),
        (Answer("choice", "A"), 0.0),
        (Answer("yes_no", "no"), 0.5),
        (Answer("number", 3), 0.0),
        (Answer("text", "cup"), 0.0),
        (Answer("point", BOX, size=(100, 100)), 0.04),
        (Answer("point", BOX), 0.0),
        (Answer("point", TRIANGLE, size=(100, 10)), 0.05),
        (Answer("point", {"box": [-10, -10, 10, 10]}, size=(100, 100)), 0.01),
        (Answer("point", {"box": [200, 200, 300, 300]}, size=(100, 100)), 0.0),
        (Answer("point", {"points": [[1, 1]]}, size=(100, 100), tolerance=5), 0.0),
        (Answer("point", {"points": [[0, 0], [50, 0], [0, 50]]}, size=(100, 100)), 0.0),
        (Answer("point", None, size=(100, 100)), 0.0),
    ],
)
def test_guess(answer: Answer, expected: float) -> None:
    assert guess(answer) == pytest.approx(expected)


def test_guess_is_the_mean_score_of_blind_guesses() -> None:
    rng = random.Random(7)
    polygon = {"polygon": [[-20, 10], [60, -10], [90, 70], [40, 130]]}
    answer = Answer("point", polygon, size=(80, 100))
    points = [(rng.uniform(0, 80), rng.uniform(0, 100)) for _ in range(20_000)]
    mean = score(answer, answered(points)).value
    assert mean is not None
    assert guess(answer) == pytest.approx(mean, abs=3 * 0.5 / math.sqrt(20_000))


@given(
    st.floats(-50, 150),
    st.floats(-50, 150),
    st.floats(0, 100),
    st.floats(0, 100),
    st.floats(1, 50),
    st.floats(1, 50),
)
def test_a_rectangle_is_the_same_as_box_and_as_polygon(
    x: float, y: float, left: float, top: float, width: float, height: float
) -> None:
    right, bottom = left + width, top + height
    polygon = {"polygon": [[left, top], [right, top], [right, bottom], [left, bottom]]}
    if min(abs(x - left), abs(x - right), abs(y - top), abs(y - bottom)) > 1e-6:  # edges differ by definition
        assert inside({"box": [left, top, right, bottom]}, x, y) == inside(polygon, x, y)


@given(st.integers(3, 12), st.floats(0, 40), st.floats(0, 2 * math.pi))
def test_a_regular_polygon_holds_its_inner_circle_and_nothing_outside_its_outer(
    corners: int, distance: float, angle: float
) -> None:
    turn = 2 * math.pi / corners
    ring = [[20 * math.cos(k * turn), 20 * math.sin(k * turn)] for k in range(corners)]
    x, y = distance * math.cos(angle), distance * math.sin(angle)
    if distance < 20 * math.cos(turn / 2) - 1e-6:
        assert inside({"polygon": ring}, x, y)
    if distance > 20 + 1e-6:
        assert not inside({"polygon": ring}, x, y)


def test_a_hole_made_by_crossing_edges_is_outside() -> None:
    """Even-odd: the middle of a five-pointed star drawn in one line is crossed twice."""
    star = [[math.sin(k * 4 * math.pi / 5), math.cos(k * 4 * math.pi / 5)] for k in range(5)]
    assert not inside({"polygon": star}, 0, 0)
    assert inside({"polygon": star}, 0, 0.8)
