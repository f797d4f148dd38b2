"""EmbodiedBrain: plans read, matched action by action, resolved to objects, and carried out in a world."""

from gumption.planning._alfred_goals import ALFRED_TASKS, alfred_goal
from gumption.planning._derive import derive
from gumption.planning.execution import Execution, Taken, execute
from gumption.planning.goals import Goal, GoalCheck, Proposition, Slot, check
from gumption.planning.judges import EmbeddingJudge, ExactJudge, Judge, RecordedJudge
from gumption.planning.match import ActionPairScore, PairScore, macro, match, micro
from gumption.planning.partial_order import PlanGraph, match_graph
from gumption.planning.reader import PlanReading, read_plan
from gumption.planning.resolve import Resolution, ResolvedStep, Resolver, resolve_plan
from gumption.planning.rules import RuleJudge
from gumption.planning.worlds import Action, Household, Scene, World, load_scene

__all__ = [
    "ALFRED_TASKS",
    "Action",
    "ActionPairScore",
    "EmbeddingJudge",
    "ExactJudge",
    "Execution",
    "Goal",
    "GoalCheck",
    "Household",
    "Judge",
    "PairScore",
    "PlanGraph",
    "PlanReading",
    "Proposition",
    "RecordedJudge",
    "Resolution",
    "ResolvedStep",
    "Resolver",
    "RuleJudge",
    "Scene",
    "Slot",
    "Taken",
    "World",
    "alfred_goal",
    "check",
    "derive",
    "execute",
    "load_scene",
    "macro",
    "match",
    "match_graph",
    "micro",
    "read_plan",
    "resolve_plan",
]
