"""A README as statements: sentences with the heading they stand under, and which of them a rule rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gumption.synthesis.offline._readme import entries, without_orders

__all__ = ["Statement", "Statements", "statements_of"]

_HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s+(.*?)[#\s]*|\*\*([^*]{2,60}?):?\*\*|([A-Z][^.!?`|]{1,50}):?)\s*")
_LED = re.compile(r"\s*[*_]{2}([^*]{2,40}?):?[*_]{2}\s*[:.]?\s*(?=\S)")
_END = re.compile(r"(?<=[\w)`\"'\]%*/|])[.!?]+[\"')]?(?=\s+[A-Z`\"'*(<0-9]|\s*$)")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|approx|ca|cf|vs|etc)|^\s*\d{1,2}|\s[a-z])$", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:no|nr)\.\s+\d", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]\s+|\d{1,2}[.)]\s+|\|)\s*")
_FIELD = re.compile(
    r"^\s*(?:[-*+\u2022|]\s*)*(?:[`\"'][^`\"']{1,40}[`\"']"
    r"|[\w .]{1,30}(?=\s{2,}\S))[^.:|]{0,40}?(?:[:|\u2013-]|\s{2,}|,|\()"
)
_RULES = re.compile(
    r"scor|evaluat|metric|grad|judg|rules?\b|how we|measure|\bpoints\b|accura|marking", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{0,300}?[^\s*])\1(?![\w*])")
"""Bold and italics, which are no part of what is said."""
_MOST = 2000
_LONGEST = 1000
"""Characters of a sentence that are looked at."""


@dataclass(slots=True)
class Statement:
    """One sentence."""

    text: str
    heading: str
    data: bool
    """It describes a file or a column."""
    low: str = ""

    def __post_init__(self) -> None:
        plain = _EMPHASIS.sub(r"\2", self.text)
        self.low = " ".join(plain.lower().split()).replace("\u2019", "'")

    @property
    def rules(self) -> bool:
        """Whether it stands under a heading of rules."""
        return bool(_RULES.search(self.heading))


@dataclass(slots=True)
class Statements:
    """All of a README's, in order, and those that rules rest on."""

    all: list[Statement]
    orders: bool
    """Whether parts were left out that speak to a machine."""
    used: list[Statement] = field(default_factory=list)

    def __iter__(self) -> Iterator[Statement]:
        """Those that do not merely describe data."""
        return (one for one in self.all if not one.data)

    def find(self, pattern: str | re.Pattern[str], without: str = "") -> list[Statement]:
        """Statements that the pattern is found in, but for those in which `without` is; on lower case."""
        return [
            one
            for one in self
            if re.search(pattern, one.low) and not (without and re.search(without, one.low))
        ]

    def use(self, *statements: Statement) -> None:
        """Note that a rule rests on these."""
        self.used += [one for one in statements if one not in self.used]

    def says(self, pattern: str | re.Pattern[str], without: str = "") -> bool:
        """Whether any says so; they are noted as used."""
        found = self.find(pattern, without)
        self.use(*found)
        return bool(found)

    @property
    def evidence(self) -> tuple[str, ...]:
        """The used sentences, in the README's order."""
        return tuple(" ".join(one.text.split()) for one in self.all if one in self.used)


def statements_of(readme: str) -> Statements:
    """Split a README; paragraphs that speak to machines are left out."""
    text, orders = without_orders(re.sub(r"(?s)\A---\n.*?\n---\n", "", readme))
    found: list[Statement] = []
    heading = ""
    for entry in entries(re.sub(r"(?m)^\s*(?:```\w*|~~~\w*|[=-]{3,})\s*$", "", _separated(text))):
        title = _HEADING.fullmatch(entry)
        if title:
            heading = next(one for one in title.groups() if one)
            continue
        led = _LED.match(entry)
        heading = led.group(1) if led else heading
        said = entry[led.end() :] if led else entry
        field_of = bool(_FIELD.match(said))
        listed = bool(_BULLET.match(said)) or "  " in said.strip()
        for n, sentence in enumerate(_sentences(_BULLET.sub("", said))):
            found.append(Statement(sentence[:_LONGEST], heading, field_of and (listed or n == 0)))
    return Statements(found[:_MOST], orders)


def _separated(text: str) -> str:
    """Headings as paragraphs of their own."""
    return re.sub(r"(?m)^(\s{0,3}#{1,6}\s.*)$", r"\n\1\n", text)


def _sentences(entry: str) -> list[str]:
    found: list[str] = []
    start = 0
    for end in _END.finditer(entry):
        numbered = _NUMBERED.match(entry, max(start, end.start() - 2))
        if not numbered and not _ABBREVIATED.search(entry[start : end.start()]):
            found.append(entry[start : end.end()].strip())
            start = end.end()
    found.append(entry[start:].strip())
    return [one for one in found if re.search(r"\w", one)]
