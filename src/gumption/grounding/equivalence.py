"""Whether two problems say the same: with the same names, or up to renaming objects.

Renaming suits texts whose objects have no names of their own. For grounding it forgives swapped colours:
names that mean something are pinned. (The idea of comparing problems up to isomorphism: Planetarium,
arXiv 2407.03321.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from typing import Literal, TypeAlias

from gumption.grounding.pddl import Problem
from gumption.records import GumptionError

__all__ = ["MAX_WORK", "Part", "equal", "isomorphic"]

Part = Literal["objects", "init", "goal"]
_PARTS: tuple[Part, ...] = ("objects", "init", "goal")
MAX_WORK = 300_000
"""Arguments of facts looked at before the search for a renaming gives up."""

_Fact: TypeAlias = tuple[Hashable, tuple[str, ...]]
"""What is said (section, sign, predicate), and the arguments."""


def equal(one: Problem, other: Problem, parts: Collection[Part] = _PARTS) -> bool:
    """Whether the parts are the same: objects with types, initial atoms, and goals (as sets of signed
    literals where both are conjunctions of such, else as they are written)."""
    return (
        ("objects" not in parts or one.objects == other.objects)
        and ("init" not in parts or one.init == other.init)
        and ("goal" not in parts or one.goal == other.goal or _same_literals(one, other))
    )


def isomorphic(
    one: Problem, other: Problem, *, pinned: Collection[str] = (), parts: Collection[Part] = _PARTS
) -> bool | None:
    """Whether renaming the declared objects of one problem gives the other.

    pinned: names that stand for themselves. Names that are not declared are never renamed: a domain's
    constants, and what was not declared by mistake. parts: what must agree besides the objects with their
    types, which always must. None where the goals matter and one is no conjunction of literals, unless they
    are the same as written. Raises GumptionError where that takes more than `MAX_WORK`, as with thousands of
    objects that nothing tells apart.
    """
    if equal(one, other, {"objects", *parts}):
        return True
    if "goal" in parts and (one.goal_literals is None or other.goal_literals is None):
        return None
    left, right = _Structure(one, parts, pinned), _Structure(other, parts, pinned)
    return left.idle == right.idle and len(left.facts) == len(right.facts) and _match(left, right)


def _same_literals(one: Problem, other: Problem) -> bool:
    return one.goal_literals is not None and one.goal_literals == other.goal_literals


_Colours: TypeAlias = dict[str, Hashable]
"""Objects of one colour have not been told apart yet."""


class _Structure:
    """A problem's objects and the facts over them."""

    def __init__(self, problem: Problem, parts: Collection[Part], pinned: Collection[str]) -> None:
        self.facts: set[_Fact] = set()
        if "init" in parts:
            self.facts |= {(("init", True, atom[0]), atom[1:]) for atom in problem.init}
        if "goal" in parts:
            literals = problem.goal_literals or ()
            self.facts |= {(("goal", positive, atom[0]), atom[1:]) for positive, atom in literals}
        self._places: dict[str, list[tuple[int, _Fact]]] = {}
        for fact in self.facts:
            for place, name in enumerate(fact[1]):
                if name in problem.objects:
                    self._places.setdefault(name, []).append((place, fact))
        self.start: _Colours = {}
        """The objects that stand in facts."""
        self.idle: Counter[Hashable] = Counter()
        """The others: only how many there are of a kind matters."""
        for name, kind in problem.objects.items():
            colour = (kind, name if name in pinned else "")
            if name in self._places:
                self.start[name] = colour
            else:
                self.idle[colour] += 1
        self.size = len(self.start) + sum(len(arguments) for _, arguments in self.facts)

    def surroundings(self, colours: _Colours) -> _Colours:
        """What can be said of each object: its colour, and the facts it stands in with the colours there."""
        said: dict[_Fact, Hashable] = {
            fact: (fact[0], tuple([(colours[name],) if name in colours else name for name in fact[1]]))
            for fact in self.facts
        }
        return {
            name: (colours[name], frozenset(Counter([(place, said[fact]) for place, fact in places]).items()))
            for name, places in self._places.items()
        }

    def renamed(self, names: dict[str, str]) -> set[_Fact]:
        """The facts after renaming."""
        return {
            (said, tuple([names.get(name, name) for name in arguments])) for said, arguments in self.facts
        }


def _match(left: _Structure, right: _Structure) -> bool:
    """Colour both sides alike until nothing more is told apart; pair one object in every way; and again."""
    open_pairings: list[Iterator[tuple[_Colours, _Colours]]] = [iter([(left.start, right.start)])]
    work = 0
    while open_pairings:
        pair = next(open_pairings[-1], None)
        if pair is None:
            open_pairings.pop()
            continue
        mine, theirs = pair
        told_apart, before, alike = 1, 0, True
        while alike and told_apart > before:
            work += left.size
            if work > MAX_WORK:
                raise GumptionError(
                    "too many objects that nothing tells apart to find or rule out a renaming",
                    where="isomorphic",
                    remedy="pin the names that mean something, or compare exactly",
                )
            before = len(set(mine.values()))
            mine, theirs = _numbered(left.surroundings(mine), right.surroundings(theirs))
            told_apart = len(set(mine.values()))
            alike = Counter(mine.values()) == Counter(theirs.values())
        if not alike:
            continue
        if told_apart < len(mine):
            open_pairings.append(_pairings(mine, theirs))
            continue
        names = {colour: name for name, colour in theirs.items()}
        if left.renamed({name: names[colour] for name, colour in mine.items()}) == right.facts:
            return True
    return False


def _numbered(mine: _Colours, theirs: _Colours) -> tuple[_Colours, _Colours]:
    """The same colours as numbers: what is nested stays small."""
    numbers: dict[Hashable, int] = {}
    return (
        {name: numbers.setdefault(seen, len(numbers)) for name, seen in mine.items()},
        {name: numbers.setdefault(seen, len(numbers)) for name, seen in theirs.items()},
    )


def _pairings(mine: _Colours, theirs: _Colours) -> Iterator[tuple[_Colours, _Colours]]:
    """One object of the smallest colour with several, paired with each of that colour on the other side."""
    sizes = Counter(mine.values())
    chosen = min((name for name in mine if sizes[mine[name]] > 1), key=lambda name: (sizes[mine[name]], name))
    for name, colour in theirs.items():
        if colour == mine[chosen]:
            yield {**mine, chosen: "paired"}, {**theirs, name: "paired"}
