"""SYMBOLIZER: objects, predicates, goals and problems out of what a model sees, and how right they are."""

from gumption.grounding.domain import read_domain
from gumption.grounding.metrics import Counts, f1
from gumption.grounding.pddl import Domain, Finding, MalformedPDDL, Problem, ProblemReading, UnsupportedPDDL
from gumption.grounding.planners import PlanResult, solve
from gumption.grounding.plans import read_actions, write_actions
from gumption.grounding.problem import read_problem
from gumption.grounding.validator import PlanError, PlanVerdict, validate
from gumption.grounding.writer import write_domain, write_problem

__all__ = [
    "Counts",
    "Domain",
    "Finding",
    "MalformedPDDL",
    "PlanError",
    "PlanResult",
    "PlanVerdict",
    "Problem",
    "ProblemReading",
    "UnsupportedPDDL",
    "f1",
    "read_actions",
    "read_domain",
    "read_problem",
    "solve",
    "validate",
    "write_actions",
    "write_domain",
    "write_problem",
]
