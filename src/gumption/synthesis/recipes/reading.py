"""What a reply settles on, under the rules a README may set; all else is read as `gumption.answers` does.

First the part that counts (`region`), then what it says (`choice`, `yes_no`, `number`, `points`, `text`).
Nothing here looks at the right answer, and nothing is guessed: what is left open is read as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from gumption.answers import passage_of, refuses, visible
from gumption.answers._amounts import amounts
from gumption.answers._coordinates import bare_pairs, places
from gumption.answers._evidence import plain
from gumption.answers._reply import lower
from gumption.answers.choice import read_choice
from gumption.answers.number import read_number
from gumption.answers.point import read_point
from gumption.answers.yes_no import read_yes_no
from gumption.records import GumptionError, Reading
from gumption.synthesis.recipes._parts import SETS_APART, finder
from gumption.synthesis.recipes._settling import (
    capital_stands,
    lettered,
    named_options,
    numbers_in,
    standing_letters,
)
from gumption.synthesis.recipes._units import has_other_unit, in_unit

__all__ = ["Region", "Several", "choice", "choices", "label", "number", "points", "region", "text", "yes_no"]

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


_LETTERS = dict.fromkeys("ABCDEFGH", "")


def choice(
    part: Region,
    choices: Mapping[str, str],
    *,
    letters: Literal["any", "capital", "none"] = "any",
    texts: bool = True,
    several: Several = "none",
    whole: bool = False,
    positions: int | None = None,
    bracketed: bool = False,
    occurs: bool = False,
) -> Reading:
    """The letter of the option that is settled on.

    `letters`: whether small ones stand for an option too, or none does; `texts`: whether an option's text
    does; `whole`: whether the part must be the option and nothing else, signs around it aside; `positions`:
    the number of the first option where numbers stand for options; `bracketed`: whether a letter inside a
    sentence needs brackets; `occurs`: whether just one option may be named, whatever is said around it.
    Without choices any letter up to H is one.
    """
    if not part.text:
        return Reading("unanswered")
    choices = choices or _LETTERS
    if positions is not None:
        said = _ESCAPES.sub("", part.text)
        part = Region(lettered(said, choices, positions, letters=letters != "none"), part.marked)
        letters = "any" if letters == "none" else letters  # those that are left stand for numbers
    known = {letter: choices[letter] if texts else "" for letter in choices}
    if occurs:
        once = set(named_options(part.text, known, letters))
        if len(once) != 1:
            return Reading("ambiguous", rule="several_options") if once else _nothing(part.text, None)
        return Reading("answered", once.pop(), "occurs")
    if several != "none":
        named = named_options(part.text, known, letters)
        if named:
            return Reading("answered", named[0 if several == "first" else -1], several)
    found = _read(part, lambda passage: read_choice(passage, known))
    if found.outcome == "unanswered" and found.rule == "" and not whole:
        standing = set(standing_letters(part.text, letters))
        if len(standing) == 1 and standing <= set(known) and not _DENIED.search(part.text):
            return Reading("answered", standing.pop(), "standing")
    if found.outcome != "answered":
        return found
    letter = str(found.value)
    if bracketed and not part.marked and found.rule not in ("letter", "line"):
        stands = re.search(rf"[(\[]\s?{letter}\s?[)\]]", part.text, re.IGNORECASE)
        if not stands and not capital_stands(part.text, letter, known, "none"):
            return Reading("unanswered", rule="no_brackets")
    if letters != "any" and not capital_stands(part.text, letter, known, letters):
        return Reading("unanswered", rule="no_capital")
    if whole and found.rule not in ("letter", "answer_tag", "line"):
        return Reading("unanswered", rule="not_the_whole")
    return found


_RUN = re.compile(r"(?<![\w'-])(?=[A-Z]{2,10}(?![\w'-]))(?:([A-Z])(?!\w*\1))+")
"""Different capitals that are run together, as in ACD."""


def choices(
    part: Region,
    choices: Mapping[str, str],
    *,
    letters: Literal["any", "capital", "none"] = "any",
    texts: bool = True,
) -> Reading:
    """The letters of all options that are named, sorted: where several may be right together."""
    known = {letter: choices[letter] if texts else "" for letter in choices}
    runs = [run[0] for run in _RUN.finditer(part.text)]
    joined = {letter for run in runs if set(run) <= set(choices) for letter in run}
    named = joined | set(named_options(part.text, known, letters))
    return Reading("answered", sorted(named), "named") if named else Reading("unanswered")


_DENIED = re.compile(r"\b(?:not|never|neither|nor|cannot|hardly)\b|n['\u2019]t\b", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w-])[a-z0-9]+(?![\w-])", re.IGNORECASE)
_HEDGED = re.compile(
    r"(^|[.!?:;,\n][ ]{0,3})[*_\"']{0,3}(?:(?:most |very |quite )?(?:probably|likely|definitely|certainly"
    r"|surely|presumably|clearly|obviously)|i (?:think|believe|guess|suppose)|my guess is):?,?[ ]{1,3}"
    r"(?=[*_\"']{0,3}(?:true|false|correct|incorrect|affirmative|negative)\b)",
    re.IGNORECASE,
)
"""A hedge before a word that judges, which settles on it as "probably yes" does."""


_YES_NO = re.compile(r"(?<![\w-])(yes|no)(?![\w-])", re.IGNORECASE)
_BESIDE = re.compile(r"\W{0,3}(?:or|and|/|nor)?\W{0,3}", re.IGNORECASE)


def yes_no(
    part: Region,
    *,
    words: Mapping[str, str] | None = None,
    several: Several = "none",
    whole: bool = False,
    occurs: bool = False,
) -> Reading:
    """Yes or no. `words` says what other words mean: "yes", "no", or "" for those that mean nothing;
    `occurs`: whether the words themselves decide, whatever is said around them: just one of them must stand
    there.
    """
    meant = dict(words or {})
    told = _HEDGED.sub(r"\1", part.text)
    told = _WORD.sub(lambda found: _instead(found[0], meant), told) if meant else told
    if occurs:
        words_said = {one[0].lower() for one in _YES_NO.finditer(told)}
        if len(words_said) == 1:
            return Reading("answered", words_said.pop(), "occurs")
        return Reading("ambiguous", rule="several") if words_said else _nothing(part.text, None)
    if several != "none" and (said := list(_YES_NO.finditer(told))):
        counts, other = (said[0], said[1:2]) if several == "first" else (said[-1], said[-2:-1])
        ends = sorted((counts.span(), *(one.span() for one in other)))
        if (
            other
            and other[0][0].lower() != counts[0].lower()
            and _BESIDE.fullmatch(told, ends[0][1], ends[1][0])
        ):
            return Reading("ambiguous", rule="several")
        return Reading("answered", counts[0].lower(), several)
    found = _read(Region(told, part.marked), read_yes_no)
    if meant and found.outcome == "unanswered" and not _DENIED.search(part.text):
        only = {meant.get(word.lower(), "") for word in _WORD.findall(part.text)} - {""}
        if len(only) == 1:
            found = Reading("answered", only.pop(), "only_word")
    if whole and found.outcome == "answered" and len(_WORD.findall(told)) != 1:
        return Reading("unanswered", rule="not_the_whole")
    return found


def _instead(word: str, meant: Mapping[str, str]) -> str:
    said = meant.get(word.lower())
    return word if said is None else said or "_"


def label(part: Region, *, labels: Mapping[str, str]) -> Reading:
    """The one of a few labels that is settled on. `labels`: what may be said, in lower case, for which."""
    known = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", dict.fromkeys(labels.values()), strict=False))
    # Words of a label such as "cannot tell" must not bear on what stands beside it.
    names = {meant: f"label{letter.lower()}x" for letter, meant in known.items()}
    told = part.text.replace("\u2019", "'")
    for said, meant in sorted(labels.items(), key=lambda one: -len(one[0])):
        told = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", names[meant], told, flags=re.IGNORECASE)
    choices = {letter: names[meant] for letter, meant in known.items()}
    found = choice(Region(told, part.marked), choices, letters="none")
    return msgspec.structs.replace(found, value=known[found.value]) if found.outcome == "answered" else found


_ESCAPES = re.compile(r"\x1b(?:\[[\d;]{0,20}[A-Za-z]|\][^\x07]{0,200}\x07)")
"""Orders to a terminal, whose numbers say nothing."""


def number(
    part: Region,
    *,
    several: Several = "none",
    words: bool = True,
    ranges: Literal["none", "middle", "wrong"] = "none",
    whole: bool = False,
    decimal: Literal[".", ","] = ".",
    unit: str = "",
    accepts: Sequence[str] = (),
) -> Reading:
    """The number, as a float; its unit is dropped, but for one of the same kind as `unit`, if that is given:
    such a quantity is converted. Where units are listed that are accepted, `accepts`, a number with any other
    is none.

    `words`: whether number words are numbers; `ranges`: whether one counts by its middle, or is no number
    even where the first or the last number counts; `whole`: whether nothing but the number and a unit may
    stand there; `decimal`: the sign before decimals.
    """
    read = _number(part, several=several, words=words, ranges=ranges, whole=whole, decimal=decimal, unit=unit)
    if read.outcome == "answered" and accepts:
        said = _ESCAPES.sub("", part.text)
        said = _decimals(said) if decimal == "," else said
        if has_other_unit(said, read.value, accepts):
            return Reading("unanswered", rule="other_unit")
    return read


def _decimals(said: str) -> str:
    """With points before decimals instead of commas."""
    return re.sub(r"(?<=\d),(?=\d)", ".", re.sub(r"(?<=\d)\.(?=\d{3}(?!\d))", "", said))


def _number(
    part: Region, *, several: Several, words: bool, ranges: str, whole: bool, decimal: str, unit: str
) -> Reading:
    said = in_unit(_ESCAPES.sub("", part.text), unit)
    if decimal == ",":
        said = _decimals(said)
    if not words and not re.search(r"\d", said):
        return Reading("refused" if refuses(said) else "unanswered")
    if several != "none" and ranges == "wrong":
        values = [one.value for one in amounts(said.lower())] or [None]
        value = values[0 if several == "first" else -1]
        if value is not None:
            return Reading("answered", value, several)
    elif several != "none" or ranges == "middle":
        told = numbers_in(said, ranges == "middle")
        if several != "none" and told:
            return Reading("answered", told[0 if several == "first" else -1].value, several)
        if len(told) == 1 and told[0].range:
            return Reading("answered", told[0].value, "middle")
    found = _read(Region(said, part.marked), read_number)
    if whole and found.outcome == "answered" and not _at_most_two(said):
        return Reading("unanswered", rule="not_the_whole")
    return found


def _at_most_two(said: str) -> bool:
    """Whether a number and a unit may be all there is, signs before them aside."""
    words = said.split()
    first = next((n for n, word in enumerate(words) if any(sign.isalnum() for sign in word)), len(words))
    return 0 < len(words) - first <= 2


def points(
    part: Region,
    *,
    order: Literal["xy", "yx"] = "xy",
    every: bool = False,
    several: Literal["all", "none"] = "all",
) -> Reading:
    """Points as a list of (x, y), as they are written but x first; named coordinates are taken by name.

    `every`: whether all points of the part count, and not only those that it settles on; `several`: whether
    different points are an answer at all.
    """
    # On a picture of 1000 by 1000 per mille are what is written.
    convention: Literal["per_mille_yx", "pixel_xy"] = "per_mille_yx" if order == "yx" else "pixel_xy"
    if every:
        said = lower(plain(passage_of(part.text).text))
        found = [
            (one.second, one.first) if order == "yx" and not one.named else (one.first, one.second)
            for one in (bare_pairs(said) or places(said))[:_MOST_POINTS]
        ]
        read = Reading("answered", found, "every") if found else _nothing(part.text, [])
    else:
        read = _read(part, lambda passage: read_point(passage, convention, (1000, 1000)))
    if several == "none" and read.outcome == "answered" and len({tuple(one) for one in read.value}) > 1:
        return Reading("ambiguous", [], "several")
    return read


_MOST_POINTS = 1000


def _nothing(text: str, value: Any) -> Reading:
    return Reading("refused", value, "refusal") if refuses(text) else Reading("unanswered", value)


def text(part: Region, *, whole: bool = False) -> Reading:
    """The part itself. Where the `whole` is compared, a refusal in words is read as one."""
    if not part.text:
        return Reading("unanswered")
    if whole and not part.marked and refuses(part.text):
        return Reading("refused", rule="refusal")
    return Reading("answered", part.text, "marked" if part.marked else "whole")


def _read(part: Region, reader: Callable[..., Reading]) -> Reading:
    if not part.text:
        return Reading("unanswered")
    passage = passage_of(part.text)
    if part.marked:
        passage = type(passage)(passage.text, False, passage.repairs)
    try:
        return msgspec.structs.replace(reader(passage), repairs=())
    except GumptionError as error:
        raise GumptionError(error.problem, where="score", remedy=error.remedy) from error
