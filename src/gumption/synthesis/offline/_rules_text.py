"""How texts are compared, as a README says it."""

from __future__ import annotations

import re
from typing import Any

from gumption.synthesis.offline._rules_steps import KEEPS, steps_of
from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._verdicts import refusing

__all__ = ["text_rules"]

_CONTAINS = re.compile(
    r"\b(?:contains?|containing|includes?|including|mentions?|mentioning"
    r"|appears? (?:in|anywhere|somewhere)|occurs?|found (?:in|anywhere)|somewhere in"
    r"|anywhere in|part of (?:the|a) (?:longer |larger )?(?:reply|response|answer"
    r"|sentence|text)|(?:within|inside|in|amid|surrounded by) (?:a |the "
    r"|an )?(?:longer|other|larger|more|reply|extra) ?\w*|(?:with|and) (?:extra|other"
    r"|further|additional) (?:words?|text)|(?:turns?|shows?|comes?|crops?) up\b(?! (?:to|with))"
    r"|be present|is present"
    r"|(?:search(?:es|ed)?|scan(?:s|ned)?|look(?:s|ed)?) (?:the (?:reply|response|output"
    r"|answer) )?for (?:the|an?|any|each|every|its))\b"
)
_CONTAINS_NO = re.compile(
    r"(?<!not )(?<!n't )\b(?:has|have|must|need|needs) to be the whole\b|\bnot enough\b|\b(?:must"
    r"|has to) equal\b"
    r"|\b(?:must|has to|should) be the whole\b|\bdo(?:es)? not (?:count|suffice)|\bnot (?:merely|only"
    r"|just) contain"
)
_HOLDING = (
    r"\b(?:merely|only|just)? ?(?:contain|includ|mention)\w*|\b(?:in|inside|put into) a (?:longer "
    r"|whole |full )?"
    r"sentence\b|\bwith (?:\w+ )?(?:other|more|extra|further) words\b|\bsomething (?:is )?added\b"
)
"""What tells of a reply that holds more than an accepted answer."""
_EXACT = re.compile(
    r"\bexact(?:ly)?\b|\bequals?\b|\bis equal\b|\bidentical\b|\bthe same as\b"
    r"|\bsame (?:text|string|word)|\bmatch(?:es)?\b|\bwhole (?:answer|reply)\b"
    r"|\b(?:must|has to|have to|needs to) be (?:the|exactly|one of)\b"
    r"|\b(?:letter for letter|word for word|character (?:for|by) character)\b"
    r"|\bone of (?:the|those|our|these) (?:accepted|listed)\b|\bagrees with\b"
)
_F1 = re.compile(r"\bf1\b|\bf-?score\b|\bf-measure\b|\btoken overlap\b|\bword overlap\b|\bharmonic mean\b")
_PART = re.compile(r"\bhalf\b(?! (?:of|an|hour))|\ba (?:quarter|third)\b|(?<![\d.])0?\.\d+\b")
_ANYWHERE = re.compile(r"\bsubstring\b|\bpart of (?:a|another|longer) words?\b")
_THINGS = (
    r"(?:words?|keywords?|answers?|terms?|items?|accepted|names?|things?|labels?|parts?|objects?"
    r"|colou?rs?|shapes?|pieces?"
    r"|entries|elements?|phrases?|texts?|animals?|tags|ingredients?|facts?|details?|ones?|of them)"
)
"""What a right answer may consist of."""
_SHARE = re.compile(
    rf"\b(?:share|fraction|proportion|percentage)\b[^.;]{{0,40}}\b{_THINGS}\b"
    rf"|\b(?P<each>(?:point|credit|half|third|quarter|marks?|score|\d)\b[^.;]{{0,25}}\b(?:for (?:each"
    rf"|every)|per)"
    rf"(?: one)?(?: of)?(?: the)? (?:[\w-]+ ){{0,3}}?{_THINGS}\b)"
    rf"|\b(?:each|every)(?: one)?(?: of)?(?: the| its)?"
    rf" (?:[\w-]+ ){{0,3}}?{_THINGS}\b[^.;]{{0,40}}\b(?:earns?|gives?"
    r"|brings?|adds?|is worth|gets?|counts? (?:for )?(?:half|a|1/|0))\b"
)
_ALL = re.compile(
    rf"\b(?:all|every|each|both|the two)(?: of)?(?: the| these"
    rf"| its)? ?(?:[\w-]+ ){{0,2}}?{_THINGS}?\b[^.;]{{0,30}}?\b(?:must"
    r"|have to|has to|need|contain|mention|appear|are (?:found|there|named|mentioned))"
    r"|\b(?:contains?|mentions?|names?|includes?|holds?|lists?) (?:all|both|every|each)\b"
)
_PARTS = {
    "half": ("two", "both", "2"),
    "third": ("three", "3"),
    "quarter": ("four", "4"),
    "0.5": ("two", "both", "2"),
}
"""Of how many things each is worth such a part, so that all of them are worth 1."""
_EVERY_REPLY = re.compile(
    r"\b(?:all|every|each|both) (?:of )?(?:the )?(?:repl(?:y|ies)|responses?|models?|rows?|questions?)\b"
)


def text_rules(readme: Statements) -> tuple[str, dict[str, Any], tuple[str, ...], list[str]]:
    """The metric, its parameters, the steps before comparing, and doubts."""
    doubts: list[str] = []
    steps = steps_of(readme)
    if readme.says(_F1):
        readme.says(r"\btokens?\b|\bprecision\b|\brecall\b")
        return "f1", {}, steps, doubts
    holds = [one for one in readme.find(_CONTAINS) if not _about_regions(one)]
    refused = readme.find(_CONTAINS_NO) + refusing(
        readme, _HOLDING, r"^no\b|\bno(?:ne| \w+) (?:of|is|are)\b|\bwithout\b"
    )
    each = [one for one in readme.find(_SHARE, _ABOUT_ITEMS) if re.search(_FOUND_IN, one.low)]
    if each:
        readme.use(*each, *holds)
        if not any(_adds_up(one.low) for one in each):
            doubts.append(f"whether what each is worth adds up to 1 is not said: {each[0].text}")
        words = {"words": False} if readme.says(_ANYWHERE, r"\bnot\b|\bno\b|\bnever\b") else {}
        return "contains", {"how": "share", **words}, steps, doubts
    complete = [one for one in readme.find(_ALL, _EVERY_REPLY.pattern) if re.search(_FOUND_IN, one.low)]
    holds += [one for one in complete if one not in holds and not _about_regions(one)]
    partial = [one for one in holds if _PART.search(one.low)]
    exact = [one for one in readme.find(_EXACT) if one not in partial]
    if partial:
        readme.use(*partial, *exact)
        return "exact", {"contained": _credit(partial[0].low)}, steps, doubts
    if holds and not refused:
        readme.use(*holds)
        doubts += [
            f"whether others are named too is not looked at: {one.text}"
            for one in holds
            if _OTHERS.search(one.low)
        ]
        told: dict[str, Any] = {}
        if complete:
            readme.use(*complete)
            told["how"] = "all"
        if readme.says(_ANYWHERE, r"\bnot\b|\bno\b|\bnever\b"):
            told["words"] = False
        return "contains", told, steps, doubts
    readme.use(*refused, *exact)
    if not exact and not refused:
        doubts.append("the README does not say when a text is right: it has to equal an accepted one")
    if (
        not steps
        and not readme.find(KEEPS)
        and not readme.find(r"\b(?:letter for letter|as (?:it|they) (?:is|are|stands?))\b")
    ):
        doubts.append("the README does not say what is ignored in a text: case and signs around it are taken")
        steps = ("lower", "ends", "spaces")
    return "exact", {}, steps, doubts


_OTHERS = re.compile(r"\b(?:none|no|not any|nothing)\b[^.;]{0,20}\b(?:others?|else)\b")
_ABOUT_ITEMS = (
    r"\b(?:share|fraction|proportion|percentage) of (?:the |all )?(?:items?|answers?|questions?)\b"
    r"(?! (?:words?|that the reply))"
)
_FOUND_IN = (
    r"\b(?:contain|mention|nam(?:es?d?|ing)\b|includ|found|find|appear"
    r"|occur|list|turn|present|repl|response|output|hold|there)"
)


def _adds_up(low: str) -> bool:
    """Whether a share is said to be one, or as many parts as there are things."""
    if re.search(r"\b(?:share|fraction|proportion|percentage)\b", low):
        return True
    return any(
        re.search(rf"\b{re.escape(part)}\b", low) and re.search(rf"\b(?:{'|'.join(many)})\b", low)
        for part, many in _PARTS.items()
    )


def _credit(low: str) -> float:
    """The credit that is less than full."""
    match = _PART.search(low)
    said = match[0] if match else "half"
    named = {"half": 0.5, "a quarter": 0.25, "a third": 1 / 3}
    return named[said] if said in named else float(said)


def _about_regions(one: Statement) -> bool:
    """Containing is said of a tag, a mark or a file, not of the accepted answer."""
    return bool(
        re.search(
            r"`|\"answer:|answer:|<\w+>|\btags?\b|\bfiles?\b|\bcolumn|\bquestions?\b|\.(?:txt|csv|jsonl?)",
            one.low,
        )
        and not re.search(r"accepted|right answer|correct answer|gold|reference|one of the", one.low)
    )
