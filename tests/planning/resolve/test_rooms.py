"""Hand-made labels of five rooms, our own of others, and the 918 mentions of the 69 gold plans."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gumption.planning.resolve import Resolver, resolve_plan
from gumption.planning.worlds.scenes import Scene

pytestmark = pytest.mark.data

Rooms = Callable[[str], Scene]


def judged(file: Path, room: Rooms) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    for line in file.read_text().splitlines():
        case = json.loads(line)
        found = Resolver(room(case["scene"])).resolve(case["verb"], case["role"], case["phrase"])
        if found.outcome == "resolved":
            verdicts["right" if found.object_type in case["acceptable"] else "wrong"] += 1
        else:
            verdicts["right" if case["unresolved_ok"] else "missed"] += 1
    return verdicts


def test_the_labelled_mentions(cases: Path, room: Rooms) -> None:
    verdicts = judged(cases / "mentions.jsonl", room)
    assert verdicts.total() == 263
    assert verdicts["right"] >= 0.98 * 263
    assert verdicts["wrong"] <= 0.01 * 263
    # Without a plan around it "Slice" may be of five things: it is left open, twice, and not guessed.
    assert verdicts["missed"] <= 2


def test_mentions_of_our_own_in_other_rooms(cases: Path, room: Rooms) -> None:
    # In three lots of 157, 91 and 85, each labelled before the resolver was first run on it. Right and wrong
    # in that first run: 157 and 0, 87 and 2, 84 and 0; faults were mended before the next lot was labelled.
    verdicts = judged(cases / "mentions_more.jsonl", room)
    assert verdicts.total() == 333
    assert verdicts["right"] >= 0.98 * 333
    assert verdicts["wrong"] <= 0.01 * 333


def test_the_gold_plans_of_embodiedbrain(public_data: Path, room: Rooms) -> None:
    tasks = json.loads((public_data / "embodiedbrain" / "simulation_benchmark_set.json").read_text())
    outcomes: Counter[str] = Counter()
    for task in tasks:
        text = task["conversations"][1]["content"]
        actions = ast.literal_eval(re.findall(r"<actions>(.*?)</actions>", text, re.DOTALL)[0])
        number = re.findall(r"simulation/(\d+)/", task["images"][0])[0]
        steps = resolve_plan(actions, room(f"FloorPlan{number}"))
        assert [len(step.arguments) for step in steps] == [len(action) - 1 for action in actions]
        outcomes.update(one.outcome for step in steps for one in step.arguments)
    assert outcomes.total() == 918
    assert outcomes["resolved"] >= 898
    # FloorPlan10 has no table, and AI2-THOR no cutting board.
    assert (outcomes["absent_in_scene"], outcomes["unresolved"]) == (2, 12)


@pytest.mark.parametrize("number", [3, 17, 30, 206, 219, 230, 302, 317, 330, 403, 415, 430])
def test_every_type_of_a_room_is_found_by_its_name(number: int, room: Rooms) -> None:
    scene = room(f"FloorPlan{number}")
    resolver = Resolver(scene)
    for kind in {one.object_type for one in scene.objects}:
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind)
        for phrase in (kind, words, words.upper(), f"the {words}", kind.lower()):
            assert resolver.resolve("Find", "object", phrase).object_type == kind, phrase


def test_in_a_bathroom_with_two_basins_the_bath_is_not_the_sink(room: Rooms) -> None:
    # FloorPlan420 has a SinkBasin in its bathtub.
    found = Resolver(room("FloorPlan420")).resolve("Place", "target", "Sink")
    assert found.object_id == "Sink|-02.27|+00.00|-01.52|SinkBasin"
