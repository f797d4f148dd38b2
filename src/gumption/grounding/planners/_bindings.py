"""Which objects an action's parameters can stand for, as far as facts that never change decide it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from gumption.grounding.pddl import Atom

__all__ = ["bindings"]

_Names = tuple[str, ...]


class _Check:
    """A fact whose last parameter is about to be chosen: what the others allow it to be."""

    def __init__(self, fact: Atom, rows: Sequence[Atom], last: str, others: _Names) -> None:
        self._others = others
        self._allowed: dict[_Names, set[str]] = defaultdict(set)
        place = fact.index(last, 1)
        places = [fact.index(name, 1) for name in others]
        for row in rows:
            self._allowed[tuple([row[other] for other in places])].add(row[place])

    def allowed(self, values: Mapping[str, str]) -> Set[str]:
        return self._allowed.get(tuple([values[name] for name in self._others]), frozenset())


def bindings(
    domains: Mapping[str, Sequence[str]],
    facts: Sequence[Atom],
    known: Mapping[str, Sequence[Atom]],
    spend: Callable[[], None],
) -> Iterator[dict[str, str]]:
    """Every choice of objects under which all of the facts are known: a join, in no special order.

    domains: the parameters and their objects. facts: atoms over parameters and objects. known: the atoms
    that are true, by predicate. spend: called for every step taken; raises to stop.
    """
    rows = [_matching(fact, domains, known.get(fact[0], ()), spend) for fact in facts]
    if not all(rows):
        return
    left = {name: set(objects) for name, objects in domains.items()}
    for fact, matching in zip(facts, rows, strict=True):
        for place, word in enumerate(fact):
            if place and word in left:
                left[word] &= {row[place] for row in matching}
    order = _order(left, facts, spend)
    checks = _checks(order, facts, rows)
    values: dict[str, str] = {}
    waiting: list[Iterator[str]] = []
    while True:
        if len(waiting) == len(order):
            yield dict(values)
        else:
            name = order[len(waiting)]
            choices: Set[str] = left[name]
            for check in checks.get(name, ()):
                choices = choices & check.allowed(values)
            waiting.append(iter(choices))
        while waiting:
            spend()
            choice = next(waiting[-1], None)
            if choice is not None:
                values[order[len(waiting) - 1]] = choice
                break
            waiting.pop()
        else:
            return


def _matching(
    fact: Atom, domains: Mapping[str, Sequence[str]], atoms: Sequence[Atom], spend: Callable[[], None]
) -> list[Atom]:
    """The atoms that are the fact for some objects."""
    fixed = [(place, word) for place, word in enumerate(fact) if place and word not in domains]
    twice = [(place, fact.index(word, 1)) for place, word in enumerate(fact) if place]
    found = []
    for atom in atoms:
        spend()
        if (
            len(atom) == len(fact)
            and all(atom[place] == word for place, word in fixed)
            and all(atom[place] == atom[first] for place, first in twice)
        ):
            found.append(atom)
    return found


def _order(left: Mapping[str, Set[str]], facts: Sequence[Atom], spend: Callable[[], None]) -> list[str]:
    """One parameter after the other: if possible one that a fact ties to those before, else the narrowest."""
    unbound = [{word for word in fact[1:] if word in left} for fact in facts]
    waiting = dict.fromkeys(left)
    order: list[str] = []
    while waiting:
        tied = {name for names in unbound if len(names) == 1 for name in names}
        best, fewest = "", (True, 0)
        for name in waiting:
            spend()
            rank = (name not in tied, len(left[name]))
            if not best or rank < fewest:
                best, fewest = name, rank
        order.append(best)
        del waiting[best]
        for names in unbound:
            names.discard(best)
    return order


def _checks(
    order: Sequence[str], facts: Sequence[Atom], rows: Sequence[Sequence[Atom]]
) -> dict[str, list[_Check]]:
    """Each fact under the parameter that completes it."""
    depth = {name: number for number, name in enumerate(order)}
    found: dict[str, list[_Check]] = defaultdict(list)
    for fact, matching in zip(facts, rows, strict=True):
        names = sorted({word for word in fact[1:] if word in depth}, key=depth.__getitem__)
        if names:
            found[names[-1]].append(_Check(fact, matching, names[-1], tuple(names[:-1])))
    return found
