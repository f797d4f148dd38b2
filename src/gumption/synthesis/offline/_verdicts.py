"""Which replies a README says are worth nothing: the only sentences that may narrow what is read.

A README tells of a good reply in many ways, and few of them mean that others are bad. What is said of replies
that get nothing means it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gumption.synthesis.offline._statements import Statement, Statements

__all__ = ["refused", "refusing"]

_NOUGHT = r"(?:0(?!\.?\d)|zero|nought|nothing|no (?:points?|credits?|marks?|score|answers?))"
_WORTHLESS = (
    rf"\b(?:(?:earn|get|gain|give|bring|score|yield|receive|make)s? {_NOUGHT}"
    rf"|(?:is|are|be|counts?(?: as| for)?|worth|scored|scores?|translated .{{0,20}}earns) {_NOUGHT}"
    r"|(?:is|are|be|counts?(?: as)?|counted|scored|marked) (?:all |both |also |simply |always )?(?:wrong"
    r"|incorrect"
    r"|rejected|invalid|a miss|misses|failed|worthless|not? (?:an )?(?:answers?|accepted|enough|read"
    r"|right|correct|looked|a valid|valid|good|allowed|credited|counted)"
    r"|(?:not (?:taken as |seen as )?an?|no) (?:prediction|number|guess|reply|estimate|response|choice"
    r"|hit|point|amount|answer|value)\b)"
    r"|(?:do(?:es)? not|don't|doesn't|never|cannot|will not|won't) (?:count|score|suffice|help|qualify"
    r"|earn|pass)"
    r"|makes? (?:it|an?|the|any) ?(?:reply|answer)? (?:wrong|worthless|0|zero|invalid)|means? nothing"
    r"|fails?|wins? nothing|not (?:accepted|enough|an answer|credited)|isn't enough"
    r"|(?:is|are|will be)(?:n't| not| never) (?:be )?(?:accept|count|read|look|credit|consider|match"
    r"|compar|search"
    r"|recogni|taken|check|allow|pars|translat)\w*)"
)
"""Said behind what is worth nothing."""
_HEAD = re.compile(
    rf"^(?:and |but )?(?:these (?:are|get|score|count as|earn) (?:all )?(?:wrong|{_NOUGHT})|wrong|failed"
    rf"|missed"
    rf"|(?:worth |scored? |as )?{_NOUGHT}|there (?:is|are) {_NOUGHT})"
    r"(?: (?:given|as well|too|also|scored|worth))*(?: (?:(?:is|are) )?(?:for|if|when|goes to|go to"
    r"|to)\b| (?:is|are)\b|:)"
)
"""What leads a list of such."""
_TAIL = re.compile(rf"{_WORTHLESS}[^:]{{0,40}}:(?=\s)")
_MARKED = re.compile(rf"^([^:]{{3,160}}?)(?:: | = | -> )(?:{_NOUGHT}|wrong)(?=$|[,;.!]| )")
_ALSO = re.compile(r"^(?:neither|nor) (?:is|are|does|do|will|counts?)\b")
_SO_DO = re.compile(r"^(?:the same goes for|likewise|so (?:do|does|is|are)|as (?:do|does|is|are))\b")
_CLAUSES = re.compile(r"[.;:]\s|;|(?:,? but | while |, and (?=an? |the |if ))")
_PHRASES = re.compile(
    r"[,;](?: and| or)?\s|\s(?:and|or)\s(?=an? |the |no |any |two |several |more |one |letters?\b|numbers?\b"
    r"|words?\b|refus)"
)


def refused(readme: Statements) -> Iterator[tuple[Statement, str]]:
    """What is said to be worth nothing, a phrase at a time, with its sentence; in lower case."""
    before = False
    for one in readme:
        low = re.sub(r"\s?\([^()]*\)", "", one.low).rstrip(".!")
        said: list[str] = []
        head = _HEAD.match(low) or (before and (_ALSO.match(low) or _SO_DO.match(low)))
        if head:
            said.append(low[head.end() :])
        elif (marked := _MARKED.match(low)) is not None:
            said.append(marked[1])
        elif (tail := _TAIL.search(low)) is not None:
            said += [low[: tail.start()], low[tail.end() :]]
        else:
            for clause in _CLAUSES.split(low):
                verdict = re.search(_WORTHLESS, clause)
                if verdict and not re.search(r"\b(?:otherwise|else)\b", clause[: verdict.start()]):
                    said.append(clause[: verdict.start()])
        before = bool(said)
        for part in said:
            for phrase in _PHRASES.split(part):
                if re.search(r"\w", phrase):
                    yield one, phrase.strip(" ,:")


def refusing(readme: Statements, pattern: str | re.Pattern[str], without: str = "") -> list[Statement]:
    """The sentences by which replies of such a description are worth nothing."""
    found: list[Statement] = []
    for one, phrase in refused(readme):
        if one not in found and re.search(pattern, phrase) and not (without and re.search(without, phrase)):
            found.append(one)
    return found
