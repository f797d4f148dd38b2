"""How sure a number is: intervals, comparisons, rankings, what a part keeps of the whole, raters."""

from gumption.ranking.alignment import (
    AlignedCorrelation,
    AlignedModel,
    Alignment,
    Disagreement,
    align_rankings,
)
from gumption.ranking.bradley_terry import Strength, Strengths, bradley_terry, bradley_terry_of_wins
from gumption.ranking.chance import adjust_for_chance, rank_adjusted, rank_runs_adjusted
from gumption.ranking.compare import Comparison, compare
from gumption.ranking.correlation import Correlation, RankCorrelation, rank_correlation
from gumption.ranking.fidelity import Fidelity, fidelity, spearman, tau_b
from gumption.ranking.intervals import interval
from gumption.ranking.noise import item_bootstrap, random_subsets, split_half
from gumption.ranking.pair_order import pair_order, smallest_gap
from gumption.ranking.pairs import Pair, Pairs, all_pairs, all_pairs_of_runs, holm
from gumption.ranking.people import PeopleRanking, Ratings, rank_by_people
from gumption.ranking.people_file import PeopleFile, read_people, write_people
from gumption.ranking.power import Needed, PairedSpread, gap_seen, items_needed, paired_spread, power_of_gap
from gumption.ranking.preferences import Preferences, strengths_by_people
from gumption.ranking.rank import RankedModel, Ranking, rank, rank_runs
from gumption.ranking.rater_agreement import Agreement, agreement
from gumption.ranking.reliability import reliability
from gumption.ranking.scorecard import scorecard
from gumption.ranking.sensitivity import Sensitivity, WeighedModel, sensitivity
from gumption.ranking.sequential import PairVerdict, Settlement, confidence_sequence, settle
from gumption.ranking.slices import ComparedSlice, SliceComparison, compare_slices
from gumption.ranking.stability import LeftOut, Move, Stability, leave_model_out, leave_part_out
from gumption.ranking.weightings import under_weights

__all__ = [
    "Agreement",
    "AlignedCorrelation",
    "AlignedModel",
    "Alignment",
    "ComparedSlice",
    "Comparison",
    "Correlation",
    "Disagreement",
    "Fidelity",
    "LeftOut",
    "Move",
    "Needed",
    "Pair",
    "PairVerdict",
    "PairedSpread",
    "Pairs",
    "PeopleFile",
    "PeopleRanking",
    "Preferences",
    "RankCorrelation",
    "RankedModel",
    "Ranking",
    "Ratings",
    "Sensitivity",
    "Settlement",
    "SliceComparison",
    "Stability",
    "Strength",
    "Strengths",
    "WeighedModel",
    "adjust_for_chance",
    "agreement",
    "align_rankings",
    "all_pairs",
    "all_pairs_of_runs",
    "bradley_terry",
    "bradley_terry_of_wins",
    "compare",
    "compare_slices",
    "confidence_sequence",
    "fidelity",
    "gap_seen",
    "holm",
    "interval",
    "item_bootstrap",
    "items_needed",
    "leave_model_out",
    "leave_part_out",
    "pair_order",
    "paired_spread",
    "power_of_gap",
    "random_subsets",
    "rank",
    "rank_adjusted",
    "rank_by_people",
    "rank_correlation",
    "rank_runs",
    "rank_runs_adjusted",
    "read_people",
    "reliability",
    "scorecard",
    "sensitivity",
    "settle",
    "smallest_gap",
    "spearman",
    "split_half",
    "strengths_by_people",
    "tau_b",
    "under_weights",
    "write_people",
]
