"""Made replies to questions for a number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from gumption.synthesis.spec import Scoring
from gumption.synthesis.validation._cells import several
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._made import Made
from gumption.synthesis.validation._worth import NUMBER_WORDS, breakpoints, of_number

__all__ = ["number", "with_own_limit", "written"]

_OPEN = "a range is no number"
_LARGER = {
    "cm": ("m", 100),
    "m": ("km", 1000),
    "g": ("kg", 1000),
    "ml": ("l", 1000),
    "min": ("h", 60),
    "s": ("min", 60),
}
"""Units with a larger one of their kind, and how many make one of it."""
_FOREIGN = ("kg", "km", "hours", "litres", "mm")
"""Units, one of which is none of those that a row accepts."""
_OTHER_UNIT = "a quantity in another unit is converted"
_METRIC = "the worth of a number by the declared metric"


def number(item: Declared, scoring: Scoring, turn: int) -> Iterator[Made]:
    """Answers of every form; the first is right, the second wrong. `turn` varies what is near and far."""
    scoring = with_own_limit(scoring, item)
    told, gold = scoring.parameters, item.gold
    comma = told.get("decimal") == ","
    plain = written(gold, scoring)
    far = gold * 3 + 7
    yield Made(plain, 1.0, "answered", "the right number scores 1")
    yield Made(written(far, scoring), of_number(scoring, far, gold), "answered", "a number far off")
    for form in ("**{}**", " {}\n", "{}." if not comma else "{} "):
        yield Made(form.format(plain), 1.0, "answered", "bold, blanks and a full stop are ignored")
    if item.unit and not any(sign.isdigit() for sign in item.unit[:1]):
        yield Made(f"{plain} {item.unit}", 1.0, "answered", "a unit is dropped")
    yield from _converted(item, scoring)
    yield from _accepted(item, scoring, plain)
    if gold.denominator == 1 and abs(gold) >= 1000:
        grouped = f"{gold.numerator:,}"
        yield Made(
            grouped.replace(",", ".") if comma else grouped,
            1.0,
            "answered",
            "signs between thousands are ignored",
        )
    if gold.denominator == 1 and 2 <= gold < len(NUMBER_WORDS):
        word = NUMBER_WORDS[gold.numerator]
        if told.get("words", True):
            yield Made(word, 1.0, "answered", "a number word is a number")
        else:
            yield Made(word, 0.0, "not", "a number word is no number")
    if told.get("whole"):
        yield Made(
            f"It must be {plain} or so, I think.",
            0.0,
            "not",
            "where nothing else may stand there, a sentence does not score",
        )
    else:
        yield Made(f"The answer is {plain}.", 1.0, "answered", "an answer in a sentence")
        yield Made(f"about {plain}", 1.0, "answered", "a word of caution is ignored")
    yield from _several(gold, scoring)
    for nothing in ("nan", "infinity", "a few"):
        yield Made(nothing, 0.0, "not", "what is no number scores 0")
    for value in _steps(scoring, gold, turn):
        yield Made(written(value, scoring), of_number(scoring, value, gold), "answered", _METRIC)
    for value in _at_limits(scoring, gold):
        worth = of_number(scoring, value, gold, exact=True)
        yield Made(written(value, scoring), worth, "answered", f"{_METRIC}, at its limit")


def _converted(item: Declared, scoring: Scoring) -> Iterator[Made]:
    """The right quantity in another unit, where such are brought to one."""
    if "units" not in scoring.parameters:
        return
    unit = scoring.parameters["units"] or item.unit
    for small, (large, many) in _LARGER.items():
        if unit == small:
            yield Made(f"{written(item.gold / many, scoring)} {large}", 1.0, "answered", _OTHER_UNIT)
            yield Made(f"{written(item.gold, scoring)} {large}", 0.0, "answered", _OTHER_UNIT)
        elif unit == large:
            yield Made(f"{written(item.gold * many, scoring)} {small}", 1.0, "answered", _OTHER_UNIT)


def _accepted(item: Declared, scoring: Scoring, plain: str) -> Iterator[Made]:
    """The right number with and without units, where only some are accepted."""
    told = scoring.parameters.get("accepts", ())
    cells = [_without_number(one) for name in told for one in several(item.row.get(name, name))]
    units = [unit for unit in cells if unit]
    for unit in units:
        for form in (unit, unit.upper()):
            yield Made(f"{plain} {form}", 1.0, "answered", "an accepted unit, in whatever case")
    if units:
        lower = [unit.lower() for unit in units]
        other = next(one for one in _FOREIGN if one not in lower)
        yield Made(f"{plain} {other}", 0.0, "not", "a number with another unit is wrong")


def _without_number(cell: object) -> str:
    """A cell of a unit, or of a number with one, without the number."""
    return str(cell).lstrip("0123456789.,+- ").strip()


def with_own_limit(scoring: Scoring, item: Declared) -> Scoring:
    """The record with the row's own tolerance, where a column holds it."""
    column = scoring.parameters.get("absolute")
    if not isinstance(column, str):
        return scoring
    return replace(scoring, parameters={**scoring.parameters, "absolute": str(item.row[column])})


def _steps(scoring: Scoring, gold: Fraction, turn: int) -> list[Fraction]:
    """Numbers on either side of the limits of the metric, which take turns over the items."""
    limits, relative = breakpoints(scoring)
    size = abs(gold) if relative else Fraction(1)
    if not size:
        return []
    errors = [limit * factor for limit in limits for factor in (Fraction(9, 10), Fraction(11, 10))]
    chosen = [errors[(turn * 5 + n) % len(errors)] for n in range(min(5, len(errors)))]
    found = []
    for n, error in enumerate(chosen):
        sign = -1 if (turn + n) % 2 else 1
        found.append(_short(gold + sign * error * size))
    return found


def _at_limits(scoring: Scoring, gold: Fraction) -> list[Fraction]:
    """Numbers just at a limit of the metric, where that is a binary fraction of a whole number: such are
    exact in any arithmetic."""
    limits, relative = breakpoints(scoring)
    if gold.denominator != 1 or not gold or "decimals" in scoring.parameters:
        return []
    size = abs(gold) if relative else Fraction(1)
    values = [gold + limit * size for limit in limits if limit.denominator in (1, 2, 4)]
    return [value for value in values if value.denominator in (1, 2, 4)]


def _several(gold: Fraction, scoring: Scoring) -> Iterator[Made]:
    told = scoring.parameters
    low, high = abs(gold) + 2, abs(gold) + 9
    either = f"{written(gold, scoring)} or {written(high, scoring)}"
    several = told.get("several", "none")
    if several != "none":
        worth = of_number(scoring, gold if several == "first" else high, gold)
        wrong = told.get("ranges") == "wrong"
        between_them = ". Another estimate is " if wrong else ", or maybe "
        between = f"between {written(low, scoring)} and {written(high, scoring)}"
        yield Made(
            f"{written(gold, scoring)}{between_them}{written(high, scoring)}",
            worth,
            "answered",
            f"the {several} of two numbers counts",
        )
        if wrong:
            yield Made(between, 0.0, "not", _OPEN)
        return
    yield Made(either, 0.0, "not", "two numbers that are left open score 0")
    between = f"between {written(low, scoring)} and {written(high, scoring)}"
    if told.get("ranges", "none") == "none":
        yield Made(between, 0.0, "not", _OPEN)
    else:
        yield Made(
            between, of_number(scoring, (low + high) / 2, gold), "answered", "a range counts by its middle"
        )


def _short(value: Fraction) -> Fraction:
    """Near the value, with few digits."""
    if not value:
        return value
    digits = 0
    while digits < 9 and abs(value) * 10**digits < 1000:
        digits += 1
    return Fraction(round(value * 10**digits), 10**digits)


def written(value: Fraction, scoring: Scoring) -> str:
    """In digits: exactly, if nine decimals do, with the declared sign before decimals."""
    text = f"{float(value):.9f}".rstrip("0").rstrip(".") if value.denominator > 1 else str(value.numerator)
    return text.replace(".", ",") if scoring.parameters.get("decimal") == "," else text
