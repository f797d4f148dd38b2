"""Which files, and which lists of a file, are parts of one benchmark: those with the same columns.

That is so unless a part is called after a split, or the README says that it is one, or is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis._withheld import words_of
from gumption.synthesis.recipes._cells import text_of
from gumption.synthesis.recipes._paths import BOTH
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.spec import Source

__all__ = ["Apart", "joined_parts", "part_rank", "parts_apart", "together"]

Apart: TypeAlias = Callable[[str], "int | None"]
"""How far a part of that name is from being the one to evaluate on, 0 is that one; None where it is like any
other."""

_SPLITS = (
    "test", "tests", "testing", "eval", "evaluation", "heldout", "val", "validation", "valid", "dev",
    "development", "tuning", "train", "training", "fewshot", "shots", "demo", "practice", "warmup", "pilot",
    "withdrawn", "retired", "removed", "discarded", "rejected", "excluded", "deprecated", "obsolete",
    "unused",
)  # fmt: skip
_TESTS = 5
"""How many of these mean what is evaluated on; val does where there is none."""
_UNTOLD = _TESTS + 0.5
"""The rank of a part like any other, among these."""
_ONLY = re.compile(
    r"(?i)\b(?:test (?:set|split|part|items|questions|data)|held[- ]out"
    r"|(?:evaluate|score|test|report)[sd]? (?:only )?on"
    r"|(?:is|are) what (?:we|you|is|are) (?:evaluate|score|run|test|report)"
    r"|the (?:real|actual) (?:benchmark|test|thing))"
)
_ELSE = re.compile(
    r"(?i)\b(?:train(?:ing|ed)?|dev(?:elopment)? (?:set|split|part|items)|for development|tun(?:e|ing)"
    r"|few[- ]?shot|practi[cs]e|practi[cs]ing|warm(?:ing)?[- ]?up|trial run|pilot|spare"
    r"|withdrawn|retired|obsolete|superseded|deprecated|discarded|rejected|excluded"
    r"|(?:thrown?|took|taken?|left|leave|sorted) (?:them |it )?out|no longer"
    r"|(?:is|are) not (?:part|to be|used|run|scored|evaluated|counted|meant)"
    r"|(?:do not|don't|never) (?:use|run|score|ask|load|evaluate)|must not be|ignored?\b)"
)
_LISTS = re.compile(r"\W*(?:\w+ ){0,3}?(?:[`\"'][^`\"']*[`\"']|[\w./-]+\.\w{2,5})\W*")
"""A clause that only names a file or a list."""
_LONGEST_LIST = 300
_LANGUAGES = {
    "en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja", "ko", "ru", "pl", "tr", "ar", "english", "german",
    "french", "spanish", "italian", "chinese", "japanese",
}  # fmt: skip
_VERSIONS = 0.2
"""Share of equal rows from which on tables are versions of each other."""


def parts_apart(readme: str) -> Apart:
    """By a part's name: what it is called, and what the README says of it."""
    sentences = [
        one
        for one in re.split(r"(?<=[a-z0-9)`\"'])[.!?;](?=\s|$)|\n\s*\n|\n\s*[-*+|]\s", readme)
        if one.strip()
    ]

    def apart(name: str) -> int | None:
        stem = PurePosixPath(name).stem
        words = set(words_of(stem))
        by_name = next((n for n, split in enumerate(_SPLITS) if split in words), None)
        if by_name is not None:
            return by_name
        said = re.escape(stem)
        named = re.compile(rf"[`\"'/]{said}(?:\.\w{{2,5}})?[`\"'/]|(?<![\w-]){said}\.\w{{2,5}}(?!\w)")
        for sentence in sentences:
            clause = _about(sentence, named)
            if clause and (_ELSE.search(clause) or _ONLY.search(clause)):
                return len(_SPLITS) if _ELSE.search(clause) else 0
        return None

    return apart


def _about(sentence: str, named: re.Pattern[str]) -> str:
    """What of a sentence is about a name: its clause, and where that only lists it the clauses behind it."""
    clauses = re.split(r"[;:,]\s+(?:and |but |while )?|\s(?:and|but|while|whereas)\s", sentence)
    at = next((n for n, clause in enumerate(clauses) if named.search(clause)), None)
    if at is None:
        return ""
    kept = [clauses[at]]
    while at + 1 < len(clauses) and _only_lists(kept[-1]) and not _ONLY.search(kept[-1]):
        at += 1
        kept.append(clauses[at])
    return " ".join(kept)


def _only_lists(clause: str) -> bool:
    return len(clause) <= _LONGEST_LIST and _LISTS.fullmatch(clause) is not None


def part_rank(source: Source, apart: Apart) -> float:
    """The lowest is the part to evaluate on."""
    names = [*PurePosixPath(source.path).parts, *re.findall(r"[^.\[\]{}+\s]+", source.rows), source.sheet]
    told = [rank for name in names if name and (rank := apart(name)) is not None]
    return max(told) if told else _UNTOLD


def joined_parts(root: Path, sources: Sequence[tuple[Source, set[str]]], apart: Apart) -> list[list[int]]:
    """Which sources, with their columns, are parts of one table: those of one layout and rank."""
    groups: list[list[int]] = []
    for number, (source, columns) in enumerate(sources):
        own = (source, columns)
        like = next((group for group in groups if _may_follow(sources[group[0]], own, apart)), None)
        if like is not None and _differ(root, sources[like[0]][0], source):
            like.append(number)
        else:
            groups.append([number])
    return groups


def _may_follow(first: tuple[Source, set[str]], second: tuple[Source, set[str]], apart: Apart) -> bool:
    """Whether the second's rows may follow the first's: of one rank, the same but for the file, or
    the place in it."""
    (one, columns), (two, others) = first, second
    shared = len(columns & others)
    if shared < 2 or 4 * shared < 3 * len(columns | others):
        return False
    if part_rank(one, apart) != part_rank(two, apart):
        return False
    if one.path == two.path:
        nested = one.rows.startswith(two.rows) or two.rows.startswith(one.rows)
        return not nested and replace(one, rows=two.rows) == two
    languages = [set(words_of(PurePosixPath(path).stem)) & _LANGUAGES for path in (one.path, two.path)]
    return replace(one, path=two.path) == two and not any(languages)


def _differ(root: Path, one: Source, two: Source) -> bool:
    """Whether rows differ, as they do not in versions of one file."""
    try:
        first, second = read(root, one), read(root, two)
    except GumptionError:
        return False
    shared = [name for name in first[0] if name in second[0] and not name.startswith("@")]
    rows = [
        {tuple(text_of(row.get(name)) for name in shared) for row in several} for several in (first, second)
    ]
    return len(rows[0] & rows[1]) <= _VERSIONS * min(map(len, rows))


def together(sources: Sequence[Source]) -> Source:
    """All of these as one."""
    paths, rows = (
        [*dict.fromkeys(names)] for names in zip(*((s.path, s.rows) for s in sources), strict=True)
    )
    return replace(sources[0], path=BOTH.join(paths), rows=BOTH.join(rows))
