"""The vision program sees what is plain to see, fails in clutter, and never guesses."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image as Pillow
from PIL import ImageDraw

from gumption.answers import read, score
from gumption.benchmarks.prompts import prompted
from gumption.benchmarks.tabletop import draw_suite
from gumption.models import open_models
from gumption.records import Answer, Image, Item, Text
from gumption.suites import Suite

SKILLS = {
    "present",
    "count-in-tray",
    "in-tray",
    "left-of",
    "tray-after",
    "next-step",
    "missing",
    "order",
    "above",
}
"""Questions that need no more than finding plain things."""


def results(suite: Suite) -> list[tuple[str, str, float]]:
    """Question, outcome and score; the model is shown neither gold nor scene graph."""
    (eyes,) = open_models("baseline/eyes")
    found = []
    for item in suite.items:
        shown = prompted(replace(item, meta={}, answer=replace(item.answer, gold=None)))
        reply = asyncio.run(eyes.ask(shown, (item.id, 0, ""), suite.media.read))
        assert reply is not None
        reading = read(reply.text, item.answer)
        found.append((item.id.split("/")[1], reading.outcome, score(item.answer, reading).value or 0.0))
    return found


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, float]]:
    return results(draw_suite(tmp_path_factory.mktemp("easy"), scenes=40, seed=2, difficulty=0.0))


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, float]]:
    return results(draw_suite(tmp_path_factory.mktemp("hard"), scenes=40, seed=2, difficulty=1.0))


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def test_easy_scenes_are_seen_right(easy: list[tuple[str, str, float]]) -> None:
    assert mean([value for name, _, value in easy if name in SKILLS]) > 0.93
    answered = [value for _, outcome, value in easy if outcome == "answered"]
    assert mean(answered) > 0.9


def test_clutter_defeats_it(easy: list[tuple[str, str, float]], hard: list[tuple[str, str, float]]) -> None:
    assert mean([value for *_, value in hard]) < mean([value for *_, value in easy]) - 0.2


def test_what_it_cannot_tell_it_leaves_unanswered(easy: list[tuple[str, str, float]]) -> None:
    """It reads no letters, so these are never answered, not even by luck."""
    unread = [outcome for name, outcome, _ in easy if name in ("label", "weight", "colour-of")]
    assert unread and "answered" not in unread


def picture(draw_things: bool) -> bytes:
    image = Pillow.new("RGB", (480, 320), "#dcc5a0")
    draw = ImageDraw.Draw(image)
    if draw_things:
        draw.ellipse((100, 100, 140, 140), "#d3301f")
        draw.rectangle((300, 200, 339, 239), "#0b62b8")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("Is there a red circle in the picture?", Answer("yes_no"), "yes"),
        ("Is there a red square in the picture?", Answer("yes_no"), "no"),
        ("Is the red circle to the left of the blue square?", Answer("yes_no"), "yes"),
        ("Is the blue square to the left of the red circle?", Answer("yes_no"), "no"),
        ("Is the green cross to the left of the red circle?", Answer("yes_no"), None),
        ("What do you feel?", Answer("yes_no"), None),
        ("How many circles are there in the picture?", Answer("choice", choices={"A": "0", "B": "1"}), "B"),
        (
            "Which of these is the largest?",
            Answer("choice", choices={"A": "the red circle", "B": "the pink cross"}),
            None,
        ),
    ],
)
def test_answers_come_from_the_picture(question: str, answer: Answer, said: str | None) -> None:
    """A picture painted here by hand."""
    (eyes,) = open_models("baseline/eyes")
    item = Item("q", "b", (Image("0" * 64), Text(question)), answer)
    reply = asyncio.run(eyes.ask(prompted(item), ("q", 0, ""), lambda _: picture(True)))
    assert reply is not None
    reading = read(reply.text, answer)
    assert (reading.outcome, reading.value) == (("answered", said) if said else ("unanswered", None))


def test_it_points_at_the_middle_and_not_at_what_is_not_there() -> None:
    answer = Answer("point", {"box": [110, 110, 130, 130]}, convention="per_mille_xy", size=(480, 320))
    item = Item("q", "b", (Image("0" * 64), Text("Point at the red circle.")), answer)
    for there in (True, False):
        (eyes,) = open_models("baseline/eyes")
        reply = asyncio.run(eyes.ask(item, ("q", 0, ""), lambda _, there=there: picture(there)))
        assert reply is not None
        assert score(answer, read(reply.text, answer)).value == float(there)


def test_a_second_look_says_the_same(tmp_path: Path) -> None:
    suite = draw_suite(tmp_path, scenes=10, seed=9)
    assert results(suite) == results(suite)
