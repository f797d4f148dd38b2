"""How numbers are read and what they are worth, as a README says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gumption.synthesis.offline._rules_choice import several_of, whole_of
from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._tolerances import OF_THE_WHOLE, QUANTITY, own_tolerance, quantity, steps_of

__all__ = ["number_rules"]

_NEARNESS = re.compile(
    r"%|\bper ?cent\b|\btoleran|<=|\u2264|\u00b1|\+/-|\bwithin\b|\bmargin\b|\bdeviat|\bclose enough\b"
    r"|\bnear(?:ly)?\b"
    r"|\brelative error|\babsolute error|\bfactor of\b|\boff by\b|\bapproximate"
)
_NUMBER = re.compile(r"(?<![\w.])(?:\d+(?:\.\d+)?|\.\d+)(?![\w])")
_MRA = re.compile(r"\bmean relative accuracy\b|\bmra\b|\bthresholds?\b")
_STEP = re.compile(r"(?:steps? of|increments? of|step(?: size)?:?|by) (0?\.\d+|\d+(?:\.\d+)?)\s?(%)?")
_EXACT = re.compile(
    r"\bexact(?:ly)?\b|\bequals?\b|\bthe same number\b|\bmust match\b|\bidentical\b|\bno tolerance\b"
)
_LINEAR = re.compile(
    r"(?:max\s?\(\s?0(?:\.0)?\s?,\s?)?\b1(?:\.0)?\s?[-\u2212]\s?(?:\|\s?\w+\s?[-\u2212]\s?\w+\s?\|\s?/\s?\|?\w+\|?"
    r"|(?:the )?relative (?:error|deviation))"
    r"|\blinearly\b|\bfalls? (?:off )?in a (?:straight )?line\b|\bdecreases? linear"
)
_AT = re.compile(
    rf"\b(?:zero|0|nothing)\b[^.;]{{0,25}}\b(?:at|when|once|for|beyond|from"
    rf"|if)\b[^.;\d]{{0,40}}?\b(?:{QUANTITY})"
)
_FORMULA = re.compile(r"\|\s?\w+\s?[-\u2212]\s?\w+\s?\|\s?(?:/\s?\|?\w+\|?)?\s?(<=|\u2264|<)\s?")
_ROUNDED = re.compile(r"\bround(?:ed|ing)?\b")
_DECIMALS = re.compile(r"(\d|one|two|three) (?:decimals?|digits? after|decimal (?:places?|digits?))")
_RANGE_MIDDLE = re.compile(
    r"\branges?\b.{0,80}\b(?:middle|midpoint|mid-point|mean|average|centre|center)\b"
    r"|\b(?:middle|midpoint|mean|average|centre|center) of (?:a|the|its|that) (?:range"
    r"|two|ends|interval)"
)
_NO_WORDS = re.compile(
    r"\b(?:number words?|spelled[- ]out|written[- ]out|words?)\b[^.;]{0,50}\b(?:not"
    r"|never|ignored|0|wrong|no)\b|\b(?:only (?:digits|numerals)|digits only"
    r"|numerals only|must be (?:written )?in digits)\b"
)
_COMMA = re.compile(
    r"decimal comma|comma (?:is|as|for|marks|separates)[^.;]{0,30}decimal"
    r"|comma\b.{0,20}decimal (?:sign|separator|mark)"
)
_CONVERTED = re.compile(r"\bconvert(?:ed|s|ing|ion)?\b|\bsame unit\b")
_FOREIGN = re.compile(
    r"\b(?:other|wrong|different|another|incorrect|missing|right|correct|same) units?\b|\bunits? (?:must"
    r"|has to|have to|needs? to)\b"
    r"|\bwithout (?:the|a|its) unit\b"
)
_AS_USUAL = re.compile(
    r"\bunits?\b[^.;]{0,40}\b(?:dropped|ignored|stripped|optional)|\bcommas? group"
    r"|\bnumber words?\b[^.;]{0,30}\b(?:count|are|fine|read)"
    r"|\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert"
)
"""What is read so anyway."""
_NEGATED = re.compile(
    r"\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert|\bconver\w+[^.;]{0,20}\b(?:not|never|no)\b"
)


def number_rules(readme: Statements, columns: Sequence[str] = ()) -> tuple[str, dict[str, Any], list[str]]:
    """The metric, its parameters with those of `reading.number`, and doubts.

    The metric is "" where the README says that near numbers count and not, in words known here, how near.
    `columns`: those of numbers, one of which may hold each row's own tolerance.
    """
    told: dict[str, Any] = {}
    doubts: list[str] = []
    several = several_of(readme, r"numbers?|values?|figures?|ones?|amounts?")
    if several != "none":
        told["several"] = several
    if readme.says(_RANGE_MIDDLE):
        told["ranges"] = "middle"
    if readme.says(_NO_WORDS, r"[\"'`]about|approximat|roughly"):
        told["words"] = False
    if readme.says(_COMMA):
        told["decimal"] = ","
    if whole_of(readme):
        told["whole"] = True
    readme.says(_AS_USUAL)
    converted = [one for one in readme.find(_CONVERTED) if not _NEGATED.search(one.low)]
    if any(re.search(r"\bconvert", one.low) for one in converted):
        doubts.append(f"units may have to be converted, which no recipe does: {converted[0].text}")
    foreign = [one for one in readme.find(_FOREIGN) if not _AS_USUAL.search(one.low)]
    if foreign:
        doubts.append(f"whether the unit is right is not looked at, which no recipe does: {foreign[0].text}")
    metric, parameters = _metric(readme, columns, doubts)
    return metric, {**told, **parameters}, doubts


def _metric(readme: Statements, columns: Sequence[str], doubts: list[str]) -> tuple[str, dict[str, Any]]:
    mra = readme.find(_MRA)
    if mra:
        return _mra(readme, mra, doubts)
    linear = readme.find(_LINEAR)
    if linear:
        readme.use(*linear)
        ends = [quantity(match) for one in linear for match in _AT.finditer(one.low)]
        zero = next((end for end in ends if end), 1.0)
        return "linear", ({} if zero == 1.0 else {"zero": zero})
    steps, statements, strict, relative = steps_of(readme, doubts)
    own = own_tolerance(readme, columns)
    if own is not None:
        statement, column, less = own
        readme.use(statement)
        if steps:
            doubts.append(f"a tolerance in {column} and one in the README: {statement.text}")
        return "tolerance", {"absolute": column, **({"inclusive": False} if less else {})}
    rounded = readme.find(_ROUNDED)
    decimals = {}
    if rounded:
        readme.use(*rounded)
        said = next((match[1] for one in rounded if (match := _DECIMALS.search(one.low))), "")
        counted = {"": 0, "one": 1, "two": 2, "three": 3}
        decimals = {"decimals": counted[said] if said in counted else int(said)}
    if steps:
        readme.use(*statements)
        kinds = {share for _, _, share in steps}
        inclusive = {"inclusive": False} if strict else {}
        if all(credit < 1.0 for _, credit, _ in steps):
            steps.append((0.0, 1.0, relative))
        if all(credit == 1.0 for _, credit, _ in steps):
            parameters: dict[str, Any] = {
                ("relative" if share else "absolute"): limit for limit, _, share in steps
            }
            return "tolerance", {**parameters, **inclusive, **decimals}
        if len(kinds) > 1:
            doubts.append("steps of credit are given both relative and absolute")
        pairs = tuple(sorted((limit, credit) for limit, credit, _ in steps))
        return "bands", {"steps": pairs, **({} if relative else {"relative": False}), **inclusive}
    exact = readme.find(_EXACT)
    readme.use(*exact)
    near = [one for one in readme.find(_NEARNESS, OF_THE_WHOLE.pattern) if one not in readme.used]
    if near:
        doubts.append(f"how near a number must be was not understood: {near[0].text}")
        return "", decimals
    if not exact and not rounded:
        doubts.append("the README does not say how near a number must be: it has to be equal")
    return "exact", decimals


def _mra(readme: Statements, mra: list[Statement], doubts: list[str]) -> tuple[str, dict[str, Any]]:
    readme.use(*mra)
    parameters: dict[str, Any] = {}
    thresholds = next((found for one in mra if (found := _thresholds(one.low))), None)
    if thresholds is None:
        doubts.append(
            "the README does not list the thresholds of mean relative accuracy: .50 to .95 are taken"
        )
    elif thresholds != tuple(round(0.5 + 0.05 * n, 2) for n in range(10)):
        parameters["thresholds"] = thresholds
    formula = [(one, match[1]) for one in readme if (match := _FORMULA.search(one.low))]
    readme.use(*(one for one, _ in formula))
    if any(sign == "<" for _, sign in formula) or readme.says(
        r"\b(?:less than|smaller than|lower than|below|under) (?:1|one)\s?(?:[-\u2212]|minus)"
    ):
        parameters["inclusive"] = False
    return "mra", parameters


def _thresholds(said: str) -> tuple[float, ...] | None:
    """The thresholds that a sentence lists or gives by their ends and step."""
    after = said.partition("threshold")[2] or said
    found = [float(one) for one in _NUMBER.findall(after)]
    percent = "%" in after or "per cent" in after or "percent" in after
    step = _STEP.search(after)
    values = [one / 100 if percent and one > 1 else one for one in found]
    values = [one for one in values if 0 < one < 1]
    if step:
        size = float(step[1]) / (100 if step[2] or float(step[1]) >= 1 else 1)
        ends = [one for one in values if abs(one - size) > 1e-9]
        if len(ends) >= 2:
            return _row(ends[0], ends[1], size)
    if len(values) >= 3 and re.search(r"\.\.\.?|\u2026", after):
        return _row(values[0], values[-1], values[1] - values[0])
    return tuple(values) if len(values) >= 2 else None


def _row(first: float, last: float, size: float) -> tuple[float, ...] | None:
    count = round((last - first) / size) if size > 0 else 0
    return tuple(round(first + size * n, 6) for n in range(count + 1)) if 0 < count <= 100 else None
