"""In which order a README puts what is shown: what it says of two parts, or of several in a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from gumption.synthesis.offline._readme import entries
from gumption.synthesis.offline._view import View

__all__ = ["ORDERING", "PARTS", "SCORING", "TELLING", "ordered", "shown_of", "statements"]

PARTS = {
    "images": r"\b(?:pictures?|images?|photos?|photographs?|frames?|stills?|shots?|screenshots?|screens?"
    r"|views?|scenes?|drawings?|sketch(?:es)?|figures?|diagrams?|renders?|renderings?)\b",
    "context": r"\b(?:passages?|context|background|story|situation|hints?)\b",
    "question": r"\b(?:questions?|(?<!in the )(?<!of the )(?<!in our )(?<!in a )prompts?|query"
    r"|statement|sentence|instruction|claim|riddle|task)\b",
    "options": r"\b(?:options|choices|choice per line|answers|alternatives|candidates)\b",
}
ORDERING = re.compile(
    r"(?i)\bthen\b|\bfirst\b|\bbefore\b|\bfollow(?:s|ed by)\b|\bafter\b|\bbelow\b|\babove\b|\bprecede"
    r"|\blast\b|\band ask\b|"
    r"\border\b|\bbehind\b|\bunder\b|\bin front of\b|\bprompts? (?:is|are|has|have|consists?|contains?)\b"
)
TELLING = re.compile(r"(?i)\b(?:sen[dt]|show[ns]?|present(?:ed)?|given?|gets?|put|prompts?|reads)\b")
_PLACING = re.compile(
    r"(?i)\b(?:sen[dt]|show[ns]?|present(?:ed)?|given?|gets?|put|sees?|reads|comes?|goes|go|stands?|place[ds]?"
    r"|prompts? (?:is|are|has|have|consists?|contains?)|precedes?|follow(?:s|ed)?)\b"
)
SCORING = re.compile(
    r"(?i)\bscor(?:e|es|ed|ing)\b|\brepl(?:y|ies)\b.{0,20}\b(?:is|has|if)\b|\bcount(?:s|ed)?\b"
)
_HEADING = re.compile(
    r"(?i)^\W*(?:\w+(?: \w+){0,6}\W*:\s|(?:a|an|the|each|every|our)?\s*prompts?\s+"
    r"(?:is|are|has|have|consists?(?: of)?|contains?)\b)"
)
_GOES_ON = re.compile(
    r"(?i)\W*(?:then|after (?:that|this|it|which)|next|finally|last(?:ly)?"
    r"|below (?:it|that)|under it|behind it)\b"
)
_BEFORE = r"before|above|precedes?|preceding|ahead of|in front of|over"
_AFTER = r"after|below|behind|under|beneath|underneath|follows|following"
_TO = re.compile(
    rf"(?i)\b(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\b(?! (?:it|them|that|this|which)\b(?!\W*$))"
)
_NEAR = 30
"""Characters between a preposition and the part that it is of."""
_MOVES = r"(?:is|are|comes?|goes|go|stands?|shown|given|sent|put|right|in|from|them|it)"
_FIRST = re.compile(rf"(?i)\W{{0,3}}(?:{_MOVES} ){{0,3}}(?:first|at the (?:top|start|beginning|very top))\b")
_LAST = re.compile(rf"(?i)\W{{0,3}}(?:{_MOVES} ){{0,3}}(?:last|at the (?:end|bottom|very end))\b")
_BEGINS = re.compile(r"(?i)\b(?:start|begin|open)(?:s|ning)? with (?:\w+ ){0,2}?\W?$")
_ENDS = re.compile(r"(?i)\b(?:end|close|finish)(?:s|es)? with (?:\w+ ){0,2}?\W?$")
_EDGE = re.compile(
    r"(?i)\b(?:start|begin|open|end|close|finish)(?:s|es|ning)? with\b"
    r"|\bat the (?:\w+ )?(?:top|start|beginning|end|bottom)\b"
)


def statements(view: View) -> list[str]:
    """Sentences with what a semicolon parts, the quoted question by its name."""
    text = view.readme.replace(view.quote, "the question") if view.quote else view.readme
    return [
        one.strip()
        for entry in entries(text)
        for one in re.split(r"(?<=[a-z0-9)`\"'*])[.!?](?=\s|$)", entry)
        if one.strip()
    ]


def shown_of(sentence: str) -> str:
    """What is shown: what a model is asked for comes last anyway, and a heading is no part."""
    told = _HEADING.sub("", sentence)
    return re.split(r"(?i)(?<=[\w`])[^\w`]+(?:and |then )?(?:finally )?(?:ask|request|tell)\b", told)[0]


def ordered(view: View, parts: Mapping[str, re.Pattern[str]]) -> tuple[str, ...]:
    """The parts as the README puts them, with how it speaks of each; as they are given where it does not say.

    Each sentence says that some come before others; one that contradicts an earlier one says nothing.
    """
    later: dict[str, set[str]] = {part: set() for part in parts}
    for sentence in _chains(view):
        for one, two in _pairs(sentence, parts):
            if one not in _reached(two, later):
                later[one].add(two)
    out: list[str] = []
    while len(out) < len(parts):
        out.append(
            next(p for p in parts if p not in out and not any(p in later[q] for q in parts if q not in out))
        )
    return tuple(out)


def _reached(start: str, later: Mapping[str, set[str]]) -> set[str]:
    found, new = set(), {start}
    while new:
        found |= new
        new = {two for one in new for two in later[one]} - found
    return found


def _chains(view: View) -> Iterator[str]:
    """What is said of an order, sentences that go on with one as one."""
    told = ""
    for sentence in [*statements(view), ""]:
        if told and _GOES_ON.match(sentence):
            told = f"{told}, {shown_of(sentence)}"
            continue
        if told and (ORDERING.search(told) or _EDGE.search(told)):
            yield told
        data = re.match(r"[\s*+|-]*[`\"']", sentence) and not _PLACING.search(sentence)
        told = "" if SCORING.search(sentence) or data else shown_of(sentence)


def _pairs(told: str, parts: Mapping[str, re.Pattern[str]]) -> Iterator[tuple[str, str]]:
    """Which part comes before which."""
    mentions = sorted(
        (found.start(), found.end(), part)
        for part, pattern in parts.items()
        for found in pattern.finditer(told)
    )
    related = set()
    for found in _TO.finditer(told):
        behind = [one for one in mentions if found.end() <= one[0] <= found.end() + _NEAR]
        clause = max(told.rfind(sign, 0, found.start()) for sign in ",;:")
        ahead = [one for one in mentions if clause < one[0] < found.start()]
        of = behind[0] if behind else None
        subject = (
            ahead[-1]
            if ahead
            else next((one for one in mentions if of and one[0] > of[0] and one[2] != of[2]), None)
        )
        if not of or not subject or of[2] == subject[2]:
            continue
        if not ahead and re.search(r"[`\"\u201c\u201d*]", told[clause + 1 : found.start()]):
            continue  # what stands there is quoted
        pair = (subject[2], of[2]) if found["before"] else (of[2], subject[2])
        related |= {pair, pair[::-1]}
        yield pair
    firsts = list(dict.fromkeys(part for _, _, part in mentions))
    for begin, end, part in mentions:
        others = [other for other in parts if other != part]
        if _FIRST.match(told, end) or _BEGINS.search(told[:begin]):
            yield from ((part, other) for other in others)
        elif _LAST.match(told, end) or _ENDS.search(told[:begin]):
            yield from ((other, part) for other in others)
    yield from (pair for pair in pairwise(firsts) if pair not in related)
