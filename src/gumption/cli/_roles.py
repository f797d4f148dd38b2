"""Who plays the roles of `gumption curate`: the models that are named, else the offline ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gumption.curation.agent import Roles
    from gumption.curation.by_model import Budget
    from gumption.curation.dimensions import Example
    from gumption.curation.induction import Encode

__all__ = ["replies_of", "roles_by"]


def roles_by(
    proposer: str | None, reviewer: str | None, voters: Sequence[str], base_url: str | None, budget: Budget
) -> Callable[[Sequence[Example], Encode, int], Roles]:
    """Opens the models, and makes the roles once the items are known. A proposer reviews too, unless another
    model is named for it."""
    from gumption.curation import by_model
    from gumption.curation.agent import offline_roles
    from gumption.models import open_judge

    reviewer = reviewer or proposer
    named = dict.fromkeys(name for name in (proposer, reviewer, *voters) if name)
    models = {name: open_judge(name, base_url=base_url) for name in named}

    def made(examples: Sequence[Example], encode: Encode, seed: int) -> Roles:
        roles = offline_roles(examples, encode, seed)
        if proposer:
            roles = replace(roles, proposer=by_model.ModelProposer(proposer, budget=budget))
        if reviewer:
            roles = replace(roles, reviewer=by_model.ModelReviewer(reviewer, budget=budget))
        if voters:
            assigner = by_model.ModelAssigner(by_model.five_voters(voters), budget=budget)
            roles = replace(roles, assigner=assigner)
        answering = by_model.answering(
            proposer=models.get(proposer or ""),
            reviewer=models.get(reviewer or ""),
            voters=[models[name] for name in voters],
        )
        return replace(roles, ask_of=answering)

    return made


@contextmanager
def replies_of(out: Path, models: bool) -> Iterator[Path]:
    """Where the models' replies are kept, so that a call that was cut short is taken up: beside the suite.
    Without models there are none to keep."""
    from tempfile import TemporaryDirectory

    if models:
        yield out.with_name(f"{out.name}.induction")
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / "replies"
