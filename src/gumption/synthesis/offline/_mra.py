"""The levels of mean relative accuracy as a README lists them, in digits or in words."""

from __future__ import annotations

import re

__all__ = ["levels_in"]

_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_WORDS = {word: number for number, word in enumerate(_ONES.split(), 1)} | {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_PARTS = {
    "hal(?:f|ves)": 2,
    "thirds?": 3,
    "(?:quarters?|fourths?)": 4,
    "fifths?": 5,
    "eighths?": 8,
    "tenths?": 10,
    "twentieths?": 20,
    "fortieths?": 40,
    "hundredths?": 100,
}
_WORD = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_QUANTITY = re.compile(
    rf"(?<![\w.-])(?:(?P<digits>\d+(?:\.\d+)?|\.\d+)|(?:(?P<of>an?"
    rf"|{_WORD}(?:-{_WORD})?)[ -])?(?P<part>{'|'.join(_PARTS)})"
    rf"|(?P<word>{_WORD}(?:-{_WORD})?))(?![\w]|\.\d)"
    r"(?P<counts>(?: \w+)? (?:levels?|thresholds?|limits?|steps?\b|of them))?"
)
_STEP = re.compile(r"(?:\bsteps? (?:of|size)|\bincrements? of|\bstep:?|\bby|\bevery|\bintervals? of)\s?$")
_APART = re.compile(r"\s?(?:%|per ?cent(?:age)?)?(?: points?)? (?:apart|steps?|at a time)\b")
_PERCENT = re.compile(r"%|\bper ?cent")


_SHARED = re.compile(rf"((?:(?<![\w-]){_WORD},? (?:and |or )?)+)(?={_WORD} ({'|'.join(_PARTS)})\b)")


def levels_in(said: str) -> tuple[float, ...] | None:
    """The levels, ascending, that a sentence lists or gives by their ends and their distance."""
    # "six, seven and eight tenths": all of them are tenths.
    said = _SHARED.sub(lambda found: re.sub(_WORD, lambda word: f"{word[0]} {found[2]}", found[1]), said)
    _, *behind = re.split(r"\b(?:thresholds|levels)\b", said)
    return next((found for one in behind if (found := _levels(one))), None) or _levels(said)


def _levels(said: str) -> tuple[float, ...] | None:
    percent = bool(_PERCENT.search(said))
    values: list[float] = []
    size = 0.0
    for match in _QUANTITY.finditer(said):
        value = _value(match)
        if match["counts"] and value >= 1:
            continue
        value = value / 100 if percent and value >= 1 and not match["part"] else value
        if _STEP.search(said, max(0, match.start() - 20), match.start()) or _APART.match(said, match.end()):
            size = value
        elif 0 < value < 1:
            values.append(value)
    if size and len(values) >= 2:
        found = _row(values[0], values[1], size)
    elif len(values) >= 3 and re.search(r"\.\.\.?|\u2026|\band so on\b", said):
        found = _row(values[0], values[-1], values[1] - values[0])
    else:
        found = tuple(values) if len(values) >= 3 else ()
    # What runs from a twentieth to a half are the errors themselves.
    return (
        tuple(sorted({round(1 - one if max(found) <= 0.5 else one, 6) for one in found})) or None
        if found
        else None
    )


def _value(match: re.Match[str]) -> float:
    if match["digits"]:
        return float(match["digits"])
    if match["part"]:
        of = match["of"] or "a"
        count = 1 if of in ("a", "an") else _number(of)
        return count / next(size for name, size in _PARTS.items() if re.fullmatch(name, match["part"]))
    return float(_number(match["word"]))


def _number(words: str) -> int:
    return sum(_WORDS[word] for word in words.split("-"))


def _row(first: float, last: float, size: float) -> tuple[float, ...]:
    first, last = sorted((first, last))
    count = round((last - first) / abs(size)) if size else 0
    return tuple(round(first + abs(size) * n, 6) for n in range(count + 1)) if 0 < count <= 100 else ()
