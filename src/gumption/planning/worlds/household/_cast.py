"""Who plays which part in a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gumption.planning.worlds.world import Thing

if TYPE_CHECKING:
    from gumption.planning.worlds.household.household import Household

__all__ = ["Cast"]


class Cast(NamedTuple):
    """A step with its objects at hand. The object stands for a target that is not there."""

    world: Household
    thing: Thing
    target: Thing
