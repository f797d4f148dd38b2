"""How strict a household is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

__all__ = ["Options"]


class Options(Struct, frozen=True):
    """The rules that evaluations set differently. The defaults are AI2-THOR's where it has the rule."""

    require_navigate: bool = False
    """Things are within reach only once the agent has gone to them or to what they are in."""
    require_visible: bool = True
    """Things in a closed container cannot be touched."""
    auto_open: bool = False
    """Containers that are in the way open by themselves."""
    placement: Literal["fail", "warn", "off"] = "fail"
    """What becomes of putting a thing where AI2-THOR's table does not have it."""
    strict_knife: bool = True
    """Cutting needs a knife in the hand. ALFRED and ALFWorld ask for it, AI2-THOR itself may not."""
    redundant_fails: bool = False
    """A step whose effect already holds fails, in place of doing nothing."""
    capacity: Mapping[str, int] = field(default_factory=dict)
    """How many things go into one receptacle of a type; types without a row have room for all."""
