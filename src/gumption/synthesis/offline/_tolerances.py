"""How far off a number may be and what it is worth there, as a README says it."""

from __future__ import annotations

import re

from gumption.synthesis.offline._statements import Statement, Statements

__all__ = ["OF_THE_WHOLE", "QUANTITY", "quantity", "steps_of"]

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
QUANTITY = (
    rf"(?:(?:an?|one) (?P<fraction>{'|'.join(_FRACTIONS)})\b"
    rf"|(?P<number>\d+(?:[.,]\d+)?|\.\d+|(?:{'|'.join(sorted(_WORD_NUMBERS, key=len, reverse=True))})\b)"
    r"(?:\s?(?P<percent>(?:%|per ?cent\b|percentage)(?![- ]?points?))"
    r"|(?P<unit>(?:\s(?!of|or|and|if|is|the|to|from|in|gets?|scores?"
    r"|counts?)[a-z\u00b0]+)?)))"
)
_LIMIT = re.compile(
    r"(?P<strict>\bless than|\bbelow|\bunder|\bsmaller than|\bfewer than|(?<![<\u2264])<(?!=))?"
    r"(?P<loose>\bwithin|\bat most|\bno more than|\bnot more than|\bup to"
    r"|\bnot be (?:more|greater|larger|higher) than|\bby no more than|\bnot exceed(?:ing)?|<=|\u2264"
    r"|\+/-|\u00b1|\bplus or minus"
    r"|\b(?:miss|differ|deviate|vary|depart|stray)(?:es|s)?\b[^.;\d]{0,40}?\bby(?: about)?"
    r"|\btoleran(?:ce|t)s?(?: of| is|:| =)?|\b(?:margin|deviations?|differences?|slack|leeway"
    r"|discrepanc(?:y|ies))"
    r" of(?: at most| up to)?|\b(?:off|wrong|misses|missed"
    r"|away|deviates?) by(?: at most| no more than| up to)?|\bdiffers? by(?: at most"
    r"| no more than| up to)?|\bwith an error of(?: at most| up to)?)?"
    rf"\s?(?:about |a |an )?(?P<named>(?:relative |absolute )?(?:error|deviation|difference"
    rf"|tolerance) of )?(?:\+/-|\u00b1)?\s?(?:{QUANTITY})"
)
_BEYOND = re.compile(
    r"(?P<before>\b(?:off|out|away|wrong|miss\w*|deviat\w*|differ\w*|error|distance"
    r"|stray\w*)\b[^.;\d]{0,30}?)?"
    r"(?<!no )(?<!not )\b(?:more|greater|larger|higher|bigger|further|farther|over) than"
    rf"(?: about| a| an)? (?:{QUANTITY})(?P<behind> (?:off|away|from|out|wide|too|wrong|above|below"
    rf"|of the)\b)?"
)
"""How far off is too far, as in "off by more than 3 is wrong"."""
_TOO = re.compile(
    rf"(?:{QUANTITY})(?: [a-z]+)? (?:too (?:many|few|much|little|high|low|large|small|long|short)"
    rf"|(?:more|above|higher|over|up) or (?:[a-z]+ )?(?:less|fewer|below|lower|under|down)"
    rf"|(?:less|fewer|below|lower|under|down) or (?:[a-z]+ )?(?:more|above|higher|over|up))\b"
)
"""How far off, as in "one too many or one too few"."""
_DISTANCE = re.compile(
    r"\b(?:off|away|within|differ\w*|deviat\w*|errors?|toleran\w*|margins?|near\w*|close\w*|distances?|stray\w*"
    r"|miss\w*|apart|leeway|slack|discrepan\w*|depart\w*|vary|varies|plus or minus|too|either (?:way|side"
    r"|direction)"
    r"|wrong by|of the (?:\w+ )?(?:truth|gold|value|answer|number|solution|size|length)|from the|above"
    r"|below)\b"
    r"|\u00b1|\+/-|\u2264|<|%|\bper ?cent|\|"
)
"""What a limit is a limit of: without it "up to twenty" is none."""
_BOTH_ENDS = re.compile(
    r"\b(?:between|from)? ?(\d+(?:\.\d+)?) ?(?:%|per ?cent)? ?(?:and|to|-|\u2013) ?(\d+(?:\.\d+)?) ?(?:%"
    r"|per ?cent)"
)
"""Shares of the truth, as in "between 90 % and 110 %"."""
_TIMES = re.compile(r"\s?(?:[*\u00b7\u00d7]|times\b|x\b(?= ?[|a-z]))\s?")
_OVER = re.compile(r"/\s?(?:\|\s?\w+\s?\||abs\(\w+\)|\w+)\s?\)?\s?(?:is )?$")
"""That a difference is divided by the truth."""
_COUNTED = re.compile(
    r"^(?:\d[\d,]* (?:[\w-]+ ){0,3}?(?:questions?|items?|rows?|entries|pictures?|images?|drawings?"
    r"|photos?|lines?"
    r"|files?|tasks?|problems?|samples?|puzzles?|exercises?|scenes?)\b|questions?\b)|\bthere are\b"
)
OF_THE_WHOLE = re.compile(
    r"\b(?:final|overall|headline|reported?|accuracy|summary|leaderboard|on average|in total)\b"
    r"|\bshare of (?:items|questions|rows|answers)|\b(?:scores?|results?) (?:is|are) (?:given|shown"
    r"|printed) (?:in|as)"
)
_CREDIT = re.compile(
    r"(?P<zero>\b(?:gets?|earns?|gives?|scores?|is worth|counts? as"
    r"|counts? for) (?:nothing|no\b|0(?!\.)|zero)|\b(?:is|are|counts? as"
    r"|counted as) (?:wrong|incorrect|rejected|not(?! (?:more|greater|larger|higher|further|farther"
    r"|over)\b))\b(?! by)|\bno (?:credit"
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
_REJECTED = re.compile(
    r"\b(?:wrong|incorrect|rejected|reject|fails?|failed|no (?:credit|points?|score)|not (?:right|correct"
    r"|accepted|count\w*)"
    r"|must not|may not|cannot|must never|should not|never|nothing|zero|a miss)\b|\b0\b(?!\.)"
)


def quantity(match: re.Match[str]) -> float | None:
    """What a quantity says: its number, percent and fractions as shares."""
    if match["fraction"]:
        return _FRACTIONS[match["fraction"]]
    said = match["number"]
    value = _WORD_NUMBERS[said] if said in _WORD_NUMBERS else float(said.replace(",", "."))
    return value / 100 if match["percent"] else value


def steps_of(
    readme: Statements, doubts: list[str]
) -> tuple[list[tuple[float, float, bool]], list[Statement], bool, bool]:
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
        if (share := _both_ends(low, one, doubts)) is not None:
            found.setdefault((share, True), 1.0)
            statements.append(one)
            continue
        spans = [
            match for match in _LIMIT.finditer(low) if match["strict"] or match["loose"] or match["named"]
        ]
        if not _DISTANCE.search(low):
            spans = []
        if not spans and (too := _TOO.search(low)) and (limit := quantity(too)) is not None:
            found.setdefault((limit, False), _credit(low, too, 0))
            statements.append(one)
            continue
        if not spans:
            beyond = _BEYOND.search(low)
            if beyond and (beyond["before"] or beyond["behind"]):
                limit, credited = quantity(beyond), _CREDIT.search(low)
                rejected = bool(credited and credited["zero"]) or bool(_REJECTED.search(low))
                if limit is not None and rejected:
                    found.setdefault((limit, bool(beyond["percent"] or beyond["fraction"])), 1.0)
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
            if (
                not share
                and re.search(r"relative|divided by|of the (?:true|gold|right|correct)", low)
                and value < 1
            ):
                share = True
            credit = _credit(clause, match, start)
            if credit:
                found.setdefault((value, share), credit)
                strict = strict or bool(match["strict"])
                statements.append(one)
    steps = [(value, credit, share) for (value, share), credit in found.items()]
    return steps, statements, strict, all(share for _, share in found)


def _both_ends(low: str, one: Statement, doubts: list[str]) -> float | None:
    """The share by which an answer may be off, told as from so much to so much of the truth."""
    ends = _BOTH_ENDS.search(low)
    if ends is None or "100" in ends.groups() or OF_THE_WHOLE.search(low):
        return None
    below, above = (float(end) / 100 for end in ends.groups())
    if not below < 1 < above < 3:
        return None
    if abs(below + above - 2) > 1e-9:
        doubts.append(f"limits that are not as far apart on both sides: {one.text}")
    return round(above - 1, 9)


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
        if re.match(r" (?:itself|exactly|away|off)\b", clause[match.end() :]):
            continue  # the limit once more
        if match["value"] and re.search(
            r"\b(?:than|most|within|exceed|of|by|below|under) $", clause[: match.start()]
        ):
            continue  # another limit
        known = {"zero": 0.0, "full": 1.0, "half": 0.5, "quarter": 0.25}
        value = known[str(match.lastgroup)] if match.lastgroup in known else float(match["value"])
        distance = abs(match.start() - (limit.start() - offset))
        if best is None or distance < best[0]:
            best = (distance, value)
    return best[1] if best else 1.0
