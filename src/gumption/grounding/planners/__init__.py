"""Planners: an in-house A* over grounded states or over anything that can be simulated, and Fast Downward."""

from gumption.grounding.planners.novelty import Novelty
from gumption.grounding.planners.result import PlanResult, PlanStatus
from gumption.grounding.planners.search import Frontier, SearchResult, Simulator, search
from gumption.grounding.planners.simulator import ProblemSimulator
from gumption.grounding.planners.solve import Planner, solve

__all__ = [
    "Frontier",
    "Novelty",
    "PlanResult",
    "PlanStatus",
    "Planner",
    "ProblemSimulator",
    "SearchResult",
    "Simulator",
    "search",
    "solve",
]
