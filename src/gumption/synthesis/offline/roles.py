"""The roles without a model as the refinement loop has them: they ask nothing and propose once."""

from __future__ import annotations

from gumption.records import GumptionError
from gumption.running.talks import Talk
from gumption.synthesis.offline.evaluator import OfflineEvaluator
from gumption.synthesis.offline.scorer import OfflineScorer
from gumption.synthesis.roles import Brief, InferenceLogic, ScoringLogic, Unable

__all__ = ["RuleEvaluator", "RuleScorer"]


class RuleEvaluator:
    """`OfflineEvaluator` as an Evaluator."""

    name = "offline"

    def propose(self, brief: Brief) -> Talk[InferenceLogic | Unable]:
        """The same each time: rules learn nothing from what was refused."""
        yield from ()
        try:
            found = OfflineEvaluator().propose(brief.folder)
        except GumptionError as error:
            return Unable((str(error),))
        if found.gold is None:
            return Unable((*found.doubts, "it is in doubt where the right answers are"))
        return InferenceLogic(found.loading, found.asking, found.doubts)


class RuleScorer:
    """`OfflineScorer` as a Scorer."""

    name = "offline"

    def propose(self, brief: Brief, inference: InferenceLogic) -> Talk[ScoringLogic | Unable]:
        """The same each time."""
        yield from ()
        try:
            found = OfflineScorer().propose(brief.folder, inference.loading, inference.asking)
        except GumptionError as error:
            return Unable((str(error),))
        if found.scoring is None:
            return Unable(found.doubts)
        return ScoringLogic(found.scoring, found.loading, found.doubts)
