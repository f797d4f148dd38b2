"""The judge that needs no model: verbs by class, objects by the types that their names can mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from gumption.planning.judges import Action, Judgement
from gumption.planning.resolve.affordances import CUTS, plain_verb
from gumption.planning.resolve.parse import read_phrase
from gumption.planning.resolve.static import name
from gumption.planning.worlds.household.facts import KNIVES

__all__ = ["RuleJudge"]

_CLASSES = (
    "pick grasp lift catch pinch",
    "place insert hang stack",
    "cut chop",
    "wash rinse",
    "find search",
    "slide drag",
    "turn twist",
    "push press",
)
_WHOLE = {"grasp and release": "release", "pick and place": "place", "handover": "catch"}
_CLASS = {verb: line.split()[0] for line in _CLASSES for verb in line.split()} | _WHOLE
_COLOURS = frozenset(
    {"white", "red", "blue", "green", "pink", "yellow", "black", "brown", "grey", "gray", "orange", "purple"}
    | {"violet", "silver", "golden", "beige"}
)


class RuleJudge:
    """Two actions match where their verbs are of one class and their arguments can be the same things.

    Opposite verbs are of different classes. An object named by colour never matches one of another colour. A
    place counts only where both name one. Deterministic, no network.
    """

    name = "rule"

    def judge(self, action: Action, gold: Sequence[Action]) -> Judgement:
        own = _meaning(tuple(action))
        return Judgement(tuple([_same(own, _meaning(tuple(other))) for other in gold]))


class _Thing(msgspec.Struct, frozen=True):
    types: frozenset[str]
    """What the name can mean; empty for names that are not known."""
    words: frozenset[str]
    colours: frozenset[str]


class _Meaning(msgspec.Struct, frozen=True):
    verb: str
    things: tuple[_Thing, ...]


@lru_cache(maxsize=16384)
def _meaning(action: tuple[str, ...]) -> _Meaning:
    verb = plain_verb(action[0])
    things = [_thing(argument) for argument in action[1:3]]
    if verb in CUTS and len(things) == 2:
        # The knife stands first or last; what is cut is what matters.
        things = [thing for thing in things if not thing.types & KNIVES] or things[:1]
    return _Meaning(_CLASS.get(verb, verb), tuple(things))


@lru_cache(maxsize=16384)
def _thing(argument: str) -> _Thing:
    phrase = read_phrase(argument)
    naming = name(phrase)
    words = frozenset(phrase.words or argument.casefold().split())
    return _Thing(frozenset(naming.types), words - _COLOURS, words & _COLOURS)


def _same(one: _Meaning, other: _Meaning) -> bool:
    return (
        one.verb == other.verb
        and all(map(_alike, one.things, other.things))
        and (bool(one.things) == bool(other.things))
    )


def _alike(one: _Thing, other: _Thing) -> bool:
    if one.colours and other.colours and not one.colours & other.colours:
        return False
    if one.types or other.types:
        return bool(one.types & other.types)
    return one.words <= other.words or other.words <= one.words
