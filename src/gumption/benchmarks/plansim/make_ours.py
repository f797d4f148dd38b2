"""Makes ours.jsonl out of _ours.txt: python -m gumption.benchmarks.plansim.make_ours

Each recipe gives a goal and a plan. The plan is carried out as it is written down, and the finished task is
verified again in words, as any task of a file is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import msgspec

from gumption.benchmarks.plansim.task import Task, verify
from gumption.planning import chores
from gumption.planning.chores import UnfitError, Work
from gumption.planning.generate import goal_of_parts
from gumption.planning.goals import Proposition, Slot
from gumption.planning.skills import Part
from gumption.planning.view import labels
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import SLICES
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Thing
from gumption.records import GumptionError

__all__ = ["OURS", "made", "written"]

OURS = "ours.jsonl"
_STATES = {"on": "Turn on", "off": "Turn off", "open": "Open", "close": "Close"}
_STATED = {"close": "closed"}
_CHORES: Mapping[str, tuple[str, Callable[[Work, Thing], None]]] = {
    "wash": ("clean", chores.wash),
    "heat": ("heated", chores.heat),
    "cool": ("cooled", chores.cool),
    "fill": ("filled", chores.fill),
}


def made() -> Iterator[Task]:
    """The 99 tasks. Raises GumptionError for one whose recipe does not do it."""
    lines = files("gumption.benchmarks.plansim").joinpath("_ours.txt").read_text("utf-8").splitlines()
    for number, line in enumerate((one for one in lines if not one.startswith("#")), 1):
        room, instruction, recipe = line.split(" | ")
        name = f"ours-{number:02d}"
        if recipe.startswith("! "):
            yield Task(name, room, instruction, feasible=False, why=recipe[2:], category="infeasible")
            continue
        scene = load_scene(room)
        cook = _Cook(Work(Household(scene)))
        try:
            parts = [cook.part(*one.split(" ", 1)) for one in recipe.split("; ")]
        except UnfitError as error:
            raise GumptionError(str(error), where=name, remedy=f"mend its recipe: {recipe}") from error
        category = recipe.split()[0] if len(parts) == 1 else "several"
        plan = cook.work.plan(scene)
        task = Task(name, room, instruction, goal_of_parts(parts), plan, category=category)
        verify(task, scene)
        yield task


def written() -> bytes:
    """The tasks as the lines of ours.jsonl, empty fields left out."""
    plain = msgspec.to_builtins(Task("", "", ""))
    rows = [msgspec.to_builtins(task) for task in made()]
    kept = [
        {name: _short(value) for name, value in row.items() if name not in plain or value != plain[name]}
        for row in rows
    ]
    return b"".join(msgspec.json.encode(row) + b"\n" for row in kept)


def _short(value: object) -> object:
    """A goal without the fields that are as usual."""
    if not isinstance(value, dict) or "propositions" not in value:
        return value
    usual = msgspec.to_builtins(Proposition("", ()))
    propositions = [
        {name: field for name, field in one.items() if name not in usual or field != usual[name]}
        for one in value["propositions"]
    ]
    return {"propositions": propositions, **({"same": value["same"]} if value["same"] else {})}


class _Cook:
    """Takes the steps of recipes in one room."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._ids = {label: name for name, label in labels(work.world.scene.objects).items()}

    def part(self, verb: str, rest: str) -> Part:
        """One part of a recipe, and what of it is wanted."""
        what, _, place = rest.partition(" > ")
        if verb in _STATES:
            thing = self._thing(what)
            self.work.do(_STATES[verb], thing.id)
            return Part("", (Proposition(_STATED.get(verb, verb), (self._handle(what),)),))
        if verb == "both":
            return self._both(what, place)
        if verb == "stack":
            one, vessel = what.split(", ")
            first, second = self.part("put", f"{one} > {vessel}"), self.part("put", f"{vessel} > {place}")
            both = (*first.propositions, *second.propositions)
            return Part("", both, ((Slot(0, "target"), Slot(1)),))
        if verb == "slice":
            whole = self._thing(what)
            knife = self.work.first(("Knife",))
            piece = chores.cut(self.work, whole, knife, knife.parents[0])
            self.work.put(piece, self._thing(place).id)
            return Part("", (Proposition("in", (SLICES[whole.type],), (self._handle(place),)),))
        thing = self._thing(what)
        self.work.fetch(thing)
        placed = Proposition("in", (self._handle(what),), (self._handle(place),))
        if verb in _CHORES:
            event, chore = _CHORES[verb]
            chore(self.work, thing)
        self.work.put(thing, self._thing(place).id)
        if verb not in _CHORES:
            return Part("", (placed,))
        return Part("", (placed, Proposition(event, placed.objects)), ((Slot(0), Slot(1)),))

    def _both(self, kind: str, place: str) -> Part:
        """All of a type into one place, counted together."""
        found = [name for name in self.work.world.objects() if name.startswith(f"{kind}|")]
        for name in sorted(found):
            self.work.fetch(self.work.world.objects()[name])
            self.work.put(self.work.world.objects()[name], self._thing(place).id)
        wanted = Proposition("in", (kind,), (self._handle(place),), number=len(found), together=True)
        return Part("", (wanted,))

    def _thing(self, label: str) -> Thing:
        return self.work.world.objects()[self._ids[label.removesuffix("!")]]

    def _handle(self, label: str) -> str:
        """The objectId where that very thing is meant, else its type."""
        return self._thing(label).id if label.endswith("!") else self._thing(label).type


if __name__ == "__main__":
    Path(__file__).with_name(OURS).write_bytes(written())
