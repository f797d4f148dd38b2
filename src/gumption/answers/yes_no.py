"""Reading the yes or the no a reply settles on. Whole words: "not sure", "nothing", "notice" are neither."""

from __future__ import annotations

import re
from typing import NamedTuple

from gumption.answers._evidence import (
    abstains,
    committed,
    denied,
    explicit,
    first_line,
    plain,
    rejected,
    sentences,
    unread,
)
from gumption.answers._numerals import plain_math
from gumption.answers._reply import Passage, lower
from gumption.records import Reading

__all__ = ["read_yes_no"]

_SAID = dict.fromkeys(("yes", "yep", "yeah", "yup"), "yes") | dict.fromkeys(("no", "nope", "nah"), "no")
_JUDGED = dict.fromkeys(("true", "correct", "affirmative"), "yes") | dict.fromkeys(
    ("false", "incorrect", "negative"), "no"
)
"""Words that also say other things ("the correct option", "negative space")."""
_CHINESE = dict.fromkeys(("是", "是的", "对", "对的", "有", "有的", "正确"), "yes") | dict.fromkeys(
    ("否", "不", "不是", "不是的", "没有", "不对", "错", "错误", "不正确"), "no"
)
_VALUES = _SAID | _JUDGED | _CHINESE
_OPPOSITE = {"yes": "no", "no": "yes"}
_AROUND = " \t\r\n.,;:!'\"*_`#>()[]{}-~$\\"

_ENDS = (
    r"(?:['\"]?\s?(?:$|[.,;:!)\]\n(\u2013\u2014](?!\s?\d)|-{1,2}\s)"
    r"|\s(?:it|there|this|that|the|they|he|she|we|i|you|because|since|as|based|given|due|but|though|although)\b)"
)
"""What follows a word that answers; "no cup", "no longer" and "No. 3" are no answers."""
_WORD = re.compile(
    rf"(?:yes|yep|yeah|yup)\b(?!-\w)|(?:no|nope|nah|true|false|correct|incorrect|affirmative|negative)\b(?={_ENDS})"
)
_OR = r"['\"]?(?:\s?/\s?|-or-|,?\sor\s(?:a\s)?|\sand\s(?:also\s)?)['\"]?"
_EITHER = re.compile(
    rf"\b(?:(?:yes|true|correct){_OR}(?:no|false|incorrect)|(?:no|false|incorrect){_OR}(?:yes|true|correct))\b"
)
_NO_NOUN = re.compile(rf"{_ENDS}|\s(?:are|is|can|could|may|might|would)\b")
_FORMAT = re.compile(r"['\"]?[\s-](?:question|answer|response|reply|format|decision|type|task)")
_NOT = re.compile(r"(?:\bnot|n't|\bnever|\bhardly)\s(?:(?:quite|entirely|completely|really|at all)\s)?$")
_PREDICATE = re.compile(
    r"(?:^\W*|[.!?\n,;:]\s*['\"]?|\b(?:is|are|was|be|it's|that's|seems?|appears?|as|say|also)\s"
    r"(?:[a-z]+ly\s|indeed\s)?['\"(]?)$"
)
_NOT_MEANT = re.compile(
    r"\b(?:not the case|at first|first (?:glance|look|sight)|initial(?:ly)?|quick (?:look|glance)"
    r"|(?:might|could) (?:think|say))\b"
)
_OPENING = re.compile(
    r"(?:[^\w]|_|(?:well|oh|ah|hm+|um|ok|okay|actually|unfortunately|probably|likely|most|definitely|certainly"
    r"|clearly|obviously|indeed|simply|still|that|this|is|it|it's|that's|a|an|the|answer|statement|claim|therefore"
    r"|so|thus|hence|then|i|i'd|think|believe|would|say|guess|not|quite|entirely)(?![a-z]))*"
)
_REVISION = re.compile(
    r"\b(?:wait|actually|on (?:second thoughts?|reflection|closer (?:look|inspection))|scratch that"
    r"|correction)\b[^a-z]{0,5}(?:the answer is |it is |it's |that is |that's )?$"
)
_CUE = re.compile(
    r"(?:^|[,;.]\s?|\band\s|\bbut\s)so\b|\bi(?:'d|\swould|'ll)\ssay\b"
    r"|\b(?:therefore|thus|hence|conclusion|overall|finally|final)\b"
)
_LEADING_CHINESE = re.compile(rf"[\W_]*({'|'.join(sorted(_CHINESE, key=len, reverse=True))})(?=[,.!;:\s]|$)")
_REACH = 60


class _Mention(NamedTuple):
    start: int
    end: int
    value: str | None
    """None for a "yes or no" that decides nothing."""


def read_yes_no(passage: Passage) -> Reading:
    """Read "yes" or "no".

    Evidence in order: the last answer mark or box that holds one, a line that is only one, the one at the
    start (whatever the rest of the sentence says), the only one, the one in a conclusion. Rules:
    `answer_tag`, `explicit`, `line`, `leading`, `correction`, `only_word`, `conclusion`. "not true" is a no;
    a "no" before a noun ("there is no cup") is not an answer. Whole words only, because "no" stands in
    "notice" (`open-compass/VLMEvalKit#73`) and a reply may be a sentence (`EvolvingLMMs-Lab/lmms-eval#673`).
    """
    alone = _VALUES.get(passage.text.strip(_AROUND).lower()) if len(passage.text) < _REACH else None
    if alone:
        return passage.reading(alone, "line" if passage.whole else "answer_tag")
    text = lower(plain(passage.text))
    for region in explicit(text):
        line = plain_math(first_line(region))
        found = _announced(line)
        if found is not None:
            value, rule = found[0], "explicit"
            break
        if abstains(line):
            return unread(passage, several=False)
    else:
        found = _settled(text)
        value, rule = found or (None, "")
    if value is None:
        return unread(passage, several=found is not None)
    return passage.reading(value, rule if passage.whole else "answer_tag")


def _announced(line: str) -> tuple[str | None, str] | None:
    """The answer of the first sentence after an answer mark, else of the line."""
    spans = sentences(line)
    found = _settled(line[slice(*spans[0])]) if len(spans) > 1 else None
    return found if found and found[0] else _settled(line)


def _settled(text: str) -> tuple[str | None, str] | None:
    """The answer a text settles on and the rule that says so; None for the answer where both are left."""
    lines = {value for line in text.splitlines() if (value := _VALUES.get(line.strip(_AROUND)))}
    if len(lines) == 1:
        return lines.pop(), "line"
    chinese = None if text.isascii() else _LEADING_CHINESE.match(text)
    if chinese:
        return _CHINESE[chinese[1]], "leading"
    mentions = _mentions(text)
    if not mentions:
        return None
    first = mentions[0]
    if first.value and first.start <= _REACH and _OPENING.fullmatch(text, 0, first.start):
        if len(mentions) > 1 and mentions[1].value != first.value and _beside(text, first, mentions[1]):
            return None, "several"
        for other in mentions[1:]:
            if other.value == _OPPOSITE[first.value] and _revised(text, other):
                return other.value, "correction"
        return first.value, "leading"
    kept = committed(text)
    if kept != text:
        mentions = _mentions(kept)
    values = {mention.value for mention in mentions}
    if len(values) == 1:
        return values.pop(), "only_word"
    return (_concluding(kept, mentions), "conclusion") if values else None


def _revised(text: str, mention: _Mention) -> bool:
    return bool(_REVISION.search(text, max(0, mention.start - _REACH), mention.start))


def _beside(text: str, first: _Mention, other: _Mention) -> bool:
    return other.start - first.end < 4 and not text[first.end : other.start].strip(" ,/\n")


def _mentions(text: str) -> list[_Mention]:
    """Every word that answers, in order; where both stand side by side, one mention without a value."""
    found: list[_Mention] = []
    end = 0
    pairs = [match.span() for match in _EITHER.finditer(text) if _decides_nothing(text, match)]
    for start, stop in pairs:
        found += _words(text, end, start)
        if not _FORMAT.match(text, stop):
            found.append(_Mention(start, stop, None))
        end = stop
    return found + _words(text, end, len(text))


def _decides_nothing(text: str, match: re.Match[str]) -> bool:
    """True for "yes or no" and "yes and no"; False for "yes and no cup was there"."""
    return " and " not in match[0] or bool(_NO_NOUN.match(text, match.end()))


def _words(text: str, at: int, stop: int) -> list[_Mention]:
    found = []
    for match in _WORD.finditer(text, at, stop):
        start, end = match.span()
        if start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
            continue
        value = _VALUES[match[0]]
        near = max(0, start - _REACH)
        if match[0] in _JUDGED:
            flip = _NOT.search(text, near, start)
            if flip:
                value = _OPPOSITE[value]
            elif not _PREDICATE.search(text, near, start):
                continue
        elif denied(text, start):
            continue
        sentence = text[max(near, *(text.rfind(mark, near, start) + 1 for mark in ".!?\n")) : start]
        if rejected(text, end) or _NOT_MEANT.search(sentence) or _asked(text, end):
            continue
        found.append(_Mention(start, end, value))
    return found


def _asked(text: str, end: int) -> bool:
    """True where the word ends a question: "Is it true?"."""
    return text[end : end + 3].lstrip("'\" )")[:1] == "?"


def _concluding(text: str, mentions: list[_Mention]) -> str | None:
    """The one answer after the last "so" or "therefore" of the last sentence that has any."""
    start, end = next(span for span in reversed(sentences(text)) if span[1] > mentions[-1].start)
    for cue in reversed(list(_CUE.finditer(text, start, end))):
        values = {mention.value for mention in mentions if mention.start >= cue.end()}
        if len(values) == 1:
            return values.pop()
    return None
