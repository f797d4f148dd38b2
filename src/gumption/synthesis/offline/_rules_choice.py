"""How options are read, as a README says it."""

from __future__ import annotations

import re
from typing import Any

from gumption.synthesis.offline._statements import Statements
from gumption.synthesis.offline._verdicts import refusing

__all__ = ["NOT", "choice_rules", "several_of", "whole_of"]

NOT = (
    r"(?:not (?:be )?(?:accept|count|enough|suffic|look|read|credit|valid|consider|match"
    r"|compar|used|search|recogni|taken|check|allow|pars|a valid|an answer|right\b"
    r"|correct\b)\w*|do(?:es)? not (?:count|score|suffice|help)|never|(?:is|are) (?:wrong"
    r"|ignored|no answers?|worthless|0|rejected|invalid)|scores? (?:0|zero|nothing)"
    r"|gets? (?:0|zero|nothing|no)|no credit|no points?|isn't|aren't|cannot)"
)
_TEXT = (
    r"(?:(?:option|choice|answer)(?:'?s)?(?:'s)? (?:full |own |exact )?(?:text|wording|words|content)s?"
    r"|(?:text|wording|words?|content|name|phrase|full text)s? (?:of|behind"
    r"|next to) (?:the |that |an? |its |each |one )?"
    r"(?:right |correct |chosen )?(?:option|choice|answer|letter)s?|wordings?|its text"
    r"|the text|option texts?|spelled[- ]out|written[- ]out|written out|in words)"
)
_LETTERS_ONLY = re.compile(
    r"\bonly (?:the |a |by )?(?:capital |upper[- ]?case |single )?letters? (?:is|are"
    r"|counts?|matters?|will)|\bonly (?:the |a )?letters?\b[^.;,]{0,40}\b(?:accepted|read|compared|looked)"
    r"|\bletters only\b(?=[:;,.]|$)|\bonly letters\b(?! (?:in|that|which|from|of|as))|\bonly (?:want|take"
    r"|accept|read) (?:the |a )?letters?\b"
    r"|\bletters? (?:only|alone)\b(?=[^.]{0,30}(?:count|accept|scor|read|compar"
    r"|credit)\w*(?! (?:when|if|as)))|\b(?:take|accept|read|want|count|allow|compare)s? nothing but (?:a"
    r"|the) letter\b"
)
_BESIDE = (
    r"^no\b|\bletters? (?:together|next|beside|with|and)\b|\b(?:another|different|other|two|both|second"
    r"|more than one|several|names?|neither)\b"
)
"""What tells of an option's text beside a letter that it does not go with, or of a reply that has none."""
_TEXT_YES = re.compile(
    rf"\b{_TEXT}\b|\b(?:repeat|quot|cop(?:y|ies)|spell|writ)\w* (?:out )?(?:the|that|its"
    r"|an?) (?:right )?(?:offer|option|choice|answer|alternative)"
)
_ASKS = re.compile(
    r"^(?:please )?(?:show|ask|put|give the model|prompt|tell|list|present|display)\b"
    r"|\bask(?:ed|s)? (?:the model )?(?:for|to)\b"
)
_CAPITAL = re.compile(r"\bcapitals?\b|\bupper[- ]?case\b|\bcapitali[sz]ed\b")
_EITHER = re.compile(
    r"\blower|\bsmall\b|\beither\b|\bany\b|\bregardless|\bmatters?\b|\bignor|\bplays?\b|\bnot\b|\bno\b"
)
_SMALL_NO = re.compile(
    r"\b(?:small|lower[- ]?case) letters?\b[^,;.]{0,50}\b"
    + NOT
    + r"|letters?\b[^.;]{0,60}\bcase[- ]sensitive"
)
_NO_CASE = re.compile(
    r"(?:small|lower[- ]?case) letters? (?:are|is|will be|count|also|too"
    r"|do count)\b(?! (?:not|no|wrong))|letters? in (?:either|any) case"
    r"|case of (?:the |a )?letters?\b.{0,30}(?:not matter|ignored|irrelevant)"
    r"|(?:upper|lower)(?:[- ]case)? (?:or|and) (?:upper|lower)[- ]?case letters?"
    r"|letters?[^.;]{0,30}(?:upper or lower|capital or small|small or capital|either"
    r"|any) case"
)
_WHOLE = re.compile(
    r"(?:has|have|must|needs?|should) (?:to )?(?:be|consist of|say) (?:the |its |of )?(?:whole|entire"
    r"|complete"
    r"|only (?:the|of|a)|exactly (?:one|the|a|that)\b|just (?:one|the|a|that)\b|nothing but)"
    r"(?![^.;]* in (?:the|a|its) (?:reply|response|output|answer|text))"
    r"|\b(?:must|has to|have to|needs? to|should)\b[^.;,]{0,25}\b(?:alone|by itself|on its own)\b"
    r"|\b(?:must|has to|have to|may|only if|should|shall)\b[^.;]*\bnothing (?:else|but|more)\b"
    r"|\b(?:letter|number|word|option|answer) (?:alone|by itself)\b[^.;]*\b(?:scores?|counts?"
    r"|is (?:right|accepted))"
    r"|\bonly (?:the|a) (?:letter|number|word|option|answer) (?:alone|by itself)\b"
    r"|\b(?:whole|entire|complete) (?:reply|response|answer|output) (?:must|has to|needs to|should)"
    r"|\bsingle letter and nothing"
)
_MORE = (
    r"\b(?:extra|additional|other|further|more|added|surrounding|any) (?:text|words?)\b"
    r"|\banything (?:around|besides"
    r"|beyond|more|added|extra|before|behind|else in)\b|\b(?:in|inside|put into) a (?:whole |full "
    r"|longer )?sentence\b"
    r"|\bmore than (?:the|a) (?:bare )?(?:letter|number|word|answer)\b|\bwhole sentences?\b"
)
"""What tells of a reply that it says more than the answer."""
_LOOKING = re.compile(r"\b(?:look\w*|reads?|taken?|search\w*|consider\w*)\b|\btags?\b|\bmarks?\b")
"""That a tag goes before all else says nothing of replies without one."""
_FIRST = (
    r"\b(?:the |its )?first (?:{what})\b(?![`\"':])[^.;]{{0,40}}\b(?:counts?"
    r"|is (?:taken|read|used|scored|the answer"
    r"|graded|what)|decides|wins|stands)"
    r"|\b(?:take|use|read|score|look at|count|keep|grade|parse|goe?s? by"
    r"|extract)s? (?:only )?(?:the|its|their|an? \w+'s) first"
    r"(?: (?:{what})\b(?![`\"':]))?"
    r"|\b(?:else|otherwise),? the first (?:{what})\b(?![`\"':])"
)
_IS_FIRST = (
    r"\b(?:is|be|as) the first (?:{what}) (?:(?:in|of|within) (?:the|its|a|each)"
    r" (?:repl|respon|output|answer)|(?:that )?it (?:has|holds|gives|names|contains))"
    r"|\bthe first (?:{what}) (?:in|of) (?:the|its|a|each) (?:reply|response|output|answer) is\b"
    r"|\b(?:what|which|that) counts is the (?:very )?first (?:{what})\b"
    r"|(?:^|[,;:] |\b(?:otherwise|else|not) )(?:it|this|that|\w) is the first (?:{what})\b(?=\W|$)(?! \w)"
)
_ELSEWHERE = (
    r"\b(?:line|sentence|word|token|character|block|option is|column|file|frame|shown|picture)\b|boxed"
)
"""What "the first" and "the last" are said of where it is not an answer."""
_POSITION = re.compile(
    r"\b(?:numbers?|digits?|positions?)\b[^.;]{0,40}\b(?:stands? for|instead of"
    r"|in place of|also|too|accepted|counts? as|as well)\b"
)
_NO_POSITION = re.compile(
    r"(?:bare |mere |plain )?\b(?:numbers?|digits?)\b[^.;]{0,40}\b(?:0|not|never|no)\b|score 0"
)
_BY_NUMBER = re.compile(
    r"\b(?:take|read|use|accept|want|count|ask(?:ed|s)? for|answers? with|repl(?:y"
    r"|ies) with) (?:only )?(?:the|its|an?) (?:\w+ )?"
    r"(?:number|position|digit)\b|\bonly the (?:number|position)\b|\b(?:the|its) (?:number"
    r"|position) (?:of the (?:right |correct )?"
    r"(?:option|choice|answer) )?(?:or|and) (?:the|its) (?:text|wording)\b"
)
_LETTERS = r"^(?:and |for |bare |single |mere |the )*letters?(?: instead\b.*| of (?:the |an )?options?)?$"


_OF_REPLIES = re.compile(
    r"\brepl(?:y|ies)\b|\bresponses?\b|\bansw\w+|\boutputs?\b|\bpredict\w+|\bcounts?\b|\baccept\w*"
    r"|\b(?:the|an?|one|its|that|single|right|correct) (?:[\w-]+ )?"
    r"(?:letter|number|digit|option|choice|word)\b"
    r"|\bscor\w+|\b(?:letter|number|word|option) (?:alone|by itself)\b|\bthe model\b"
    r"|\bany(?:thing)? (?:extra|other|further)"
    r"|^(?:and )?nothing (?:else|more)\b(?!.*\b(?:folder|files?|pictures?|images?|photos?)\b)"
)
"""What a sentence is about that says how much may stand in a reply."""


def several_of(readme: Statements, what: str) -> str:
    """Which of several `what` counts: first, last, or none of them."""
    first = f"{_FIRST.format(what=what)}|{_IS_FIRST.format(what=what)}"
    for name in ("first", "last"):
        pattern = first.replace("first", name if name == "first" else "(?:last|final)")
        found = readme.find(pattern, _ELSEWHERE)
        if found:
            readme.use(*found)
            return name
    return "none"


def whole_of(readme: Statements) -> bool:
    """Whether the answer must stand alone."""
    told = [one for one in readme.find(_WHOLE, r"\bjoin|\bfile|\bcolumn") if _OF_REPLIES.search(one.low)]
    told = [one for one in told if not _ASKS.search(one.low) and not _LOOKING.search(one.low)]
    told += [one for one in refusing(readme, _MORE) if one not in told]
    readme.use(*told)
    return bool(told)


_LEFT_OPEN = re.compile(
    r"\b(?P<how>two|both|several|more than one|three)\b[^.;]{0,60}\b(?:options?"
    r"|letters?|answers?|choices?|alternatives?)\b|\bundecided\b|\bleaves? open\b"
)
_RIGHT_AMONG = re.compile(
    r"\bone of (?:which|them|these|the two)\b[^.;]{0,20}\b(?:right|correct)|\b(?:right"
    r"|correct) (?:one|option|answer)?\b[^.;]{0,20}\b(?:among|included|one of|is in)"
    r"|\bincluding the (?:right|correct)|\bamong (?:them|which)"
)
_CREDIT = re.compile(r"\bhalf\b|(?<![\d.])0?\.\d+\b|\ba (?:quarter|third)\b")


def _open(readme: Statements) -> dict[str, Any]:
    """Credit for a reply that leaves several options open."""
    for one in readme.find(_RIGHT_AMONG):
        open_, credit = _LEFT_OPEN.search(one.low), _CREDIT.search(one.low)
        if open_ and credit:
            readme.use(one)
            named = {"half": 0.5, "a quarter": 0.25, "a third": 1 / 3}
            worth = named[credit[0]] if credit[0] in named else float(credit[0])
            return {"open_credit": worth, **({} if open_["how"] in ("two", "both") else {"open_most": 26})}
    return {}


def _wants_capitals(low: str) -> bool:
    """Whether a clause says that letters are capitals, or that small ones are none."""
    clauses = re.split(r"[;,:]", low)
    told = [one for one in clauses if _CAPITAL.search(one) and not _EITHER.search(one)]
    lettered = any(re.search(r"\bletters?\b", one) for one in told) or (bool(told) and "letter" in clauses[0])
    return lettered or bool(_SMALL_NO.search(low) and "not case" not in low)


def _by_number(low: str) -> bool:
    """Whether a clause says that options are named by their numbers."""
    return any(
        _BY_NUMBER.search(clause)
        and not re.search(r"\b(?:not|never)\b|numbers? of (?:questions|letters|items)", clause)
        for clause in re.split(r"[;,]", low)
    )


_TEXT_TOO = re.compile(
    rf"\b(?:or|also|as well as)\b(?: as| by| only| just)? (?:the |its |an? "
    rf"|that )?(?:option )?(?:whose )?\b{_TEXT}\b"
    r"|\bor (?:the|an?) (?:option|choice|answer) whose (?:text|wording)\b"
)
"""That an option's text is taken beside its letter."""
_BRACKETED = re.compile(
    r"\bletters?\b(?: [a-z]+){0,5} only\b[^.;]{0,20}\b(?:brackets?|parenthes[ei]s)"
    r"|\bletters?\b[^.;]{0,40}\bonly\b[^.;]{0,20}\b(?:if|when|where|in|within)\b[^.;]{0,15}\b(?:brackets?|parenthes[ei]s)"
    r"|\bonly\b[^.;]{0,30}\bletters? in (?:brackets?|parenthes[ei]s)"
)
_OFFERED = r"(?:options?|statements?|choices?|answers?|sentences?|candidates?|labels?|texts?|phrases?|words?)"
_ONE_OCCURS = re.compile(
    r"\b(?:contain|mention|nam|includ|hold|has|have|quot)\w*\b[^.;]*\b(?:none|no|not any)\b[^.;]{0,20}\bother"
    rf"(?:s|[^.;]{{0,20}}\b(?:{_OFFERED}|ones?|offered))\b"
    rf"|\b(?:exactly|just|only) one of the (?:\w+ )?{_OFFERED}\b[^.;]{{0,40}}"
    r"\b(?:occurs?|appears?|found|contain\w*|named|mentioned|in it|in the)\b"
)
"""That just one of the options may be named, whatever is said around them."""
_SIGN = re.compile(r"(?<![A-Za-z0-9])(?:[Aa]|[01])(?![A-Za-z0-9])")


def choice_rules(readme: Statements, label: str = "A. ") -> dict[str, Any]:
    """The parameters of `reading.choice`. `label`: how the first option is shown."""
    told: dict[str, Any] = {}
    sign = _SIGN.search(label)
    lone = whole_of(readme)
    accepting = [one for one in readme.find(_TEXT_YES) if not _ASKS.search(one.low)]
    no = refusing(readme, rf"\b{_TEXT}\b", _BESIDE) or readme.find(_LETTERS_ONLY)
    if sign is None or any(one not in no for one in readme.find(_TEXT_TOO)):
        no, lone = [], False
    if no or (lone and not accepting and readme.find(r"\bletters?\b")):
        told["texts"] = False
        readme.use(*no)
    else:
        readme.use(*accepting)
    capital, either = [one for one in readme if _wants_capitals(one.low)], readme.find(_NO_CASE)
    if capital and not either:
        told["letters"] = "capital"
        readme.use(*capital)
    elif either:
        readme.use(*either)
    if bracketed := readme.find(_BRACKETED):
        readme.use(*bracketed)
        told["bracketed"] = True
    if alone := readme.find(_ONE_OCCURS):
        readme.use(*alone)
        told["occurs"] = True
    told |= _open(readme)
    several = several_of(
        readme, r"(?:capital )?letters?|options?|choices?|answers?|one|mention(?:ed)?(?: option)?"
    )
    if several != "none":
        told["several"] = several
    if lone:
        told["whole"] = True
    positions = [one for one in readme.find(_POSITION) if not _NO_POSITION.search(one.low)]
    positions = [one for one in positions if re.search(r"option|choice|letter", one.low)]
    positions += [one for one in readme if one not in positions and _by_number(one.low)]
    if positions:
        readme.use(*positions)
        told["positions"] = (
            0
            if any(re.search(r"\bfrom (?:0|zero)|\b0[- ]based|zero[- ]based", one.low) for one in positions)
            else 1
        )
        unlettered = refusing(readme, _LETTERS)
        if unlettered:
            readme.use(*unlettered)
            told["letters"] = "none"
    if sign is None:
        told |= {"letters": "none"}
        told.pop("positions", None)
        readme.use(*refusing(readme, r"\bletters?\b|\bnumbers?\b"))
    elif sign[0].isdigit():  # no letter was shown that could stand for an option
        told["positions"] = int(sign[0])
        if not any(one not in readme.used for one in readme.find(_LETTER_TOO)):
            told["letters"] = "none"
            readme.use(*refusing(readme, r"\bletters?\b"))
    return told


_LETTER_TOO = re.compile(
    r"\bletters?\b[^.;]{0,30}\b(?:also|too|as well|fine|accepted|allowed|counts? as)\b(?! not)"
)
