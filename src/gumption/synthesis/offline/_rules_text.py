"""How texts are compared, as a README says it."""

from __future__ import annotations

import re
from typing import Any

from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._verdicts import refusing

__all__ = ["text_rules"]

_SIGNS = (
    (r"full stops?|\bperiods?\b|\bdots?\b", "."),
    (r"\bcommas?\b", ","),
    (r"exclamation (?:marks?|points?)", "!"),
    (r"question marks?", "?"),
    (r"\basterisks?\b|\bstars?\b", "*"),
    (r"\bsemicolons?\b", ";"),
    (r"(?<!semi)\bcolons?\b", ":"),
    (r"\bquot(?:es|ation marks?)\b|\bquotes?\b|inverted commas", "\"'"),
    (r"\bapostrophes?\b", "'"),
    (r"\bbrackets?\b|\bparenthes[ei]s\b", "()[]"),
    (r"\bdash(?:es)?\b", "-"),
    (r"\bbackticks?\b", "`"),
    (r"\bunderscores?\b", "_"),
)
_DROPS = (
    r"\b(?:throw|leav\w+ out|left out|omit|strik|struck|replac|cross(?:ed)? out|small letters|tak(?:e"
    r"|en) out|keep only|kept|clean|eras|eliminat|clear|drop|remov|strip|ignor|delet"
    r"|discard|trim|cut|forgiv|without|disregard|take off"
    r"|not matter|no matter|tak(?:e|en) (?:away|off)"
    r"|(?:are|is|counts? as|as) (?:the same|alike|one and the same)\b|squeez|collaps|not count|no difference"
    r"|irrelevant|neutral|lower[- ]?cas|fold|normali[sz]|regardless|whatever|insensitiv|in any case"
    r"|any case|either case|do(?:es)? not$)\w*"
)
_KEEPS = re.compile(
    r"\b(?:case|articles?|punctuation|accents?|hyphens?|spaces?|spelling"
    r"|plurals?)\b(?:(?!\bnot\b|n't|\bno\b)[^.;]){0,25}\b(?:matters?|matter|counts?"
    r"|is kept|are kept|is not (?:ignored|removed|dropped)|are not (?:ignored|removed"
    r"|dropped)|must match|must be right|is significant|is respected"
    r"|stays?)(?!\w)"
    r"|\bcase included\b|\b(?:capital|upper[- ]?case|case)\b[^.;]{0,40}\b(?:are|is) (?:different"
    r"|distinct|not the same"
    r"|not equal)\b"
    r"|\bcase[- ]sensitive|\b(?:do not|don't|doesn't|does not|never|not|no|nor|without) (?:\w+ )?"
    r"(?:drop|remov|strip|ignor|touch|lower|tak\w+ (?:away|off|out)|delet|discard|trim|cut|leav\w+ out"
    r"|forgiv|normali)\w*"
)
_STEPS = (
    (
        "lower",
        r"\b(?:upper|lower)[- ]?case|\b(?:small|large|big)(?: letters)? (?:and|or|from) (?:small|large|big)\b"
        r"|\b(?:in|into|to|as) (?:small|lower)\b|\bupper and lower|\bcase\b|lower-?cas|\bcapitals?\b"
        r"|capitali[sz]ation",
    ),
    (
        "articles",
        r"\barticles?\b|\b(?:(?:a|an|the)\b\W{1,4}){2}(?:(?:and|or)\W{1,2})?(?:a|an|the)\b"
        r"|\b(?:a|an|the)\b\W{1,4}(?:a|an|the)\b\W{1,4}(?:and|or)\W{1,2}(?:a|an|the)\b",
    ),
    ("accents", r"\baccents?\b|\bdiacritic|\bumlaut"),
    ("hyphens", r"\bhyphens?\b"),
    ("quotes", r"\bquot(?:es|ation marks)\b"),
    ("markdown", r"\bmarkdown\b|\bbold\b|\bemphasis\b"),
    ("brackets", r"\b(?:text|words?|anything|what is|remarks?) in (?:brackets|parenthes[ei]s)"),
    (
        "number_words",
        r"\bnumber words?\b|\bspelled[- ]out numbers?|\bnumbers? (?:in|as) words?|\bdigits? and words?",
    ),
    ("plurals", r"\bplurals?\b|\bsingular"),
    (
        "punctuation",
        r"\bpunctuation\b|\bspecial characters\b|\bnon-?alphanumeric|\b(?:everything"
        r"|anything|all) (?:except|but|other than)"
        r" letters|\b(?:is|are) (?:not|neither) (?:an? )?letters?|\bonly (?:keep )?(?:the )?letters",
    ),
    ("spaces", r"\bwhite ?-?space|\bblanks?\b|\bspaces?\b|\bspacing\b"),
)
_ENDS = re.compile(
    r"\bat (?:the|its|either|both) (?:ends?|beginning|start|edges?)|\b(?:trailing"
    r"|leading|surrounding|final|outer|around)\b|\baround (?:it|them|the)"
    r"|\bat the (?:very )?end\b"
)
_LEADING = re.compile(
    r"\b(?:leading|initial|opening|first)\W{1,3}(?:articles?|an?|the)\b"
    r"|\barticles?\b[^.;,]{0,20}\b(?:at the (?:front|start|beginning)|in front|before (?:it|the)"
    r"|(?:it|they) (?:starts?|begins?))\b|\b(?:starts?|begins?) with [^.;]{0,20}\barticle"
)
"""That only an article before all else is taken off."""
_TO_BLANK = re.compile(
    r"\bpunctuation\b(?:(?!\bnot\b|n't\b|\bnever\b|\brather\b|\binstead\b)[^.;])*?\b(?:by|with|in|into"
    r"|to|becomes?)"
    r" (?:an? |single )?(?:blank|space)s?\b"
)
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
    steps = _steps(readme)
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
        and not readme.find(_KEEPS)
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


def _steps(readme: Statements) -> tuple[str, ...]:
    """Steps in the order in which the README names them."""
    found: list[str] = []
    for one in readme:
        clauses = re.split(r"[;,.]|\bbut\b", one.low) if _KEEPS.search(one.low) else [one.low.rstrip(".")]
        dropping = False
        for clause in clauses:
            if _KEEPS.search(clause):
                readme.use(one)
                dropping = False
                continue
            dropping = dropping or bool(re.search(_DROPS, clause.strip()))
            if dropping and (named := _named(clause)):
                readme.use(one)
                found += [step for step in named if step not in found]
    if {"articles", "leading_article", "punctuation_to_blank", "spaces"} & set(found):  # close up the rest
        found = [*(step for step in found if step != "spaces"), "spaces"]
    return tuple(found)


def _named(low: str) -> list[str]:
    found = [
        (match.start(), name) for name, pattern in _STEPS if (match := re.search(pattern, low)) is not None
    ]
    found = [
        (at, "leading_article" if name == "articles" and _LEADING.search(low) else name) for at, name in found
    ]
    ends = _ENDS.search(low)
    names = {name for _, name in found}
    signs = "".join(sign for pattern, sign in _SIGNS if re.search(pattern, low))
    # "capital letters" of a proper name or "a blank line" are no steps.
    kept = [(at, name) for at, name in found if name not in ("quotes", "spaces", "punctuation", "brackets")]
    if "brackets" in names:
        kept.append((next(at for at, name in found if name == "brackets"), "brackets"))
        signs = signs.replace("()[]", "")
    if "punctuation" in names:
        at = next(at for at, name in found if name == "punctuation")
        kept = [
            one
            for one in kept
            if one[1] != "hyphens" or not re.search(r"\bhyphens?\b[^.;]{0,40}\bincluded", low)
        ]
        kept.append(
            (at, "ends" if ends else "punctuation_to_blank" if _TO_BLANK.search(low) else "punctuation")
        )
    elif signs:
        kept.append((_first_sign(low), f"{'ends' if ends else 'drop'}:{_unique(signs)}{' ' if ends else ''}"))
    if "spaces" in names and not (ends and signs):
        kept.append((next(at for at, name in found if name == "spaces"), "spaces"))
    return [name for _, name in sorted(kept)]


def _unique(signs: str) -> str:
    return "".join(dict.fromkeys(signs))


def _first_sign(low: str) -> int:
    return min(match.start() for pattern, _ in _SIGNS if (match := re.search(pattern, low)))
