"""Household tasks made fresh by seed: a room with its contents shuffled, what is wanted, and a plan for it.

Nothing of them stands in any training data. The rooms are those of the package; where things are, which of
them there are, and what is asked, are drawn. Every task comes with a plan that was executed and reaches the
goal, and with a goal of which nothing holds at the start.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gumption.planning.chores import UnfitError, Work
from gumption.planning.goals import Goal, GoalCheck, Proposition, Slot, check
from gumption.planning.plansim import carry_out
from gumption.planning.skills import SKILLS, Draw, Part
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import ENCLOSING, KNIVES, PLACEMENT
from gumption.planning.worlds.scenes import Box, Point, Scene, SceneObject, load_scene, own_rooms
from gumption.records import GumptionError

__all__ = ["Difficulty", "Generated", "generate", "goal_of_parts"]

_TRIES = 400
_MOST_STEPS = 6
_PLACES = 12
"""Drawn for each thing."""


class Difficulty(Struct, frozen=True):
    """How hard a task is."""

    steps: int = 1
    """Parts that are asked for one after the other, 1 to 6; each takes 1 to 10 actions."""
    distractors: int = 6
    """Things in the room beside those that the task is about; fewer where the room has fewer."""
    closed: int = 0
    """Things of the task that are in closed containers which the instruction names."""
    hidden: int = 0
    """Things of the task that are in closed containers which it does not name: they have to be found."""


class Generated(Struct, frozen=True):
    """A task with its room."""

    scene: Scene
    instruction: str
    goal: Goal
    plan: tuple[tuple[str, ...], ...]
    """Verb, object, place; named as `view.labels` names them."""
    skills: tuple[str, ...]
    """What its parts ask for, in their order: names of SKILLS."""
    seed: str
    difficulty: Difficulty


def generate(
    seed: int | str, difficulty: Difficulty | None = None, *, room: str = "", skill: str = ""
) -> Generated:
    """A task that depends on its arguments and on nothing else.

    room: one of `own_rooms()`, "" for one by lot. skill: what all parts ask for, "" for any.
    Raises GumptionError for a difficulty out of range, and where no task could be drawn.
    """
    difficulty = difficulty or Difficulty()
    wanted = difficulty.closed + difficulty.hidden
    least = min(difficulty.distractors, difficulty.closed, difficulty.hidden)
    if not 1 <= difficulty.steps <= _MOST_STEPS or wanted > difficulty.steps or least < 0:
        raise GumptionError(
            f"no task has the difficulty {difficulty}",
            remedy=f"1 to {_MOST_STEPS} steps, at most as many things closed or hidden, nothing below 0",
        )
    generator = Random(f"household/{seed}")
    scene = load_scene(room or generator.choice(own_rooms()))
    for _ in range(_TRIES):
        try:
            return _drawn(scene, difficulty, skill, generator, str(seed))
        except UnfitError:
            continue
    raise GumptionError(
        f"no task of this kind found in {_TRIES} attempts",
        where=f"household task {seed}",
        remedy="take another seed, another room or an easier task",
    )


def _drawn(scene: Scene, difficulty: Difficulty, skill: str, generator: Random, seed: str) -> Generated:
    """One attempt. Raises UnfitError where what was drawn does not go together."""
    shuffled, shut = _shuffled(scene, difficulty, generator)
    told = dict.fromkeys(shut, "") | dict(list(shut.items())[: difficulty.closed])
    draw = Draw(Work(Household(shuffled)), generator, told)
    names: list[str] = []
    parts: list[Part] = []
    for _ in range(difficulty.steps):
        draw, name, part = _next(draw, skill)
        names.append(name)
        parts.append(part)
    if not told.keys() <= draw.used:
        raise UnfitError("something is shut in that the task is not about")
    thinned = _thinned(shuffled, draw.used, shut, difficulty.distractors, generator)
    plan = draw.work.plan(thinned)
    task = Generated(thinned, _instruction(parts), goal_of_parts(parts), plan, tuple(names), seed, difficulty)
    world = Household(thinned)
    if _holding(check(task.goal, world)):
        raise UnfitError("part of the goal holds from the start")
    done = carry_out(world, thinned, task.plan, task.goal)
    if not done.execution.success or done.errors:
        raise UnfitError("the plan does not do it")
    return task


def _next(draw: Draw, skill: str) -> tuple[Draw, str, Part]:
    """One more part: of the first skill by lot that the room allows."""
    for name in [skill] if skill else draw.generator.sample(tuple(SKILLS), len(SKILLS)):
        trial = draw.copy()
        try:
            return trial, name, SKILLS[name](trial)
        except UnfitError:
            continue
    raise UnfitError("nothing more can be asked for")


def _holding(reached: GoalCheck) -> bool:
    return any(reached.holding)


def _shuffled(scene: Scene, difficulty: Difficulty, generator: Random) -> tuple[Scene, dict[str, str]]:
    """The room with everything somewhere else, and the containers of what is shut in, by id."""
    furniture = [one for one in scene.objects if one.receptacle and not one.pickupable]
    things = [one for one in scene.objects if one.pickupable]
    generator.shuffle(things)
    left = difficulty.closed + difficulty.hidden
    moved: list[SceneObject] = []
    shut: dict[str, str] = {}
    for thing in things:
        allowed = [one for one in furniture if one.object_type in PLACEMENT.get(thing.object_type, ())]
        closed = [one for one in allowed if one.object_type in ENCLOSING and one.openable and not one.is_open]
        hide = left > 0 and bool(closed) and thing.object_type not in KNIVES
        fitting = closed if hide else [one for one in allowed if one not in closed and not _odd(one)]
        place = generator.choice(fitting) if fitting else None
        new = thing if place is None else _put(thing, place, moved, generator)
        if place is not None and hide:
            left -= 1
            shut[new.object_id] = place.object_id
        moved.append(new)
    objects = (*(one for one in scene.objects if not one.pickupable), *moved)
    if left or len({one.object_id for one in objects}) < len(objects):
        raise UnfitError("no room for all of it")
    return Scene(scene.name, objects), shut


def _odd(place: SceneObject) -> bool:
    """Where things are put only on purpose."""
    return place.object_type in ("GarbageCan", "SinkBasin", "BathtubBasin", "Toilet")


def _put(
    thing: SceneObject, place: SceneObject, others: Sequence[SceneObject], generator: Random
) -> SceneObject:
    """The thing somewhere on a receptacle, of a few places by lot the one farthest from the other things; its
    id says where, as AI2-THOR's do."""
    around = place.axis_aligned_bounding_box or Box(place.position)
    half_x, half_z = 0.4 * around.size.x, 0.4 * around.size.z
    places = [
        Point(
            round(around.center.x + generator.uniform(-half_x, half_x), 2),
            round(around.center.y + around.size.y / 2, 2),
            round(around.center.z + generator.uniform(-half_z, half_z), 2),
        )
        for _ in range(_PLACES)
    ]
    at = max(places, key=lambda one: min((_apart(one, other.position) for other in others), default=0.0))
    box = thing.axis_aligned_bounding_box
    return replace(
        thing,
        object_id=f"{thing.object_type}|{at.x:+06.2f}|{at.y:+06.2f}|{at.z:+06.2f}",
        position=at,
        axis_aligned_bounding_box=replace(box, center=at) if box else None,
        parent_receptacles=(place.object_id,),
    )


def _apart(one: Point, other: Point) -> float:
    """From above: names beside each other can be read, names upon each other cannot."""
    return math.hypot(one.x - other.x, one.z - other.z)


def _thinned(
    scene: Scene, used: Collection[str], shut: Collection[str], distractors: int, generator: Random
) -> Scene:
    """Without all but so many of the things that the task has nothing to do with, and without the likes of
    what is shut in: those would do as well, and nothing would have to be opened."""
    others = [one for one in scene.objects if one.pickupable and one.object_id not in used]
    kinds = {one.object_type for one in scene.objects if one.object_id in shut}
    gone = {one.object_id for one in others if one.object_type in kinds}
    left = [one.object_id for one in others if one.object_id not in gone]
    gone |= set(generator.sample(left, max(0, len(left) - distractors)))
    inside = {one.object_id for one in scene.objects if gone & set(one.parents)}
    if inside:
        raise UnfitError("something is in what would go")
    return Scene(scene.name, tuple([one for one in scene.objects if one.object_id not in gone]))


def _instruction(parts: list[Part]) -> str:
    words = ", then ".join(part.words for part in parts)
    return f"{words[0].upper()}{words[1:]}."


def goal_of_parts(parts: Iterable[Part]) -> Goal:
    """The parts' propositions in one goal."""
    propositions: list[Proposition] = []
    same: list[tuple[Slot, ...]] = []
    for part in parts:
        start = len(propositions)
        propositions += part.propositions
        same += [
            tuple([replace(slot, proposition=slot.proposition + start) for slot in group])
            for group in part.same
        ]
    return Goal(tuple(propositions), tuple(same))
