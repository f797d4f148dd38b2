"""Which stage a failure is due to: objects, predicates or goal.

Each of the eight subsets of the stages is replaced by gold in the model's problem, and the mixed problem is
planned for. It succeeds if the plan that is found is valid in the *gold* problem: that a plan exists says
little. The subsets that succeed and contain no smaller one that does are the minimal sufficient ones, and
the failure is shared out between the stages by the Shapley value (Shapley 1953) of the game in which a set of
stages is worth 1 if it contains one that succeeds. So the shares are never negative, sum to 1, and treat
stages alike that are alike. (Counting a set's own plan instead could give a stage a negative share, where
gold makes the planner find another plan that happens not to fit the rest; `Diagnosis.setbacks` counts these.)

What becomes of names that no longer exist when the objects are replaced: initial atoms over objects that the
mixed problem does not declare are dropped, since no action can bind them; goal literals are kept, and a
positive one over such an object makes the problem unsolvable. Nothing a goal asks for disappears. The same
holds for the model's own problem, where nothing is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import TypeAlias

import msgspec

from gumption.grounding.attribution import minimal, shapley, subsets
from gumption.grounding.mistakes import mistakes
from gumption.grounding.pddl import And, Domain, Problem
from gumption.grounding.planners.result import PlanResult, PlanStatus
from gumption.grounding.problem_score import SECTIONS, Section
from gumption.grounding.states import Dynamics
from gumption.grounding.validator import validate
from gumption.records import Mistake

__all__ = [
    "Diagnosis",
    "Solver",
    "Stages",
    "Trial",
    "diagnose",
    "mixed",
    "remembering",
]

Stages: TypeAlias = frozenset[Section]
Solver: TypeAlias = Callable[[Domain, Problem], PlanResult]
_UNDECIDED: frozenset[PlanStatus] = frozenset(
    {"gave_up", "timeout", "memory", "malformed", "unsupported", "crashed"}
)

SUBSETS: tuple[Stages, ...] = subsets(SECTIONS)
"""All eight, the smaller ones first."""


class Trial(msgspec.Struct, frozen=True):
    """What came of planning with gold in place of some stages."""

    replaced: Stages
    status: PlanStatus
    valid: bool
    """A plan was found and is valid in the gold problem."""


class Diagnosis(msgspec.Struct, frozen=True):
    """Why one output fails, if it does."""

    trials: tuple[Trial, ...]
    """One for each subset of the stages."""
    mistakes: tuple[Mistake, ...]

    @property
    def planned(self) -> bool:
        """Whether a plan was found for the model's own problem."""
        return self._trial(frozenset()).status == "solved"

    @property
    def solved(self) -> bool:
        """Whether that plan is valid in the gold problem."""
        return self._trial(frozenset()).valid

    @property
    def sufficient(self) -> tuple[Stages, ...]:
        """The minimal subsets of stages that it suffices to replace. The empty one alone: no failure."""
        return minimal(trial.replaced for trial in self.trials if trial.valid)

    @property
    def shares(self) -> dict[Section, float] | None:
        """Each stage's share of the failure, in [0, 1] and of sum 1.

        None where there is no failure, and where even the gold problem is not solved by the planner.
        """
        sufficient = self.sufficient
        if self.solved or not sufficient:
            return None
        worth = {subset: float(any(one <= subset for one in sufficient)) for subset in SUBSETS}
        return shapley(worth, SECTIONS)

    @property
    def setbacks(self) -> int:
        """How often replacing one more stage by gold turned success into failure."""
        valid = {trial.replaced: trial.valid for trial in self.trials}
        return sum(
            valid[subset] and not valid[subset | {stage}]
            for subset in valid
            for stage in SECTIONS
            if stage not in subset
        )

    @property
    def undecided(self) -> int:
        """Trials in which the planner neither found a plan nor proved that there is none; they count as
        failed."""
        return sum(trial.status in _UNDECIDED for trial in self.trials)

    def _trial(self, replaced: Stages) -> Trial:
        return next(trial for trial in self.trials if trial.replaced == replaced)


def diagnose(domain: Domain, predicted: Problem | None, gold: Problem, planner: Solver) -> Diagnosis:
    """Diagnose one output. predicted: None is unreadable, a problem without anything.

    planner: deterministic, and limited by counts if at all; `remembering(planner)` saves most of its work.
    Raises UnsupportedPDDL for domains and gold problems that are not validated.
    """
    Dynamics(domain, gold)
    said = predicted or Problem(gold.name, gold.domain_name, {}, frozenset(), And(()))
    return Diagnosis(
        tuple(_try(domain, said, gold, subset, planner) for subset in SUBSETS),
        mistakes(domain, predicted, gold),
    )


def mixed(domain: Domain, predicted: Problem, gold: Problem, replaced: Collection[Section]) -> Problem:
    """The predicted problem with gold in place of some stages; atoms over undeclared objects are dropped."""
    objects = (gold if "objects" in replaced else predicted).objects
    init = (gold if "predicates" in replaced else predicted).init
    known = {*objects, *domain.constants}
    return msgspec.structs.replace(
        predicted,
        objects=objects,
        init=frozenset(atom for atom in init if known.issuperset(atom[1:])),
        goal=(gold if "goal" in replaced else predicted).goal,
        unsupported=() if {"predicates", "goal"} <= set(replaced) else predicted.unsupported,
    )


def _try(domain: Domain, predicted: Problem, gold: Problem, replaced: Stages, planner: Solver) -> Trial:
    problem = mixed(domain, predicted, gold, replaced)
    if problem.unsupported:
        return Trial(replaced, "unsupported", valid=False)
    if _asks_for_the_undeclared(domain, problem):
        return Trial(replaced, "unsolvable", valid=False)
    result = planner(domain, problem)
    valid = result.plan is not None and validate(domain, gold, result.plan, faults="first").valid
    return Trial(replaced, result.status, valid)


def _asks_for_the_undeclared(domain: Domain, problem: Problem) -> bool:
    """No search is needed where the goal wants something of an object that does not exist."""
    known = {*problem.objects, *domain.constants}
    return any(
        positive and atom[0] != "=" and not known.issuperset(atom[1:])
        for positive, atom in problem.goal_literals or ()
    )


def remembering(planner: Solver) -> Solver:
    """The planner, asked only once for each problem: the mixed problems of many outputs are the same."""
    known: dict[Hashable, PlanResult] = {}
    domains: dict[int, Domain] = {}

    def plan(domain: Domain, problem: Problem) -> PlanResult:
        domains[id(domain)] = domain  # keeps the identity from being given to another one
        key = (id(domain), frozenset(problem.objects.items()), problem.init, problem.goal)
        if key not in known:
            known[key] = planner(domain, problem)
        return known[key]

    return plan
