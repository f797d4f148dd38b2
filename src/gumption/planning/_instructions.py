"""What the verbs of plans mean as actions of a world."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["meaning"]

_MEANINGS: Mapping[str, tuple[str, ...]] = {
    verb: actions
    for verbs, actions in (
        ("find, search, look for, locate", ("find",)),
        ("navigate, go, go to, walk, walk to, move to, navigate to, approach", ("navigate",)),
        ("pick, pick up, grasp, lift, take, grab, get", ("pick",)),
        ("place, put, put down, insert, hang", ("place",)),
        ("pick and place", ("pick", "place")),
        ("drop, release", ("drop",)),
        ("throw", ("throw",)),
        ("open", ("open",)),
        ("close, shut", ("close",)),
        ("turn on, switch on, toggle on", ("turn_on",)),
        ("turn off, switch off, toggle off", ("turn_off",)),
        ("turn, twist, toggle, press", ("toggle",)),
        ("wash, rinse, clean", ("wash",)),
        ("cut, chop, slice", ("cut",)),
        ("break, crack", ("break",)),
        ("pour, fill", ("pour",)),
        ("empty", ("empty",)),
    )
    for verb in verbs.split(", ")
}


def meaning(verb: str) -> tuple[str, ...]:
    """The actions that a verb of a plan stands for, to be taken one after the other.

    A verb that is not here (Wave, Stir, also "done" and "terminate") stands for itself; the world says
    whether it knows it.
    """
    found = _MEANINGS.get(verb)
    if found is not None:
        return found
    plain = " ".join(verb.lower().replace("_", " ").split())
    return _MEANINGS.get(plain, (plain,))
