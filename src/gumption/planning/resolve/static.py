"""L2: from the words of a phrase to the types it may name: type names, other names, adjectives stripped."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from gumption.planning.resolve._broad import BROAD, NO_TYPE, STAND_INS
from gumption.planning.resolve._names import NAMES
from gumption.planning.resolve._words import ADJECTIVES, PARTS, PIECES
from gumption.planning.resolve.parse import Phrase, singular
from gumption.planning.worlds.household.facts import SLICES

__all__ = ["Naming", "Tiers", "known", "lexicon", "name", "spoken"]

Tiers: TypeAlias = tuple[tuple[str, ...], ...]
"""Types, the ones that are meant first; later ones only where the room has none of the former."""


class Naming(Struct, frozen=True):
    """What a phrase names. No tiers: nothing that is known; `no_type` says whether that itself is known."""

    tiers: Tiers = ()
    rule: str = ""
    """type, alias, slice or no_type; with "stripped" behind it where adjectives had to go."""
    adjectives: frozenset[str] = frozenset()
    no_type: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for tier in self.tiers for one in tier))


@lru_cache(maxsize=1)
def lexicon() -> dict[str, Naming]:
    """All names that are known, as `_key` writes them."""
    found = {_key(one): Naming(rule="no_type", no_type=True) for one in _listed(NO_TYPE)}
    for kind, names in NAMES.items():
        for one in _listed(names):
            found[_key(one)] = Naming(_with_stand_in(((kind,),)), "alias")
    for one, text in BROAD.items():
        tiers = tuple(tuple(tier.split()) for tier in text.split("/"))
        found[_key(one)] = Naming(_with_stand_in(tiers), "alias")
    for kind in (*NAMES, *SLICES.values()):
        other = found.get(kind.lower())
        meant = other.tiers if other and kind in other.types else ((kind,),)
        found[kind.lower()] = Naming(_with_stand_in(meant), "type")
    return found


@lru_cache(maxsize=1)
def spoken() -> dict[str, Naming]:
    """The same names with their spaces, for measures of likeness."""
    lists = [*NAMES.values(), ",".join(BROAD), NO_TYPE]
    every = [kind.lower() for kind in NAMES] + [one for text in lists for one in _listed(text)]
    return {one: lexicon()[_key(one)] for one in every}


@lru_cache(maxsize=4096)
def name(phrase: Phrase) -> Naming:
    """What the words of a phrase name.

    The whole phrase is tried first ("bar of soap"), then without what it lies in, then as a slice, then with
    one leading adjective less at a time, and last without any adjective and without words for a part.
    """
    found = known(phrase.whole) or known(phrase.words)
    if found:
        return found
    if phrase.slice:
        whole = tuple(word for word in phrase.words if word not in PIECES)
        return _slice(whole)
    return _stripped(phrase.words)


def _slice(words: tuple[str, ...]) -> Naming:
    if not words:
        return Naming((tuple(SLICES.values()),), "slice")
    whole = known(words) or _stripped(words)
    kinds = tuple(SLICES[kind] for kind in whole.types if kind in SLICES)
    return Naming((kinds,), "slice", whole.adjectives) if kinds else Naming()


def _stripped(words: tuple[str, ...]) -> Naming:
    rest, gone = list(words), set[str]()
    while len(rest) > 1:
        if rest[0] in ADJECTIVES:
            gone.add(rest.pop(0))
        elif rest[-1] in PARTS or rest[-1] in ADJECTIVES:
            gone.add(rest.pop())
        else:
            break
        found = known(tuple(rest))
        if found:
            return _without(found, gone)
    kept = tuple(word for word in rest if word not in ADJECTIVES and word not in PARTS)
    gone |= set(rest) - set(kept)
    return _without(known(kept) or Naming(), gone)


def _without(found: Naming, gone: set[str]) -> Naming:
    rule = found.rule if found.no_type or not found.tiers else f"{found.rule}, stripped"
    return Naming(found.tiers, rule, frozenset(gone & ADJECTIVES), found.no_type)


def known(words: tuple[str, ...]) -> Naming | None:
    """What the words are a name of, just as they are but for a plural."""
    if not words:
        return None
    for last in singular(words[-1]):
        found = lexicon().get("".join(words[:-1]) + last)
        if found:
            return found
    return None


def _with_stand_in(tiers: Tiers) -> Tiers:
    have = {kind for tier in tiers for kind in tier}
    extra = tuple(
        dict.fromkeys(
            STAND_INS[kind] for kind in tiers[0] if kind in STAND_INS and STAND_INS[kind] not in have
        )
    )
    return (*tiers, extra) if extra else tiers


def _key(text: str) -> str:
    return "".join(text.lower().split())


def _listed(text: str) -> list[str]:
    return [one for one in (" ".join(part.split()) for part in text.split(",")) if one]
