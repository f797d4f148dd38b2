"""A problem that came out of a model, and what it is worth: against the gold one, and in planning."""

from __future__ import annotations

from dataclasses import dataclass

from gumption.grounding.mistakes import mistakes
from gumption.grounding.pddl import Domain, Problem, ProblemReading, UnsupportedPDDL
from gumption.grounding.pipeline.task import Task
from gumption.grounding.planners import PlanResult, solve
from gumption.grounding.problem import read_problem
from gumption.grounding.problem_score import compare, derivable, static
from gumption.grounding.validator import validate
from gumption.records import ErrorKind, Mistake

__all__ = ["Attempt", "attempt"]


@dataclass(frozen=True)
class Attempt:
    """One problem, judged."""

    text: str
    """As PDDL; "" where a reply could not be read."""
    reading: ProblemReading
    plan: PlanResult
    """In the problem itself."""
    parts: dict[str, float]
    """`truth` and `planability` by name, each in [0, 1]."""
    mistakes: tuple[Mistake, ...]

    @property
    def planned(self) -> bool:
        """Whether a plan was found."""
        return self.plan.plan is not None


def attempt(task: Task, text: str) -> Attempt:
    """Read a problem, compare it with the gold one, plan in it, and try the plan in the gold one.

    parts: object_f1, predicate_f1, predicate_f1_fluent (without predicates that never change or that follow
    from others), goal_f1 (left out where a goal is no conjunction of literals); object_exact, state_exact,
    goal_exact; readable, clean (neither repairs nor findings); plan_own (a plan was found), plan_gold (it is
    valid in the gold problem), plan_empty (it has no steps: the own goal holds from the start).
    A problem without a goal is not planned for: nothing was asked of the planner, and no plan is no success.
    """
    reading = read_problem(text, task.domain)
    own, gold = reading.problem, task.gold
    plan = _plan(task, own)
    found = [*mistakes(task.domain, own, gold)]
    valid = False
    if plan.plan is not None:
        verdict = validate(task.domain, gold, plan.plan)
        valid = verdict.valid
        found += [
            Mistake(error.kind, f"plan: {error.detail}", error.step, error.static, secondary=True)
            for error in verdict.errors
        ]
    elif plan.status == "gave_up":
        found.append(Mistake(ErrorKind.BUDGET_EXCEEDED, f"plan: {plan.detail}"))
    parts = _truth(task.domain, own, gold)
    parts |= {
        "readable": float(own is not None),
        "clean": float(reading.clean),
        "plan_own": float(plan.plan is not None),
        "plan_gold": float(valid),
        "plan_empty": float(plan.plan == []),
    }
    return Attempt(text, reading, plan, parts, tuple(found))


def _truth(domain: Domain, own: Problem | None, gold: Problem) -> dict[str, float]:
    whole = compare(own, gold)
    changing = compare(own, gold, without=static(domain) | derivable(domain))
    counts = {
        "object_f1": whole.objects,
        "predicate_f1": whole.predicates,
        "predicate_f1_fluent": changing.predicates,
        "goal_f1": whole.goal,
    }
    parts = {name: one.f1 for name, one in counts.items() if one is not None}
    exact = {"object_exact": whole.objects, "state_exact": whole.predicates, "goal_exact": whole.goal}
    return parts | {name: float(one.exact) for name, one in exact.items() if one is not None}


def _plan(task: Task, own: Problem | None) -> PlanResult:
    """Counts bound the search: seconds would make a run that cannot be repeated."""
    options = task.options
    if own is None:
        return PlanResult("malformed", None, options.planner, detail="the problem cannot be read")
    if own.goal_literals == frozenset():
        return PlanResult("malformed", None, options.planner, detail="the problem has no goal")
    try:
        return solve(
            task.domain,
            own,
            planner=options.planner,
            timeout_s=None,
            memory_mb=None,
            max_expansions=options.expansions,
        )
    except UnsupportedPDDL as error:
        if not own.unsupported:
            raise  # the domain's fault, not the model's
        return PlanResult("unsupported", None, options.planner, detail=error.problem)
