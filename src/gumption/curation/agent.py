"""The Data Agent whole (A2Eval, arXiv 2602.01640): from a pool to a compact, balanced, certified suite.

Induction and assignment are talks, so whoever calls holds them with or without models and takes them up after
a crash; choosing and certifying are pure. The agent draws and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from gumption import __version__
from gumption.curation._inputs import Floats, Ints, Vectors, source_responses, wanted
from gumption.curation._responses import RESPONSE_SELECTORS
from gumption.curation.cost import cost
from gumption.curation.dimensions import ABSENT, OTHER, UNREAD, Assignment, Example, example_of
from gumption.curation.dossier import Dossier, Origin, make_dossier
from gumption.curation.embedding import Embedded
from gumption.curation.fit import fit
from gumption.curation.induction import Encode, Induction, induce
from gumption.curation.rivals import compare_methods
from gumption.curation.roles import Assigner, Past, Proposer, Reviewer
from gumption.curation.select import rows_of, select
from gumption.models import Model
from gumption.records import Aggregate, GumptionError
from gumption.running import Run, Talk, TalkProgress, hold
from gumption.suites import Chosen, Suite, by_licence, sources_of

__all__ = [
    "OFFICIAL",
    "PROBE",
    "Choice",
    "Roles",
    "certified",
    "choose",
    "curated",
    "full_sample",
    "joined",
    "labelled",
    "per_dimension",
    "selection_of",
]

OFFICIAL = Aggregate("macro over dimensions", by="dimension")
"""A suite's official number: the unweighted mean over its dimensions."""
FULL = 500
"""Items on which every voter votes."""
FIFTHS = (0.2, 0.4, 0.6, 0.8)
PROBE = 800
"""Items that are labelled in every round of the induction."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Who takes part, and which model answers what they ask."""

    proposer: Proposer
    reviewer: Reviewer
    assigner: Assigner
    ask_of: Callable[[str], Model]
    """The model behind a call (`by_model.answering`); never called where no role asks anything."""


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
    told: Callable[[Past], None] | None = None,
    progress: TalkProgress | None = None,
) -> tuple[Induction, Assignment]:
    """Dimensions of a pool, and the dimension of each item.

    folder: of the replies; the same call on it asks nothing again. The other arguments are those of `induce`
    and `hold`. Raises GumptionError where the induction ends without any set, and what these two raise.
    """

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
        assignment = yield from roles.assigner.assign(examples, found.dimensions, full_sample(examples, seed))
        return found, assignment

    held = hold({"curation": talk()}, roles.ask_of, folder, concurrency=concurrency, progress=progress)
    return held["curation"]


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


@dataclass(frozen=True, slots=True)
class Choice:
    """Which items of a pool make the suite."""

    rows: Ints
    """Ascending."""
    selector: str
    """By which they were chosen, estimator included where past results say how to estimate."""
    weight: npt.NDArray[np.float64]
    """float[len(rows)]: how many items of its dimension in the pool each stands for."""
    duplicates: int
    """Items that were left out as near-duplicates of others."""
    other: int
    """Items that were left out since they fall under no dimension."""
    parameters: dict[str, Any] = field(default_factory=dict)


def choose(
    examples: Sequence[Example],
    assignment: Assignment,
    k: int,
    *,
    method: str = "auto",
    vectors: Vectors | None = None,
    responses: npt.ArrayLike | None = None,
    balance: Sequence[str] = ("benchmark",),
    stands: Ints | None = None,
    with_other: bool = False,
    seed: int = 0,
) -> Choice:
    """k items of each dimension, all where it has fewer.

    method: a selector of `select` or `fit`. auto: the selector that `fit` finds ahead of random subsets on
    past results; without any, a random choice. vectors: float32[n, d], for selectors that need them.
    responses: source models x n. balance: what the places of a dimension are shared out over as evenly as
    they go: `benchmark` and `kind`, or difficulty on past results. stands: row of the item that stands for
    each (`duplicates`); only those that stand for themselves are chosen. Deterministic given the seed.

    Raises GumptionError for arrays that do not fit, for an unknown method, and where nothing is left.
    """
    wanted(k)
    label, other = assignment.label, len(assignment.dimensions.all)
    if len(label) != len(examples):
        raise GumptionError(
            f"{len(label)} labels for {len(examples)} items", where="choose", remedy="label the same pool"
        )
    scores = None if responses is None else source_responses(responses)
    kept = np.ones(len(label), dtype=bool) if stands is None else stands == np.arange(len(label))
    inside = kept if with_other else kept & (label != other)
    if not inside.any():
        raise GumptionError(
            "no item falls under any dimension",
            where="choose",
            remedy="keep Other, or induce other dimensions",
        )
    open_rows = np.flatnonzero(inside)
    selector = _selector(method, scores, open_rows, label, k, seed)
    cell = _cells(examples, balance, scores)
    chosen = [
        rows[_some(selector, rows, k, vectors, scores, cell, seed)]
        for rows in (open_rows[some] for some in rows_of(np.unique(label[open_rows], return_inverse=True)[1]))
    ]
    rows = np.sort(np.concatenate(chosen))
    return Choice(
        rows=rows,
        selector=selector,
        weight=_weight(rows, label),
        duplicates=int((~kept).sum()),
        other=0 if with_other else int((kept & (label == other)).sum()),
        parameters={"k": k, "method": method, "balance": list(balance), "with_other": with_other},
    )


def per_dimension(total: int, assignment: Assignment, stands: Ints, with_other: bool = False) -> int:
    """The most items of each dimension for which all together are at most `total`; one at least."""
    other = len(assignment.dimensions.all)
    kept = (stands == np.arange(len(stands))) & (with_other | (assignment.label != other))
    sizes = np.bincount(assignment.label[kept])
    low, high = 1, max(1, int(sizes.max(initial=1)))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(sizes, middle).sum() <= wanted(total) else (low, middle - 1)
    return low


def selection_of(choice: Choice, assignment: Assignment, pool: Suite) -> tuple[Chosen, ...]:
    """Why each item is in the suite: for the suite's `selection.jsonl`."""
    names = (*assignment.dimensions.names, OTHER)
    sources = sources_of(pool)
    found = []
    for place, row in enumerate(choice.rows.tolist()):
        given = Counter(vote for vote in assignment.votes[row].tolist() if vote not in (ABSENT, UNREAD))
        first, second = [*(count for _, count in given.most_common(2)), 0, 0][:2]
        found.append(
            Chosen(
                id=pool.items[row].id,
                pool=pool.checksum,
                source=sources[row],
                dimension=names[assignment.label[row]],
                votes={names[vote]: count for vote, count in sorted(given.items())},
                margin=(first - second) / given.total() if given else None,
                adjudicated=bool(assignment.adjudicated[row]),
                selector=choice.selector,
                weight=float(choice.weight[place]),
            )
        )
    return tuple(found)


def curated(
    pool: Suite,
    choice: Choice,
    assignment: Assignment,
    name: str,
    provenance: Mapping[str, Any],
    copy: Sequence[str] = (),
) -> Suite:
    """The suite: the chosen items, each with its dimension, scored by the mean over dimensions.

    provenance: what else made it: roles, seeds, the encoder. copy: benchmarks whose text is copied though
    their licence would have it referred to.
    """
    names = (*assignment.dimensions.names, OTHER)
    items = tuple(
        msgspec.structs.replace(pool.items[row], dimension=names[assignment.label[row]])
        for row in choice.rows.tolist()
    )
    made_of = {
        "name": pool.name,
        "version": pool.version,
        "checksum": pool.checksum,
        "items": len(pool.items),
    }
    suite = Suite(
        name=name,
        version="1",
        items=items,
        media=pool.media,
        provenance={
            "pool": made_of,
            "selector": choice.selector,
            **choice.parameters,
            "duplicates": choice.duplicates,
            "other": choice.other,
            "dimensions": {one.name: one.definition for one in assignment.dimensions.all},
            **provenance,
        },
        licences={
            one: pool.licences[one]
            for one in sorted({item.benchmark for item in items})
            if one in pool.licences
        },
        official=OFFICIAL,
    )
    return by_licence(suite, pool, copy=copy)


def certified(
    pool: Suite,
    suite: Suite,
    choice: Choice,
    assignment: Assignment,
    embedded: Embedded,
    *,
    responses: npt.ArrayLike | None = None,
    models: Sequence[str] = (),
    runs: Sequence[Run] = (),
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Dossier:
    """The suite's certificate. responses: past results of `models` on the pool's items, NaN = missing."""
    fidelity = None
    if responses is not None:
        fidelity = compare_methods(
            responses,
            len(choice.rows),
            models=models,
            embeddings=embedded.fused if embedded.fused.any() else None,
            groups=assignment.label,
            suite=choice.rows,
            seed=seed,
            progress=progress,
        )
    name, _, weights = embedded.encoder.partition("@")
    origin = Origin(
        suite=suite.name,
        pool=pool.name,
        pool_checksum=pool.checksum,
        selector=choice.selector,
        parameters=choice.parameters,
        seed=seed,
        encoder=name,
        encoder_sha256=weights,
        suite_checksum=suite.checksum,
        licences=suite.licences,
        gumption=__version__,
    )
    return make_dossier(
        origin,
        [example_of(item) for item in pool.items],
        choice.rows,
        cost(pool.items, choice.rows, runs),
        embeddings=embedded.fused,
        votes=assignment,
        fidelity=fidelity,
    )


def _selector(method: str, scores: Floats | None, rows: Ints, label: Ints, k: int, seed: int) -> str:
    if method != "auto":
        return method
    if scores is None:
        return "random"
    size = int(np.minimum(np.bincount(label[rows]), k).sum())
    return fit(scores[:, rows], size, groups=label[rows], seed=seed).method.partition("+")[0]


def _some(
    selector: str, rows: Ints, k: int, vectors: Vectors | None, scores: Floats | None, cell: Ints, seed: int
) -> Ints:
    """Places in `rows` of k of them."""
    if len(rows) <= k:
        return np.arange(len(rows))
    if selector in RESPONSE_SELECTORS or (selector == "stratified" and scores is not None):
        if scores is None:
            raise GumptionError(f"{selector} needs past results", where="choose", remedy="give responses")
        return fit(scores[:, rows], k, groups=cell[rows], method=selector, seed=seed).chosen
    if vectors is None and selector != "random":
        raise GumptionError(
            f"{selector} needs vectors", where="choose", remedy="give vectors, or take random"
        )
    inside = np.zeros((len(rows), 1), np.float32) if vectors is None else vectors[rows]
    return select(inside, k, selector, seed=seed, balance=cell[rows])


def _cells(examples: Sequence[Example], balance: Sequence[str], scores: Floats | None) -> Ints:
    keys: list[list[Any]] = []
    for name in balance:
        if name == "difficulty":
            if scores is None:
                raise GumptionError(
                    "difficulty is known from past results", where="choose", remedy="give responses"
                )
            mean = np.nanmean(scores, axis=0)
            level = np.digitize(mean, np.quantile(mean, FIFTHS))
            keys.append(level.tolist())
        elif name in ("benchmark", "kind", "category"):
            keys.append([getattr(one, name) for one in examples])
        else:
            raise GumptionError(
                f"no balance is called {name!r}",
                where="choose",
                remedy="any of benchmark, category, kind, difficulty",
            )
    if not keys:
        return np.zeros(len(examples), dtype=np.int64)
    number: dict[tuple[Any, ...], int] = {}
    return np.array([number.setdefault(key, len(number)) for key in zip(*keys, strict=True)], dtype=np.int64)


def _weight(rows: Ints, label: Ints) -> Floats:
    """Of each chosen item: how many items of its dimension in the pool it stands for."""
    of_pool = np.bincount(label)
    chosen = np.bincount(label[rows], minlength=len(of_pool))
    weight: Floats = (of_pool / np.maximum(chosen, 1))[label[rows]]
    return weight
