"""Which of the options, or of yes and no, or of a few labels, a part of a reply settles on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from gumption.answers.choice import read_choice
from gumption.answers.yes_no import read_yes_no
from gumption.records import Reading
from gumption.synthesis.recipes._region import DENIED, ESCAPES, Region, Several, nothing, read_part
from gumption.synthesis.recipes._settling import capital_stands, lettered, named_options, standing_letters

__all__ = ["choice", "choices", "label", "yes_no"]

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
        said = ESCAPES.sub("", part.text)
        part = Region(lettered(said, choices, positions, letters=letters != "none"), part.marked)
        letters = "any" if letters == "none" else letters  # those that are left stand for numbers
    known = {letter: choices[letter] if texts else "" for letter in choices}
    if occurs:
        once = set(named_options(part.text, known, letters))
        if len(once) != 1:
            return Reading("ambiguous", rule="several_options") if once else nothing(part.text, None)
        return Reading("answered", once.pop(), "occurs")
    if several != "none":
        named = named_options(part.text, known, letters)
        if named:
            return Reading("answered", named[0 if several == "first" else -1], several)
    found = read_part(part, lambda passage: read_choice(passage, known))
    if found.outcome == "unanswered" and found.rule == "" and not whole:
        standing = set(standing_letters(part.text, letters))
        if len(standing) == 1 and standing <= set(known) and not DENIED.search(part.text):
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
        return Reading("ambiguous", rule="several") if words_said else nothing(part.text, None)
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
    found = read_part(Region(told, part.marked), read_yes_no)
    if meant and found.outcome == "unanswered" and not DENIED.search(part.text):
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
