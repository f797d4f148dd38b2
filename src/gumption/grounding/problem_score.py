"""How right a problem is: its objects, its initial atoms and its goal against those of the gold problem."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec

from gumption.grounding.metrics import Counting, Counts, F1Summary, count, summarise
from gumption.grounding.pddl import Domain, Problem
from gumption.grounding.states import fluents

__all__ = [
    "DERIVABLE",
    "SECTIONS",
    "Comparison",
    "OnFailure",
    "ProblemScores",
    "Section",
    "compare",
    "derivable",
    "static",
    "summarise_problems",
]

Section = Literal["objects", "predicates", "goal"]
SECTIONS: tuple[Section, ...] = ("objects", "predicates", "goal")
"""What is grounded, in the order of the stages."""
OnFailure = Literal["empty", "exclude", "gold"]

DERIVABLE: Mapping[str, frozenset[str]] = {"blocksworld": frozenset({"clear"})}
"""By domain, the predicates that follow from the other atoms; people annotate them inconsistently. ProDG's
and ViPlan's domains share the name, and `clear` follows from `on` and `holding` in both."""

_Set: TypeAlias = frozenset[tuple[object, ...]]


def static(domain: Domain) -> frozenset[str]:
    """The declared predicates that no action changes: hanoi `smaller` and `move`, cooking `is-workspace` and
    `can-cut`, ViPlan's `leftof` and `rightof`."""
    return frozenset(domain.predicates) - fluents(domain)


def derivable(domain: Domain) -> frozenset[str]:
    """The predicates of `DERIVABLE` for a domain of that name."""
    return DERIVABLE.get(domain.name, frozenset())


class Comparison(msgspec.Struct, frozen=True):
    """A predicted problem against the gold one. None: left out, as a failure or as no set."""

    objects: Counts | None
    predicates: Counts | None
    goal: Counts | None
    """Of signed literals. None too where either goal is no conjunction of literals: such a goal is judged
    by plans only."""
    by_predicate: dict[str, Counts]
    """The initial atoms by their predicate."""

    @property
    def exact(self) -> bool:
        """Whether all three sections were compared and are equal."""
        return all(part is not None and part.exact for part in self._parts)

    @property
    def recalled(self) -> bool:
        """Whether nothing of the gold is missing, whatever stands beside it (ViLaIn's R_all)."""
        return all(part is not None and not part.fn for part in self._parts)

    @property
    def _parts(self) -> tuple[Counts | None, ...]:
        return self.objects, self.predicates, self.goal


def compare(
    predicted: Problem | None,
    gold: Problem,
    *,
    typed: bool = True,
    without: Collection[str] = (),
    failed: Collection[Section] = (),
    on_failure: OnFailure = "empty",
    counting: Counting = count,
) -> Comparison:
    """Compare a problem with the gold one.

    predicted: None is a failed or unreadable output, all of whose sections failed. typed: objects are
    (name, type), else names. without: predicates that are left out of the initial atoms and the goal, on both
    sides. failed: sections whose stage gave nothing usable. on_failure: they are empty predictions, left out
    of the mean, or replaced by gold (the last two as the release does). counting: how atoms and literals are
    counted; objects are always counted strictly.
    """
    wanted = _sections(gold, typed, without)
    said = dict.fromkeys(SECTIONS, frozenset()) if predicted is None else _sections(predicted, typed, without)
    missing = SECTIONS if predicted is None else failed
    left_out = missing if on_failure == "exclude" else ()
    for section in missing:
        said[section] = wanted[section] if on_failure == "gold" else frozenset()

    def counts(section: Section, counting: Counting) -> Counts | None:
        one, other = said[section], wanted[section]
        return None if one is None or other is None or section in left_out else counting(one, other)

    predicates = counts("predicates", counting)
    return Comparison(
        objects=counts("objects", count),
        predicates=predicates,
        goal=counts("goal", counting),
        by_predicate={} if predicates is None else _by_predicate(said, wanted, counting),
    )


def _sections(problem: Problem, typed: bool, without: Collection[str]) -> dict[Section, _Set | None]:
    literals = problem.goal_literals
    return {
        "objects": problem.typed_objects if typed else frozenset((name,) for name in problem.objects),
        "predicates": frozenset(atom for atom in problem.init if atom[0] not in without),
        "goal": None if literals is None else frozenset(one for one in literals if one[1][0] not in without),
    }


def _by_predicate(
    said: Mapping[Section, _Set | None], wanted: Mapping[Section, _Set | None], counting: Counting
) -> dict[str, Counts]:
    one, other = _grouped(said["predicates"] or ()), _grouped(wanted["predicates"] or ())
    return {name: counting(one.get(name, ()), other.get(name, ())) for name in sorted({*one, *other})}


def _grouped(atoms: Iterable[tuple[object, ...]]) -> dict[str, list[tuple[object, ...]]]:
    groups: dict[str, list[tuple[object, ...]]] = {}
    for atom in atoms:
        groups.setdefault(str(atom[0]), []).append(atom)
    return groups


class ProblemScores(msgspec.Struct, frozen=True):
    """The scores of many problems."""

    n: int
    objects: F1Summary
    predicates: F1Summary
    """Its `exact` over `n` is the exact-state rate."""
    goal: F1Summary
    by_predicate: dict[str, Counts]
    """Pooled over the problems."""
    exact: int
    """Problems that are right in all three sections."""
    recalled: int
    """Problems that lack nothing of the gold."""


def summarise_problems(comparisons: Iterable[Comparison], empty_empty: float = 0.0) -> ProblemScores:
    """Take problems together."""
    given = list(comparisons)
    by_predicate: dict[str, Counts] = {}
    for one in given:
        for name, counts in one.by_predicate.items():
            by_predicate[name] = by_predicate.get(name, Counts()) + counts
    return ProblemScores(
        n=len(given),
        objects=summarise((one.objects for one in given), empty_empty),
        predicates=summarise((one.predicates for one in given), empty_empty),
        goal=summarise((one.goal for one in given), empty_empty),
        by_predicate=dict(sorted(by_predicate.items())),
        exact=sum(one.exact for one in given),
        recalled=sum(one.recalled for one in given),
    )
