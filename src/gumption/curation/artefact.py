"""The curated suite, why each item is in it, and its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
import numpy.typing as npt

from gumption import __version__
from gumption.curation.balance import excerpt
from gumption.curation.choice import Choice
from gumption.curation.cost import cost
from gumption.curation.dimensions import ABSENT, OTHER, UNREAD, Assignment, Example, example_of
from gumption.curation.dossier import Dossier, Origin, make_dossier
from gumption.curation.embedding import Embedded
from gumption.curation.induction import Induction
from gumption.curation.orders import orders
from gumption.curation.rivals import compare_methods
from gumption.curation.roles import Past
from gumption.records import Aggregate
from gumption.running import Run
from gumption.suites import Chosen, Suite, by_licence, licence_rule, sources_of

__all__ = ["OFFICIAL", "WITHHELD", "certified", "curated", "forbidden", "selection_of", "without_texts"]

OFFICIAL = Aggregate("macro over dimensions", by="dimension")
"""A suite's official number: the unweighted mean over its dimensions."""
WITHHELD = "(text left out: no licence that allows a copy; curate --copy NAME puts it in)"
"""In place of an item's text, in what lies beside a suite's items."""


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
    copy: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Dossier:
    """The suite's certificate. responses: past results of `models` on the pool's items, NaN = missing. Texts
    are quoted as far as licences or `copy` allow.

    Where no past result had a part in the choice, all models are held out, and the suite itself is judged by
    them as a selector is.
    """
    fidelity = found = None
    names = (*assignment.dimensions.names, OTHER)
    if responses is not None:
        found = orders(responses, choice.rows, assignment.label, names, models=models, seed=seed)
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
        if fidelity.suite is not None and not choice.by_results:
            itself = msgspec.structs.replace(fidelity.suite, held_out=True)
            fidelity = msgspec.structs.replace(fidelity, suite=itself)
    encoder, _, weights = embedded.encoder.partition("@")
    origin = Origin(
        suite=suite.name,
        pool=pool.name,
        pool_checksum=pool.checksum,
        selector=choice.selector,
        parameters=choice.parameters,
        seed=seed,
        encoder=encoder,
        encoder_sha256=weights,
        suite_checksum=suite.checksum,
        licences=suite.licences,
        gumption=__version__,
    )
    dossier = make_dossier(
        origin,
        [example_of(item) for item in pool.items],
        choice.rows,
        cost(pool.items, choice.rows, runs),
        embeddings=embedded.fused,
        votes=assignment,
        fidelity=fidelity,
        orders=found,
    )
    closed = forbidden(pool, copy)
    alike = tuple(
        msgspec.structs.replace(
            pair,
            texts=tuple(
                WITHHELD if benchmark in closed else text
                for benchmark, text in zip(pair.benchmarks, pair.texts, strict=True)
            ),
        )
        for pair in dossier.alike
    )
    return msgspec.structs.replace(dossier, alike=alike)


def forbidden(pool: Suite, copy: Sequence[str] = ()) -> frozenset[str]:
    """Benchmarks whose text must not be copied: their licence does not allow it, and `copy` does not name
    them."""
    return frozenset(
        name
        for name in {item.benchmark for item in pool.items}
        if name not in copy and not licence_rule(pool.licences.get(name, "")).may_copy
    )


def without_texts(induction: Induction, examples: Sequence[Example], closed: Collection[str]) -> Induction:
    """The induction as it may be handed on: without the texts of the benchmarks `closed`."""
    hidden = {excerpt(one.text) for one in examples if one.benchmark in closed}

    def told(past: Past) -> Past:
        shown = {
            name: tuple(WITHHELD if text in hidden else text for text in texts)
            for name, texts in past.balance.examples.items()
        }
        return msgspec.structs.replace(past, balance=msgspec.structs.replace(past.balance, examples=shown))

    return msgspec.structs.replace(induction, past=tuple(map(told, induction.past)))
