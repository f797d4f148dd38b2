"""The same room in ALFWorld's engine: FloorPlan9 as a game of TextWorld, and a walk that cleans a tomato."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gumption.planning.worlds.household.facts import PLACEMENT
from gumption.planning.worlds.scenes import Scene

WALK = ("Tomato", "SinkBasin", "Fridge")


def installed() -> bool:
    """Whether alfworld, textworld and fast-downward-textworld are here."""
    return all(find_spec(name) for name in ("alfworld", "textworld", "fast_downward"))


def steps_a_second(scene: Scene, seconds: float, clock: Callable[[], float]) -> float:
    """Walks the walk again and again, resetting in between; only steps that do something count."""
    import textworld  # type: ignore[import-not-found]
    from textworld.envs.pddl import PddlEnv  # type: ignore[import-not-found]

    found = find_spec("alfworld")
    assert found is not None and found.origin is not None
    data = Path(found.origin).parent / "data"
    env: Any = PddlEnv(textworld.EnvInfos(won=True))
    env.load(
        {
            "pddl_domain": (data / "alfred.pddl").read_text(),
            "grammar": (data / "alfred.twl2").read_text(),
            "pddl_problem": _problem(scene),
        }
    )
    taken, start = 0, clock()
    while clock() - start < seconds:
        env.reset()
        for command in _commands(scene):
            state, _, _ = env.step(command)
            assert state.feedback != "Nothing happens.", command
            taken += 1
        assert state["won"]
    return taken / (clock() - start)


def _commands(scene: Scene) -> list[str]:
    thing, basin, fridge = (_name(scene, kind) for kind in WALK)
    return [
        f"go to {basin}",
        f"take {thing} from {basin}",
        f"clean {thing} with {basin}",
        f"go to {fridge}",
        f"open {fridge}",
        f"move {thing} to {fridge}",
    ]


def _name(scene: Scene, kind: str) -> str:
    return _names(scene)[next(one.object_id for one in scene.objects if one.object_type == kind)]


def _names(scene: Scene) -> dict[str, str]:
    count: dict[str, int] = {}
    names = {}
    for one in scene.objects:
        kind = one.object_type.lower()
        count[kind] = count.get(kind, 0) + 1
        names[one.object_id] = f"{kind}{count[kind]}"
    return names


def _problem(scene: Scene) -> str:
    names = _names(scene)
    places = [one for one in scene.objects if one.receptacle and not one.pickupable]
    carried = [one for one in scene.objects if one.pickupable]
    place_types, thing_types = {one.object_type for one in places}, {one.object_type for one in carried}
    facts = ["(atLocation agent1 loc0)"]
    for number, one in enumerate(places, 1):
        name = names[one.object_id]
        facts += [
            f"(receptacleAtLocation {name} loc{number})",
            f"(receptacleType {name} {one.object_type}Type)",
        ]
        facts += [f"(openable {name})"] if one.openable else []
    standing = {one.object_id: number for number, one in enumerate(places, 1)}
    for one in carried:
        name = names[one.object_id]
        facts += [
            f"(objectType {name} {one.object_type}OType)",
            f"(pickupable {name})",
            f"(cleanable {name})",
        ]
        for parent in [parent for parent in one.parents if parent in standing][:1]:
            facts += [
                f"(inReceptacle {name} {names[parent]})",
                f"(objectAtLocation {name} loc{standing[parent]})",
            ]
    facts += [
        f"(canContain {place}Type {kind}OType)"
        for kind in sorted(thing_types)
        for place in sorted(PLACEMENT.get(kind, frozenset()) & place_types)
    ]
    thing, _, fridge = (_name(scene, kind) for kind in WALK)
    return "\n".join(
        [
            "(define (problem floorplan) (:domain alfred) (:objects agent1 - agent",
            " ".join(f"loc{number}" for number in range(len(places) + 1)) + " - location",
            " ".join(names[one.object_id] for one in places) + " - receptacle",
            " ".join(names[one.object_id] for one in carried) + " - object",
            " ".join(f"{kind}Type" for kind in sorted(place_types)) + " - rtype",
            " ".join(f"{kind}OType" for kind in sorted(thing_types)) + " - otype)",
            f"(:init {' '.join(facts)} (= (total-cost) 0))",
            f"(:goal (and (isClean {thing}) (inReceptacle {thing} {fridge})))",
            "(:metric minimize (total-cost)))",
        ]
    )
