"""How sure a number is: intervals, comparisons, rankings, what a part keeps of the whole, raters."""

from gumption.ranking.compare import Comparison, compare
from gumption.ranking.fidelity import Fidelity, fidelity, spearman, tau_b
from gumption.ranking.intervals import interval
from gumption.ranking.noise import item_bootstrap, random_subsets, split_half
from gumption.ranking.pair_order import pair_order, smallest_gap
from gumption.ranking.rank import RankedModel, Ranking, rank, rank_runs
from gumption.ranking.rater_agreement import Agreement, agreement
from gumption.ranking.reliability import reliability
from gumption.ranking.scorecard import scorecard
from gumption.ranking.weightings import under_weights

__all__ = [
    "Agreement",
    "Comparison",
    "Fidelity",
    "RankedModel",
    "Ranking",
    "agreement",
    "compare",
    "fidelity",
    "interval",
    "item_bootstrap",
    "pair_order",
    "random_subsets",
    "rank",
    "rank_runs",
    "reliability",
    "scorecard",
    "smallest_gap",
    "spearman",
    "split_half",
    "tau_b",
    "under_weights",
]
