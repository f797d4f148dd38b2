"""The roles of the induction played by models: any that `models/` can open.

A role only says what to ask. `answering` says which model is asked what; `gumption.running.hold` asks,
records and takes up again:

    budget = Budget(most_tokens=2_000_000)
    assigner = ModelAssigner(five_voters(["a", "b"]), budget=budget)
    hold({"assign": assigner.assign(examples, dimensions)}, answering(voters=[a, b]), folder)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gumption.curation.by_model.ahead import VotesAhead
from gumption.curation.by_model.assigner import ModelAssigner, Voter, five_voters
from gumption.curation.by_model.proposer import ModelProposer
from gumption.curation.by_model.reviewer import ModelReviewer
from gumption.models import Model
from gumption.records import GumptionError
from gumption.running.budget import Budget, Event

__all__ = [
    "Budget",
    "Event",
    "ModelAssigner",
    "ModelProposer",
    "ModelReviewer",
    "Voter",
    "VotesAhead",
    "answering",
    "five_voters",
]


def answering(
    *,
    proposer: Model | None = None,
    reviewer: Model | None = None,
    voters: Sequence[Model] = (),
) -> Callable[[str], Model]:
    """Which model answers a call of the roles: "propose/...", "review/...", "vote/V/..." by the voters in
    turn, "tie/..." by the first of them.

    What it returns raises GumptionError for a call that nobody was named for.
    """

    def model_of(call: str) -> Model:
        who, _, rest = call.partition("/")
        model: Model | None = None
        if who == "propose":
            model = proposer
        elif who == "review":
            model = reviewer
        elif who == "vote" and voters:
            model = voters[int(rest.partition("/")[0]) % len(voters)]
        elif who == "tie" and voters:
            model = voters[0]
        if model is None:
            raise GumptionError("no model was named for this question", where=call, remedy="name one")
        return model

    return model_of
