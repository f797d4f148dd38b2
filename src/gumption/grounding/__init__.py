"""SYMBOLIZER: objects, predicates, goals and problems out of what a model sees, and how right they are."""

from gumption.grounding.domain import read_domain
from gumption.grounding.pddl import Domain, Finding, MalformedPDDL, Problem, ProblemReading, UnsupportedPDDL
from gumption.grounding.plans import read_actions
from gumption.grounding.problem import read_problem
from gumption.grounding.validator import PlanError, PlanVerdict, validate

__all__ = [
    "Domain",
    "Finding",
    "MalformedPDDL",
    "PlanError",
    "PlanVerdict",
    "Problem",
    "ProblemReading",
    "UnsupportedPDDL",
    "read_actions",
    "read_domain",
    "read_problem",
    "validate",
]
