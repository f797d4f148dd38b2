"""How numbers are read and what they are worth, as a README says it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.synthesis.offline._mra import levels_in
from gumption.synthesis.offline._own_tolerance import own_tolerance
from gumption.synthesis.offline._rules_choice import several_of, whole_of
from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._tolerances import OF_THE_WHOLE, QUANTITY, quantity, steps_of
from gumption.synthesis.offline._verdicts import refusing

__all__ = ["number_rules"]

_NEARNESS = re.compile(
    r"%|\bper ?cent\b|\btoleran|<=|\u2264|\u00b1|\+/-|\bwithin\b|\bmargin\b|\bdeviat|\bclose enough\b"
    r"|\bnear(?:ly)?\b"
    r"|\brelative error|\babsolute error|\bfactor of\b|\boff by\b|\bapproximate"
)
_MRA = re.compile(
    r"\bmean relative accuracy\b|\bmra\b|\bthresholds?\b"
    r"|\blevels?\b[^.;]{0,60}\b(?:passed|passes|met|reached|cleared|held|won)\b"
)
_LEVELS = re.compile(r"\b(?:levels?|thresholds?|mra|mean relative accuracy|limits?|marks?|bars?)\b")
_STRICTLY = re.compile(r"\b(?:less|smaller|lower) than\b|\b(?:below|under|beneath)\b|\bstrictly\b")
_LOOSELY = re.compile(
    r"\bat most\b|\bnot? (?:more|larger|greater|higher)|\bnot exceed|\bor equal\b|\bup to\b"
)
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
    r"|never|ignored|0|wrong|no)\b"
    r"|\b(?:not|never|don't|no)\b[^.;,]{0,30}\bnumbers?\b[^.;,]{0,30}\b(?:words|spelled|written out"
    r"|letters)\b"
    r"|\bno number in (?:figures|digits|numerals)\b|\b(?:only (?:digits|numerals)|digits only"
    r"|numerals only|must be (?:written )?in digits)\b"
)
_COMMA = re.compile(
    r"decimal comma|comma (?:is|as|for|marks|separates)[^.;]{0,30}decimal"
    r"|comma\b.{0,20}decimal (?:sign|separator|mark)"
)
_NO_COMMA = r"\b(?:no|not|never|nor|instead of)\b(?: an?| any| as)? (?:decimal )?commas?\b"
_CONVERTED = re.compile(
    r"\bconvert(?:ed|s|ing|ion)?\b|\b(?:common|same) unit\b|\b(?:an)?other units?\b|\bdifferent units?\b"
    r"|\bany unit of\b|\bunits? of the same kind\b"
)
_FOREIGN = r"\b(?:other|wrong|different|another|incorrect|missing|no) units?\b|\bwithout (?:the|a|its) unit\b"
_NO_UNIT = r"\b(?:without|no|missing|lacks?) (?:an?|any|its|the)? ?units?\b"
_NO_UNIT_TAKEN = r"\bunits?\b[^.;]{0,30}\b(?:taken|fine|allowed|accepted|assumed|right|understood)\b"
_THOUSANDS = r"\bcommas? (?:group|separat|mark|divid|split|set)\w*[^,.;]{0,12}\bthousands?\b"
_NUMBERS = r"numbers?|values?|figures?|ones?|amounts?|quantit(?:y|ies)|estimates?|measures?|measurements?"
_ELSEWHERE = r"\b(?:line|sentence|word|column|file|frame|picture|row|digit)\b|boxed"
_RANGE = r"\branges?\b|\bspans?\b|\bintervals?\b|\bbetween\b|\bfrom one number to\b"
_AS_USUAL = re.compile(
    rf"{_THOUSANDS}|\bunits?\b[^.;]{0, 40}\b(?:dropped|ignored|stripped|optional)|\bcommas? group"
    r"|\bnumber words?\b[^.;]{0,30}\b(?:count|are|fine|read)"
    r"|\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert"
)
"""What is read so anyway."""
_NEGATED = re.compile(
    r"\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert|\bconver\w+[^.;]{0,20}\b(?:not|never|no)\b"
)


def number_rules(
    readme: Statements, columns: Sequence[str] = (), notes: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Any], list[str]]:
    """The metric, its parameters with those of `reading.number`, and doubts.

    The metric is "" where the README says that near numbers count and not, in words known here, how near.
    `columns`: those of numbers, one of which may hold each row's own tolerance; `notes`: what is said of
    columns.
    `accepts` is empty where only some units are accepted: which they are is in the data.
    """
    told: dict[str, Any] = {}
    doubts: list[str] = []
    several = several_of(readme, _NUMBERS)
    several = _named_by_place(readme) if several == "none" else several
    if several != "none":
        told["several"] = several
    if readme.says(_RANGE_MIDDLE):
        told["ranges"] = "middle"
    elif several != "none" and (open_ := refusing(readme, _RANGE)):
        readme.use(*open_)
        told["ranges"] = "wrong"
    if readme.says(_NO_WORDS, r"[\"'`]about|approximat|roughly"):
        told["words"] = False
    if readme.says(_COMMA, rf"{_NO_COMMA}|{_THOUSANDS}"):
        told["decimal"] = ","
    if whole_of(readme):
        told["whole"] = True
    readme.says(_AS_USUAL)
    foreign = refusing(readme, _FOREIGN) or readme.find(r"\bunits? (?:must|has to|have to|needs? to)\b")
    if foreign:
        readme.use(*foreign, *readme.find(r"\bunits?\b"))
        told["accepts"] = ()
        doubts += [
            f"that a unit has to be there is not looked at: {one.text}"
            for one in refusing(readme, _NO_UNIT)
            if one not in readme.find(_NO_UNIT_TAKEN)
        ]
    elif converted := [one for one in readme.find(_CONVERTED) if not _NEGATED.search(one.low)]:
        readme.use(*converted)
        told["units"] = ""
    metric, parameters = _metric(readme, columns, notes or {}, doubts)
    return metric, {**told, **parameters}, doubts


def _named_by_place(readme: Statements) -> str:
    """Which number counts where it is only called the first or the last, whatever is said of it."""
    for name, said in (("first", "first"), ("last", "last|final")):
        place = rf"\b(?:the|its|only) (?:very )?(?:{said}) (?:{_NUMBERS})\b(?![`\"':])"
        found = readme.find(place, rf"{_ELSEWHERE}|\bnot (?:the|its) (?:{said})\b|\bask|\bprompt")
        if found:
            readme.use(*found)
            return name
    return "none"


def _metric(
    readme: Statements, columns: Sequence[str], notes: Mapping[str, str], doubts: list[str]
) -> tuple[str, dict[str, Any]]:
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
    own = own_tolerance(readme, columns, notes)
    if own is not None:
        naming, column, less = own
        readme.use(*naming)
        if steps:
            doubts.append(f"a tolerance in {column} and one in the README: {statements[0].text}")
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
    telling = [*mra, *(one for one in readme.find(_LEVELS) if one not in mra)]
    thresholds = next((found for one in telling if (found := levels_in(one.low))), None)
    if thresholds is None:
        doubts.append(
            "the README does not list the thresholds of mean relative accuracy: .50 to .95 are taken"
        )
    elif thresholds != tuple(round(0.5 + 0.05 * n, 2) for n in range(10)):
        parameters["thresholds"] = thresholds
    formula = [(one, match[1]) for one in readme if (match := _FORMULA.search(one.low))]
    readme.use(*(one for one, _ in formula))
    compared = [
        one
        for one in readme.find(r"\berror\b|\boff\b|\bdeviat|\bdifference\b")
        if one not in mra or "error" in one.low
    ]
    strict = [one for one in compared if _STRICTLY.search(one.low) and not _LOOSELY.search(one.low)]
    readme.use(*strict)
    if any(sign == "<" for _, sign in formula) or strict:
        parameters["inclusive"] = False
    return "mra", parameters
