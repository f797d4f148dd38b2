"""What a phrase was asked for, and what it stands for."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from gumption.planning.resolve.affordances import Role
from gumption.planning.resolve.parse import Phrase
from gumption.planning.resolve.static import Naming
from gumption.records import ErrorKind

__all__ = ["Layer", "Query", "Resolution", "ResolutionOutcome"]

Layer = Literal["static", "context", "similarity", ""]
ResolutionOutcome = Literal["resolved", "unresolved", "absent_in_scene", "ambiguous"]

_ERRORS = {
    "unresolved": ErrorKind.UNRESOLVED,
    "absent_in_scene": ErrorKind.ABSENT_IN_SCENE,
    "ambiguous": ErrorKind.AMBIGUOUS,
}


class Query(Struct, frozen=True):
    """A phrase with what L1 and L2 made of it."""

    verb: str
    """In lower case, as `plain_verb` gives it."""
    role: Role
    phrase: str
    parts: Phrase
    naming: Naming


class Resolution(Struct, frozen=True):
    """What one argument of a step stands for, and how that was found."""

    phrase: str
    outcome: ResolutionOutcome
    object_id: str | None = None
    object_type: str | None = None
    """Only where resolved, like the id."""
    layer: Layer = ""
    """The last layer that was needed; "" where none answered."""
    rule: str = ""
    """type, alias or slice, with "stripped" and "stand-in" behind it; object_id, pronoun, held, origin,
    beside, slice of what was cut, spelling, head noun; no_type where the phrase is known to name no type of
    AI2-THOR."""
    tie: str = ""
    """What decided between instances: number, other, place, height, held, phrase, opened, water, holds,
    last used, adjectives, type, open, object_id; "" where there was one."""
    candidates: tuple[str, ...] = ()
    """The ids of all that could have been meant, in alphabetical order."""
    types: tuple[str, ...] = ()
    """The types that the phrase names, whether or not the room has them."""
    likeness: float | None = None
    """Of the last layer: how like the name is, in [0, 1]."""

    @property
    def error(self) -> ErrorKind | None:
        return _ERRORS.get(self.outcome)
