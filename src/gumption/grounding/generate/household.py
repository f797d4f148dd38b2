"""Fresh household problems: things to be put away, sliced, and containers to be closed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gumption.grounding.domain import read_domain
from gumption.grounding.generate._words import listed
from gumption.grounding.generate.generated import Generated, GoalLiteral, bounded, finished, package_domain
from gumption.grounding.pddl import And, Atom, Problem
from gumption.grounding.states import Dynamics, State

__all__ = ["generate_household"]

_CONTAINERS = ("cabinet", "fridge", "drawer", "carton", "wardrobe", "chest")
_SURFACES = ("table", "shelf", "sink", "sofa", "desk", "bench")
_FOOD = ("apple", "bread", "cheese", "peach")
_ITEMS = ("book", "bowl", "plate", "cup", "toy", "candle", "towel", "bottle", "pen", "ball")
_KNIFE = "knife_1"


def generate_household(
    *, containers: int = 2, surfaces: int = 2, items: int = 4, goals: int = 2, seed: int = 0
) -> Generated:
    """Containers, open or closed, surfaces, and items in, on or beside them.

    containers, surfaces: from 1 to 6. items: from 1 to 12; from three upwards one of them is a knife and one
    something to slice. goals: literals of the goal, from 1 to the number of items, each untrue at the start:
    an item inside, on or next to something, food sliced, an open container closed. Nothing is within reach at
    the start.
    """
    bounded("containers", containers, 1, len(_CONTAINERS))
    bounded("surfaces", surfaces, 1, len(_SURFACES))
    bounded("items", items, 1, len(_ITEMS) + 2)
    bounded("goals", goals, 1, items)
    generator = Random(f"household/{containers}/{surfaces}/{items}/{goals}/{seed}")
    boxes = [f"{name}_1" for name in generator.sample(_CONTAINERS, containers)]
    boards = [f"{name}_1" for name in generator.sample(_SURFACES, surfaces)]
    food = [f"{generator.choice(_FOOD)}_1"] if items >= 3 else []
    tools = [_KNIFE] if items >= 3 else []
    plain = [f"{name}_1" for name in generator.sample(_ITEMS, items - len(food) - len(tools))]
    objects = {
        **dict.fromkeys(boxes, "container"),
        **dict.fromkeys(boards, "object"),
        **dict.fromkeys(plain, "movable"),
        **dict.fromkeys(food, "sliceable"),
        **dict.fromkeys(tools, "slicer"),
    }
    movables = [*plain, *food, *tools]
    init = {_placed(item, boxes, boards, generator) for item in movables}
    init |= {("open", box) for box in boxes if generator.random() < 0.4}
    wanted = _wanted(init, boxes, boards, movables, food, goals, generator)
    return finished(
        "household",
        seed,
        "household",
        objects,
        init,
        wanted,
        _said(wanted),
        _Robot(objects, init, boards[0]).plan_for(wanted),
    )


def _placed(item: str, boxes: Sequence[str], boards: Sequence[str], generator: Random) -> Atom:
    relation = generator.choice(("inside", "inside", "ontop", "ontop", "nextto"))
    place = generator.choice({"inside": boxes, "ontop": boards}.get(relation, [*boxes, *boards]))
    return relation, item, place


def _wanted(
    init: State,
    boxes: Sequence[str],
    boards: Sequence[str],
    movables: Sequence[str],
    food: Sequence[str],
    goals: int,
    generator: Random,
) -> list[GoalLiteral]:
    """Untrue literals that do not hinder each other: one place for each item. Slices come first and closed
    doors last, which is an order in which they can be done."""
    closable = [box for box in boxes if ("open", box) in init]
    free: list[tuple[str, str]] = [("place", item) for item in movables]
    free += [("sliced", item) for item in food] + [("closed", box) for box in closable]
    wanted: list[GoalLiteral] = []
    for kind, name in generator.sample(free, goals):
        if kind == "sliced":
            wanted.append((True, ("sliced", name)))
        elif kind == "closed":
            wanted.append((False, ("open", name)))
        else:
            atom = _placed(name, boxes, boards, generator)
            while atom in init:
                atom = _placed(name, boxes, boards, generator)
            wanted.append((True, atom))
    order = {"sliced": 0, "open": 2}
    return sorted(wanted, key=lambda literal: order.get(literal[1][0], 1))


def _said(wanted: Sequence[GoalLiteral]) -> str:
    words = {"inside": "put {} inside {}", "ontop": "put {} on top of {}", "nextto": "put {} next to {}"}
    words |= {"sliced": "slice {}", "open": "close {}"}
    sentence = listed([words[atom[0]].format(*atom[1:]) for _, atom in wanted])
    return f"{sentence[0].upper()}{sentence[1:]}."


class _Robot:
    """Does one goal after another, and keeps book of what it did."""

    def __init__(self, objects: dict[str, str], init: set[Atom], table: str) -> None:
        problem = Problem("", "household", objects, frozenset(init), And(()))
        self._dynamics = Dynamics(read_domain(package_domain("household")), problem)
        self._state: State = problem.init
        self._table = table
        self._plan: list[tuple[str, ...]] = []

    def plan_for(self, wanted: Sequence[GoalLiteral]) -> list[tuple[str, ...]]:
        for _, (predicate, name, *rest) in wanted:
            if predicate == "sliced":
                self._open_around(name)
                self._take(_KNIFE)
                self._go(name)
                self._do("slice", name, _KNIFE)
                self._go(self._table)
                self._do("place-on", _KNIFE, self._table)
            elif predicate == "open":
                self._go(name)
                self._do("close-container", name)
            else:
                self._put(name, predicate, rest[0])
        return self._plan

    def _put(self, item: str, relation: str, place: str) -> None:
        if relation == "inside":
            self._open(place)
        self._take(item)
        self._go(place)
        action = {"inside": "place-inside", "ontop": "place-on", "nextto": "place-next-to"}[relation]
        self._do(action, item, place)

    def _take(self, item: str) -> None:
        self._open_around(item)
        self._go(item)
        self._do("grasp", item)

    def _open_around(self, item: str) -> None:
        for atom in sorted(self._state):
            if atom[:2] == ("inside", item):
                self._open(atom[2])

    def _open(self, box: str) -> None:
        if ("open", box) not in self._state:
            self._go(box)
            self._do("open-container", box)

    def _go(self, place: str) -> None:
        if ("reachable", place) not in self._state:
            self._do("navigate-to", place)

    def _do(self, action: str, *arguments: str) -> None:
        schema = self._dynamics.schema(action)
        assert schema is not None
        self._state = schema.apply(self._state, arguments)
        self._plan.append((action, *arguments))
