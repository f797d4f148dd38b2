"""The offline Proposer: a seed taxonomy where it fits the pool, clusters of items where it does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gumption.curation._inputs import Ints, Vectors, vectors_of
from gumption.curation.balance import balance_of, definition_of, pairs_of
from gumption.curation.dimensions import MOST_DIMENSIONS, Assignment, Dimension, Dimensions, Example
from gumption.curation.induction import Encode
from gumption.curation.offline._parts import parts
from gumption.curation.offline._terms import distinctive
from gumption.curation.offline.assigner import OfflineAssigner
from gumption.curation.offline.taxonomy import read_taxonomy
from gumption.curation.roles import Brief, Change, Past
from gumption.running.talks import Talk

__all__ = ["OfflineProposer"]

SUPPORT = 0.01
"""Share of the probe that a dimension of the taxonomy needs, to be proposed at first."""
NEW = 0.04
"""Share of the probe that a cluster needs, to become a dimension of its own."""
TERMS = 12
MOST_CLUSTERS = 6
SMALLER = 3
"""A dimension that is this many times larger keeps its name when it takes another in."""


class OfflineProposer:
    """Begins with the dimensions of a taxonomy that the probe supports and with clusters of items that fit
    none, named by their distinctive words; merges the least separable while there are too many; then does
    what the Reviewer asks. Proposes nothing that was rejected before, and None where nothing is left to try.
    """

    name = "offline"

    def __init__(self, encode: Encode, taxonomy: Dimensions | None = None, seed: int = 0) -> None:
        self._encode, self._seed = encode, seed
        self._taxonomy = taxonomy or read_taxonomy()

    def propose(self, brief: Brief) -> Talk[Dimensions | None]:
        """The next set; asks nothing."""
        yield from ()
        if not brief.past:
            return self._first(brief)
        last = brief.past[-1]
        if last.review.accepted:
            return last.dimensions
        rejected = {one.dimensions.sha256 for one in brief.past}
        tried = [last.review.changes, *((change,) for change in last.review.changes)]
        for changes in tried:
            made = self._changed(last, changes, brief.probe)
            if made and _set(made).sha256 not in rejected:
                return _set(made)
        return None

    def _first(self, brief: Brief) -> Dimensions | None:
        labelled = self._labelled(self._taxonomy, brief.probe)
        counts = labelled.counts
        kept = [
            one
            for one, count in zip(self._taxonomy.all, counts, strict=False)
            if count >= max(1, SUPPORT * len(brief.probe))
        ]
        kept += self._clusters(labelled, brief.probe, kept)
        while len(kept) > brief.wanted[1]:
            kept = self._fewer(_set(kept), brief.probe)
        return _set(kept) if kept else None

    def _clusters(
        self, labelled: Assignment, probe: Sequence[Example], taken: Sequence[Dimension]
    ) -> list[Dimension]:
        """Dimensions for the items that are Other."""
        rows = np.flatnonzero(labelled.label == len(labelled.dimensions.all))
        rows = rows[[bool(_seen(probe[row])) for row in rows.tolist()]]
        least = max(3, round(NEW * len(probe)))
        if len(rows) < least:
            return []
        cell = self._parts(rows, probe, min(MOST_CLUSTERS, len(rows) // least))
        group = np.zeros(len(probe), dtype=np.int64)
        group[rows] = cell + 1
        size = np.bincount(cell)
        terms = distinctive([_seen(one) for one in probe], group, len(size) + 1, TERMS)[1:]
        return _named(
            [told for told, count in zip(terms, size, strict=True) if count >= least and told], taken
        )

    def _fewer(self, dimensions: Dimensions, probe: Sequence[Example]) -> list[Dimension]:
        labelled = self._labelled(dimensions, probe)
        items = vectors_of(self._encode([one.text for one in probe]))
        definitions = vectors_of(self._encode([definition_of(one) for one in dimensions.all]))
        balance = balance_of(labelled, probe, items, definitions)
        nearest = pairs_of(dimensions.names)[next(iter(balance.overlap))]
        return _merged(list(dimensions.all), nearest, balance.counts)

    def _changed(self, last: Past, changes: Sequence[Change], probe: Sequence[Example]) -> list[Dimension]:
        made = list(last.dimensions.all)
        labelled = self._labelled(last.dimensions, probe)
        for change in changes:
            if change.action == "merge":
                made = _merged(made, change.dimensions, last.balance.counts)
            elif change.action == "drop":
                made = [one for one in made if one.name not in change.dimensions]
            elif change.action == "add":
                made += self._clusters(labelled, probe, made)
            elif change.action == "split":
                made = self._split(made, change.dimensions, labelled, probe)
            elif change.action == "sharpen":
                made = self._sharpened(made, change.dimensions, labelled, probe)
        return made[:MOST_DIMENSIONS]

    def _split(
        self, made: list[Dimension], names: Sequence[str], labelled: Assignment, probe: Sequence[Example]
    ) -> list[Dimension]:
        """In two halves, where they are apart."""
        split: list[Dimension] = []
        for one in made:
            number = _number(labelled.dimensions, one)
            rows = np.flatnonzero(labelled.label == number) if one.name in names else np.empty(0, np.int64)
            least = max(3, round(NEW * len(probe)))
            cell = self._parts(rows, probe, 2) if len(rows) >= 2 * least else np.zeros(len(rows), np.int64)
            if np.bincount(cell, minlength=2).min() < least:
                split.append(one)
                continue
            terms = distinctive([_seen(probe[row]) for row in rows.tolist()], cell, 2, TERMS)
            split += [_part(one, told) for told in terms] if all(terms) else [one]
        return split

    def _sharpened(
        self, made: list[Dimension], names: Sequence[str], labelled: Assignment, probe: Sequence[Example]
    ) -> list[Dimension]:
        """With the words that tell its items from all others, in the definition too."""
        terms = distinctive(
            [_seen(one) for one in probe], labelled.label, len(labelled.dimensions.all) + 1, TERMS
        )
        sharpened = []
        for one in made:
            number = _number(labelled.dimensions, one)
            said = terms[number] if one.name in names and number is not None else ()
            more = tuple(term for term in said if term not in one.terms)
            definition = f"{one.definition} Marked by {_listed(more[:3])}." if more else one.definition
            sharpened.append(Dimension(one.name, definition, one.terms + more))
        return sharpened

    def _labelled(self, dimensions: Dimensions, probe: Sequence[Example]) -> Assignment:
        talk = OfflineAssigner(probe, self._encode).assign(probe, dimensions)
        try:
            next(talk)
        except StopIteration as stop:
            made: Assignment = stop.value
            return made
        raise AssertionError("the offline Assigner asks nothing")

    def _parts(self, rows: Ints, probe: Sequence[Example], most: int) -> Ints:
        return parts(self._points([probe[row] for row in rows.tolist()]), most, self._seed)

    def _points(self, examples: Sequence[Example]) -> Vectors:
        texts, categories = (
            vectors_of(self._encode(told))
            for told in ([one.text for one in examples], [one.category for one in examples])
        )
        both = texts + categories
        unit: Vectors = both / np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-12)
        return unit


def _seen(example: Example) -> str:
    return f"{example.category}\n{example.text}".strip()


def _set(made: Sequence[Dimension]) -> Dimensions:
    return Dimensions(tuple(made))


def _number(dimensions: Dimensions, one: Dimension) -> int | None:
    return dimensions.names.index(one.name) if one.name in dimensions.names else None


def _named(groups: Sequence[tuple[str, ...]], taken: Sequence[Dimension]) -> list[Dimension]:
    """A dimension for each group of words, under names that are free."""
    names = {one.name.lower() for one in taken}
    made = []
    for terms in groups:
        for count in range(2, len(terms) + 2):
            name = _listed(terms[:count]).capitalize()
            if name.lower() not in names:
                names.add(name.lower())
                made.append(Dimension(name, f"Questions about {_listed(terms[:5])}.", terms))
                break
    return made


def _part(whole: Dimension, terms: tuple[str, ...]) -> Dimension:
    """Half of a dimension, by the words that mark it."""
    marked = _listed(terms[:3])
    return Dimension(f"{whole.name}: {marked}", f"{whole.definition} Only of {marked}.", terms)


def _merged(made: list[Dimension], names: Sequence[str], counts: dict[str, int]) -> list[Dimension]:
    """With the named ones as one, in the place of the largest."""
    found = sorted(
        (one for one in made if one.name in names), key=lambda one: counts.get(one.name, 0), reverse=True
    )
    if len(found) < 2:
        return made
    largest, rest = found[0], found[1:]
    equal = [one for one in rest if counts.get(one.name, 0) * SMALLER > counts.get(largest.name, 0)]
    name = " / ".join([largest.name, *(one.name for one in equal)])
    definition = " Also: ".join(one.definition for one in found)
    terms = tuple(dict.fromkeys(term for one in found for term in one.terms))
    whole = Dimension(name, definition, terms)
    return [whole if one is largest else one for one in made if one not in rest]


def _listed(terms: Sequence[str]) -> str:
    return terms[0] if len(terms) == 1 else f"{', '.join(terms[:-1])} and {terms[-1]}"
