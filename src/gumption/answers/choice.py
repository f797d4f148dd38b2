"""Which option a reply settles on.

Evidence is weighed in one order: what stands in an answer tag, the last explicit statement, a line that is
only an option, a conclusion, the one option that is named. A letter counts only where it cannot be a word,
an option's text only as whole tokens and only where it is not denied. Nothing is ever guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gumption.answers._options import Mention, Options, options_of
from gumption.answers._refusal import refuses
from gumption.answers._reply import Passage, boxes, marks
from gumption.answers.yes_no import read_yes_no
from gumption.records import Reading

__all__ = ["read_choice"]

_ANY = {letter: "" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_TWO = "two"
"""Two options where one is asked."""
_OUTSIDE = "outside"
"""A letter that is none of the item's."""

_LONE = re.compile(r"[\W_]*([A-Za-z])[\W_]*")
_LETTER_LINE = re.compile(r"[\s*_#>\"'`(\[{-]*([A-Za-z])(?:[)\]}:.*_\"'`-]+\s*|\s+)(?=\S)")

_EXPLICIT = re.compile(
    r"""
    (?: \b(?:I(?:'d|'ll|\ would|\ will)?\ (?:\w+\ )?(?:choose|chose|select|pick|say|go\ (?:with|for)|opt\ for)
      | (?:correct|right|best|better|appropriate|accurate|likely|suitable|closest|final|my)\ 
        (?:(?:option|choice|selection|statement|description|one|match)\ (?:\w+\ ){0,4}?)?
        (?:is|would\ be|should\ be|must\ be|seems\ to\ be|appears\ to\ be|:)
      | (?:option|choice)\ (?:is|would\ be|should\ be|:)
      )(?!\w) [\s:*_"']{0,6}
    | \u9009\u62e9?(?:\u9879)?[\s:]{0,3}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_VERDICT = re.compile(
    r"""[\s)\]*_"',.]{0,6}(?:the\ )?(?:\(?[A-Z]\)\ )?(?:is|as|would\ be|seems|appears\ to\ be)\ (?:\w+\ ){0,2}?
        (?:the\ )?(?:most\ |only\ )?(?:correct|right|best|appropriate|accurate|suitable|final)\ ?
        (?:answer|option|choice|one|match|selection)?\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = re.compile(
    r"""(?: [\s:*_"'`(\[{$>\#-] | \\(?:text|textbf|mathrm|mathbf|boxed)\s?\{
        | (?:the|option|choice|letter|answer|labell?ed|as|that|it|is|be|to|probably|likely|most|definitely
           |clearly|indeed|actually|likely|with)\b )*""",
    re.IGNORECASE | re.VERBOSE,
)
_LETTER = re.compile(r"([A-Za-z])(?![\w'])")
_LETTERS = re.compile(r"([A-Z]{2,4})(?![\w'])")
_AFTER_LETTER = re.compile(r"[)\]}.:,*_\"'`$\s-]*")
_JOINED = re.compile(r"[)\]*_\"'\s]{0,4}(?:,|/|&|\bor\b|\band\b|\u6216|\u548c)\s{0,3}(?:option\s)?[(\[*\"']{0,3}([A-Z])(?![\w'])")
_AFTER_ARTICLE = re.compile(
    r"\s+(?!(?:because|since|as|and|or|which|is|was|for|due|based|but|with|if|where|given|rather|over|in|on)\b)"
    r"[a-z0-9]"
)
_BRACKETED = re.compile(r"[(\[]\s?([A-Z])\s?[)\]]")
_NAMED = re.compile(r"\b(?:option|choice|answer)\s[(\[*\"']{0,3}([A-Z])(?![\w'])", re.IGNORECASE)
_LAST_CAPITAL = re.compile(r"(?:^|[\s(\[*\"'])([A-Z])[)\]*\"'.!\s]*$")
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|in conclusion|overall|in summary|conclude|consequently|accordingly|i believe"
    r"|i think|i would|it appears|it seems|most likely|likely|best guess|suggest(?:s|ing)?|based on)\b"
    r"|\u56e0\u6b64|\u6240\u4ee5",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n\u3002]*(?:\.(?=\w)[^.!?\n]*)*[.!?\n\u3002]?")


def read_choice(passage: Passage, choices: Mapping[str, str] | None = None) -> Reading:
    """Read the letter of the option that a reply settles on.

    `choices` maps the item's letters to their texts; None accepts any capital letter and no text.
    A letter outside the choices, a denied option and two options side by side are never an answer.
    """
    options = options_of(choices if choices else _ANY)
    text = passage.text
    if not text:
        return Reading("unanswered", repairs=passage.repairs)
    found = _short(text, options)
    rule = "answer_tag" if not passage.whole else "letter"
    if found is None:
        found, rule = _explicit(text, options), "explicit"
    if found is None:
        found, rule = _only_line(text, options), "line"
    if found in options.letters:
        return passage.reading(found, rule)
    if found == _TWO:
        return Reading("ambiguous", rule=rule, repairs=passage.repairs)
    if found == _OUTSIDE:
        return Reading("unanswered", rule="outside_choices", repairs=passage.repairs)
    return _implicit(passage, options)


# ── explicit answers ─────────────────────────────────────────────────────────────────────────────────


def _short(text: str, options: Options) -> str | None:
    """A reply that is nothing but a letter, an option's text, or both."""
    if len(text) > 300:
        return None
    lone = _LONE.fullmatch(text)
    if lone:
        letter = lone[1].upper()
        return letter if letter in options.letters else _OUTSIDE
    whole = options.whole(text)
    if whole is not None:
        return whole
    if _LETTERS.fullmatch(text.strip("*().[] ")) and set(text.strip("*().[] ")) <= options.letters:
        return _TWO
    return _line(text, options)


def _line(line: str, options: Options) -> str | None:
    """The option of a line that is only a letter, an option's text, or a letter with its option's text."""
    whole = options.whole(line)
    if whole is not None:
        return whole
    lone = _LONE.fullmatch(line)
    if lone:
        letter = lone[1].upper()
        return letter if letter in options.letters and (lone[1].isupper() or len(line.strip()) > 1) else None
    match = _LETTER_LINE.match(line)
    if match and match[1].upper() in options.letters:
        named = options.whole(line[match.end() :])
        if named is not None:
            return named if named == match[1].upper() else _TWO
    return None


def _only_line(text: str, options: Options) -> str | None:
    """The last line that is only an option, unless the lines name several: a list of options is no answer."""
    found = {}
    if "\n" in text:
        for line in text.splitlines():
            if 0 < len(line) <= 300 and (option := _line(line, options)):
                found[option] = line
    return next(iter(found)) if len(found) == 1 else None


def _explicit(text: str, options: Options) -> str | None:
    """The last statement of an answer that can be read."""
    statements = [(match.start(), match.end()) for match in marks(text)]
    statements += [(match.start(), match.end()) for match in _EXPLICIT.finditer(text)]
    starts = {start: None for start, _ in statements}
    boxed = dict(boxes(text)) if "boxed" in text else {}
    verdicts = dict(_verdicts(text, options)) if options.letters else {}
    for start in sorted({*starts, *boxed, *verdicts}, reverse=True):
        if start in boxed:
            found = _short(_unwrapped(boxed[start]), options)
        elif start in verdicts:
            found = verdicts[start]
        else:
            found = _stated(text, max(end for begin, end in statements if begin == start), options)
        if found is not None and not (start in boxed and found == _OUTSIDE):
            return found
    return None


def _unwrapped(content: str) -> str:
    return re.sub(r"\\(?:text|textbf|mathrm|mathbf)\s?\{([^{}]*)\}", r"\1", content)


def _verdicts(text: str, options: Options) -> Iterator[tuple[int, str]]:
    """Options that are called the correct one: "(A) is the correct answer"."""
    if "correct" not in text and "right" not in text and "best" not in text:
        return
    for match in _BRACKETED.finditer(text):
        if match[1] in options.letters and _VERDICT.match(text, match.end()):
            yield match.start(), match[1]
    for match in _NAMED.finditer(text):
        if match[1] in options.letters and _VERDICT.match(text, match.end()):
            yield match.start(), match[1]


def _stated(text: str, position: int, options: Options) -> str | None:
    """The option right after an answer mark, or the only one in the rest of its sentence."""
    end = _sentence_end(text, position)
    if not text[position:end].strip(" *_\"':.-\t"):
        position = end
        end = _sentence_end(text, position)
    sentence = text[position:end]
    lead = _LEAD.match(sentence)
    at = lead.end() if lead else 0
    mentions = options.mentions(sentence)
    first = next((mention for mention in mentions if mention.start <= at <= mention.end), None)
    if first is not None and not first.negated and sentence[at : at + 1] != "":
        named = {mention.letter for mention in mentions if not mention.negated and _beside(sentence, first, mention)}
        return _TWO if len(named) > 1 else first.letter
    letter = _letter_at(sentence, at, options, mentions)
    if letter is not None:
        return letter
    named = {mention.letter for mention in mentions if not mention.negated}
    named |= {match[1] for match in _BRACKETED.finditer(sentence) if match[1] in options.letters}
    if len(named) > 1:
        return None
    return next(iter(named), None)


def _beside(sentence: str, first: Mention, other: Mention) -> bool:
    """Whether `other` is joined to `first` by "or", "and" or a comma alone."""
    between = sentence[first.end : other.start].strip(" ()*_\"'").lower()
    return other is first or between in {"or", "and", ",", "/", "&", "or the", "and the"}


def _letter_at(sentence: str, at: int, options: Options, mentions: list[Mention]) -> str | None:
    pair = _LETTERS.match(sentence, at)
    if pair and set(pair[1]) <= options.letters:
        return _TWO
    match = _LETTER.match(sentence, at)
    if match is None:
        return None
    letter = match[1].upper()
    bare = at == 0 or sentence[at - 1] not in "([*\"'{"
    if bare and (letter in "AI" or match[1].islower()) and _AFTER_ARTICLE.match(sentence, match.end()):
        return None
    if letter not in options.letters:
        return _OUTSIDE if match[1].isupper() or not bare else None
    joined = _JOINED.match(sentence, match.end())
    if joined and joined[1] in options.letters and joined[1] != letter:
        return _TWO
    rest = _AFTER_LETTER.match(sentence, match.end())
    after = rest.end() if rest else match.end()
    beside = next((mention for mention in mentions if after <= mention.start <= after + 4), None)
    if beside and beside.letter != letter and not sentence[after : beside.start].strip(" the"):
        return _TWO if not sentence[beside.end :].strip(" .*_\"')") else letter
    return letter


def _sentence_end(text: str, position: int) -> int:
    match = re.compile(r"[.!?](?=\s|$)|\n").search(text, position)
    return match.end() if match else len(text)


# ── implied answers ──────────────────────────────────────────────────────────────────────────────────


def _implicit(passage: Passage, options: Options) -> Reading:
    """An option that is named without an announcement: a conclusion, or the only one named."""
    text = passage.text
    if options.yes_no:
        reading = read_yes_no(passage)
        if reading.outcome == "answered":
            letter = next((key for key, value in options.yes_no.items() if value == reading.value), None)
            if letter:
                return passage.reading(letter, "yes_no")
    candidates = _candidates(text, options)
    named = {mention.letter for mention in candidates if not mention.negated}
    if len(named) == 1:
        return passage.reading(next(iter(named)), "only_option")
    if len(named) > 1:
        letter = _concluded(text, candidates)
        if letter:
            return passage.reading(letter, "conclusion")
    last = _LAST_CAPITAL.search(text[-40:])
    if last and last[1] in options.letters and last[1] not in named - {last[1]}:
        return passage.reading(last[1], "last_letter")
    if refuses(text):
        return Reading("refused", rule="refusal", repairs=passage.repairs)
    if named:
        return Reading("ambiguous", rule="several_options", repairs=passage.repairs)
    return Reading("unanswered", repairs=passage.repairs)


def _candidates(text: str, options: Options) -> list[Mention]:
    """Every mention of an option by text, bracketed letter or name, in order."""
    found = options.mentions(text) if not options.yes_no else []
    taken = [(mention.start, mention.end) for mention in found]
    for pattern in (_BRACKETED, _NAMED):
        for match in pattern.finditer(text):
            if match[1] in options.letters and not any(s <= match.start(1) < e for s, e in taken):
                found.append(Mention(match[1], match.start(), match.end(), False))
    return sorted(found, key=lambda mention: mention.start)


def _concluded(text: str, candidates: list[Mention]) -> str | None:
    """The one option of the last sentence that draws a conclusion, else of the first sentence."""
    sentences = [match.span() for match in _SENTENCE.finditer(text) if match[0].strip()]
    for start, end in reversed(sentences):
        if not _CONCLUSION.search(text, start, end):
            continue
        named = {m.letter for m in candidates if start <= m.start < end and not m.negated}
        if len(named) == 1:
            return next(iter(named))
    for start, end in sentences[:1]:
        named = {m.letter for m in candidates if start <= m.start < end and not m.negated}
        if len(named) == 1:
            return next(iter(named))
    return None
