"""L4: the name most like a phrase, for slips of spelling; another measure of likeness can be given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from gumption.planning.resolve.static import Naming

__all__ = ["THRESHOLD", "Likeness", "Nearest", "nearest", "spelling"]

Likeness: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""From a phrase and some names to how alike they are, each in [0, 1]; such as cosines of embeddings."""

THRESHOLD = 0.84
"""A letter too many or too few in seven passes, in six does not."""
_SHORTEST = 4
_VOWELS = frozenset("aeiouy")


class Nearest(Struct, frozen=True):
    """What the most similar names mean, if they are good enough; several where names are equally near."""

    namings: tuple[Naming, ...] = ()
    likeness: float = 0.0


def nearest(
    phrase: str,
    names: Mapping[str, Naming],
    allowed: Collection[str],
    likeness: Likeness | None = None,
    threshold: float = THRESHOLD,
) -> Nearest:
    """The names most like a phrase, among those of allowed types.

    names: with spaces, in lower case, and what each means. A name that means no type competes too, so that a
    misspelt banana is no bandana. likeness: None compares spelling.
    """
    known = [
        one
        for one, naming in names.items()
        if naming.no_type or any(kind in allowed for tier in naming.tiers for kind in tier)
    ]
    scores = (likeness or spelling)(phrase, known)
    best = max(scores, default=0.0)
    if best < threshold:
        return Nearest(likeness=best)
    found = {names[one].tiers: names[one] for one, score in zip(known, scores, strict=True) if score == best}
    return Nearest(tuple(found.values()), best)


def spelling(phrase: str, names: Sequence[str]) -> list[float]:
    """1 - edits / length of the longer, spaces aside; 0 where the first letters differ or it is too short."""
    text = phrase.replace(" ", "")
    if len(text) < _SHORTEST:
        return [0.0] * len(names)
    found = []
    for one in names:
        other = one.replace(" ", "")
        longest = max(len(text), len(other))
        if other[:1] != text[0] or abs(len(text) - len(other)) > longest / 4:
            found.append(0.0)
        else:
            found.append(1.0 - _edits(text, other) / longest)
    return found


def _edits(a: str, b: str) -> float:
    """Optimal string alignment distance, by what slips of spelling are like: a wrong consonant costs two, for
    it mostly makes another word (burger, burner); two swapped and a letter doubled or not cost a half."""
    before: list[float] = []
    row = [float(n) for n in range(len(b) + 1)]
    for i, x in enumerate(a, start=1):
        earlier, before, row = before, row, [float(i)]
        for j, y in enumerate(b, start=1):
            take = 0.5 if i > 1 and x == a[i - 2] else 1.0
            add = 0.5 if j > 1 and y == b[j - 2] else 1.0
            cost = min(before[j] + take, row[j - 1] + add, before[j - 1] + _swap(x, y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, earlier[j - 2] + 0.5)
            row.append(cost)
    return row[-1]


def _swap(x: str, y: str) -> float:
    if x == y:
        return 0.0
    return 1.0 if x in _VOWELS and y in _VOWELS else 2.0
