"""Options that a reply states outright: alone, on a line of their own, or behind an announcement."""

from __future__ import annotations

import re

from gumption.answers._letters import AFTER_ARTICLE, BRACKETED, JOINED, SINGLE
from gumption.answers._options import Mention, Options, joined
from gumption.answers._reply import MOST_ANNOUNCED, boxes, lower, marks

__all__ = ["OUTSIDE", "TWO", "alone", "announced", "on_a_line"]

TWO = "two"
"""Two options where one is asked."""
OUTSIDE = "outside"
"""A letter that is none of the item's."""

_LONG_LINE = 300
"""Characters: a longer line is no bare option."""
_TAIL = 300
"""Characters at the end of a long reply that are looked at first."""
_WINDOW = 500
"""Characters: how far a statement may reach behind its announcement."""

_LONE = re.compile(r"[\W_]*([A-Za-z])[\W_]*")
_LETTER_AND_TEXT = re.compile(r"[\s*_#>\"'`(\[{-]*([A-Za-z])(?:[)\]}:.*_\"'`-]+\s*|\s+)(?=\S)")

# Whether the dear patterns below are tried at all.
_ANNOUNCING = (
    "choos", "chose", "select", "pick", "say", "go with", "going with", "go for", "opt for", "so ",
    "so,", "therefore", "thus", "hence", "correct", "best", "better", "appropriate", "accurate",
    "suitable", "closest", "final", "right", "my ", "option", "choice", "it's", "it is", "that's",
    "that is", "this is", "it must", "that must", "it would", "that would", "this would", "\u9009",
)  # fmt: skip
_JUDGING = ("correct", "best", "appropriate", "accurate", "suitable", "final", "right", "is my", "it is")

_ANNOUNCEMENT = re.compile(
    r"""
    (?: \bi(?:'d|'ll|\ would|\ will)?\ (?:\w+\ )?(?:choose|chose|select|pick|say|go\ (?:with|for)|opt\ for)
      | \bi(?:'m|\ am)\ (?:\w+\ )?(?:going\ with|choosing|selecting|picking)
      | \b(?:so|therefore|thus|hence),?
        (?=\s[(\[*"']{0,3}[a-hj-z](?![\w'])[)\]*"']{0,3}\s?(?:[.!,;]|$))
      | \b(?:correct|best|better|appropriate|accurate|suitable|closest|final
           |right\ (?:answer|option|choice|one)
           |my\ (?:\w+\ )?(?:choice|pick|selection|assessment|guess|verdict|conclusion)
        )\b[^.:!?\n]{0,60}?
        (?:\b(?:is|would\ be|should\ be|must\ be|seems\ to\ be|appears\ to\ be)|:)
      | \b(?:option|choice)\ (?:is|would\ be|should\ be|:)
      | \b(?:it|that|this)(?:'s|\ is|\ must\ be|\ would\ be)
        (?=\s[(\[*"']{0,3}[b-z](?![\w'])[)\]*"']{0,3}[.!,]?(?:\s|$))
      ) (?!\w) [\s:*_"']{0,6}
    | \u9009\u62e9?(?:\u9879)?[\s:]{0,3}
    """,
    re.VERBOSE,
)
"""On lower-case text."""
_VERDICT = re.compile(
    r"""[\s)\]*_"',.]{0,6}(?:the\s)?(?:\(?[A-Z]\)\s)?(?:is|as|would\ be|seems|appears\ to\ be)\s
        (?:(?!not\ )\w+\s){0,2}?(?:the\s)?(?:most\s|only\s)?
        (?: (?:correct|best|appropriate|accurate|suitable|final)\b
          | right\ (?:answer|option|choice|one|match)\b | (?P<right>right)(?=\s?(?:[.,;!]|$)) )
      | [\s)\]*_"'.]{0,4}(?:is\ my\ (?:\w+\s)?(?:answer|choice|pick|guess)|it\ is)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What follows a letter that is called the right one."""
_LEAD = re.compile(
    r"""(?: [\s:*_"'`(\[{$>\#-] | \\(?:text|textbf|mathrm|mathbf|boxed)\s?\{
        | (?:the|option|choice|letter|answer|labell?ed|as|that|it|is|be|to|probably|likely|most|definitely
           |clearly|indeed|actually|with)\b )*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand between an announcement and its option."""
_LETTER = re.compile(r"([A-Za-z])(?![\w'])")
_LETTERS = re.compile(r"([A-Z]{2,4})(?![\w'])")
_AFTER_LETTER = re.compile(r"[)\]}.:,*_\"'`$\s([-]*")
_STYLE = re.compile(r"\\(?:text|textbf|mathrm|mathbf)\s?\{([^{}]*)\}")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")


def alone(text: str, options: Options) -> str | None:
    """A reply that is nothing but a letter, an option's text, or both."""
    if len(text) > _LONG_LINE:
        return None
    lone = _LONE.fullmatch(text)
    if lone:
        letter = lone[1].upper()
        return letter if letter in options.letters else OUTSIDE
    bare = text.strip("*().[] ")
    if _LETTERS.fullmatch(bare) and set(bare) <= options.letters and options.whole(text) is None:
        return TWO
    return _bare_line(text, options)


def on_a_line(text: str, options: Options) -> str | None:
    """The option of the lines that are only an option, unless they name several: a list is no answer."""
    found = set()
    if "\n" in text:
        for line in text.splitlines():
            if 0 < len(line) <= _LONG_LINE and (option := _bare_line(line, options)):
                found.add(option)
    return found.pop() if len(found) == 1 else None


def announced(text: str, options: Options) -> str | None:
    """The last announced answer that can be read: "the answer is B", a box, "(A) is the correct choice"."""
    if len(text) > 2 * _TAIL:
        # Most long replies announce at their end: what reads there stands, whatever came before.
        border = _SENTENCE_END.search(text, len(text) - _TAIL)
        found = _last_announced(text[border.end() :], options) if border else None
        if found is not None:
            return found
    return _last_announced(text, options)


def _last_announced(text: str, options: Options) -> str | None:
    low = lower(text)
    statements = dict(marks(text))
    if any(word in low for word in _ANNOUNCING):
        statements |= {match.start(): match.end() for match in _ANNOUNCEMENT.finditer(low)}
    boxed = dict(boxes(text)) if "boxed" in text else {}
    verdicts = _verdicts(text, options) if any(word in low for word in _JUDGING) else {}
    for start in sorted({*statements, *boxed, *verdicts}, reverse=True)[:MOST_ANNOUNCED]:
        if start in boxed:
            found = alone(_STYLE.sub(r"\1", boxed[start]), options)
            if found == OUTSIDE:  # a boxed formula may well be one letter
                found = None
        elif start in verdicts:
            found = verdicts[start]
        else:
            found = _stated(text, statements[start], options)
        if found is not None:
            return found
    return None


def _verdicts(text: str, options: Options) -> dict[int, str]:
    """Letters that are called the right one, by their place: "(A) is the correct answer"."""
    found = {}
    for match in SINGLE.finditer(text):
        verdict = _VERDICT.match(text, match.end()) if match[1] in options.letters else None
        # "is right" is no verdict where right is an option.
        if verdict and not (verdict["right"] and ("right",) in options.runs):
            found[match.start()] = match[1]
    return found


def _bare_line(line: str, options: Options) -> str | None:
    """The option of a line that is only a letter, an option's text, or a letter with its option's text."""
    whole = options.whole(line)
    if whole is not None:
        return whole
    lone = _LONE.fullmatch(line)
    if lone:
        letter = lone[1].upper()
        return letter if letter in options.letters and (lone[1].isupper() or len(line.strip()) > 1) else None
    match = _LETTER_AND_TEXT.match(line)
    if match and match[1].upper() in options.letters:
        named = options.whole(line[match.end() :])
        if named is not None:
            return named if named == match[1].upper() else TWO
    return None


def _stated(text: str, position: int, options: Options) -> str | None:
    """The option right behind an announcement, or the only one in the rest of its sentence."""
    end = _sentence_end(text, position)
    if not text[position:end].strip(" *_\"':.-\t"):
        position, end = end, _sentence_end(text, end)
    sentence = text[position:end]
    lead = _LEAD.match(sentence)
    at = lead.end() if lead else 0
    mentions = options.mentions(sentence)
    first = next((mention for mention in mentions if mention.start <= at < mention.end), None)
    if first is not None and not first.negated:
        beside = [m for m in mentions if m is first or (not m.negated and joined(sentence, first, m))]
        return TWO if len({mention.letter for mention in beside}) > 1 else first.letter
    letter = _letter_at(sentence, at, options, mentions)
    if letter is not None:
        return letter
    named = {mention.letter for mention in mentions if not mention.negated}
    named |= {match[1] for match in BRACKETED.finditer(sentence) if match[1] in options.letters}
    return named.pop() if len(named) == 1 else None


def _letter_at(sentence: str, at: int, options: Options, mentions: list[Mention]) -> str | None:
    """The letter that stands at `at`, unless it is a word; TWO where a second option stands beside it."""
    pair = _LETTERS.match(sentence, at)
    if pair and set(pair[1]) <= options.letters:
        return TWO
    match = _LETTER.match(sentence, at)
    if match is None:
        return None
    letter = match[1].upper()
    bare = at == 0 or sentence[at - 1] not in "([*\"'{"
    if bare and (letter in "AI" or match[1].islower()) and AFTER_ARTICLE.match(sentence, match.end()):
        return None
    if letter not in options.letters:
        return OUTSIDE if match[1].isupper() or not bare else None
    second = JOINED.match(sentence, match.end())
    if second and second[1] in options.letters and second[1] != letter:
        return TWO
    signs = _AFTER_LETTER.match(sentence, match.end())
    after = signs.end() if signs else match.end()
    beside = next((mention for mention in mentions if after <= mention.start <= after + 4), None)
    if beside and beside.letter != letter and not sentence[after : beside.start].strip(" the"):
        return TWO if not sentence[beside.end :].strip(" .*_\"')") else letter
    return letter


def _sentence_end(text: str, position: int) -> int:
    match = _SENTENCE_END.search(text, position, position + _WINDOW)
    return match.end() if match else min(len(text), position + _WINDOW)
