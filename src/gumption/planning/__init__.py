"""EmbodiedBrain: plans read, matched action by action, resolved to objects, and carried out in a world."""

from gumption.planning.judges import EmbeddingJudge, ExactJudge, Judge, RecordedJudge
from gumption.planning.match import ActionPairScore, PairScore, macro, match, micro
from gumption.planning.partial_order import PlanGraph, match_graph
from gumption.planning.reader import PlanReading, read_plan
from gumption.planning.rules import RuleJudge

__all__ = [
    "ActionPairScore",
    "EmbeddingJudge",
    "ExactJudge",
    "Judge",
    "PairScore",
    "PlanGraph",
    "PlanReading",
    "RecordedJudge",
    "RuleJudge",
    "macro",
    "match",
    "match_graph",
    "micro",
    "read_plan",
]
