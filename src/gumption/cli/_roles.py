"""Who plays the roles of `gumption curate`: the models that are named, else the offline ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.cli._serving import open_told

if TYPE_CHECKING:
    from gumption.curation.agent import Roles
    from gumption.curation.by_model import Budget
    from gumption.curation.dimensions import Example
    from gumption.curation.induction import Encode
    from gumption.models import Model

__all__ = ["replies_of", "roles_by"]


def roles_by(
    proposer: str | None, reviewer: str | None, voters: Sequence[str], base_url: str | None, budget: Budget
) -> Callable[[Sequence[Example], Encode, int], Roles]:
    """Opens the models, and makes the roles once the items are known. A proposer reviews too, unless another
    model is named for it."""
    from gumption.curation import by_model
    from gumption.curation.agent import offline_roles

    reviewer = reviewer or proposer
    named = dict.fromkeys(name for name in (proposer, reviewer, *voters) if name)
    models = {name: open_told(name, base_url) for name in named}

    def made(examples: Sequence[Example], encode: Encode, seed: int) -> Roles:
        roles = offline_roles(examples, encode, seed)
        if proposer:
            roles = replace(roles, proposer=by_model.ModelProposer(proposer, budget=budget))
        if reviewer:
            roles = replace(roles, reviewer=by_model.ModelReviewer(reviewer, budget=budget))
        if voters:
            assigner = by_model.ModelAssigner(by_model.five_voters(voters), budget=budget)
            roles = replace(roles, assigner=assigner)
            served = all(models[name].identity()["kind"] == "openai" for name in voters)
            # A budget is spent by one process; a server that is started here is known here.
            if served and budget.most_tokens is None:
                opened = partial(_open_voters, tuple(voters), base_url)
                roles = replace(roles, ahead=partial(by_model.VotesAhead, assigner, opened))
        answering = by_model.answering(
            proposer=models.get(proposer or ""),
            reviewer=models.get(reviewer or ""),
            voters=[models[name] for name in voters],
        )
        return replace(roles, ask_of=answering)

    return made


def _open_voters(voters: tuple[str, ...], base_url: str | None) -> Callable[[str], Model]:
    """Opens them in the process of a worker."""
    from gumption.curation.by_model import answering
    from gumption.models import open_judge

    models = {name: open_judge(name, base_url=base_url) for name in voters}
    return answering(voters=[models[name] for name in voters])


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
