"""What a robot in a household sees, in words: closed containers keep their contents to themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from gumption.grounding.pddl import Domain
from gumption.grounding.render._looks import natural
from gumption.grounding.render._world import of_place, recognise
from gumption.grounding.states import State
from gumption.records import GumptionError

__all__ = ["describe", "visible"]

_RELATIONS = {"ontop": "on top of", "inside": "inside", "nextto": "next to"}


def visible(objects: Mapping[str, str], state: State) -> frozenset[str]:
    """The objects in sight: those that are neither in a closed container nor in or on something out of sight.
    What is held is in sight."""
    held = {atom[1] for atom in state if atom[0] == "holding"}
    borne: defaultdict[str, list[str]] = defaultdict(list)
    for atom in state:
        if atom[0] in ("inside", "ontop"):
            borne[atom[2]].append(atom[1])
    hidden: set[str] = set()
    waiting = [atom[1] for atom in state if atom[0] == "inside" and ("open", atom[2]) not in state]
    while waiting:
        name = waiting.pop()
        if name not in hidden and name not in held:
            hidden.add(name)
            waiting += borne[name]
    return frozenset(objects) - hidden


def describe(domain: Domain, objects: Mapping[str, str], state: State) -> str:
    """A state of the household domain as lines of text, with nothing of what is out of sight.

    Every object in sight has a line: whether it is open or closed if it is a container, whether it is sliced,
    and what it is on top of, inside of and next to. The last lines say what the robot holds and what it can
    reach. Raises GumptionError for other domains.
    """
    if recognise(domain) != "household":
        raise GumptionError(
            f"the domain {domain.name!r} is no household",
            where="describe",
            remedy="use render for the others",
        )
    seen = visible(objects, state)
    names = sorted(seen, key=natural)
    containers = set(of_place(domain, objects, "open", 0))
    lines = ["You see:"]
    for name in names:
        facts = []
        if name in containers:
            facts.append("open" if ("open", name) in state else "closed")
        if ("sliced", name) in state:
            facts.append("sliced")
        if ("holding", name) in state:
            facts.append("in your hand")
        for relation, words in _RELATIONS.items():
            facts += [f"{words} {other}" for other in names if (relation, name, other) in state]
        lines.append(f"- {name}: {', '.join(facts)}" if facts else f"- {name}")
    held = [name for name in names if ("holding", name) in state]
    reached = [name for name in names if ("reachable", name) in state]
    lines.append(f"In your hand: {', '.join(held) or 'nothing'}.")
    lines.append(f"Within your reach: {', '.join(reached) or 'nothing'}.")
    return "\n".join(lines)
