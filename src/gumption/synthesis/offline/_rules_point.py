"""How points are written and what they are worth, as a README says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gumption.synthesis.offline._rules_choice import several_of
from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._verdicts import refusing

__all__ = ["point_rules"]

_TO = re.compile(
    r"(?:\b0(?:\.0)?|\bzero)(?: (?:at|on|for|being|in) [a-z ]{3,40}?)?\s?(?:and|to|-|\u2013|\.\.\.?"
    r"|\u2026|,|through"
    r"|until)\s?(1000|999|100|1024|1023|255|1(?:\.0+)?|one|a hundred|a thousand"
    r"|one hundred|one thousand)(?![\d.]*\d)\s?(%)?"
)
_WORDS = {"one": 1.0, "a hundred": 100.0, "one hundred": 100.0, "a thousand": 1000.0, "one thousand": 1000.0}
_PIXELS = re.compile(
    r"\bin pixels?\b|\bpixel (?:coordinates?|positions?|units?)|\bcoordinates? (?:are"
    r"|in) pixels?|\babsolute (?:pixel )?coordinates?"
)
_PERCENT = re.compile(
    r"\bin per ?cent\b|\bpercent(?:age)?s? of (?:the )?(?:width|image|picture)|\bas percentages?"
)
_MILLE = re.compile(r"\bper ?mille?s?\b|\bthousandths?\b")
_UNIT = re.compile(
    r"\bnormali[sz]ed\b|\bfractions? of (?:the )?(?:width|image|picture)|\brelative coordinates?"
    r"|\bfractions\b(?! of (?:the |its |all )?(?:points|hits))|\b(?:shares|parts) of (?:the "
    r"|its )?(?:width|height|picture|image)"
)
_ABOUT = re.compile(r"\bpoints?\b|\bcoordinates?\b|\(x, ?y\)|\[x, ?y\]|\(y, ?x\)|\[y, ?x\]|\bx\b.*\by\b")
_YX = re.compile(
    r"[\[(]\s?(?:y|row)\s?,\s?(?:x|col(?:umn)?)\s?[\])]|\by (?:first|before x"
    r"|comes first)|\brows? first|\bfirst (?:the )?(?:y|row)\b|\by, then x|\brow(?:,"
    r"| and then| then) column"
)
_GOLD = re.compile(r"outline|polygon|\bbox\b|bbox|target|mask")
_RADIUS = re.compile(
    r"(?:within|at most|no more than|up to|less than|closer than)\s(?:a (?:radius"
    r"|distance) of\s)?(\d+(?:\.\d+)?|\.\d+)\s?(?:px|pixels?|units?)?\b"
)
_REDUCE = (
    (
        "first",
        r"\b(?:only )?(?:the )?first (?:of (?:them|the points)|point"
        r"|one)?\b[^.;]{0,40}\b(?:counts?|is (?:taken|used|read|scored|graded|kept|checked)|decides|matters)"
        r"|\b(?:take|use|score|read|look at|scale|keep|check|grade|consider)s? (?:only )?(?:the|its|their"
        r"|an? \w+'s) first\b"
        r"|\bonly (?:the )?first\b|\bfirst (?:predicted |given |written )?point\b[^.;]{0,40}\b(?:has to"
        r"|must|needs? to|should"
        r"|lies|falls|is (?:in|on|inside|within))\b"
        r"|\b(?:after|beyond|behind|than|besides|but) the first\b[^.;]{0,40}\b(?:ignored|dropped"
        r"|discarded|skipped|not|never"
        r"|disregarded|cut|lost|removed|thrown)\b",
    ),
    (
        "last",
        r"\b(?:only )?(?:the )?(?:last|final) (?:point|one)\b[^.;]{0,40}\b(?:counts?"
        r"|is (?:taken|used|read|scored)|decides)|\b(?:take|use|score|read"
        r"|look at)s? (?:only )?the (?:last|final) (?:point|one)"
        r"|\bonly (?:the )?last\b",
    ),
    (
        "all",
        r"\b(?:all|every|each)(?: one)?(?: of)?(?: the| its| them)?(?: predicted"
        r"| given)? ?(?:points?|of them)?\b[^.;]{0,30}\b(?:must|have to|has to|need to"
        r"|needs to|should)|\bonly if (?:all|every|each)|\b(?:if|when) (?:all|every"
        r"|each)\b[^.;]{0,30}\bpoints?|\bone (?:miss|point outside"
        r"|stray point)\b[^.;]{0,40}\b(?:0|zero|spoils|fails)",
    ),
    (
        "any",
        r"\b(?:any|at least one|one or more|a single one|some)(?: of)?(?: the| its"
        r"| them)?(?: predicted| given)? ?(?:points?|one)?\b[^.;]{0,30}\b(?:hits?"
        r"|falls?|lies?|lands?|is (?:on|in|inside|enough)|inside|suffices?)"
        r"|\bone (?:hit|(?:good )?point)\b[^.;]{0,30}\b(?:is enough|suffices|will do|is sufficient)"
        r"|\b(?:hits?|inside|on target|success) (?:with|by|from) (?:any|at least one|one or more|some"
        r"|a single)\b"
        r"|\benough (?:that|if) (?:any|one|at least one)\b|\bone of (?:them"
        r"|the points) (?:is enough|suffices|hits|lies)",
    ),
    (
        "share",
        r"\b(?:share|fraction|proportion|percentage|portion|ratio"
        r"|part)\b[^.;]{0,40}\b(?:points?|lie|fall|inside|on|hits?)"
        r"|\bhits? (?:divided by|/|over)|\baverage over (?:the|its) points",
    ),
)
_AS_USUAL = re.compile(
    r"\b(?:brackets?|parenthes[ei]s|json|notations?|decimals?)\b[^;]*\b(?:free|fine|ok|okay|included"
    r"|either|any|matters?)\b"
    r"|\bhow (?:the |a )?points? (?:is|are) written\b|^scor\w+: 1 if\b[^;]*\bpoint\b"
    r"|\bpoints? (?:lying |that (?:lie|are) )?(?:beyond|outside|below|above|off)\b[^.;]*\b(?:miss"
    r"|0|never|not)\b"
    r"|\bpoints?\b[^.;]*\b(?:is a hit|is on target|inside (?:the|its) (?:box|mask|region|polygon|outline"
    r"|circle))\b"
)
"""What is read and scored so anyway."""
_PARTLY = re.compile(
    r"\b(?:hits?|points?)\b[^;]*\b(?:gets?|gives?|scores?|earns?|is worth|makes?|is|=) (?:only )?"
    r"(?:0?\.\d+|1/[2-9]|half|a (?:third|quarter))\b|\bhits?\b[^.;]{0,20}(?:/|\bdivided by\b|\bover\b"
    r"|\bper\b)"
    r"[^.;]{0,30}\bpoints?\b"
)
"""A worth between 0 and 1 of several points: only their share has such."""
_POINTS = r"points?|pairs?|coordinates?|positions?|locations?|places?|clicks?|taps?|ones?"
_ALONE = (
    r"\b(?:more than one|several|two|two or more|multiple|many|extra|additional|different|further|a second)"
    r"(?: or more| different| distinct)* (?:points?|pairs?|coordinates|positions?|locations?|places?)\b"
)
"""What tells of a reply that it has more than the one point that it may have."""
_SEVERAL_UNKNOWN = re.compile(
    r"\b(?:mean|average|centroid|centre of gravity|center of mass)\b[^.;]{0,20}\b(?:of"
    r"|over) (?:the|its|all)? ?(?:predicted )?points|\bpenal[^.;]{0,40}\bpoints\b"
)
_DARK = re.compile(
    r"\bblack\b[^.;]{0,20}\b(?:is|marks|are|shows|means)\b[^.;]{0,20}\btarget"
    r"|\btarget\b[^.;]{0,20}\b(?:is|in) black\b|\b(?:black|dark) pixels? (?:are|mark"
    r"|belong)"
)
_NONZERO = re.compile(
    r"\bnon-?zero\b|\bnot (?:0|zero|black)\b|\b(?:greater|larger|more|above"
    r"|higher) than (?:0|zero)\b|\babove (?:0|zero)\b|\banything but black|> ?0\b"
)
_BRIGHT = re.compile(r"(?:above|over|at least|>=?|more than|from)\s?(\d{1,3})\b")
_STRICT = re.compile(
    r"\b(?:border|edge|boundary)\b[^.;]{0,30}\b(?:not|excluded|outside|miss)|\bstrictly inside\b"
)

_EDGE_COUNTS = (
    r"\b(?:border|edge|boundary)\b[^.;,)]{0,30}\b(?:belongs?|counts?|included|inside|part of|hits?"
    r"|on target)\b"
    r"|\b(?:includ\w+|with) (?:the |its )?(?:border|edge|boundary)"
)


def point_rules(
    readme: Statements, form: str, columns: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """The parameters of reading and metric without the size, those of the gold's mask, and doubts.

    `columns`: those of numbers, one of which may hold how far from each row's point another may be.
    """
    told: dict[str, Any] = {}
    mask: dict[str, Any] = {}
    doubts: list[str] = []
    scale = _scale(readme, doubts)
    if scale is not None:
        told["scale"] = (scale, scale)
    yx = [
        one
        for one in readme.find(_YX)
        if not re.match(r"`?\w+`? is an? (?:polygon|box|outline|mask)", one.low)
    ]
    if yx:
        told["order"] = "yx"
        readme.use(*yx)
    readme.says(_AS_USUAL)
    alone, partly = _refusing_several(readme), readme.find(_PARTLY)
    rules = {how: readme.find(pattern) for how, pattern in _REDUCE}
    if not any(rules.values()) and (one := several_of(readme, _POINTS)) != "none":
        rules[one] = [readme.used[-1]]
    others = [how for how, found in rules.items() if found and how != "share"]
    if alone:
        readme.use(*alone)
        told |= {"every": True, "several": "none"}
        others = [how for how in others if any(one not in alone for one in rules[how]) and how != "any"]
    elif partly or others or rules["share"]:
        how = "share" if partly or not others else others[0]
        readme.use(*partly, *rules[how])
        told |= {"every": True} if how == "share" else {"every": True, "reduce": how}
        others = [] if partly else others
    if len(others) + bool(alone) > 1:
        doubts.append(f"several points are scored by more than one rule: {' and '.join(others)}")
    odd = readme.find(_SEVERAL_UNKNOWN)
    if odd:
        doubts.append(f"no recipe scores several points so: {odd[0].text}")
    own = _own_radius(readme, columns) if form == "points" else ""
    if own:
        told["radius"] = own
    elif form == "points":
        radii = [(one, match[1]) for one in readme if (match := _RADIUS.search(one.low))]
        if radii:
            readme.use(radii[0][0])
            told["radius"] = float(radii[0][1])
        else:
            doubts.append("the README does not say how near a point must be")
    if form == "mask":
        mask = _mask(readme)
    elif readme.says(_STRICT, _EDGE_COUNTS):
        doubts.append("the border of the target is said not to count, which no recipe does")
    doubts += [
        f"a rule on points was not understood: {one.text}"
        for one in readme.find(_WHICH)
        if one not in readme.used and not _NO_RULE.search(one.low)
    ]
    return told, mask, doubts


def _refusing_several(readme: Statements) -> list[Statement]:
    """The sentences by which a reply with several points is worth nothing."""
    found = refusing(readme, _ALONE)
    nothing = re.compile(
        rf"{_ALONE}[^.;]*\b(?:0|zero|nothing|wrong|invalid|rejected|fails?|a miss)\b(?!\.\d)"
    )
    return found + [one for one in readme.find(nothing) if one not in found and not _PARTLY.search(one.low)]


def _own_radius(readme: Statements, columns: Sequence[str]) -> str:
    """The column that holds each row's radius."""
    for name in columns:
        last = name.lower().rpartition(".")[2]
        if re.search(r"(?:^|_)(?:r|radius|reach|tolerance|distance)(?:_px)?$", last):
            readme.says(rf"\b{re.escape(last)}\b")
            return name
    return ""


_WHICH = (
    r"\b(?:first|last|any|each|every|second|best|closest|nearest|half|at least|after the"
    r"|enough)\b[^.;]{0,30}\bpoints?\b"
    r"(?! (?:of credit|for|if|when|each|per))|\bpoints?\b[^.;]{0,30}\b(?:first|last|any|each|every|best"
    r"|closest|nearest"
    r"|half|at least|enough)\b"
)
_NO_RULE = re.compile(
    r"\b(?:ask|asked|told|tell|instruct\w*|prompt\w*|please|instruction|is to answer|corners?"
    r"|point of credit|answers? with)\b"
    r"|^(?:show|give|send|put)\b|\bmean\b|\baverage\b|\bwithout (?:a|any) (?:readable )?point\b"
    r"|\b(?:any|all|every) (?:ways?|notations?|forms?|manners?|spellings?) of\b"
)


def _scale(readme: Statements, doubts: list[str]) -> float | None:
    """What coordinates run to; None for pixels."""
    scales: dict[float, list[Any]] = {}
    pixels = []
    for one in readme.all:
        if not _ABOUT.search(one.low) or (one.data and not re.search(r"coordinat", one.low)):
            continue
        for match in _TO.finditer(one.low):
            value = _WORDS.get(match[1]) or float(match[1])
            scales.setdefault(value, []).append(one)
        if not _TO.search(one.low):
            if _MILLE.search(one.low):
                scales.setdefault(1000.0, []).append(one)
            elif _PERCENT.search(one.low):
                scales.setdefault(100.0, []).append(one)
        if _PIXELS.search(one.low) and not _GOLD.search(one.low):
            pixels.append(one)
    if not scales and not pixels:
        unit = [one for one in readme.find(_UNIT) if _ABOUT.search(one.low)]
        if unit:
            scales[1.0] = unit
    if len(scales) > 1:
        doubts.append(
            f"coordinates are said to run to {' and to '.join(f'{one:g}' for one in sorted(scales))}"
        )
    if scales:
        value, said = max(scales.items(), key=lambda one: (len(one[1]), one[0]))
        readme.use(*said)
        return value
    readme.use(*pixels)
    if not pixels:
        doubts.append("the README does not say in what the points are given: pixels are taken")
    return None


def _mask(readme: Statements) -> dict[str, Any]:
    """What of a mask is the target. These sentences may be those that describe the files."""
    told: dict[str, Any] = {}
    for one in readme.all:
        if not re.search(r"mask|white|black|target|pixel", one.low):
            continue
        if _NONZERO.search(one.low):
            told["threshold"] = 1 / 255
            readme.use(one)
        elif _DARK.search(one.low):
            told["dark"] = True
            readme.use(one)
        elif (
            (match := _BRIGHT.search(one.low))
            and re.search(r"\bmask|brightness|grey|gray|value", one.low)
            and 1 <= int(match[1]) <= 254
            and "pixel" not in one.low[match.end() :][:10]
        ):
            told["threshold"] = int(match[1]) / 255
            readme.use(one)
        elif re.search(r"white\b[^.;]{0,30}\btarget|target\b[^.;]{0,20}\bwhite", one.low):
            readme.use(one)
    return told
