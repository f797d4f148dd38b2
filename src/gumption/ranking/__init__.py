"""How sure a number is: intervals, scorecards, paired comparisons and rankings."""

from gumption.ranking.compare import Comparison, compare
from gumption.ranking.intervals import interval
from gumption.ranking.rank import RankedModel, Ranking, rank, rank_runs
from gumption.ranking.scorecard import scorecard

__all__ = [
    "Comparison",
    "RankedModel",
    "Ranking",
    "compare",
    "interval",
    "rank",
    "rank_runs",
    "scorecard",
]
