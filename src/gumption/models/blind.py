"""A model that never looks: what can be had from the words of a question and of its options alone.

It learns from the golds of the suite's *other* items. Clusters fall into two halves, and a question is
answered from the half that its own cluster is not in, so nothing about its own scene is known. What it scores
above guessing is a leak in the benchmark.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from gumption.answers import inside
from gumption.models.baseline import written
from gumption.models.model import ReadMedia
from gumption.records import Answer, GumptionError, Item, Key, Reply, Text

__all__ = ["Blind"]

Floats: TypeAlias = npt.NDArray[np.float64]

_WORD = re.compile(r"\w+")
_MOST = 2_000
"""Items of one kind that are learnt from; of more, an even selection."""
_SHARPNESS = 3
"""Power of the likeness of two questions that one weighs the other with."""
_GRID = 40, 30
"""Places across and down that points are tried at."""
_UNGUESSABLE = frozenset({"actions", "atoms", "problem"})
"""Kinds whose benchmarks often have no one gold: there a blind model says nothing, which is worth 0."""


class Blind:
    """Weighs what was right elsewhere by how alike the questions' words are, and takes the likeliest answer.

    Choice and yes/no: naive Bayes with add-one smoothing, over each option's place, words, rank among numbers
    and mention in the question, or over the question's words. Number and text: the heaviest gold. Point: the
    place that the regions of the heaviest golds cover. Deterministic.
    """

    name = "baseline/blind"
    prompt = ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self._known: dict[str, _Lessons] = {}
        self._items: dict[str, Item] = {}

    def identity(self) -> dict[str, Any]:
        return {"kind": "baseline", "name": self.name}

    def prepare(self, items: Sequence[Item]) -> None:
        self._items = {item.id: item for item in items}
        kinds: dict[str, list[Item]] = {}
        for item in items:
            if item.answer.gold is not None:
                kinds.setdefault(_kind(item.answer), []).append(item)
        self._known = {kind: _Lessons(own[:: -(-len(own) // _MOST)]) for kind, own in kinds.items()}

    def request_sha256(self, question: Item) -> str:  # noqa: ARG002
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:  # noqa: ARG002
        lessons = self._known.get(_kind(question.answer))
        step = bool(self._known) and question.id not in self._items
        if lessons is None and (step or question.answer.kind in _UNGUESSABLE):
            return Reply(*key, self.name)  # nothing like it is in any item's gold, so there is nothing to say
        if lessons is None:
            raise GumptionError(
                "the blind baseline has nothing to learn from",
                where=question.id,
                remedy="ask it about a suite with golds",
            )
        # As the benchmark wrote it: without the options and the form of the answer that the prompt adds.
        return Reply(*key, self.name, text=lessons.answer(self._items.get(question.id, question)))

    async def close(self) -> None:
        """Nothing is held open."""


def _kind(answer: Answer) -> str:
    """What is learnt together: items of one kind, choices with as many options."""
    return f"choice of {len(answer.choices or ())}" if answer.kind == "choice" else answer.kind


def _words(item: Item) -> set[str]:
    return set(_WORD.findall(_text(item)))


@dataclass
class _Lessons:
    """The items of one kind, as numbers."""

    items: list[Item]
    words: dict[str, int] = field(default_factory=dict)
    cues: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._asked = _bags([_words(item) for item in self.items], self.words)
        self._half = np.array([_half(item) for item in self.items])
        kind, choices = self.items[0].answer.kind, self.items[0].answer.choices
        if kind == "choice" and choices:
            options = [_cues(item) for item in self.items]
            self._options = _bags([cues for own in options for cues in own], self.cues).reshape(
                len(self.items), len(options[0]), -1
            )
            self._right = np.array([[o == i.answer.gold for o in i.answer.choices or ()] for i in self.items])
        elif kind == "point":
            self._cover = np.array([_cover(item.answer) for item in self.items])
        else:
            self._golds = [_first(item.answer.gold) for item in self.items]
            self._classes = sorted(set(self._golds))
            self._is = np.array([[gold == one for one in self._classes] for gold in self._golds], float)

    def answer(self, question: Item) -> str:
        asked = _bags([_words(question)], self.words, learn=False)[0]
        weights = self._likeness(asked) * (self._half != _half(question))
        match question.answer.kind:
            case "choice" if question.answer.choices:
                return self._choose(question, weights)
            case "point":
                return self._point(question.answer, weights)
            case "yes_no":
                return self._classes[int(np.argmax(self._bayes(asked, weights)))]
        return self._classes[int(np.argmax(weights @ self._is))]

    def _likeness(self, asked: Floats) -> Floats:
        """Shared words over all words (Jaccard), sharpened."""
        shared = self._asked @ asked
        return np.asarray((shared / (self._asked.sum(1) + asked.sum() - shared + 1e-9)) ** _SHARPNESS)

    def _bayes(self, asked: Floats, weights: Floats) -> Floats:
        """Log of each class's likelihood, up to a constant."""
        of_class = weights @ self._is
        with_word = (self._is * weights[:, None]).T @ self._asked[:, asked > 0]
        return np.asarray(np.log((with_word + 1) / (of_class[:, None] + 2)).sum(1) + np.log(of_class + 1))

    def _choose(self, question: Item, weights: Floats) -> str:
        """The option whose cues speak most for being right."""
        right = self._right * weights[:, None]
        wrong = ~self._right * weights[:, None]
        for_it = (np.tensordot(right, self._options, 2) + 1) / (right.sum() + 2)
        against = (np.tensordot(wrong, self._options, 2) + 1) / (wrong.sum() + 2)
        options = _bags(_cues(question), self.cues, learn=False)
        return list(question.answer.choices or ())[int(np.argmax(options @ np.log(for_it / against)))]

    def _point(self, answer: Answer, weights: Floats) -> str:
        row, column = np.unravel_index(int(np.argmax(weights @ self._cover)), _GRID[::-1])
        width, height = answer.size or (1, 1)
        x, y = (float(column) + 0.5) / _GRID[0], (float(row) + 0.5) / _GRID[1]
        return written(x * width, y * height, answer)


def _text(item: Item) -> str:
    return " ".join(part.text for part in item.parts if isinstance(part, Text)).casefold()


def _half(item: Item) -> int:
    """0 or 1.

    Not one cluster at a time: of as many yes as no, what is left then has one less of the right answer, and
    the likelier one would be wrong every time. Two halves say no more of each other than two suites do.
    """
    return zlib.crc32((item.cluster or item.id).encode()) & 1


def _first(gold: Any) -> str:
    return str(gold[0] if isinstance(gold, list) else gold)


def _cues(item: Item) -> list[set[str]]:
    """What speaks for or against each option: its place, its words, its rank, whether it is mentioned."""
    choices = item.answer.choices or {}
    asked = _text(item)
    numbers = [number for text in choices.values() if (number := _number(text)) is not None]
    ranked = sorted(numbers) if len(numbers) == len(choices) else []
    found = []
    for letter, text in choices.items():
        cues = {f"place {letter}", *_WORD.findall(text.casefold())}
        if ranked:
            cues.add(f"rank {ranked.index(float(text))}")
        if text and text.casefold() in asked:
            cues.add("mentioned")
        found.append(cues)
    return found


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _bags(sets: Sequence[set[str]], index: dict[str, int], *, learn: bool = True) -> Floats:
    """A row for each set, 1 where it has the word that the index gives the column for."""
    if learn:
        for word in sorted(set().union(*sets)):
            index.setdefault(word, len(index))
    bags = np.zeros((len(sets), len(index)))
    for row, words in enumerate(sets):
        bags[row, [index[word] for word in words if word in index]] = 1
    return bags


def _cover(answer: Answer) -> Floats:
    """Which places of the grid are inside the gold region, row after row."""
    width, height = answer.size or (1, 1)
    across, down = _GRID
    return np.array(
        [
            inside(answer.gold, (x + 0.5) * width / across, (y + 0.5) * height / down, answer.tolerance)
            for y in range(down)
            for x in range(across)
        ],
        float,
    )
