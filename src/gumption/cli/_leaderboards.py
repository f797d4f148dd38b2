"""What `rank` ranks: run folders, or a matrix of what models scored elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.curation.response_matrix import ResponseMatrix
    from gumption.ranking import Alignment, Pairs, Ranking, Sensitivity, Stability
    from gumption.records import Scorecard
    from gumption.reporting import Leaderboard

__all__ = ["Ranked"]

SEED = 0
"""Of every draw: the same runs are ranked alike every time."""


@dataclass(frozen=True)
class Ranked:
    """Run folders, ranked by the official aggregate of their suite, or one `.npz` matrix, ranked by the mean
    over items. Each part is made when it is asked for; what cannot be read, and runs of different protocols
    unless `force`, raise GumptionError."""

    sources: list[Path]
    force: bool = False
    adjusted: bool = False
    """Rank by chance-adjusted scores."""

    @property
    def recorded(self) -> bool:
        """Whether these are runs, with replies, and not a matrix of scores."""
        return self.sources[0].suffix != ".npz"

    @cached_property
    def matrix(self) -> ResponseMatrix:
        """Models x items, models in the order in which they were given."""
        from gumption.curation.response_matrix import matrix_of_runs, read_matrix

        if self.recorded:
            return matrix_of_runs(self.sources, force=self.force)
        if len(self.sources) > 1:
            raise GumptionError(
                "several files", where=str(self.sources[1]), remedy="give one matrix, or several run folders"
            )
        return read_matrix(self.sources[0])

    @cached_property
    def ranking(self) -> Ranking:
        from gumption.ranking import rank, rank_runs, rank_runs_adjusted

        if self.recorded:
            return (rank_runs_adjusted if self.adjusted else rank_runs)(self.sources, self.force, seed=SEED)
        if self.adjusted:
            raise GumptionError(
                "a matrix does not say what guessing is worth",
                where=str(self.sources[0]),
                remedy="leave out --adjusted, or rank run folders",
            )
        return rank(self.matrix.scores, models=self.matrix.models, seed=SEED)

    @cached_property
    def board(self) -> Leaderboard:
        from gumption.ranking import scorecard
        from gumption.reporting.leaderboard import Leaderboard, cost_of
        from gumption.running import Run

        if not self.recorded:
            cards = [_card(self.matrix, row) for row in range(len(self.matrix.models))]
            return Leaderboard.of(self.ranking, cards, replies=False)
        cards = [scorecard(folder) for folder in self.sources]
        costs = [cost_of(Run.open(folder).replies()) for folder in self.sources]
        return Leaderboard.of(self.ranking, cards, costs, adjusted=self.adjusted)

    def pairs(self) -> Pairs:
        """Every pair of models, Holm-corrected."""
        from gumption.ranking import all_pairs, all_pairs_of_runs

        if self.recorded:
            return all_pairs_of_runs(self.sources, self.force, seed=SEED)
        return all_pairs(self.matrix.scores, models=self.matrix.models, seed=SEED)

    def weights(self) -> tuple[Sensitivity, list[Stability]]:
        """The order under other weights of the parts, and without each part and each model."""
        from gumption.ranking import leave_model_out, leave_part_out, sensitivity

        matrix, names = self.matrix, self._names()
        if len(names) < 2:
            raise GumptionError(
                "one model has no order that weights could change",
                where="--sensitivity",
                remedy="name two runs at least",
            )
        if not matrix.grouped:
            raise GumptionError(
                "all items are of one dimension and category, so there is nothing to weigh",
                where="--sensitivity",
                remedy="leave out --sensitivity, or rank a suite that has dimensions or categories",
            )
        parts = [part or "(none)" for part in matrix.groups]
        return (
            sensitivity(matrix.scores, parts, models=names, seed=SEED),
            [
                leave_part_out(matrix.scores, parts, models=names),
                leave_model_out(matrix.scores, models=names),
            ],
        )

    def beside(self, people: Path) -> Alignment:
        """The ranking beside that of people, models joined by name."""
        import numpy as np

        from gumption.ranking import align_rankings
        from gumption.ranking._official import read_official
        from gumption.ranking.people_file import read_people

        rated = read_people(people)
        mine = self._names()
        names = list(dict.fromkeys([*mine, *rated.models]))
        if len(set(mine) & set(rated.models)) < 2:
            raise GumptionError(
                f"fewer than two models are on both sides: people rated {', '.join(rated.models[:5])}; "
                f"the ranking has {', '.join(mine[:5])}",
                where=str(people),
                remedy="name the models alike on both sides",
            )
        theirs = np.full((len(names), len(rated.units)), np.nan)
        theirs[[names.index(model) for model in rated.models]] = rated.matrix()
        clusters = None
        if self.recorded:
            official = read_official(self.sources, self.force)
            scores, clusters = official.values, official.clusters
            plain = len(np.unique(official.strata)) < 2
        else:
            scores, plain = self.matrix.scores, True
        # A mean of strata or of adjusted scores is no mean over items: it is taken as it is.
        by_item = plain and not self.adjusted
        own = np.full((len(names), scores.shape[1]) if by_item else len(names), np.nan)
        for line in self.ranking.models:
            mean = np.nan if line.score.mean is None else line.score.mean
            own[line.row] = scores[line.row] if by_item else mean
        return align_rankings(own, theirs, models=names, a_clusters=clusters if by_item else None, seed=SEED)

    def _names(self) -> list[str]:
        """In the order in which the models were given."""
        return [line.model for line in sorted(self.ranking.models, key=lambda line: line.row)]


def _card(matrix: ResponseMatrix, row: int) -> Scorecard:
    """The scorecard of one model of a matrix: scores by group; of its replies nothing is known."""
    import numpy as np
    import pyarrow as pa

    from gumption.ranking import scorecard

    scores = matrix.scores[row]
    n = len(scores)
    known = (~np.isnan(scores)).tolist()
    table = pa.table(
        {
            "item_id": [item.id for item in matrix.items],
            "epoch": pa.array([0] * n, pa.int64()),
            "benchmark": [matrix.name] * n,
            "category": list(matrix.groups),
            "dimension": [""] * n,
            "cluster": [""] * n,
            "status": ["ok" if one else "unscored" for one in known],
            "outcome": ["answered" if one else "" for one in known],
            "value": pa.array(scores, pa.float64(), from_pandas=True),
            "chance": pa.array([0.0] * n, pa.float64()),
        }
    )
    return scorecard(table, model=matrix.models[row])
