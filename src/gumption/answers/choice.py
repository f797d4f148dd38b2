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
    (?: \bI(?:'d|'ll|\ would|\ will)?\ (?:\w+\ )?(?:choose|chose|select|pick|say|go\ (?:with|for)|opt\ for)
      | \b(?:correct|best|better|appropriate|accurate|suitable|closest|final|right\ (?:answer|option|choice|one)
           |my\ (?:\w+\ )?(?:choice|pick|selection|assessment|guess|verdict|conclusion))\b[^.:!?\n]{0,60}?
        (?:\b(?:is|would\ be|should\ be|must\ be|seems\ to\ be|appears\ to\ be)|:)
      | \b(?:option|choice)\ (?:is|would\ be|should\ be|:)
      | \b(?:it|that|this)(?:'s|\ is|\ must\ be|\ would\ be)
        (?=\s[(\[*"']{0,3}[A-Z](?![\w'])[)\]*"']{0,3}[.!,]?(?:\s|$))
      ) (?!\w) [\s:*_"']{0,6}
    | \u9009\u62e9?(?:\u9879)?[\s:]{0,3}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_VERDICT = re.compile(
    r"""[\s)\]*_"',.]{0,6}(?:the\ )?(?:\(?[A-Z]\)\ )?(?:is|as|would\ be|seems|appears\ to\ be)\ 
        (?:(?!not\ )\w+\ ){0,2}?(?:the\ )?(?:most\ |only\ )?
        (?: (?:correct|best|appropriate|accurate|suitable|final)\b | right\ (?:answer|option|choice|one|match)\b )
      | [\s)\]*_"'.]{0,4}(?:is\ my\ (?:\w+\ )?(?:answer|choice|pick|guess)|it\ is)\b""",
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
_AFTER_LETTER = re.compile(r"[)\]}.:,*_\"'`$\s([-]*")
_JOINED = re.compile(
    r"[)\]*_\"'\s]{0,4}(?:,|/|&|\bor\b|\band\b|\u6216|\u548c)\s{0,3}(?:option\s)?[(\[*\"']{0,3}([A-Z])(?![\w'])"
)
_AFTER_ARTICLE = re.compile(
    r"\s+(?!(?:because|since|as|and|or|which|is|was|for|due|based|but|with|if|where|given|rather|over|in|on)\b)"
    r"[a-z0-9]"
)
_BRACKETED = re.compile(r"[(\[]\s?([A-Z])\s?[)\]]")
_NAMED = re.compile(r"\b(?:option|choice|answer)\s[(\[*\"']{0,3}([A-Z])(?![\w'])", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:letter|label|labell?ed|marked)\s(?:as\s|with\s|by\s)?(?:the\sletter\s)?[(\[*\"']{0,3}([A-Z])(?![\w'])"
)
_PREDICATE = re.compile(
    r"\b(?:is|be|(?:corresponds|matches|belongs|points)(?:\s(?:to|with))?)[:\s]{1,4}(?:the\s)?[(\[*\"']{0,4}$"
)
"""What stands before an option that is said to be the thing asked for: "the corresponding point is Point A"."""
_SINGLE = re.compile(r"(?<![\w'])([A-Z])(?![\w'])")
_EITHER = re.compile(
    r"(?<![\w'])([A-Z])[)\]*\"']{0,3}\s?(?:\bor\b|\band\b|/|&|,|\u6216|\u548c)\s?(?:option\s)?[(\[*\"']{0,3}([A-Z])(?![\w'])"
)
_LAST_CAPITAL = re.compile(r"(?:(\w+)\s)?[\s(\[*\"']*(?<![\w'])([A-Z])[)\]*\"'.!\s]*$")
_NO_VERDICT = frozenset(
    "than to from of with and or nor not point box image picture near by for vs in on at region circle labeled "
    "labelled object area spot like".split()
)
"""Words before a last letter that make it a thing spoken of ("closer than A"), not a verdict."""
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|conclusion|overall|in summary|conclude|consequently|accordingly|given|considering"
    r"|based on (?:this|these|that|those)|between the|of the two|i believe|i think|i would|i judge|i select|select|best guess|my judgment)\b"
    r"|\u56e0\u6b64|\u6240\u4ee5",
    re.IGNORECASE,
)
_OPINION = re.compile(r"\b(?:appears|seems|likely|suggest(?:s|ing)?|based on)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:while|whereas|compared (?:to|with)|in contrast|but|although|unlike|rather than|instead of|than|as it"
    r"|because|since)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\W*(?:in contrast|on the other hand|conversely|the other)\b|[^.\n]*\bless\b", re.IGNORECASE
)
"""A sentence about what was not chosen."""
_CAPITAL = re.compile(r"(?<![\w'])([A-Z])(?![\w'])(?!\s[a-z])")
_LINE_END = re.compile(r"[.!?](?=\s|$)|\n")
_SENTENCE = re.compile(r"(?:[^.!?:\n\u3002]|[.!?](?=\S)|:[\s*]{0,4})+[.!?\n\u3002]?")


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
    for match in _SINGLE.finditer(text):
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
        named = {
            mention.letter
            for mention in mentions
            if not mention.negated and _beside(sentence, first, mention)
        }
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
    return other is first or _joined(sentence, first, other)


def _joined(text: str, first: Mention, other: Mention) -> bool:
    between = text[first.end : other.start].strip(" ()*_\"'").lower()
    return between in {"or", "and", ",", "/", "&", "or the", "and the"}


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
    match = _LINE_END.search(text, position)
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
    spans = [match.span() for match in _SENTENCE.finditer(text) if match[0].strip()]
    candidates = _candidates(text, options, spans)
    named = {mention.letter for mention in candidates if not mention.negated}
    if len(named) == 1:
        return passage.reading(next(iter(named)), "only_option")
    if len(named) > 1:
        letter = _concluded(text, candidates, spans)
        if letter:
            return passage.reading(letter, "conclusion")
    letter = _last_letter(text[spans[-1][0] :] if spans else text, options)
    if letter:
        return passage.reading(letter, "last_letter")
    if refuses(text):
        return Reading("refused", rule="refusal", repairs=passage.repairs)
    if named:
        return Reading("ambiguous", rule="several_options", repairs=passage.repairs)
    return Reading("unanswered", repairs=passage.repairs)


def _last_letter(sentence: str, options: Options) -> str | None:
    """The capital that ends a reply ("Based on the image, D"), if it is the only one of its sentence."""
    last = _LAST_CAPITAL.search(sentence[-60:])
    if last is None or last[2] not in options.letters or (last[1] or "").lower() in _NO_VERDICT:
        return None
    named = {match[1] for match in _CAPITAL.finditer(sentence)} & options.letters
    return last[2] if named <= {last[2]} else None


def _candidates(text: str, options: Options, spans: list[tuple[int, int]]) -> list[Mention]:
    """Every mention of an option by text, bracketed letter or name, in order.

    A bracketed letter right behind other words may be the author's own label ("the first image (A)"): in a
    sentence that names options by their texts, such a letter counts only behind an option's text.
    """
    found = [] if options.yes_no else options.mentions(text) or options.statements(text)
    ends = {mention.end for mention in found}
    texts = [(mention.start, mention.end) for mention in found]
    told = [(start, end) for start, end in spans if any(start <= at < end for at, _ in texts)]
    letters: dict[int, Mention] = {}
    for match in _EITHER.finditer(text):
        if match[1] != match[2] and {match[1], match[2]} <= options.letters:
            letters |= {
                match.start(k): Mention(match[k], match.start(k), match.end(k), False) for k in (1, 2)
            }
    for pattern in (_BRACKETED, _NAMED, _LABEL):
        for match in pattern.finditer(text):
            letter, at = match[1].upper(), match.start(1)
            if match[1].islower() and _AFTER_ARTICLE.match(text, match.end()):
                continue
            if letter not in options.letters or any(start <= at < end for start, end in texts):
                continue
            before = text[: match.start()].rstrip(" ")
            label = pattern is _LABEL or (pattern is _BRACKETED and before[-1:].isalnum())
            if label and len(before) not in ends and any(start <= at < end for start, end in told):
                continue
            letters.setdefault(at, Mention(letter, match.start(), match.end(), False))
    return sorted([*found, *letters.values()], key=lambda mention: mention.start)


def _concluded(text: str, candidates: list[Mention], spans: list[tuple[int, int]]) -> str | None:
    """The one option of the sentence that draws the conclusion.

    Tried in order: conclusions, last first; sentences that end in an option ("the corresponding point is
    Point A"), last first; the first sentence; opinions, last first. The first of them that names an option
    decides, or leaves the reply ambiguous. Of a sentence that weighs options ("X fits, while Y does not")
    only the part before the contrast counts.
    """
    said = {
        mention.start
        for mention, following in zip(candidates, [*candidates[1:], None], strict=True)
        if _PREDICATE.search(text, max(0, mention.start - 40), mention.start)
        and not (following and following.letter != mention.letter and _joined(text, mention, following))
    }
    spans = [span for span in spans if not _ASIDE.match(text, *span)]
    last_first = spans[::-1]
    for start, end in (
        *(span for span in last_first if _CONCLUSION.search(text, *span)),
        *(span for span in last_first if any(span[0] <= at < span[1] for at in said)),
        *((start, text.find(":", start, end) % (end + 1)) for start, end in spans[:1]),
        *(span for span in last_first if _OPINION.search(text, *span)),
    ):
        contrast = _CONTRAST.search(text, start + 12, end)
        inside = [m for m in candidates if start <= m.start < end and not m.negated]
        for chosen in (
            inside,
            [m for m in inside if m.start < (contrast.start() if contrast else end)],
            [m for m in inside if m.start in said],
        ):
            if len({m.letter for m in chosen}) == 1:
                return chosen[0].letter
        if inside:
            return None
    return None
