"""Goals in PDDL, the objects they speak of and the names that objects have there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gumption.planning.goals import Goal, Proposition
from gumption.planning.worlds.household.facts import KNIVES, PLACEMENT, SLICES
from gumption.planning.worlds.household.household import Household
from gumption.records import GumptionError

__all__ = ["Names", "candidates", "goal_formula", "relevant"]

_LITERALS = {
    "in": "(in {object} {target})",
    "held": "(holding {object})",
    "open": "(open {object})",
    "closed": "(not (open {object}))",
    "on": "(on {object})",
    "off": "(not (on {object}))",
    "clean": "(clean {object})",
    "heated": "(heated {object})",
    "cooled": "(cooled {object})",
    "cooked": "(cooked {object})",
    "filled": "(filled {object})",
    "empty": "(not (filled {object}))",
    "sliced": "(cut {object})",
    "exists": "(made {object})",
}
_MEANS = {
    "clean": ("Faucet", "SinkBasin", "BathtubBasin"),
    "filled": ("Faucet", "SinkBasin", "BathtubBasin"),
    "heated": ("Microwave",),
    "cooled": ("Fridge",),
    "cooked": ("Microwave", "StoveKnob", "StoveBurner", "Pan", "Pot"),
    "on": ("StoveKnob",),
    "off": ("StoveKnob",),
    "sliced": tuple(sorted(KNIVES)),
}
"""Types of objects that bringing something about may need."""

_Choices = list[tuple[list[str], list[str]]]
"""Of every proposition, the objects and the targets that will do."""


class Names:
    """What objects are called in PDDL, which cannot write an objectId: type and number, by order of ids."""

    def __init__(self, world: Household) -> None:
        self._short: dict[str, str] = {}
        count: dict[str, int] = {}
        for name, about in sorted(world.about.items()):
            kind = about.object_type.lower()
            count[kind] = count.get(kind, 0) + 1
            self._short[name] = f"{kind}_{count[kind]}"
        self._long = {short: name for name, short in self._short.items()}

    def short(self, name: str) -> str:
        return self._short[name]

    def long(self, name: str) -> str:
        return self._long[name.lower()]


def candidates(world: Household, goal: Goal) -> _Choices:
    """Which objects each proposition may hold of. A basin will do for its sink."""

    def matching(handles: Sequence[str]) -> list[str]:
        return [name for name, about in world.about.items() if {name, about.object_type} & set(handles)]

    found: _Choices = []
    for one in goal.propositions:
        targets = matching(one.targets)
        basins = [
            basin for basin, sink in world.links.sink.items() if sink in targets and basin not in targets
        ]
        found.append((matching(one.objects), targets + basins))
    return found


def relevant(world: Household, goal: Goal) -> set[str]:
    """What the goal speaks of, what it may need, and all that these are in."""
    found: set[str] = {world.held} if world.held else set()
    kinds: set[str] = set()
    for one, (objects, targets) in zip(goal.propositions, candidates(world, goal), strict=True):
        found |= {*objects, *targets}
        kinds |= set(_MEANS.get(one.predicate, ()))
    for name in sorted(found):
        whole = name.rpartition("|")[0]
        if world.about[name].object_type in SLICES.values():
            found |= {whole} if whole in world.about else set()
            kinds |= KNIVES
    found |= {name for name, about in world.about.items() if about.object_type in kinds}
    found |= {piece for piece in world.about if piece.rpartition("|")[0] in found and _is_piece(world, piece)}
    things = world.objects()
    for name in sorted(found & things.keys()):
        found |= world.containers(things[name])
    if world.held:
        # Somewhere to put down what is in the way.
        goes = PLACEMENT.get(world.about[world.held].object_type, frozenset())
        free = [name for name, thing in things.items() if thing.type in goes and not thing.parents]
        found |= set(sorted(free, key=lambda name: (world.about[name].openable, name))[:1])
    return found


def _is_piece(world: Household, name: str) -> bool:
    return world.about[name].object_type in SLICES.values()


def goal_formula(goal: Goal, choices: _Choices, names: Names) -> tuple[list[str], str]:
    """Facts that mark the candidates, and the goal: there are objects of which everything holds."""
    terms = _terms(goal)
    allowed: dict[str, list[str]] = {}
    for (place, side, _), term in terms.items():
        some = choices[place][side]
        allowed[term] = [name for name in allowed.get(term, some) if name in some]
    if not all(allowed.values()):
        raise GumptionError("no object of the room will do for the goal", remedy="check the goal's types")
    fixed = {term: names.short(some[0]) for term, some in allowed.items() if len(some) == 1}
    variables = [term for term in allowed if term not in fixed]
    marks = [f"may-be-{term[1:]} {names.short(name)}" for term in variables for name in allowed[term]]
    parts = [f"(may-be-{term[1:]} {term})" for term in variables]
    parts += list(_literals(goal, {key: fixed.get(term, term) for key, term in terms.items()}))
    body = f"(and {' '.join(dict.fromkeys(parts))})"
    return marks, f"(exists ({' '.join(variables)}) {body})" if variables else body


_Terms = Mapping[tuple[int, int, int], str]
"""A variable for every proposition, side (0 the object, 1 the target) and number."""


def _terms(goal: Goal) -> _Terms:
    """Sides that are to be the same share their variables."""
    terms: dict[tuple[int, int, int], str] = {}
    for place, one in enumerate(goal.propositions):
        for number in range(one.number):
            terms[place, 0, number] = f"?x{place}-{number}"
            if one.targets:
                terms[place, 1, number] = f"?y{place}-{0 if one.together else number}"
    for group in goal.same:
        for number in range(min(goal.propositions[slot.proposition].number for slot in group)):
            keys = [(slot.proposition, int(slot.side == "target"), number) for slot in group]
            old = {terms[key] for key in keys}
            terms |= {key: terms[keys[0]] for key, term in terms.items() if term in old}
    return terms


def _literals(goal: Goal, terms: _Terms) -> Iterator[str]:
    for place, one in enumerate(goal.propositions):
        objects = [terms[place, 0, number] for number in range(one.number)]
        for number, term in enumerate(objects):
            yield _literal(one, term, terms.get((place, 1, number), ""))
            yield from (f"(not (= {term} {other}))" for other in objects[:number])


def _literal(one: Proposition, term: str, target: str) -> str:
    if one.predicate not in _LITERALS:
        raise GumptionError(
            f"no action brings about {one.predicate!r}", where="goal", remedy="leave it out of the PDDL goal"
        )
    return _LITERALS[one.predicate].format(object=term, target=target)
