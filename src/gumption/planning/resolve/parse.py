"""L1: from words to a verb, an object and a target, and from a phrase to its parts. A grammar, no model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from gumption.planning.resolve._words import (
    ARTICLES,
    HEIGHTS,
    HELD,
    NEAR,
    ORDINALS,
    ORIGIN,
    OTHER,
    PARTS,
    PIECES,
    PLACES,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
)

__all__ = ["Phrase", "read_phrase", "read_step", "singular"]

_LONGEST = 120
"""Characters of a phrase; longer ones are sentences, not names."""
_WORD = re.compile(r"[a-z]+|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TV = re.compile(r"(?i)\bt\.?\s?v\b\.?")


class Phrase(Struct, frozen=True):
    """What a phrase says apart from which thing it names."""

    words: tuple[str, ...] = ()
    """The name, with its adjectives, in lower case without articles."""
    whole: tuple[str, ...] = ()
    """All words, in case the phrase is itself a name ("bar of soap")."""
    beside: tuple[str, ...] = ()
    """Words of what it is in, on or part of: "apple in the sink"."""
    number: int | None = None
    """Which one, from 1: "second drawer", "Cabinet_2"; -1 is the last."""
    other: bool = False
    """Another one than before."""
    height: int = 0
    """1 the highest, -1 the lowest."""
    near: bool = False
    """It names a place beside a thing: "next to the bowl"."""
    origin: bool = False
    """It names the place where something was taken from."""
    slice: bool = False
    """It names a slice or piece."""
    pronoun: Literal["", "it", "held"] = ""
    """It names nothing but points back; "held": at what is in the hand."""

    @property
    def key(self) -> str:
        """By which the same phrase is known again."""
        return " ".join(self.whole)


@lru_cache(maxsize=4096)
def read_phrase(text: str) -> Phrase:
    """The parts of a phrase. One that is empty, or longer than 120 characters, has no words."""
    every = _words(text)
    if len(text) > _LONGEST or not every:
        return Phrase()
    whole = tuple(word for word in every if word not in ARTICLES)
    small = PRONOUNS | ARTICLES | PREPOSITIONS | HELD
    if all(word in small for word in every) and any(word in PRONOUNS | HELD for word in every):
        return Phrase(whole=whole, pronoun="held" if any(word in HELD for word in every) else "it")
    if whole and whole[-1] in PLACES and any(word in ORIGIN for word in whole):
        named = tuple(word for word in whole if word not in PLACES | ORIGIN | PREPOSITIONS | {"of"})
        return Phrase(named, whole, origin=True)
    rest = list(whole)
    near = rest[:1] != [] and rest[0] in NEAR
    while rest and rest[0] in PREPOSITIONS:
        rest.pop(0)
    head, beside = _split(rest)
    number, other, height, words = None, False, 0, []
    for word in head:
        if word in ORDINALS or word.isdigit():
            number = ORDINALS[word] if word in ORDINALS else int(word[:4])
        elif word in OTHER:
            other = True
        else:
            height = height or HEIGHTS.get(word, 0)
            words.append(word)
    sliced = any(word in PIECES for word in words)
    return Phrase(tuple(words), whole, beside, number, other, height, near, slice=sliced)


def _split(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The thing itself, and what it is in, on or part of; of "edge of the table" the table is the thing."""
    for place, word in enumerate(words):
        if word != "of" and word not in PREPOSITIONS:
            continue
        head, tail = words[:place], words[place + 1 :]
        while tail and (tail[0] in PREPOSITIONS or tail[0] == "of"):
            tail.pop(0)
        if not head or all(one in PARTS for one in head):
            return _split(tail)
        if word == "of" and any(one in PIECES for one in head):
            inner, beside = _split(tail)
            return [*inner, *head], beside
        return head, tuple(tail)
    return words, ()


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text[: 2 * _LONGEST]).replace("'s", " ").replace("’s", " ")
    plain = _TV.sub("tv", plain)
    plain = " ".join(_CAMEL.sub(" ", plain).split())
    return _WORD.findall(plain.lower().replace("tv stand", "tvstand"))


def singular(word: str) -> tuple[str, ...]:
    """What the word may be the plural of, and the word itself."""
    found = [word]
    if word.endswith("ies") and len(word) > 4:
        found.append(word[:-3] + "y")
    elif word.endswith("ves"):
        found += [word[:-3] + "f", word[:-3] + "fe", word[:-1]]
    elif word.endswith("es") and len(word) > 3:
        found += [word[:-1], word[:-2]]
    elif word.endswith("s") and not word.endswith("ss") and len(word) > 2:
        found.append(word[:-1])
    return tuple(found)


def read_step(text: str) -> list[str]:
    """A step in words as a list of verb, object and target; the latter two only where they are named.

    "Put the red mug in the sink" is ["Place", "red mug", "sink"]. A verb that is not known stays as the
    first word. Of "pick the apple from the table" the object is "apple from the table".
    """
    words = [word for word in re.findall(r"[\w'’|+.-]+", text[: 4 * _LONGEST]) if word.strip(".'’-")]
    lowered = [word.lower().rstrip(".") for word in words]
    if not words:
        return []
    for size in (3, 2, 1):
        verb = VERBS.get(" ".join(lowered[:size]))
        if verb:
            break
    else:
        verb, size = words[0], 1
    rest, low = words[size:], lowered[size:]
    if verb.startswith("Turn") and low and low[-1] in ("on", "off"):
        verb, rest, low = f"Turn {low[-1]}", rest[:-1], low[:-1]
    if low and verb == "Pick" and low[-1] == "up":
        rest, low = rest[:-1], low[:-1]
    if verb in ("Place", "Insert", "Pour", "Throw", "Hang", "Cut", "Wash", "Pick and Place"):
        stops = ("with", "using") if verb == "Cut" else tuple(PREPOSITIONS - {"from"})
        for place in range(1, len(low)):
            if low[place] in stops:
                target = _bare(rest[place:])
                return [verb, _bare(rest[:place]), *([target] if target else [])]
    thing = _bare(rest)
    return [verb, thing] if thing else [verb]


def _bare(words: Sequence[str]) -> str:
    kept = list(words)
    while kept and kept[0].lower() in (PREPOSITIONS | ARTICLES) - {"it"}:
        kept.pop(0)
    return " ".join(kept).rstrip(".")
