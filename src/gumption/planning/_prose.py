"""Steps in prose to actions: "2. Place the apple on the table" to ["Place", "Apple", "Table"]."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gumption.planning.verbs import KNOWN

__all__ = ["read_step", "read_steps"]

_ITEM = re.compile(
    r"^[ \t>*_]*(?:\(?\d{1,3}[.):]|\d{1,3}\s*-|[-*\u2022\u2023]|step\s*\d{1,3}\s*[:.)-]?|[a-z][.)]\s)"
    r"[ \t*_]*(?P<step>.+)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A numbered or bulleted line."""
_LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{0,40}\]|\*\*[^*\n]{0,40}\*\*:?|(?:navigate|manipulate|action)\s*:)\s*", re.IGNORECASE
)
_OPENING = re.compile(
    r"^(?:(?:first|then|next|finally|lastly|now|afterwards|after that|and|please|i|we|you|(?:the )?robot|it)"
    r"\b,?\s*|(?:i|we)['\u2019]ll\s+|(?:will|shall|should|must|needs? to|can|have to|(?:am )?going to)\s+)+",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|some|this|that|these|those|my|your|its|their|his|her)\s+", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\s+(?:back\s+)?(?:(?:on|in)\s*to\s+(?:the\s+)?top\s+of|on\s+top\s+of|next\s+to|inside\s+of|out\s+of|onto|into|inside|on"
    r"|in|to|from|at|under|over|with|using|beside|near|against|towards?|by)\s+",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*[,;]?\s+(?:and\s+then|then|and)\s+|\s*[,;]\s+", re.IGNORECASE)
_CALL = re.compile(r"^([A-Za-z][A-Za-z_ ]{0,30})\(([^()]{0,200})\)\.?$")
_TRAILING = re.compile(r"[\s.,;:!*_`\"']+$")
_PARTICLES = {"up", "down"}
_LONGEST = 300
"""Characters of one step."""
_SORTED = sorted(KNOWN, key=lambda verb: (-len(verb), verb))
_VERB = re.compile(rf"^(?:{'|'.join(map(re.escape, _SORTED))})(?=\s|$|\()", re.IGNORECASE)
_SPLIT = re.compile(r"^(turn|switch|toggle)\s+(.+?)\s+(on|off)$", re.IGNORECASE)


def read_steps(text: str) -> list[list[str]] | None:
    """The actions of numbered or bulleted lines, or of lines like `pick(apple)`.

    None where there are none, or where most do not begin with a verb.
    """
    lines = [match["step"] for match in _ITEM.finditer(text)]
    lines = lines or [line for line in text.splitlines() if _CALL.match(line.strip())]
    found = [read_step(line) for line in lines]
    known = [actions for actions in found if actions]
    if not known or 2 * len(known) < len(lines):
        return None
    return [action for actions in known for action in actions]


def read_step(line: str) -> list[list[str]]:
    """The actions of one line; none where it does not begin with a verb."""
    line = _LABEL.sub("", line[:_LONGEST].strip("\t *`_"))
    call = _CALL.match(line)
    if call and call[1].replace("_", " ").strip().lower() in KNOWN:
        return [[call[1], *[part.strip(" '\"") for part in call[2].split(",") if part.strip(" '\"")]]]
    return list(_clauses(line))


def _clauses(line: str) -> Iterator[list[str]]:
    """A line's clauses: it goes on where a new verb follows an `and`."""
    start = 0
    for joint in _AND.finditer(line):
        if _VERB.match(_OPENING.sub("", line[joint.end() :])):
            yield from _clause(line[start : joint.start()])
            start = joint.end()
    yield from _clause(line[start:])


def _clause(text: str) -> Iterator[list[str]]:
    text = _TRAILING.sub("", _OPENING.sub("", text.strip()))
    apart = _SPLIT.match(text)
    if apart:
        text = f"{apart[1]} {apart[3]} {apart[2]}"
    verb = _VERB.match(text)
    if verb is None:
        return
    words = verb[0].split()
    rest = text[verb.end() :].strip()
    if len(words) > 1 and words[-1].lower() in {*_PARTICLES, "to", "for"}:
        words = words[:-1]
    elif rest.split(" ", 1)[0].lower() in _PARTICLES:
        rest = rest.partition(" ")[2]
    parts = _BETWEEN.split(f" {rest}") if rest else []
    yield [_titled(words), *_arguments(parts)]


def _arguments(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        plain = _ARTICLE.sub("", _TRAILING.sub("", part.strip()))
        if plain:
            yield _titled(plain.split())


def _titled(words: list[str]) -> str:
    """Words as EmbodiedBrain's plans write them, capitalised; a verb of two words keeps its second small."""
    if " ".join(words).lower() in KNOWN:
        return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])
    return " ".join(word[:1].upper() + word[1:] for word in words)
