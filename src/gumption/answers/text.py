"""Reading free text: what a reply gives as its answer, as written."""

from __future__ import annotations

import re

from gumption.answers._evidence import explicit, first_line, plain
from gumption.answers._refusal import refuses
from gumption.answers._reply import Passage
from gumption.records import Reading

__all__ = ["read_text"]

_FENCE = re.compile(r"```\w*\n?")
_HEADING = re.compile(r"^\s{0,3}#{1,6}(?:\s+|$)|^\s{0,3}>\s", re.MULTILINE)
_QUOTES = {'"': '"', "'": "'", "(": ")"}
_PRINTED = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf)\s?\{([^{}\n]*)\}")


def read_text(passage: Passage) -> Reading:
    """Read a string: the inside of an answer tag, else the line after the last answer mark or the content
    of the last box, else the whole reply, without Markdown marks and surrounding quotes.

    Rules: `answer_tag`, `explicit`, `whole`. A refusal in words counts only where nothing is announced.
    """
    for region in explicit(passage.text):
        value = _clean(first_line(region))
        if value:
            return passage.reading(value, "explicit" if passage.whole else "answer_tag")
    value = _clean(passage.text)
    if not value:
        return Reading("unanswered", repairs=passage.repairs)
    if passage.whole and refuses(passage.text):
        return Reading("refused", rule="refusal", repairs=passage.repairs)
    return passage.reading(value, "whole" if passage.whole else "answer_tag")


def _clean(text: str) -> str:
    text = _PRINTED.sub(r"\1", _HEADING.sub("", plain(_FENCE.sub("", text)))).strip(" \t\r\n*_`")
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text
