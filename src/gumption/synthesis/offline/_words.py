"""The words by which columns give away what they are for: in names, and in what a README says of them."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from gumption.synthesis._withheld import words_of

__all__ = ["Role", "ignored", "named", "said"]

Role: TypeAlias = Literal[
    "id", "question", "context", "image", "options", "gold", "unit", "category", "cluster"
]

_NAMES: dict[Role, str] = {
    "id": """
        id uid qid pid sid guid uuid key ref index idx no nr num number code identifier item unnamed
        stem name sample
    """,
    "question": """
        question questions q prompt ask asks query instruction say statement task expression request
        utterance sentence claim input problem text messages conversation conversations command
        referring phrase frage pregunta domanda 问题
    """,
    "context": """
        context passage paragraph hint background story article document situation scenario observation
        preamble premise setup
    """,
    "image": """
        image images img imgs picture pictures pic photo photos frame frames file filename path shot
        view views still rgb screenshot figure bild 图片
    """,
    "options": """
        option options opt opts choice choices candidate candidates alternative alternatives answers
        select antwort antworten 选项
    """,
    "gold": """
        answer answers gold golden label labels truth gt target targets correct solution expected
        reference ground key y a ans right mask masks bbox box boxes region polygon outline points value
        verdict response point position richtig lsg loesung lösung respuesta 答案
    """,
    "unit": "unit units uom einheit",
    "category": """
        category categories type topic theme subject genre domain skill group kind area l2 subtask
        subcategory dimension tag capability ability class bereich
    """,
    "cluster": "scene room video house episode environment clip location photo",
}
_SAID: dict[Role, str] = {
    "id": r"\b(?:ids?|identifier|unique|running number|number of the (?:question|item|row))\b",
    "question": r"\b(?:questions?|asked|prompt|sentence|statement|query|instruction|expression|"
    r"what to (?:point|do|find)|(?:say|give|show) (?:this )?to the model|ready[- ]made)\b",
    "context": r"\b(?:text to read|passage|background|context|shown before|situation|story|hints?|clues?)\b",
    "image": r"\b(?:pictures?|images?|photos?|frames?|shots?|stills?|screenshots?|views?)\b",
    "options": r"\b(?:options|choices|possible answers|answers|alternatives|candidates)\b",
    "gold": r"\b(?:right|correct|truth|true|solution|gold|ground[- ]truth|accept(?:ed)?|answers?|target|key|"
    r"measured|mask|label|polygon|outline|box|region|expected|reference)\b",
    "unit": r"\bunits?\b",
    "category": r"\b(?:topic|kind of|type of|subject|theme|breakdown|genre|category|area|skill)\b",
    "cluster": r"\b(?:scene|room|video|house)\b",
}
_IGNORED = re.compile(
    r"(?i)\b(?:not? (?:be )?used?|unused|(?:do not|don't|never|should not be) (?:use|used|show|shown)|"
    r"not (?:for|shown to) the model|for our own|of no use|internal|debug|bookkeeping|can be ignored"
    r"|irrelevant|(?:\bnot|never|\w+n't)(?:\s+\w+){0,2}?\s+(?:shown?|sent|given|pass(?:ed)?|reach|prompt(?:ed)?)\b"
    r"|(?:keep|kept|leave|left|stays?) (?:it |them |that )?out of|plays? no part|needn't know)"
)
_POINTS_BACK = re.compile(r"(?i)\s*(?:it|them|these|those|that|this|such)\b")
_LACKS = r"(?:empty|null|blank|missing|none|nan|not exist|no text)\b"
_PART = (
    r"(?:options?|choices?|alternatives?|candidates?|answers?|cells?|entry|entries|values?|letters?|ones?)"
)
_OF_CELLS = re.compile(
    rf"(?i)\b(?:an?|any|each|every|some|those|where|if|when)\b[^.]{{0,30}}\b{_PART}\b[^.]{{0,40}}\W{_LACKS}"
    rf"|\b{_LACKS}\W+{_PART}\b|\b(?:where|if|when)\b[^.]{{0,40}}\W{_LACKS}"
)
"""What is said of cells that hold nothing is not said of their column."""


def named(name: str, role: Role) -> bool:
    """Whether a column's name has a word for this."""
    words = words_of(name)
    known = _NAMES[role].split()
    return any(word in known for word in words) or any(
        re.sub(r"\d+$", "", word) in known or word.removesuffix("s") in known
        for word in words
        if len(word) > 2
    )


def said(note: str, role: Role) -> bool:
    """Whether the README describes a column as this."""
    return bool(re.search(_SAID[role], note, re.IGNORECASE))


def ignored(note: str) -> bool:
    """Whether the README says that a column is not for use: all of it, not some of its cells."""
    said = re.split(r"(?<=[a-z0-9)`\"'])[.;](?=\s|$)", note)
    for before, sentence in zip(["", *said], said, strict=False):
        match = _IGNORED.search(sentence)
        if not match:
            continue
        meant = f"{before} {sentence}" if _POINTS_BACK.match(sentence[match.end() :]) else sentence
        if not _OF_CELLS.search(meant):
            return True
    return False
