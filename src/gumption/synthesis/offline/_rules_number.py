"""How numbers are read and what they are worth, as a README says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gumption.synthesis.offline._rules_choice import several_of, whole_of
from gumption.synthesis.offline._statements import Statement, Statements

__all__ = ["number_rules", "quantity"]

_WORD_NUMBERS = {
    "one": 1.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "nine": 9.0,
    "ten": 10.0,
    "fifteen": 15.0,
    "twenty": 20.0,
    "twenty-five": 25.0,
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "half": 0.5,
}
_FRACTIONS = {
    "tenth": 0.1,
    "fifth": 0.2,
    "quarter": 0.25,
    "third": 1 / 3,
    "half": 0.5,
    "twentieth": 0.05,
    "hundredth": 0.01,
}
_QUANTITY = (
    rf"(?P<number>\d+(?:[.,]\d+)?|\.\d+|(?:{'|'.join(sorted(_WORD_NUMBERS, key=len, reverse=True))})\b)"
    r"(?:\s?(?P<percent>(?:%|per ?cent\b|percentage)(?![- ]?points?))"
    r"|(?P<unit>(?:\s(?!of|or|and|if|is|the|to|from|in|gets?|scores?"
    r"|counts?)[a-z\u00b0]+)?))"
    rf"|(?:an?|one) (?P<fraction>{'|'.join(_FRACTIONS)})\b"
)
_LIMIT = re.compile(
    r"(?P<strict>\bless than|\bbelow|\bunder|\bsmaller than|\bfewer than|(?<![<\u2264])<(?!=))?"
    r"(?P<loose>\bwithin|\bat most|\bno more than|\bnot more than|\bup to"
    r"|\bby no more than|\bnot exceed(?:ing)?|<=|\u2264|\+/-|\u00b1|\bplus or minus"
    r"|\b(?:miss|differ|deviate|vary|depart|stray)(?:es|s)?\b[^.;\d]{0,40}?\bby(?: about)?"
    r"|\btoleran(?:ce|t)s?(?: of| is|:| =)?|\b(?:margin|deviations?|differences?|slack|leeway|discrepanc(?:y|ies))"
    r" of(?: at most| up to)?|\b(?:off|wrong|misses|missed"
    r"|away|deviates?) by(?: at most| no more than| up to)?|\bdiffers? by(?: at most"
    r"| no more than| up to)?|\bwith an error of(?: at most| up to)?)?"
    rf"\s?(?:about |a |an )?(?:(?:relative |absolute )?(?:error|deviation|difference"
    rf"|tolerance) of )?(?:\+/-|\u00b1)?\s?(?:{_QUANTITY})"
)
_BEYOND = re.compile(
    r"(?P<before>\b(?:off|out|away|wrong|miss\w*|deviat\w*|differ\w*|error|distance|stray\w*)\b[^.;\d]{0,30}?)?"
    r"(?<!no )(?<!not )\b(?:more|greater|larger|higher|bigger|further|farther|over) than"
    rf"(?: about| a| an)? (?:{_QUANTITY})(?P<behind> (?:off|away|from|out|wide|too|wrong|above|below|of the)\b)?"
)
"""How far off is too far, as in "off by more than 3 is wrong"."""
_BOTH_ENDS = re.compile(
    r"\b(?:between|from)? ?(\d+(?:\.\d+)?) ?(?:%|per ?cent)? ?(?:and|to|-|\u2013) ?(\d+(?:\.\d+)?) ?(?:%|per ?cent)"
)
"""Shares of the truth, as in "between 90 % and 110 %"."""
_TIMES = re.compile(r"\s?(?:[*\u00b7\u00d7]|times\b|x\b(?= ?[|a-z]))\s?")
_OVER = re.compile(r"/\s?(?:\|\s?\w+\s?\||abs\(\w+\)|\w+)\s?\)?\s?(?:is )?$")
"""That a difference is divided by the truth."""
_COUNTED = re.compile(
    r"^(?:\d[\d,]* (?:[\w-]+ ){0,3}?(?:questions?|items?|rows?|entries|pictures?|images?|drawings?|photos?|lines?"
    r"|files?|tasks?|problems?|samples?|puzzles?|exercises?|scenes?)\b|questions?\b)|\bthere are\b"
)
_NEARNESS = re.compile(
    r"%|\bper ?cent\b|\btoleran|<=|\u2264|\u00b1|\+/-|\bwithin\b|\bmargin\b|\bdeviat|\bclose enough\b|\bnear(?:ly)?\b"
    r"|\brelative error|\babsolute error|\bfactor of\b|\boff by\b|\bapproximate"
)
_OF_THE_WHOLE = re.compile(
    r"\b(?:final|overall|headline|reported?|accuracy|summary|leaderboard|on average|in total)\b"
    r"|\bshare of (?:items|questions|rows|answers)|\b(?:scores?|results?) (?:is|are) (?:given|shown|printed) (?:in|as)"
)
_CREDIT = re.compile(
    r"(?P<zero>\b(?:gets?|earns?|gives?|scores?|is worth|counts? as"
    r"|counts? for) (?:nothing|no\b|0(?!\.)|zero)|\b(?:is|are|counts? as"
    r"|counted as) (?:wrong|incorrect|rejected|not)\b(?! by)|\bno (?:credit"
    r"|points?)\b)"
    r"|(?P<full>\b(?:is|are|counts? as|be|considered|counted as) (?:accepted|right"
    r"|correct|fine|ok)\b|\bfull (?:credit|marks?|points?|score)|\bone (?:full )?point"
    r"|\bscores? 1\b(?!\.\d)|\b1(?:\.0)? points?\b|\b(?:is|as|=|counts?|gets?|gives?"
    r"|for|worth|:) 1(?:\.0)?\b(?![.\d]|\s?%))"
    r"|(?P<half>\bhalf(?: a| the)?(?: (?:credit|points?|marks?|score))?"
    r"|\b0?\.5\b(?!\s?%)|\b50\s?% (?:of the )?(?:credit|points?|score))"
    r"|(?P<quarter>\ba quarter(?: of)?(?: an?| the)? (?:credit|points?|marks?|score)"
    r"|\bquarter (?:credit|marks?|points?))"
    r"|(?P<value>\b0?\.\d+\b)(?!\s?%)"
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
    rf"|if)\b[^.;\d]{{0,40}}?\b(?:{_QUANTITY})"
)
_FORMULA = re.compile(r"\|\s?\w+\s?[-\u2212]\s?\w+\s?\|\s?(?:/\s?\|?\w+\|?)?\s?(<=|\u2264|<)\s?")
_REJECTED = re.compile(
    r"\b(?:wrong|incorrect|rejected|reject|fails?|failed|no (?:credit|points?|score)|not (?:right|correct|accepted|count\w*)"
    r"|must not|may not|cannot|must never|should not|never|nothing|zero|a miss)\b|\b0\b(?!\.)"
)
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
_AS_USUAL = re.compile(
    r"\bunits?\b[^.;]{0,40}\b(?:dropped|ignored|stripped|optional)|\bcommas? group"
    r"|\bnumber words?\b[^.;]{0,30}\b(?:count|are|fine|read)"
    r"|\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert"
)
"""What is read so anyway."""
_NEGATED = re.compile(
    r"\b(?:not|never|no|don't|without|nor)\b[^.;]{0,30}\bconvert|\bconver\w+[^.;]{0,20}\b(?:not|never|no)\b"
)


def quantity(match: re.Match[str]) -> float | None:
    """What a quantity says: its number, percent and fractions as shares."""
    if match["fraction"]:
        return _FRACTIONS[match["fraction"]]
    said = match["number"]
    value = _WORD_NUMBERS[said] if said in _WORD_NUMBERS else float(said.replace(",", "."))
    return value / 100 if match["percent"] else value


def number_rules(
    readme: Statements, columns: Sequence[str] = ()
) -> tuple[str, dict[str, Any], list[str]]:
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
    steps, statements, strict, relative = _steps(readme, doubts)
    own = _own_tolerance(readme, columns)
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
    near = [one for one in readme.find(_NEARNESS, _OF_THE_WHOLE.pattern) if one not in readme.used]
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


def _steps(readme: Statements, doubts: list[str]) -> tuple[list[tuple[float, float, bool]], list[Statement], bool, bool]:
    """Limits of error with the credit that each gives and whether it is a share of the gold."""
    found: dict[tuple[float, bool], float] = {}
    statements: list[Statement] = []
    strict = False
    for one in readme:
        low = (
            re.sub(r"\([^()]*\)", lambda aside: " " * len(aside[0]), one.low)
            if one.low.count("(")
            else one.low
        )
        if _COUNTED.search(low):
            continue
        ends = _BOTH_ENDS.search(low)
        if ends and "100" not in ends.groups() and not _OF_THE_WHOLE.search(low):
            below, above = (float(one) / 100 for one in ends.groups())
            if below < 1 < above < 3:
                if abs(below + above - 2) > 1e-9:
                    doubts.append(f"limits that are not as far apart on both sides: {one.text}")
                found.setdefault((round(above - 1, 9), True), 1.0)
                statements.append(one)
                continue
        spans = [match for match in _LIMIT.finditer(low) if match["strict"] or match["loose"]]
        if not spans:
            beyond = _BEYOND.search(low)
            if beyond and (beyond["before"] or beyond["behind"]):
                value, credit = quantity(beyond), _CREDIT.search(low)
                rejected = bool(credit and credit["zero"]) or bool(_REJECTED.search(low))
                if value is not None and rejected:
                    found.setdefault((value, bool(beyond["percent"] or beyond["fraction"])), 1.0)
                    statements.append(one)
        clauses = _clauses(low, [match.start() for match in spans])
        for match in spans:
            value = quantity(match)
            start, end = clauses[match.start()]
            clause = re.split(r"\b(?:else|otherwise)\b", low[start:end])[0]
            if value is None or re.search(r"\bpoints? (?:on|in|inside|within)|\bpixels?\b", clause):
                continue
            share = bool(match["percent"] or match["fraction"])
            times = _TIMES.match(low, match.end()) and match["unit"] != "x"
            if (times or _OVER.search(low[: match.start()])) and not share:
                share = True
                if value >= 1:
                    doubts.append(f"a limit that is a multiple of the truth: {one.text}")
            if (
                not share
                and not match["loose"]
                and re.search(r"\b(?<!percentage )points?\b|\bmodels?\b|\bquestions?\b", clause)
            ):
                continue
            if not share and re.search(r"relative|of the (?:true|gold|right|correct)", clause) and value < 1:
                share = True
            credit = _credit(clause, match, start)
            if credit:
                found.setdefault((value, share), credit)
                strict = strict or bool(match["strict"])
                statements.append(one)
    steps = [(value, credit, share) for (value, share), credit in found.items()]
    return steps, statements, strict, all(share for _, share in found)


def _own_tolerance(readme: Statements, columns: Sequence[str]) -> tuple[Statement, str, bool] | None:
    """The statement by which a column holds how far off a row's answer may be; and whether less is wanted."""
    for column in columns:
        name = rf"[`\"']?{re.escape(column.lower())}[`\"']?(?![\w])"
        limit = re.compile(
            rf"(?P<less><(?!=)|\b(?:less|smaller) than)\s?(?:the |its )?{name}(?!\s?[-*/+])"
            rf"|(?:<=|\u2264|\bat most|\bno more than|\bup to|\bby more than|\bnot exceed|\+/-|\u00b1"
            rf"|\btolerance (?:of|in|is|from)|\bwithin(?: a margin of| a tolerance of)?) ?(?:the |its |that row's )?"
            rf"(?:(?:tolerance|margin|column|value) )?(?:in )?{name}(?!\s?[-*/+]| of the)"
        )
        for one in readme:
            match = limit.search(one.low)
            if match:
                return one, column, bool(match["less"])
    return None


def _clauses(low: str, starts: list[int]) -> dict[int, tuple[int, int]]:
    """The part of a sentence around each limit: up to the limits before and behind it."""
    cuts = [0, *(match.end() for match in re.finditer(r"[;,:](?=\s)|\band\b|\bbut\b", low)), len(low)]
    found = {}
    for n, start in enumerate(starts):
        before = max((cut for cut in cuts if cut <= start), default=0)
        if n == 0:
            before = 0
        following = starts[n + 1] if n + 1 < len(starts) else len(low)
        inner = [cut for cut in cuts if start < cut <= following]
        found[start] = (before, following if n + 1 == len(starts) or not inner else inner[-1])
    return found


def _credit(clause: str, limit: re.Match[str], offset: int) -> float:
    """The credit that is nearest to a limit; 1 where none is told."""
    best: tuple[int, float] | None = None
    for match in _CREDIT.finditer(clause):
        if limit.start() - offset <= match.start() < limit.end() - offset:
            continue
        known = {"zero": 0.0, "full": 1.0, "half": 0.5, "quarter": 0.25}
        value = known[str(match.lastgroup)] if match.lastgroup in known else float(match["value"])
        distance = abs(match.start() - (limit.start() - offset))
        if best is None or distance < best[0]:
            best = (distance, value)
    return best[1] if best else 1.0
