"""A household and a goal as PDDL, for any planner, and the planner's plan as actions again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from gumption.planning.goals import Goal
from gumption.planning.worlds.household._pddl_goal import Names, candidates, goal_formula, relevant
from gumption.planning.worlds.household.facts import ENCLOSING, KNIVES, PLACEMENT, SLICES
from gumption.planning.worlds.household.household import Household
from gumption.planning.worlds.world import Action, Thing

__all__ = ["from_pddl", "to_pddl"]


def to_pddl(world: Household, goal: Goal, *, whole_room: bool = False) -> tuple[str, str]:
    """The domain and the problem of reaching a goal from the state the world is in, as texts.

    The problem holds what the goal speaks of, where that is, and what such goals need (faucets, knives, ...);
    with `whole_room` everything. Plans of the smaller problem are plans in the room. The order that a goal
    asks for with `after` is left out, and so is dirt: execute the plan to see that it reaches the goal.
    Raises GumptionError for a goal with a predicate that no action brings about.
    """
    names = Names(world)
    wanted = set(world.about) if whole_room else relevant(world, goal)
    things = [name for name in world.about if name in wanted]
    choices = candidates(world, goal)
    facts = [" ".join((fact[0], *map(names.short, fact[1:]))) for fact in _facts(world, things)]
    marks, formula = goal_formula(goal, choices, names)
    lines = [f"    ({fact})" for fact in dict.fromkeys((*facts, *marks))]
    objects = " ".join(names.short(name) for name in things)
    domain = files(__package__).joinpath("domain.pddl").read_text(encoding="utf-8")
    predicates = " ".join(dict.fromkeys(f"({mark.split()[0]} ?x)" for mark in marks))
    domain = domain.replace("(filled ?x))", f"(filled ?x) {predicates})" if predicates else "(filled ?x))", 1)
    problem = "\n".join(
        [
            f"(define (problem {world.name.lower()})",
            "  (:domain household)",
            f"  (:objects {objects})",
            "  (:init",
            *lines,
            "  )",
            f"  (:goal {formula}))",
            "",
        ]
    )
    return domain, problem


def from_pddl(world: Household, plan: Iterable[Sequence[str]]) -> list[Action]:
    """A plan of the exported problem as actions of the world."""
    names = Names(world)
    return [_action([step[0].lower(), *map(names.long, step[1:])]) for step in plan]


def _action(step: list[str]) -> Action:
    match step:
        case ["pick-up", thing, *_]:
            return Action("pick", thing)
        case ["put-down", thing, place, _]:
            return Action("place", thing, place)
        case ["wash", thing, *_]:
            return Action("wash", thing)
        case ["fill", thing, _, faucet]:
            return Action("pour", faucet, thing)
        case ["cut", thing, knife, *_]:
            return Action("cut", thing, knife)
        case [name, thing, *_]:
            verb = next(verb for verb in ("open", "close", "turn-on", "turn-off") if name.startswith(verb))
            return Action(verb.replace("-", "_"), thing)
    raise ValueError(f"not a step of the household domain: {step}")


def _facts(world: Household, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    here, things = set(names), world.objects()
    places = [name for name in names if world.about[name].receptacle]
    for name in names:
        about, thing = world.about[name], things.get(name)
        if about.pickupable:
            yield "carriable", name
            goes = PLACEMENT.get(about.object_type, frozenset())
            yield from (("fits", name, at) for at in places if world.about[at].object_type in goes)
        else:
            yield "furniture", name
            yield "in", name, name
        yield from (fact for fact in _kind(world, name) if here.issuperset(fact[1:]))
        whole = name.rpartition("|")[0]
        if about.object_type in SLICES.values() and whole in here:
            yield "piece-of", name, whole
        if thing is not None:
            yield from _now(world, thing, here)
    yield ("holding", world.held) if world.held in here else ("hand-empty",)


def _kind(world: Household, name: str) -> Iterator[tuple[str, ...]]:
    about = world.about[name]
    kind = about.object_type
    yield from (("runs-into", name, basin) for basin in (world.links.water.get(name),) if basin)
    yield from (("switches", name, burner) for burner in world.links.burners.get(name, ()))
    for predicate, holds in (
        ("openable", about.openable),
        ("encloses", about.openable and kind in ENCLOSING),
        ("toggleable", about.toggleable and kind not in ("Microwave", "StoveKnob")),
        ("fridge", kind == "Fridge"),
        ("microwave", kind == "Microwave"),
        ("fillable", about.can_fill_with_liquid),
        ("cookable", about.cookable),
        ("knife", kind in KNIVES),
        ("sliceable", about.sliceable),
    ):
        if holds:
            yield predicate, name


def _now(world: Household, thing: Thing, here: set[str]) -> Iterator[tuple[str, ...]]:
    about = world.about[thing.id]
    place = _place(world, thing)
    if about.pickupable and place in here:
        yield "in", thing.id, place
    for predicate, holds in (
        ("open", thing.open),
        ("shut", about.openable and not thing.open and thing.type in ENCLOSING),
        ("on", thing.on),
        ("cut", thing.sliced),
        ("made", thing.type in SLICES.values()),
        ("clean", thing.cleaned),
        ("heated", thing.heated),
        ("cooled", thing.cooled),
        ("cooked", thing.cooked),
        ("filled", thing.liquid != ""),
    ):
        if holds:
            yield predicate, thing.id


def _place(world: Household, thing: Thing) -> str:
    """One place: a closed one first, since it is in the way; the floor last, since most things touch it."""
    things = world.objects()

    def order(name: str) -> tuple[bool, bool]:
        place = things[name]
        closed = place.type in ENCLOSING and not place.open and world.about[name].openable
        return not closed, place.type == "Floor"

    return min(thing.parents, key=order, default="")
