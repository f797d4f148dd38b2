"""How yes and no are read, as a README says it."""

from __future__ import annotations

import re
from typing import Any

from gumption.synthesis.offline._rules_choice import NOT, several_of, whole_of
from gumption.synthesis.offline._statements import Statements

__all__ = ["READ_ANYWAY", "yes_no_rules"]

_KNOWN = {
    "yes": "yes",
    "yep": "yes",
    "yeah": "yes",
    "yup": "yes",
    "true": "yes",
    "correct": "yes",
    "affirmative": "yes",
    "y": "yes",
    "t": "yes",
    "1": "yes",
    "right": "yes",
    "sure": "yes",
    "positive": "yes",
    "ja": "yes",
    "oui": "yes",
    "si": "yes",
    "indeed": "yes",
    "aye": "yes",
    "no": "no",
    "nope": "no",
    "nah": "no",
    "false": "no",
    "incorrect": "no",
    "negative": "no",
    "n": "no",
    "f": "no",
    "0": "no",
    "wrong": "no",
    "nein": "no",
    "non": "no",
    "nay": "no",
}
READ_ANYWAY = (
    "yep",
    "yeah",
    "yup",
    "true",
    "correct",
    "affirmative",
    "nope",
    "nah",
    "false",
    "incorrect",
    "negative",
)
"""Words that `reading.yes_no` knows beside yes and no."""
_AMBIGUOUS = ("right", "wrong", "correct", "incorrect", "sure", "0", "1", "positive", "negative")
"""Words that a README has for other things too."""
_RUN = re.compile(
    rf"\b(?:{'|'.join(_KNOWN)})\b(?:[`\"'*]*(?:,|/)? ?(?:or|and|,)? ?[`\"'*]*\b(?:{'|'.join(_KNOWN)})\b)+"
)
_WORTH = r"\b(?:right|correct|matching) (?:answer|one|word|verdict)s?\b|\b(?:1|one) (?:point )?(?:for|if)\b"
"""What is said of a reply's worth: "0 for anything else" speaks of no other words then."""
_LISTING = re.compile(
    r"\baccept|\bcounts? as|\bmeans?\b|\bread as|\btreated|\bequivalent|\bstands? for"
    r"|\balso\b|\bas well\b|\bsynonym|\brecogni[sz]e"
)
_DEFINES = re.compile(
    r"[`\"'][\w.]+[`\"'] (?:is|are|has|holds) (?:[`\"']\w+[`\"'] (?:when|if|where|for)\b"
    r"|(?:what|the)\b(?! (?:yes|no|positive|negative|word)\b))"
)
"""What describes a column."""
_EXCLUSIVE = re.compile(
    r"\b(?:anything|everything|any(?:thing)? other|all) else\b"
    r"|\bonly (?:the words? )?[\"'`]?(?:yes|no)\b|\bno other words?\b"
    r"|\bnothing else (?:is|counts)|\bother words? (?:are|do|is|score)"
)
_OCCURS = re.compile(
    r"\byes\b[^.;]{0,30}\b(?:occurs?|appears?|is (?:in|found|present|there)|stands?)\b[^;]*"
    r"\b(?:no\b[^.;]{0,30}\b(?:not|n't|absent)|the other|vice versa|the other way)"
    r"|\b(?:contains?|has|have|holds?|includes?|mentions?|says?)\b[^.;]{0,25}\byes\b[^.;]{0,12}\b(?:but"
    r"|and) (?:not|no)\b"
    r"|\bexactly one of (?:the |these )?(?:two )?words?\b|\bonly one of (?:the )?(?:two|both) words\b"
    r"|\b(?:just|exactly|only) one of (?:the )?(?:two|yes|them)\b[^.;]{0,40}\b(?:occurs?|appears?|contain"
    r"|in it|in the)"
)
"""That the words themselves decide, whatever is said around them."""
_NO_OTHERS = re.compile(
    rf"\b(?:not|never|no|don't|nothing)\b[^.;]{{0,20}}\b(?:take|accept|count|read|allow"
    rf"|know)?\w* ?(?:any )?other words?\b"
    rf"|\bother words?\b[^.;]{{0,60}}{NOT}"
)
_WORDS = re.compile(r"[a-z01]+")
_BOTH = re.compile(
    r"^\W*(?:the words? |plain |a )?\W?yes\b\W{0,3}(?:and|or|/|,)?\W{0,3}no\b(?!.*\b(?:true|false)\b)"
)


def yes_no_rules(readme: Statements) -> dict[str, Any]:
    """The parameters of `reading.yes_no`."""
    told: dict[str, Any] = {}
    words: dict[str, str] = {}
    accepted: set[str] = set()
    for one in readme.find(
        r"\bpositive|\bnegative|\bmeans?\b|\bstands? for|\bcounts? as|\bread as|\bequals?\b|\bsays?\b"
    ):
        said = {} if _DEFINES.search(one.low) else _meanings(one.text)
        if said:
            readme.use(one)
            accepted |= set(said) & set(_KNOWN)
            words |= {word: meant for word, meant in said.items() if word not in _KNOWN}
    for one in readme.find(_LISTING):
        named = [word for word in _WORDS.findall(one.low) if word in _KNOWN]
        if not any(word in named for word in ("yes", "no", "true", "false", "y", "n")):
            continue
        refused = re.search(NOT, one.low)
        if (
            refused
            and _BOTH.search(one.low[: refused.start()])
            and not re.search(r"[,;]| but ", one.low[: refused.start()])
        ):
            readme.use(one)
            words |= {"yes": "", "no": ""}
            continue
        listed = {word for word in named if word not in _AMBIGUOUS or _quoted(one.text, word)} | _beside(
            one.low
        )
        readme.use(one)
        if refused and not re.search(r"\b(?:yes|no)\b", one.low[: refused.start()]):
            words |= dict.fromkeys(listed - {"yes", "no"}, "")
        else:
            accepted |= listed
    exclusive = readme.find(_EXCLUSIVE, _WORTH)
    for one in readme.find(rf"[\"'`](?:true|false|yep|nope|y|n)[\"'`][^.;]{{0,60}}{NOT}"):
        words |= {word: "" for word in _WORDS.findall(one.low) if word in READ_ANYWAY or word in ("y", "n")}
        readme.use(one)
    if exclusive and accepted | {"yes", "no"}:
        readme.use(*exclusive)
        words |= {word: "" for word in READ_ANYWAY if word not in accepted}
    words |= {
        word: _KNOWN[word]
        for word in sorted(accepted)
        if word not in READ_ANYWAY and word not in ("yes", "no")
    }
    if words:
        told["words"] = dict(sorted(words.items()))
    literal = readme.find(_OCCURS)
    if literal:
        readme.use(*literal)
        told["occurs"] = True
    if narrow := [one for one in readme.find(_NO_OTHERS) if one not in literal]:
        readme.use(*narrow)
        told["words"] = {**dict.fromkeys(READ_ANYWAY, ""), **told.get("words", {})}
    several = several_of(
        readme, r"(?:\W?yes\W? (?:or|and|/) \W?no|words?|answers?|verdicts?|ones?|mentions?)"
    )
    if several != "none":
        told["several"] = several
    if not literal and whole_of(readme):
        told["whole"] = True
    return told


_YES = re.compile(r"\b(?:positive|affirmative|yes|true|holds?|right|correct)\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:negative|no|false|not|wrong|incorrect)\b", re.IGNORECASE)
_IN_QUOTES = re.compile("[`\"'\u201c]([A-Za-z]{1,15})[`\"'\u201d]")


def _meanings(text: str) -> dict[str, str]:
    """What quoted words are said to mean by the words behind them: "safe" and "fine" as positive."""
    found: dict[str, str] = {}
    pending: list[str] = []
    quoted = list(_IN_QUOTES.finditer(text))
    for match, following in zip(quoted, [*quoted[1:], None], strict=False):
        pending.append(match[1].lower())
        between = text[match.end() : following.start() if following else match.end() + 60]
        meant = "no" if _NO.search(between) else "yes" if _YES.search(between) else ""
        if meant:
            found |= dict.fromkeys(pending, meant)
            pending = []
    return found


def _beside(low: str) -> set[str]:
    """Words that stand in one list with such as can only be verdicts: "true or correct"."""
    runs = (_WORDS.findall(run[0]) for run in _RUN.finditer(low))
    return {
        word
        for run in runs
        if any(word in _KNOWN and word not in _AMBIGUOUS for word in run)
        for word in run
        if word in _KNOWN
    }


def _quoted(text: str, word: str) -> bool:
    return bool(re.search(rf"[`\"'\u201c*]{re.escape(word)}[`\"'\u201d*.,]", text, re.IGNORECASE))
