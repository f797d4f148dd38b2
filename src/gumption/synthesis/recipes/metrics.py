"""What a value that was read is worth, from 0 to 1: plain formulas with their thresholds as parameters."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from gumption.answers import inside
from gumption.records import GumptionError
from gumption.synthesis.recipes._masks import Mask, on_mask

__all__ = [
    "MRA",
    "STEPS",
    "among",
    "bands",
    "distance",
    "equal",
    "f1",
    "hits",
    "linear",
    "matches",
    "mentioned",
    "mra",
    "normal",
    "overlap",
    "reduce",
    "within",
]

Point: TypeAlias = tuple[float, float]

MRA = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Thresholds of mean relative accuracy in VSI-Bench."""
_SLACK = 1e-9
"""Formulas are meant in exact arithmetic: a difference of this size is none."""


def equal(value: Any, gold: Any) -> float:
    """1 where they are the same, else 0."""
    return float(value == gold)


def overlap(value: Sequence[str], gold: Sequence[str]) -> float:
    """The share of the right options that are named, 0 where a wrong one is named as well."""
    return len(set(value) & set(gold)) / len(set(gold)) if set(value) <= set(gold) else 0.0


def among(value: Sequence[str], gold: str, *, most: int, credit: float) -> float:
    """The credit where the right option is among those left open, of which there are at most `most`."""
    return credit if gold in value and len(value) <= most else 0.0


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────


def _error(value: float, gold: float) -> float:
    """The relative error; without a bound where the gold is 0 and the value is not."""
    difference = abs(value - gold)
    return difference / abs(gold) if gold else (0.0 if difference == 0 else math.inf)


def _met(error: float, limit: float, inclusive: bool) -> bool:
    return (
        error <= limit + _SLACK * max(1.0, limit) if inclusive else error < limit - _SLACK * max(1.0, limit)
    )


def within(
    value: float,
    gold: float,
    *,
    absolute: float | None = None,
    relative: float | None = None,
    inclusive: bool = True,
    decimals: int | None = None,
) -> float:
    """1 where the value is near enough, by one of the tolerances that are given: equal without any.

    `relative` is a share of the gold's size; `decimals` rounds both before they are compared.
    """
    if decimals is not None:
        value, gold = round(value, decimals), round(gold, decimals)
    if absolute is None and relative is None:
        return float(math.isclose(value, gold, rel_tol=_SLACK, abs_tol=1e-12))
    near = absolute is not None and _met(abs(value - gold), absolute, inclusive)
    return float(near or (relative is not None and _met(_error(value, gold), relative, inclusive)))


def mra(value: float, gold: float, *, thresholds: Sequence[float] = MRA, inclusive: bool = True) -> float:
    """The share of the thresholds t at which the relative error is at most 1 - t (below it, if exclusive)."""
    error = _error(value, gold)
    return sum(_met(error, 1 - t, inclusive) for t in thresholds) / len(thresholds)


def bands(
    value: float,
    gold: float,
    *,
    steps: Sequence[Sequence[float]],
    relative: bool = True,
    inclusive: bool = True,
) -> float:
    """The credit of the first step (limit, credit) whose limit the error keeps, 0 beyond the last."""
    error = _error(value, gold) if relative else abs(value - gold)
    return next((float(credit) for limit, credit in steps if _met(error, limit, inclusive)), 0.0)


def linear(value: float, gold: float, *, zero: float = 1.0, relative: bool = True) -> float:
    """1 at the gold, falling in a line to 0 where the error is `zero`."""
    error = _error(value, gold) if relative else abs(value - gold)
    return max(0.0, 1.0 - error / zero)


# ── points ───────────────────────────────────────────────────────────────────────────────────────────


def hits(
    points: Iterable[Point],
    target: Mapping[str, Any] | Mask,
    *,
    scale: Sequence[float] | None = None,
    size: Sequence[float] | None = None,
    radius: float = 0.0,
) -> list[bool]:
    """Which points lie on the target: a box or any of several (edges inside), a polygon, points within
    `radius`, a circle, or a mask.

    `scale` is what the written coordinates run to, as (1000, 1000), `size` what those of the target run to;
    without `scale` both are the same. A mask's own size stands in for `size`.
    """
    if isinstance(target, Mask):
        size = target.size
    if scale is not None and size is None:
        raise GumptionError("the size of the picture is not known", where="score", remedy="give it")
    found = []
    if not isinstance(target, Mask) and "circle" in target:
        cx, cy, radius = target["circle"]
        target = {"points": [[cx, cy]]}
    for point in points:
        x, y = point
        if scale is not None and size is not None:
            x, y = x * size[0] / scale[0], y * size[1] / scale[1]
        if not isinstance(target, Mask):
            boxes = [{"box": box} for box in target["boxes"]] if "boxes" in target else [dict(target)]
            found.append(any(inside(one, x, y, radius + _SLACK) for one in boxes))
        elif scale is None:
            found.append(on_mask(target, x, y))
        else:
            # The far edge of the written range belongs to the picture, whose last pixel it is.
            found.append(on_mask(target, x - (x == target.size[0]), y - (y == target.size[1])))
    return found


def distance(points: Sequence[Point], golds: Sequence[Point]) -> list[float]:
    """Of each point, how far the nearest of the golds is."""
    return [min(math.hypot(x - gx, y - gy) for gx, gy in golds) for x, y in points]


def reduce(marks: Sequence[bool], how: Literal["share", "any", "all", "first", "last"] = "share") -> float:
    """One score of the hits of several points; 0 where there are none."""
    if not marks:
        return 0.0
    if how == "share":
        return sum(marks) / len(marks)
    return float({"any": any(marks), "all": all(marks), "first": marks[0], "last": marks[-1]}[how])


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS.split(" "))}
_SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum()) + "…“”‘’–—。，！？"

STEPS: dict[str, Callable[[str], str]] = {
    "lower": lambda text: text.casefold(),
    "articles": lambda text: re.sub(r"(?i)(?<![\w'-])(?:an?|the)(?![\w'-])", " ", text),
    "leading_article": lambda text: re.sub(r"(?i)^\W*(?:an?|the)\s+", "", text),
    "punctuation": lambda text: "".join(one for one in text if one not in _SIGNS),
    "punctuation_to_blank": lambda text: "".join(" " if one in _SIGNS else one for one in text),
    "ends": lambda text: text.strip(_SIGNS + " \t\r\n"),
    "spaces": lambda text: " ".join(text.split()),
    "no_spaces": lambda text: "".join(text.split()),
    "hyphens": lambda text: re.sub(r"(?<=\w)[-\u2010-\u2013](?=\w)", " ", text),
    "markdown": lambda text: re.sub(r"[*_`#]+", "", text),
    "quotes": lambda text: re.sub("[\"'“”‘’]", "", text),
    "brackets": lambda text: re.sub(r"\([^()]*\)", " ", text),
    "accents": lambda text: "".join(
        one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)
    ),
    "number_words": lambda text: re.sub(
        r"[A-Za-z]+", lambda found: _DIGITS.get(found[0].lower(), found[0]), text
    ),
    "plurals": lambda text: re.sub(r"(?<=\w\w)(?<!s)s\b", "", text),
}
"""Ways to make texts alike. `ends:SIGNS` and `drop:SIGNS` take off the signs they name, at the ends or
everywhere."""


def normal(text: str, steps: Sequence[str]) -> str:
    """The text after the steps, in order. Raises GumptionError for a step by an unknown name."""
    for step in steps:
        name, colon, signs = step.partition(":")
        if colon and name == "ends":
            text = text.strip(signs)
        elif colon and name == "drop":
            text = "".join(one for one in text if one not in signs)
        elif name in STEPS:
            text = STEPS[name](text)
        else:
            raise GumptionError(f"no step is called {step!r}", where="score", remedy=", ".join(STEPS))
    return text.strip()


def matches(text: str, accepted: Sequence[str], steps: Sequence[str]) -> float:
    """1 where the text equals one that is accepted, both after the steps."""
    said = normal(text, steps)
    return float(bool(said) and said in {normal(one, steps) for one in accepted})


def mentioned(
    text: str,
    accepted: Sequence[str],
    steps: Sequence[str],
    *,
    how: Literal["any", "all", "share"] = "any",
    words: bool = True,
) -> float:
    """Whether the text contains accepted ones, as whole words or anywhere; or what share of them it does."""
    said = normal(text, steps)
    found = []
    for one in accepted:
        wanted = normal(one, steps)
        pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
        found.append(bool(wanted) and (bool(re.search(pattern, said)) if words else wanted in said))
    return reduce(found, how)


def f1(text: str, accepted: Sequence[str], steps: Sequence[str]) -> float:
    """The best harmonic mean of precision and recall of words, over the accepted texts (as in SQuAD)."""
    best = 0.0
    said = Counter(normal(text, steps).split())
    for one in accepted:
        wanted = Counter(normal(one, steps).split())
        shared = (said & wanted).total()
        best = max(best, 2 * shared / (said.total() + wanted.total()) if shared else 0.0)
    return best
