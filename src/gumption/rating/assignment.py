"""Who is shown what next: balanced incomplete blocks, built one task at a time.

A fixed design breaks with the first drop-out. So each task is chosen when it is asked for: first what fewest
people have judged, then what evens out the models and scenarios this rater has seen, then by lot. Lots are
drawn from the study's seed, the rater's number and the task's, so a study can be played again.

Everything here is pure: the caller holds the lock under which the counts are true.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

__all__ = ["Unit", "left_behind", "next_check", "next_kind", "next_repeat", "next_unit", "swap_sides"]

REPEAT_AFTER = 5
"""A repeat comes at least so many tasks after the first showing, where the block is that long."""


class Unit(Struct, frozen=True):
    """What is judged at once."""

    key: int
    scenario: int
    models: tuple[str, ...]
    """One in a rating, two in a comparison, none in labelling."""


def next_kind(
    number: int, checks: int, repeats: int, *, check_share: float, repeat_share: float, seed: int, rater: int
) -> Literal["unit", "check", "repeat"]:
    """What the rater's task `number` (from 1) should be, given the checks and repeats they had before.

    Of every 1 / share tasks one is due to be a check, and likewise a repeat, from a place on that is drawn by
    lot. The first task is always a unit.
    """
    if number > 1 and checks < _due("check", number, check_share, f"{seed}/{rater}"):
        return "check"
    if number > 1 and repeats < _due("repeat", number, repeat_share, f"{seed}/{rater}"):
        return "repeat"
    return "unit"


def _due(kind: str, number: int, share: float, lot: str) -> int:
    """How many of the first `number` tasks should have been of this kind."""
    whole, part = divmod(number * share, 1.0)
    return int(whole) + (random.Random(f"{lot}/{kind}/{int(whole)}").random() < part)


def next_unit(
    units: Sequence[Unit],
    taken: Mapping[int, int],
    seen: Collection[int],
    wanted: int,
    *,
    seed: int,
    rater: int,
) -> Unit | None:
    """The unit that the rater is shown next, or None where nothing is left for them.

    `taken`: unit key to how many people have judged it or hold it now; a missing key is 0.
    `seen`: keys of the units this rater was given, in any state; none is given twice.
    """
    open_units = [unit for unit in units if taken.get(unit.key, 0) < wanted and unit.key not in seen]
    if not open_units:
        return None
    known = [unit for unit in units if unit.key in seen]
    models = Counter(model for unit in known for model in unit.models)
    scenarios = Counter(unit.scenario for unit in known)

    def cost(unit: Unit) -> tuple[int, int, int]:
        seen_models = sum(models[model] for model in unit.models)
        return taken.get(unit.key, 0), seen_models + scenarios[unit.scenario], scenarios[unit.scenario]

    costs = [cost(unit) for unit in open_units]
    least = min(costs)
    ties = [unit for unit, its in zip(open_units, costs, strict=True) if its == least]
    return random.Random(f"{seed}/{rater}/unit/{len(seen)}").choice(ties)


def left_behind(
    units: Sequence[Unit],
    taken: Mapping[int, int],
    seen: Mapping[int, Collection[int]],
    wanted: int,
    block: int,
) -> list[Unit]:
    """Units with open places that nobody whose block has room could take, having seen them.

    `seen`: rater to the keys of the units they were given. Such a place is offered to people beyond their
    block: where capacity is just enough it would stay open else. None where capacity is too small anyway.
    """
    if len(seen) * block < wanted * len(units):
        return []
    roomy = [given for given in seen.values() if len(given) < block]
    return [
        unit
        for unit in units
        if taken.get(unit.key, 0) < wanted and all(unit.key in given for given in roomy)
    ]


def next_check(checks: Sequence[int], seen: Collection[int], *, seed: int, rater: int) -> int | None:
    """Key of an attention check that the rater has not had, by lot, or None."""
    left = [check for check in checks if check not in seen]
    return random.Random(f"{seed}/{rater}/check/{len(left)}").choice(left) if left else None


def next_repeat(rated: Sequence[int], repeated: Collection[int], *, seed: int, rater: int) -> int | None:
    """Key of a unit to be shown again, by lot: rated by this rater, in that order, and not just now."""
    old_enough = [key for key in rated[: max(len(rated) - REPEAT_AFTER + 1, 0)] if key not in repeated]
    return random.Random(f"{seed}/{rater}/repeat/{len(rated)}").choice(old_enough) if old_enough else None


def swap_sides(shown: int, swapped: int, left: int, *, seed: int, rater: int, unit: int) -> bool:
    """Whether a pair's second output stands left this time.

    `shown` and `swapped`: how often the pair was given out, and how often with its sides swapped. `left`: how
    often this rater saw the first output's model left, less how often the second's. Each side of a pair is
    evened out first, then each model's for the rater, then it is drawn by lot.
    """
    if 2 * swapped != shown:
        return 2 * swapped < shown
    return left > 0 if left else random.Random(f"{seed}/{rater}/side/{unit}").random() < 0.5
