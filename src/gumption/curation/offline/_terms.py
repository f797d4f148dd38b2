"""Words of texts: which terms of a dimension stand in one, and which words tell a group from the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from gumption.curation._inputs import Floats, Ints
from gumption.curation.dimensions import Dimensions

__all__ = ["Lexicon", "distinctive", "words_of"]

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 6
"""Words of a term that is looked for; longer ones are questions, which only the embedding reads."""
_COMMON_WORDS = """
a about after all also am an and answer any are as at b based be been before being but by c can choice choices
correct could d did do does done each e end f false figure following for from g given h had has have having he
her here him his hint how i if image in into is it its just letter may me might more most must my no not of on
one only option options or other our photo picture please provide provided question questions select shall she
should shown so some such than that the their then there these they this those three to true two us very was
we were what when where which who whom whose why will with would yes you your four
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Words that name no subject, in questions of any kind."""
_LEAST = 0.05
"""Of the weight of a term that stands in every text."""
_TELLING = 2.0
"""Standard errors from which on a word tells a group from the others."""
_PRIOR = 0.1
"""Of the log odds: counts that every word is given in every group, for each of its counts in all."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without a plural's s."""
    return tuple(map(_singular, _WORD.findall(text.lower())))


@lru_cache(maxsize=2**16)
def _singular(word: str) -> str:
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )


class Lexicon:
    """The terms of a set of dimensions, to be found in texts. `known`: texts that say how common a term is; a
    term that stands in many of them weighs little, and in proportion to its length otherwise."""

    def __init__(self, dimensions: Dimensions, known: Sequence[str]) -> None:
        self._size = len(dimensions.all)
        self._owners: dict[tuple[str, ...], list[int]] = {}
        for number, dimension in enumerate(dimensions.all):
            for term in (dimension.name, *dimension.terms):
                words = words_of(term)
                owners = self._owners.setdefault(words, [])
                if 1 <= len(words) <= _LONGEST and number not in owners:
                    owners.append(number)
        # By the first word, the lengths of the terms that begin with it, longest first.
        self._lengths: dict[str, list[int]] = {}
        for words in self._owners:
            if 1 <= len(words) <= _LONGEST:
                lengths = self._lengths.setdefault(words[0], [])
                lengths[:] = sorted({*lengths, len(words)}, reverse=True)
        count = Counter(term for text in known for term in self._found(text))
        self._weight = {
            term: len(term) * max(1 - np.log1p(count[term]) / np.log1p(max(len(known), 1)), _LEAST)
            for term in self._owners
        }

    def weights(self, text: str) -> Floats:
        """For each dimension the weight of its terms in the text, each counted once, and shared where
        several dimensions have it."""
        found = np.zeros(self._size)
        for term in self._found(text):
            owners = self._owners[term]
            found[owners] += self._weight[term] / len(owners)
        return found

    def _found(self, text: str) -> dict[tuple[str, ...], None]:
        """The longest term at each place: "facing away from" is not "away from". In their order, since sums
        depend on it."""
        words, place = words_of(text), 0
        found: dict[tuple[str, ...], None] = {}
        while place < len(words):
            for length in self._lengths.get(words[place], ()):
                term = words[place : place + length]
                if term in self._owners:
                    found[term] = None
                    place += length - 1
                    break
            place += 1
        return found


def distinctive(texts: Sequence[str], group: Ints, groups: int, most: int) -> list[tuple[str, ...]]:
    """For each group the words, and pairs of words, that are likelier in it than elsewhere: log odds with a
    prior, in standard errors (Monroe, Colaresi and Quinn 2008). A text counts a word once."""
    inside = [Counter[str]() for _ in range(groups)]
    for text, number in zip(texts, group, strict=True):
        inside[number].update(set(_phrases(words_of(text))))
    everywhere = Counter[str]()
    for counter in inside:
        everywhere.update(counter)
    total = sum(everywhere.values())
    return [tuple(_likeliest(counter, everywhere, total, most)) for counter in inside]


def _likeliest(inside: Counter[str], everywhere: Counter[str], total: int, most: int) -> Iterable[str]:
    prior, size = _PRIOR * total, sum(inside.values())
    scored = []
    for word, count in inside.items():
        alpha, rest = _PRIOR * everywhere[word], everywhere[word] - count
        here = (count + alpha) / (size + prior - count - alpha)
        there = (rest + alpha) / max(total - size + prior - rest - alpha, 1e-9)
        error = np.sqrt(1 / (count + alpha) + 1 / (rest + alpha))
        scored.append((float(np.log(here / there) / error), word))
    taken: list[str] = []
    for score, word in sorted(scored, key=lambda one: (-one[0], one[1])):
        if score < _TELLING or len(taken) == most:
            break
        # A word that stands in a phrase already taken says nothing new, and the other way round.
        if not any(set(word.split()) & set(other.split()) for other in taken):
            taken.append(word)
    return taken


def _phrases(words: Sequence[str]) -> Iterable[str]:
    told = [word if word not in _COMMON and not word.isdigit() and len(word) > 1 else "" for word in words]
    yield from filter(None, told)
    yield from (f"{one} {two}" for one, two in pairwise(told) if one and two)
