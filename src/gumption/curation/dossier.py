"""The certificate of a suite as one document: `certificate.json` of its folder.

Every part is made from the items alone where that is possible, and from votes, runs and past results where
they are given; `missing` says what was not certified and what it would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.atomic import replacing
from gumption.curation._inputs import Ints
from gumption.curation._paragraph import paragraph
from gumption.curation.composition import (
    Coverage,
    DimensionMap,
    Distribution,
    coverage,
    distribution,
    maps,
)
from gumption.curation.cost import Cost
from gumption.curation.dimensions import OTHER, UNREAD, Assignment, Example
from gumption.curation.orders import Orders
from gumption.curation.redundancy import SIMILAR, AlikePair, Redundancy, redundancy
from gumption.curation.rivals import Rivals
from gumption.lines import read_json
from gumption.ranking.fidelity import item_rows
from gumption.ranking.rater_agreement import Agreement, agreement
from gumption.records import GumptionError

__all__ = ["AlikeTexts", "Dossier", "Origin", "Voters", "make_dossier", "read_dossier", "write_dossier"]

FORMAT = 1
LARGEST = 64 * 2**20
"""Bytes of a `certificate.json`."""
EXCERPT = 300
"""Characters of an item's text in an example."""


class Origin(Struct, frozen=True):
    """What the suite was made from and how: enough to make it again."""

    suite: str
    """Name."""
    pool: str
    pool_checksum: str
    """SHA-256 of the pool's items, or of the file they came from."""
    selector: str
    parameters: dict[str, Any]
    """Of the selector."""
    seed: int
    encoder: str = ""
    """Name of the encoder; "" where no vectors were used."""
    encoder_sha256: str = ""
    """Of its weights."""
    suite_checksum: str = ""
    licences: dict[str, str] = {}
    """Benchmark to licence."""
    gumption: str = ""


class Voters(Struct, frozen=True):
    """How far the voters agree that labelled the items."""

    agreement: Agreement
    """On the items that all of them were asked about."""
    voters: int
    full: int
    unanimous: float | None
    """Share of these items on which all read votes are the same."""
    asked: int
    """Votes asked for."""
    possible: int
    """Votes, had every voter been asked about every item."""
    adjudicated: int
    """Ties broken."""
    evidence: str
    """A warning on what the agreement is worth, or ""."""


class AlikeTexts(Struct, frozen=True):
    """Two items that are alike, to be read."""

    similarity: float
    ids: tuple[str, str]
    benchmarks: tuple[str, str]
    texts: tuple[str, str]
    """Cut to an excerpt."""


class Dossier(Struct, frozen=True):
    """A whole certificate. Shares, entropies and distances are in the units of their own parts."""

    origin: Origin
    pool_items: int
    suite_items: int
    balance: tuple[Distribution, ...]
    """By dimension (or group), source benchmark and answer kind."""
    redundancy: Redundancy | None
    """Of the pool."""
    suite_redundancy: Redundancy | None
    alike: tuple[AlikeTexts, ...]
    """Examples of the pool's most alike pairs, within benchmarks first."""
    coverage: Coverage | None
    maps: tuple[DimensionMap, ...]
    cost: Cost
    voters: Voters | None
    fidelity: Rivals | None
    missing: tuple[str, ...]
    paragraph: str
    """For a paper."""
    orders: Orders | None = None
    """Of the models, dimension by dimension; None without past results or dimensions."""
    definitions: dict[str, str] = {}
    """Of the dimensions, by name."""
    format: int = FORMAT


def make_dossier(
    origin: Origin,
    pool: Sequence[Example],
    chosen: npt.ArrayLike,
    cost: Cost,
    *,
    embeddings: npt.ArrayLike | None = None,
    labels: npt.ArrayLike | None = None,
    names: Sequence[str] = (),
    by: str = "dimension",
    votes: Assignment | None = None,
    fidelity: Rivals | None = None,
    orders: Orders | None = None,
    similar: float = SIMILAR,
) -> Dossier:
    """Certifies the items `chosen` (row numbers) of a pool.

    `embeddings`: n x d, finite. `labels`: n numbers into `names`, the dimension (or what `by` calls it) of
    each item; where `votes` are given they say both. `similar`: the cosine from which on items count as
    alike. Raises GumptionError for an empty pool and arrays that do not fit.
    """
    if not pool:
        raise GumptionError("the pool is empty", where="certificate", remedy="give one item at least")
    kept = item_rows(chosen, len(pool))
    if votes is not None:
        labels, names = votes.label, (*votes.dimensions.names, OTHER)
    balance = [] if labels is None else [distribution(by, labels, kept, names)]
    balance.append(distribution("source benchmark", [one.benchmark for one in pool], kept))
    balance.append(distribution("answer kind", [one.kind for one in pool], kept))
    alike = before = after = near = None
    drawn: tuple[DimensionMap, ...] = ()
    if embeddings is not None:
        vectors = np.asarray(embeddings, dtype=np.float32)
        benchmarks = np.array([one.benchmark for one in pool])
        before = redundancy(vectors, benchmarks, similar, origin.seed)
        after = redundancy(vectors[kept], benchmarks[kept], similar, origin.seed)
        alike = [_alike(pool, pair) for pair in (*before.within, *before.across)]
        near = coverage(vectors, kept, origin.seed)
        drawn = maps(vectors, kept, labels, names or ("All items",), origin.seed)
    bare = Dossier(
        origin=origin,
        pool_items=len(pool),
        suite_items=len(kept),
        balance=tuple(balance),
        redundancy=before,
        suite_redundancy=after,
        alike=tuple(alike or ()),
        coverage=near,
        maps=drawn,
        cost=cost,
        voters=None if votes is None else _voters(votes, origin.seed),
        fidelity=fidelity,
        missing=_missing(embeddings is not None, labels is not None, votes, cost, fidelity),
        paragraph="",
        orders=orders,
        definitions={} if votes is None else {one.name: one.definition for one in votes.dimensions.all},
    )
    return msgspec.structs.replace(bare, paragraph=paragraph(bare))


def write_dossier(dossier: Dossier, path: Path | str) -> Path:
    """Write the JSON file, whole or not at all."""
    path = Path(path)
    with replacing(path) as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(dossier), indent=1) + b"\n")
    return path


def read_dossier(path: Path | str) -> Dossier:
    """Raises GumptionError where the file cannot be read, is too large, or is no certificate."""
    what = "a certificate, or of another version"
    return read_json(Path(path), Dossier, LARGEST, what, "make it again with gumption certify")


def _alike(pool: Sequence[Example], pair: AlikePair) -> AlikeTexts:
    one, other = pool[pair.first], pool[pair.second]
    return AlikeTexts(
        similarity=pair.similarity,
        ids=(one.id, other.id),
        benchmarks=(one.benchmark, other.benchmark),
        texts=(one.text[:EXCERPT], other.text[:EXCERPT]),
    )


def _voters(votes: Assignment, seed: int) -> Voters:
    table: Ints = votes.votes[votes.full]
    ratings = np.where(table < 0, np.nan, table.astype(np.float64)).T
    same = [len(set(row[row >= 0].tolist())) == 1 for row in table if (row != UNREAD).any()]
    return Voters(
        agreement=agreement(ratings, seed=seed),
        voters=votes.votes.shape[1],
        full=len(table),
        unanimous=float(np.mean(same)) if same else None,
        asked=votes.asked,
        possible=votes.votes.size,
        adjudicated=int(votes.adjudicated.sum()),
        evidence=votes.evidence,
    )


def _missing(
    vectors: bool, labels: bool, votes: Assignment | None, cost: Cost, fidelity: Rivals | None
) -> tuple[str, ...]:
    said = []
    if fidelity is None:
        said.append(
            "Ranking fidelity: no past results were given. It needs the answers of four models or more "
            "to the items of the pool: a response matrix, or run folders."
        )
    elif fidelity.suite is not None and not fidelity.suite.held_out:
        said.append(
            "Held-out fidelity of this very suite: nobody knows which models it was chosen on. It needs "
            "models that came after it."
        )
    if not vectors:
        said.append(
            "Redundancy, coverage and maps: the items have no vectors. They need texts and an encoder."
        )
    if not labels:
        said.append("Balance over dimensions: the items have no dimension. They need an assignment.")
    if votes is None:
        said.append("Agreement of voters: no votes were given. It needs the votes of the assignment.")
    if not cost.runs:
        said.append("Tokens, frames and hours: no run was given. They need run folders over the pool.")
    said.append("Agreement with people: nobody has rated the models on these items. It needs human ratings.")
    return tuple(said)
