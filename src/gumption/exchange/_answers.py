"""The answer that a logged question wants, from what its log says of it. What does not fit is an error."""

from __future__ import annotations

import math
import re
from typing import Any

from gumption.records import Answer, GumptionError

__all__ = ["answer_of", "options_in", "unit_score"]

_OPTION = re.compile(r"^[ \t]*(?:\(([A-Z])\)|([A-Z])[.:)])[ \t]*(\S[^\n]*)$", re.MULTILINE)
_LETTER = re.compile(r"\(?([A-Za-z])\)?(?:[.:)]?|[.:)]?\s+(\S.*))", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})?(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?", re.IGNORECASE)
_YES_NO = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_LONGEST_PROMPT = 256 * 1024
"""Characters of a prompt in which options are looked for."""


def options_in(prompt: str) -> dict[str, str]:
    """The last list of options in a prompt: lines "A. ...", "(A) ...", "A) ..." or "A: ..." in the order of
    the alphabet. Empty where there are not at least two."""
    best: dict[str, str] = {}
    run: dict[str, str] = {}
    for bracketed, plain, text in _OPTION.findall(prompt[:_LONGEST_PROMPT]):
        letter = bracketed or plain
        if letter == "A":
            run = {}
        elif letter != chr(ord("A") + len(run)):
            continue
        run[letter] = text.strip()
        if len(run) > 1:
            best = run
    return dict(best)


def answer_of(gold: Any, choices: dict[str, str] | None = None) -> Answer:
    """The answer of a question with this gold, as a kit writes golds.

    With choices: a letter ("B", "(b)", "B. text") or the text of one. Without: yes, no, true and false are
    yes_no, a numeral is a number, a letter alone is the letter of options that are not known, a list is one
    of several texts, all else is text. Raises GumptionError where there is no gold or it is none of the
    choices: a place among them is not guessed.
    """
    if isinstance(gold, list):
        texts = [str(one) for one in gold if str(one).strip()]
        if len(texts) != 1:
            return Answer("text", texts) if texts and not choices else _unfit(gold, choices)
        gold = texts[0]
    text = "" if gold is None else str(gold).strip()
    if not text:
        raise GumptionError("the log has no right answer", remedy="give a log of a split with answers")
    if choices:
        letter = _letter(text, choices)
        return Answer("choice", letter, choices) if letter else _unfit(gold, choices)
    if text.lower() in _YES_NO:
        return Answer("yes_no", _YES_NO[text.lower()])
    if any(map(str.isdigit, text)) and _NUMBER.fullmatch(text):
        return Answer("number", float(text.replace(",", "")))
    alone = _LETTER.fullmatch(text)
    if alone and not alone[2] and alone[1].isupper():
        return Answer("choice", alone[1])
    return Answer("text", text)


def unit_score(value: Any) -> float | None:
    """A kit's verdict as a score: a number or a truth value in [0, 1], "1", "True"; None for all else."""
    if isinstance(value, str):
        value = {"true": 1.0, "false": 0.0}.get(value.strip().lower(), value)
    try:
        score = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return score if math.isfinite(score) and 0.0 <= score <= 1.0 else None


def _letter(text: str, choices: dict[str, str]) -> str:
    same = [letter for letter, option in choices.items() if option.strip() == text]
    if text in choices or len(same) != 1:
        found = _LETTER.fullmatch(text)
        letter = found[1].upper() if found else ""
        told = found[2] if found else None
        fits = letter in choices and (told is None or told.strip() == choices[letter].strip())
        return letter if fits else ""
    return same[0]


def _unfit(gold: Any, choices: dict[str, str] | None) -> Answer:
    raise GumptionError(
        f"the right answer {str(gold)[:80]!r} is none of the choices {', '.join(choices or ())}",
        remedy="give a log whose answers are letters or texts of the options",
    )
