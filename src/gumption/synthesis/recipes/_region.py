"""The part of a reply that counts, and reading it as `gumption.answers` does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from gumption.answers import passage_of, refuses, visible
from gumption.records import GumptionError, Reading
from gumption.synthesis.recipes._parts import SETS_APART, finder

__all__ = ["DENIED", "ESCAPES", "Region", "Several", "nothing", "read_part", "region"]

Several: TypeAlias = Literal["none", "first", "last"]
"""Which of several answers counts where a README says so; "none" of them where it leaves them open."""


class Region(NamedTuple):
    """The part of a reply that counts."""

    text: str
    marked: bool
    """Whether a tag or a mark set it apart: then all of it is meant as the answer."""


def region(reply: str, order: Sequence[str] = ("whole",), *, rest: bool = False) -> Region:
    """The first part of `order` that the reply has; an empty one where it has none. Reasoning never counts.

    Parts are `answer_tag`, `answer_mark`, `boxed`, `last_line`, `first_line`, `last_sentence`,
    `first_sentence`, `first_word`, `first_character`, `last_word`, `whole`; others are named: `tag:NAME`,
    `mark:WORDS`, `after:SIGN`, `between:[[ ]]`, `json:KEY`. Behind a mark the first line that says something
    counts, or all that follows where `rest`.
    Raises GumptionError for a part by another name.
    """
    said, _ = visible(reply)
    for name in order:
        found = finder(name, rest)(said)
        if found is not None:
            return Region(found.strip(), name.partition(":")[0] in SETS_APART)
    return Region("", False)


DENIED = re.compile(r"\b(?:not|never|neither|nor|cannot|hardly)\b|n['\u2019]t\b", re.IGNORECASE)
ESCAPES = re.compile(r"\x1b(?:\[[\d;]{0,20}[A-Za-z]|\][^\x07]{0,200}\x07)")
"""Orders to a terminal, whose numbers say nothing."""


def read_part(part: Region, reader: Callable[..., Reading]) -> Reading:
    if not part.text:
        return Reading("unanswered")
    passage = passage_of(part.text)
    if part.marked:
        passage = type(passage)(passage.text, False, passage.repairs)
    try:
        return msgspec.structs.replace(reader(passage), repairs=())
    except GumptionError as error:
        raise GumptionError(error.problem, where="score", remedy=error.remedy) from error


def nothing(text: str, value: Any) -> Reading:
    return Reading("refused", value, "refusal") if refuses(text) else Reading("unanswered", value)
