"""The question where no column holds it: a sentence that the README quotes, with columns' names filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from gumption.synthesis.offline._words import named

__all__ = ["ASKS_FOR_FORM", "Quoted", "fixed_question", "quoted", "template_of"]

ASKS_FOR_FORM = re.compile(
    r"(?i)\b(?:answer|reply|respond|response)(?: should be| must be)? "
    r"(?:with|by|using|in|only|yes|formatted|given)\b|\bonly the letter\b|\byes or no\b.{0,3}$|"
    r"\b(?:answer|reply|give (?:the|your|its) \w+) as [(\[]"
)
"""A text that says itself what form of answer is wanted."""
_ASKING = re.compile(
    r"(?i)\b(?:ask(?:s|ed|ing)?|sen[dt]|prompts?|question|instruction|show[ns]?|present|told|tell|text|input|"
    r"query|request|reads?|gets?|given?|wording|end|finish|then|add)\b"
)
"""What leads up to something that a model is told."""
_OF_REPLIES = re.compile(
    r"(?i)\b(?:repl(?:y|ies)|responses?|outputs?|columns?|fields?|"
    r"(?:it|model) (?:writes?|says?|answers?))\b[^.]{0,40}$"
)
_QUOTE = re.compile(
    r"[\"\u201c]([^\"\u201c\u201d]{4,600})[\"\u201d]|`([^`\n]{1,400})`|(?<![\w*])\*([^*\n]{12,400})\*(?![\w*])"
)
_LED = r"(?:^#{1,6} [^\n]*|:[*_ ]*)\n"
_BLOCK = re.compile(
    rf"{_LED}\s*\n((?:(?: {{4}}|\t|> ?)\S[^\n]*\n?){{1,6}})|{_LED}\n*```\w*\n(.{{4,600}}?)\n```",
    re.DOTALL | re.MULTILINE,
)
"""Lines set off below a heading or a colon."""
_PLACE = re.compile(r"\{\s*([^{}\n]{1,60}?)\s*\}|<([A-Za-z][\w .-]{0,60})>|\[([A-Za-z][\w .-]{0,60})\]")
_NEAR = 300
"""Characters before a quote that may lead up to it."""
_SHORTEST = 8
"""Characters of code that is more than a name."""
_FEWEST = 3
"""Words of a question."""


class Quoted(Struct, frozen=True):
    """What a README quotes as said to a model."""

    text: str
    """Without the signs; only of a block on several lines."""
    raw: str
    """As the README has it, with its signs."""


def quoted(readme: str) -> list[Quoted]:
    """Quotes, code and set-off blocks to which the sentence before leads up as something that is asked."""
    found: list[tuple[int, Quoted]] = []
    for pattern in (_BLOCK, _QUOTE):
        for match in pattern.finditer(readme):
            # Of a block its heading leads up to it, which is the first line that is found.
            lead = match.group().split("\n", 1)[0] if pattern is _BLOCK else match.group()[0]
            near = f"{readme[max(0, match.start() - _NEAR) : match.start()]}{lead}"
            before = re.split(r"\n\s*\n|(?<=[a-z0-9)])[.!?]\s", near)[-1]
            if not _ASKING.search(before) or _OF_REPLIES.search(before):
                continue
            told = next(one for one in match.groups() if one)
            if match.group()[0] == "`" and len(told) < _SHORTEST:
                continue
            lines = [line.strip("> \t") for line in told.strip().split("\n")]
            text = ("\n" if pattern is _BLOCK else " ").join(lines).strip('"\u201c\u201d*_ ')
            raw = match.group().partition("\n")[2] if pattern is _BLOCK else match.group()
            found.append((match.start(), Quoted(text, raw.strip())))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def template_of(readme: str, names: Sequence[str]) -> tuple[str, str]:
    """A quoted text in which columns of a table stand in braces or brackets, all of them of the table, and as
    the README has it; ("", "") where there is none."""
    known = {name.rpartition(".")[2].lower(): name for name in reversed(names)}
    known |= {name.lower(): name for name in names}
    for one in quoted(readme):
        places = [next(name for name in found if name) for found in _PLACE.findall(one.text)]
        if all(named(name, "unit") for name in places):
            continue  # the unit alone is no question
        if all(name.lower() in known for name in places) and len(one.text.split()) >= _FEWEST - 1:
            made = _PLACE.sub(
                lambda found: f"{{{known[next(name for name in found.groups() if name).lower()]}}}", one.text
            )
            return made, one.raw
    return "", ""


def fixed_question(readme: str) -> tuple[str, str]:
    """A quoted question or order that is the same for all rows, and as the README has it; or ("", "")."""
    asked = [
        one for one in quoted(readme) if not re.search(r"[{}]", one.text) and any(_without_form(one.text))
    ]
    best = next((one for one in asked if "?" in one.text), next(iter(asked), None))
    return (best.text, best.raw) if best else ("", "")


def _without_form(text: str) -> Iterator[str]:
    """Sentences that ask for more than a form of answer, and are no option or column."""
    for sentence in re.split(r"(?<=[.!?])\s", text):
        labelled = re.match(r"\(?[A-Ja-j1-9][.):]\s", sentence)
        whole = len(sentence.split()) >= _FEWEST and not labelled and re.match(r"[A-Z]", sentence)
        if whole and ("?" in sentence or not ASKS_FOR_FORM.search(sentence)):
            yield sentence
