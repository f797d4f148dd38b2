"""Made replies to questions with options, and to those of yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gumption.synthesis.spec import Scoring
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._made import Made
from gumption.synthesis.validation._worth import of_letters

__all__ = ["choice", "yes_no"]

_FULL, _WRONG = "the right option scores 1", "another option scores 0"
_PLAIN = "brackets, dots, bold and blanks around an answer are ignored"
_SENTENCE = "an answer in a sentence"
_LONE = "where nothing else may stand there, a sentence around the answer does not score"
_COUNTS = re.compile(
    r"(?i)\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six"
    r"|seven|eigh|nine)ty|hundred|thousand|first|second|third|once|twice|[ivx]{2,5})\b|\d"
)
"""Texts that a number may stand for."""
_DENIES = re.compile(r"(?i)\b(?:no|not|none|never|neither|nor|all|both|yes|cannot|true|false)\b|n't")


def choice(item: Declared, scoring: Scoring) -> Iterator[Made]:
    """Answers of every form to a question with options; the first is right, the second wrong."""
    if scoring.metric != "exact":
        yield from _sets(item, scoring)
        return
    told = scoring.parameters
    letters, texts = told.get("letters", "any"), told.get("texts", True)
    right = item.gold[0]
    others = [letter for letter in item.options if letter != right]
    lone, several = bool(told.get("whole")), told.get("several", "none")
    forms = _text_forms(item.options) if texts else {}
    if letters == "none":
        yield from _by_text(right, others, forms)
        if told.get("positions") is None:
            yield Made(right, 0.0, "not", "a letter that was not shown is no option")
    else:
        yield Made(right, 1.0, "answered", _FULL)
        for letter in others:
            yield Made(letter, 0.0, "answered", _WRONG)
        for form in ("({})", "{}.", "**{}**", "{})", "  {}\n", "({})."):
            yield Made(form.format(right), 1.0, "answered", _PLAIN)
            for letter in others[:1]:
                yield Made(form.format(letter), 0.0, "answered", _WRONG)
        if not told.get("bracketed") and not told.get("occurs"):
            yield from _sentences(right, others, lone)
        elif not lone:
            yield Made(f"I take it to be ({right}).", 1.0, "answered", _SENTENCE)
        yield from _open(right, others, several)
        yield from _strangers(item.options)
        if letters == "capital":
            yield Made(right.lower(), 0.0, "not", "a small letter is no option where letters are capitals")
        elif right not in "AI":
            yield Made(f"({right.lower()})", 1.0, "answered", "a small letter is an option too")
        if right in forms and not lone:
            yield Made(f"{right}. {forms[right]}", 1.0, "answered", "the letter with its option's text")
        yield from _by_text(right, others, forms)
    if not texts:
        for letter, text in _text_forms(item.options).items():
            yield Made(text, 0.0, "not", "an option's text is no answer where only letters are")
            if letter != right:
                break
    yield from _positions(item, told.get("positions"), right)


def _by_text(right: str, others: list[str], forms: Mapping[str, str]) -> Iterator[Made]:
    if right in forms:
        yield Made(forms[right], 1.0, "answered", "the right option's text scores 1")
        yield Made(
            forms[right].upper(), 1.0, "answered", "upper or lower case of an option's text is ignored"
        )
    for letter in others:
        if letter in forms:
            yield Made(forms[letter], 0.0, "answered", "another option's text scores 0")
            if right in forms:
                both = f"{forms[right]} or {forms[letter]}"
                yield Made(both, 0.0, "not", "two options that are left open score 0")


def _sentences(right: str, others: list[str], lone: bool) -> Iterator[Made]:
    for form in ("The answer is {}.", "The right option is ({})."):
        if lone:
            yield Made(form.format(right), 0.0, "not", _LONE)
        else:
            yield Made(form.format(right), 1.0, "answered", _SENTENCE)
            for letter in others[-1:]:
                yield Made(form.format(letter), 0.0, "answered", _WRONG)


def _open(right: str, others: list[str], several: str) -> Iterator[Made]:
    for other in others[:1]:
        for first, last in ((right, other), (other, right)):
            reply = f"{first} or {last}"
            if several == "none":
                yield Made(reply, 0.0, "not", "two options that are left open score 0")
            else:
                worth = float((first if several == "first" else last) == right)
                yield Made(reply, worth, "answered", f"the {several} of two options counts")


def _strangers(options: Mapping[str, str]) -> Iterator[Made]:
    alphabet = [letter for letter in "BCDEFGHJKLMNOPQRSTUVWXYZ" if letter not in options]
    if all(letter.isalpha() for letter in options):
        for letter in (alphabet[0], "Z" if "Z" in alphabet else alphabet[-1]):
            yield Made(letter, 0.0, "not", "a letter that the item does not have is no answer")


def _positions(item: Declared, first: int | None, right: str) -> Iterator[Made]:
    at = list(item.options).index(right)
    if any(_COUNTS.search(f"{letter} {text}") for letter, text in item.options.items()):
        return
    if first is None:
        yield Made(str(at + 1), 0.0, "not", "a number is no option")
    else:
        yield Made(str(at + int(first)), 1.0, "answered", "a number stands for the option at its place")


def _text_forms(options: Mapping[str, str]) -> dict[str, str]:
    """The texts that can be told from all others, and from a letter."""
    return {
        letter: text
        for letter, text in options.items()
        if 2 <= len(text) <= 200
        and not _DENIES.search(text)
        and not re.search(r"[<>\n:\\{}*_`]|(?<!\w)\w(?!\w)|\d", text)
        and not any(_overlap(text, other) for one, other in options.items() if one != letter)
    }


def _overlap(text: str, other: str) -> bool:
    words, others = ({*re.findall(r"\w+", one.casefold())} - {"a", "an", "the"} for one in (text, other))
    return words <= others or others <= words


def _sets(item: Declared, scoring: Scoring) -> Iterator[Made]:
    """Where several options may be right together."""
    gold = list(item.gold)
    others = [letter for letter in item.options if letter not in gold]
    named = [
        (gold, "all right options score 1"),
        (others[:1], _WRONG),
        (gold + others[:1], "a wrong option among right ones"),
    ]
    named += [(gold[:1], "some of the right options")] if len(gold) > 1 else []
    for letters, why in named:
        if letters:
            worth = of_letters(scoring, letters, gold)
            yield Made(", ".join(letters), worth, "answered", why)
            yield Made(" ".join(f"({letter})" for letter in letters), worth, "answered", why)
            if scoring.parameters.get("letters") != "none":
                yield Made("".join(letters), worth, "answered", f"{why}, run together")


def yes_no(item: Declared, scoring: Scoring) -> Iterator[Made]:
    """Answers of every form to a question of yes or no; the first is right, the second wrong."""
    told = scoring.parameters
    words = told.get("words", {})
    said_so = {meant: _word_for(meant, words) for meant in ("yes", "no")}
    right, wrong = said_so[item.gold], said_so["no" if item.gold == "yes" else "yes"]
    yield Made(right, 1.0, "answered", "the right word scores 1")
    yield Made(wrong, 0.0, "answered", "the other word scores 0")
    for word, worth in ((right, 1.0), (wrong, 0.0)):
        for form in (word.capitalize(), word.upper(), f"{word}.", f"**{word.capitalize()}**", f" {word}\n"):
            yield Made(form, worth, "answered", "case, dots and bold around an answer are ignored")
        sentence = f"{word.capitalize()}, it looks that way."
        if told.get("whole"):
            yield Made(sentence, 0.0, "not", _LONE)
        else:
            yield Made(sentence, worth, "answered", _SENTENCE)
            yield Made(f"The answer is {word}.", worth, "answered", _SENTENCE)
    if told.get("occurs"):
        for word, worth in ((right, 1.0), (wrong, 0.0)):
            odd = f'{{"says": "{word}"}}'
            yield Made(odd, worth, "answered", "the word decides, whatever stands around it")
    if told.get("several", "none") != "none":
        both = {
            "first": f"{right} at first. On second thoughts: {wrong}.",
            "last": f"{wrong} at first. On second thoughts: {right}.",
        }
        yield Made(both[told["several"]], 1.0, "answered", f"the {told['several']} of two words counts")
    for said in ("yes and no", "Maybe.", "I notice a nozzle there."):
        yield Made(said, 0.0, "not", "no decision is no answer")
    for word, meaning in words.items():
        if not meaning:
            yield Made(word, 0.0, "not", "a word that is said to mean nothing is no answer")
        elif word not in ("yes", "no"):
            yield Made(word, float(meaning == item.gold), "answered", "a word that is said to mean yes or no")


def _word_for(meant: str, words: Mapping[str, str]) -> str:
    """The word by which yes or no is said where those themselves may mean nothing."""
    if words.get(meant, meant) == meant:
        return meant
    others = [word for word, meaning in words.items() if meaning == meant]
    return others[0] if others else {"yes": "true", "no": "false"}[meant]
