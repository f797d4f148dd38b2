"""Five voters on one embedding: each looks at an item in another way, none of them asks a model.

- definition: the text beside the names and definitions;
- phrases: the text beside each term and question of a dimension, of which the nearest counts;
- category: text and category name together, beside the same terms;
- words: the terms that stand in the text and in the category name, letter by letter;
- neighbours: the items of the probe nearest to it, by what the other four say of them.

An item's votes depend on the dimensions, the probe and the item alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gumption.curation._inputs import Floats, Ints, Vectors, vectors_of
from gumption.curation.balance import definition_of
from gumption.curation.dimensions import Dimensions, Example
from gumption.curation.induction import Encode
from gumption.curation.offline._tally import majority
from gumption.curation.offline._terms import Lexicon

__all__ = ["VOTERS", "Voters"]

VOTERS = ("definition", "phrases", "category", "words", "neighbours")
LEAST = {"definition": 0.02, "phrases": 0.25, "category": 0.25, "neighbours": 0.3}
"""Cosines below which a voter says Other; `words` says it where no term is found."""
NEIGHBOURS = 9
BLOCK = 2**11
"""Items that are compared at once."""
PLACES = 6
"""Decimals of a similarity: sums in another order must not decide."""


class Voters:
    """The five of them, for one set of dimensions. `probe`: the items from which neighbours are taken."""

    def __init__(self, dimensions: Dimensions, probe: Sequence[Example], encode: Encode) -> None:
        self._encode, self._size = encode, len(dimensions.all)
        self._lexicon = Lexicon(dimensions, [one.text for one in probe])
        terms = [(term, n) for n, one in enumerate(dimensions.all) for term in (one.name, *one.terms)]
        self._terms = _wide(encode([term for term, _ in terms]))
        # The terms of a dimension stand together: where each begins.
        self._starts = np.flatnonzero(np.diff([n for _, n in terms], prepend=-1))
        definitions = _wide(encode([definition_of(one) for one in dimensions.all]))
        texts, categories = self._vectors(probe)
        # What all definitions share, and all items, is no reason to bring two of them together.
        self._middle, self._definition_middle = texts.mean(axis=0), definitions.mean(axis=0)
        self._definitions = _unit(definitions - self._definition_middle) if self._size > 1 else definitions
        self._reference = _both(texts, categories)
        scores, votes = self._four(probe, texts, categories)
        self._reference_label = majority(votes, scores)[0]

    def votes(self, examples: Sequence[Example]) -> tuple[Ints, Floats]:
        """int[n, 5] labels, in the order of VOTERS, and float[n, dimensions]: how near an item is to each by
        all of them, to break ties."""
        votes = np.empty((len(examples), len(VOTERS)), dtype=np.int64)
        nearness = np.empty((len(examples), self._size))
        for start in range(0, len(examples), BLOCK):
            block = examples[start : start + BLOCK]
            texts, categories = self._vectors(block)
            scores, four = self._four(block, texts, categories)
            votes[start : start + BLOCK, :-1] = four
            votes[start : start + BLOCK, -1] = self._neighbours(_both(texts, categories))
            nearness[start : start + BLOCK] = scores
        return votes, nearness

    def _four(self, examples: Sequence[Example], texts: Floats, categories: Floats) -> tuple[Floats, Ints]:
        middle = self._middle if self._size > 1 else 0.0
        definition = _unit(texts - middle * _told(texts)) @ self._definitions.T
        near_text = np.maximum.reduceat(texts @ self._terms.T, self._starts, axis=1)
        near_category = np.maximum.reduceat(categories @ self._terms.T, self._starts, axis=1)
        # What is blank is no reason against a dimension.
        present = _told(texts) + _told(categories)
        both = (near_text + near_category) / np.maximum(present, 1)
        words = np.stack(
            [self._lexicon.weights(one.text) + self._lexicon.weights(one.category) for one in examples]
        )
        share = words / np.maximum(words.sum(axis=1, keepdims=True), 1.0)
        votes = np.stack(
            [
                _choice(definition, LEAST["definition"]),
                _choice(near_text, LEAST["phrases"]),
                _choice(both, LEAST["category"]),
                _choice(words + both * 1e-3 * (words > 0), 1e-9),
            ],
            axis=1,
        )
        return (definition + near_text + near_category + share).round(PLACES), votes

    def _neighbours(self, points: Floats) -> Ints:
        close = (points @ self._reference.T).round(PLACES)
        most = min(NEIGHBOURS, close.shape[1])
        nearest = np.argpartition(-close, most - 1, axis=1)[:, :most]
        weight = np.maximum(np.take_along_axis(close, nearest, axis=1), 0.0)
        ballots = np.zeros((len(points), self._size + 1))
        np.add.at(ballots, (np.arange(len(points))[:, None], self._reference_label[nearest]), weight)
        label: Ints = ballots.argmax(axis=1).astype(np.int64)
        label[close.max(axis=1) < LEAST["neighbours"]] = self._size
        return label

    def _vectors(self, examples: Sequence[Example]) -> tuple[Floats, Floats]:
        """Of texts and of category names; zero for what is blank."""
        return self._embedded([one.text for one in examples]), self._embedded(
            [one.category for one in examples]
        )

    def _embedded(self, texts: Sequence[str]) -> Floats:
        vectors = _wide(self._encode(texts))
        vectors[[not text.strip() for text in texts]] = 0.0
        return vectors


def _choice(scores: Floats, least: float) -> Ints:
    rounded = scores.round(PLACES)
    label: Ints = rounded.argmax(axis=1).astype(np.int64)
    label[rounded.max(axis=1) < least] = scores.shape[1]
    return label


def _told(points: Floats) -> Ints:
    """int[n, 1]: 1 where there is a vector, 0 for what was blank."""
    told: Ints = np.any(points, axis=1, keepdims=True).astype(np.int64)
    return told


def _both(texts: Floats, categories: Floats) -> Floats:
    return _unit(texts + categories)


def _wide(vectors: Vectors) -> Floats:
    return vectors_of(vectors).astype(np.float64)


def _unit(points: Floats) -> Floats:
    unit: Floats = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    return unit
