"""The roles of the synthesis played by models: any that `models/` can open.

A role only says what to ask. `answering` says which model is asked what; `gumption.running.hold` asks,
records and takes up again.
"""

from __future__ import annotations

from collections.abc import Callable

from gumption.models import Model
from gumption.records import GumptionError
from gumption.running.budget import Budget
from gumption.synthesis.by_model.evaluator import ModelEvaluator
from gumption.synthesis.by_model.scorer import ModelScorer

__all__ = ["Budget", "ModelEvaluator", "ModelScorer", "answering"]


def answering(*, evaluator: Model | None = None, scorer: Model | None = None) -> Callable[[str], Model]:
    """Which model answers a call of the roles: "evaluate/...", "score/...".

    What it returns raises GumptionError for a call that nobody was named for.
    """
    models = {"evaluate": evaluator, "score": scorer}

    def model_of(call: str) -> Model:
        model = models.get(call.partition("/")[0])
        if model is None:
            raise GumptionError("no model was named for this question", where=call, remedy="name one")
        return model

    return model_of
