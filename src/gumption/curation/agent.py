"""The Data Agent (A2Eval, arXiv 2602.01640): from a pool to a compact, balanced, certified suite.

`curate` does all of it: embeds the items, finds their dimensions and labels them (`labelled`), chooses some
of each (`choice`), makes the suite and says what it keeps (`artefact`). Labelling asks models where roles are
models, and is taken up after a crash; all else is pure. Nothing here draws or writes a suite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from gumption import __version__
from gumption.curation import by_model, offline
from gumption.curation.artefact import certified, curated, forbidden, without_texts
from gumption.curation.choice import Choice, check_rule, choose, per_dimension
from gumption.curation.dimensions import Assignment, Example, example_of
from gumption.curation.dossier import Dossier
from gumption.curation.duplicates import Duplicates, duplicates
from gumption.curation.embedding import CachedTexts, Embedded, embed
from gumption.curation.induction import Encode, Induction, diverse, induce
from gumption.curation.roles import Assigner, Past, Proposer, Reviewer
from gumption.executors import Executor
from gumption.models import Model
from gumption.models.encoder import PictureEncoder, TextEncoder
from gumption.records import GumptionError
from gumption.running import Run, Talk, TalkProgress, hold
from gumption.suites import Suite

__all__ = [
    "PROBE",
    "Curation",
    "Roles",
    "Stage",
    "curate",
    "full_sample",
    "joined",
    "labelled",
    "offline_roles",
]

FULL = 500
"""Items on which every voter votes."""
PROBE = 800
"""Items that are labelled in every round of the induction."""
_TALK = "curation"

_UNACCEPTED = (
    "The dimensions: no set was accepted by the Reviewer, so the best of those that were tried is used. The "
    "log of the induction has its critique; read the items of each dimension before relying on its name."
)

Stage: TypeAlias = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Opens a stage of the work by its name, and gives what is told (done, of)."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Who takes part, and which model answers what they ask."""

    proposer: Proposer
    reviewer: Reviewer
    assigner: Assigner
    ask_of: Callable[[str], Model]
    """The model behind a call (`by_model.answering`); never called where no role asks anything."""
    ahead: Callable[[Executor, int], by_model.VotesAhead] | None = None
    """Has other processes ask what the Assigner will ask, with so many requests at once: where its models can
    be asked from anywhere."""


@dataclass(frozen=True)
class Curation:
    """A suite and all that led to it."""

    pool: Suite
    suite: Suite
    examples: tuple[Example, ...]
    """Of the pool's items."""
    embedded: Embedded
    repeated: Duplicates
    induction: Induction
    """Without the texts that must not be copied."""
    assignment: Assignment
    choice: Choice
    dossier: Dossier
    """The certificate."""


def curate(
    pool: Suite,
    name: str,
    encoder: TextEncoder,
    replies: Path,
    *,
    roles: Callable[[Sequence[Example], Encode, int], Roles] | None = None,
    image_encoder: PictureEncoder | None = None,
    cache: Path | None = None,
    k: int = 500,
    total: int | None = None,
    method: str = "auto",
    balance: Sequence[str] = ("benchmark",),
    with_other: bool = False,
    keep_duplicates: bool = False,
    copy: Sequence[str] = (),
    rounds: int = 8,
    wanted: tuple[int, int] = (5, 9),
    seed: int = 0,
    responses: npt.ArrayLike | None = None,
    models: Sequence[str] = (),
    runs: Sequence[Run] = (),
    concurrency: int = 16,
    executor: Executor | None = None,
    stage: Stage | None = None,
) -> Curation:
    """A compact suite of `pool`, called `name`, with its certificate.

    replies: folder of the roles' replies; the same call on it asks nothing again. roles: made of the items,
    the encoder and the seed; `offline_roles` by default. cache: file of vectors. k: items of each dimension;
    total: of all together instead. keep_duplicates: near-duplicates too. copy: benchmarks whose text is
    copied though their licence would have it referred to. responses: past results, models x items of the
    pool in [0, 1], NaN = missing; `models` and `runs` are theirs. executor: who embeds, and asks for the
    votes of all items where that can be done from anywhere; this process unless told. Other arguments:
    `choose` and `induce`.

    Deterministic given the seed and the replies. Raises GumptionError for an empty pool and for what the
    steps refuse.
    """
    stage = stage or _silent
    check_rule(method, balance, responses is not None)
    examples = tuple(example_of(item) for item in pool.items)
    with stage("Looking at pictures") as progress:
        embedded = embed(
            pool.items,
            pool.media,
            encoder=encoder,
            image_encoder=image_encoder,
            cache=cache,
            executor=executor,
            progress=progress,
        )
    repeated = duplicates(pool.items, embedded, seed=seed)
    encode = CachedTexts(encoder, cache).encode
    with stage("Inducing and labelling") as progress:
        induction, assignment = labelled(
            examples,
            (roles or offline_roles)(examples, encode, seed),
            encode,
            replies,
            rounds=rounds,
            wanted=wanted,
            seed=seed,
            concurrency=concurrency,
            executor=executor,
            progress=progress,
        )
    stands = None if keep_duplicates else repeated.stands
    choice = choose(
        examples,
        assignment,
        k if total is None else per_dimension(total, assignment, stands, with_other),
        method=method,
        vectors=embedded.fused,
        responses=responses,
        balance=balance,
        stands=stands,
        with_other=with_other,
        seed=seed,
    )
    made_by = {
        "roles": induction.roles,
        "accepted": induction.accepted,
        "encoder": embedded.encoder,
        "image_encoder": embedded.image_encoder,
        "seed": seed,
        "gumption": __version__,
    }
    suite = curated(pool, choice, assignment, name, made_by, copy)
    with stage("Certifying") as progress:
        dossier = certified(
            pool,
            suite,
            choice,
            assignment,
            embedded,
            responses=responses,
            models=models,
            runs=runs,
            seed=seed,
            copy=copy,
            progress=progress,
        )
    if not induction.accepted:
        dossier = msgspec.structs.replace(dossier, missing=(_UNACCEPTED, *dossier.missing))
    told = without_texts(induction, examples, forbidden(pool, copy))
    return Curation(pool, suite, examples, embedded, repeated, told, assignment, choice, dossier)


def offline_roles(examples: Sequence[Example], encode: Encode, seed: int = 0) -> Roles:
    """Roles that ask nobody: embeddings, words and a seed taxonomy."""
    return Roles(
        proposer=offline.OfflineProposer(encode, seed=seed),
        reviewer=offline.OfflineReviewer(),
        assigner=offline.OfflineAssigner(diverse(examples, PROBE, seed), encode),
        ask_of=by_model.answering(),
    )


def labelled(
    examples: Sequence[Example],
    roles: Roles,
    encode: Encode,
    folder: Path,
    *,
    rounds: int = 8,
    wanted: tuple[int, int] = (5, 9),
    probe: int = PROBE,
    seed: int = 0,
    concurrency: int = 16,
    executor: Executor | None = None,
    told: Callable[[Past], None] | None = None,
    progress: TalkProgress | None = None,
) -> tuple[Induction, Assignment]:
    """Dimensions of a pool, and the dimension of each item.

    folder: of the replies; the same call on it asks nothing again, and this process alone writes it.
    executor: who asks ahead, by `Roles.ahead`. The other arguments are those of `induce` and `hold`. Raises
    GumptionError where the induction ends without any set, and what these two raise.
    """

    far = executor is not None and executor.name != "local"
    ahead = roles.ahead(executor, concurrency) if executor and far and roles.ahead else None

    def talk() -> Talk[tuple[Induction, Assignment]]:
        found = yield from induce(
            examples,
            roles.proposer,
            roles.reviewer,
            roles.assigner,
            encode,
            probe=probe,
            rounds=rounds,
            wanted=wanted,
            seed=seed,
            told=told,
        )
        if found.dimensions is None:
            raise GumptionError(
                f"no dimensions were found: {found.stopped_because}",
                where="induction",
                remedy="look into its log; try other models, a larger budget, or the offline roles",
            )
        full = full_sample(examples, seed)
        if ahead is not None:
            recorded = Run.open(folder).replies()
            yield from ahead.votes(_TALK, examples, found.dimensions, full, recorded)
        assignment = yield from roles.assigner.assign(examples, found.dimensions, full)
        return found, assignment

    ask_of = ahead.through(roles.ask_of) if ahead else roles.ask_of
    return hold({_TALK: talk()}, ask_of, folder, concurrency=concurrency, progress=progress)[_TALK]


def full_sample(examples: Sequence[Example], seed: int = 0, size: int = FULL) -> frozenset[str]:
    """Ids of random items on which every voter is to vote."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(examples), min(size, len(examples)), replace=False)
    return frozenset(examples[row].id for row in rows)


def joined(parts: Sequence[Assignment]) -> Assignment:
    """One assignment of several shards', in their order. Raises GumptionError for none, or unlike ones."""
    if not parts:
        raise GumptionError("nothing was labelled", where="assignment", remedy="give one item at least")
    if len({one.dimensions.sha256 for one in parts}) > 1:
        raise GumptionError(
            "shards were labelled by different dimensions",
            where="assignment",
            remedy="label all of them again",
        )
    return Assignment(
        dimensions=parts[0].dimensions,
        ids=tuple(id for one in parts for id in one.ids),
        label=np.concatenate([one.label for one in parts]),
        votes=np.concatenate([one.votes for one in parts]),
        full=np.concatenate([one.full for one in parts]),
        adjudicated=np.concatenate([one.adjudicated for one in parts]),
        asked=sum(one.asked for one in parts),
        evidence=next((one.evidence for one in parts if one.evidence), ""),
    )


def _silent(_: str) -> AbstractContextManager[Callable[[int, int], None]]:
    return nullcontext(lambda *_: None)
