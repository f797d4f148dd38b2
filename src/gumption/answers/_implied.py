"""Options that a reply settles on without announcing them: the only one named, or the one concluded on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from gumption.answers._denied import DENYING, denied_at, denied_letters, spread
from gumption.answers._letters import AFTER_ARTICLE, BRACKETED, NAMED, SIDE_BY_SIDE, SINGLE
from gumption.answers._options import Mention, Options, joined
from gumption.answers._reply import lower

__all__ = [
    "bare_letters",
    "concluded",
    "last_letter",
    "leading_letter",
    "left_over",
    "mentioned",
    "only_letter",
    "sentences",
]

Span = tuple[int, int]

_SENTENCE = re.compile(r"(?:[^.!?:\n\u3002]|[.!?](?=\S)|:[\s*]{0,4})+[.!?\n\u3002]?")
_LABEL = re.compile(
    r"\b(?:letter|label|labell?ed|marked)\s(?:as\s|with\s|by\s)?(?:the\sletter\s)?"
    r"[(\[*\"']{0,3}([A-Z])(?![\w'])"
)
_PREDICATE = re.compile(
    r"\b(?:is|be|(?:corresponds|matches|belongs|points)(?:\s(?:to|with))?)[:\s]{1,4}(?:the\s)?[(\[*\"']{0,4}$"
)
"""What stands before an option that is said to be the thing asked for: "the matching one is Point A"."""
_LAST_CAPITAL = re.compile(r"(?:(\w+)\s)?[\s(\[*\"']{0,6}(?<![\w'])([A-Z])[)\]*\"'.!\s]{0,8}$")
_WORD_NEXT = re.compile(r"\s[a-z]")
_LEADING = re.compile(r"[\s*_(\[\"']{0,6}([A-Z])[)\]*_\"']{0,4}[,.:;-](?=\s)")
_SHORT = 200
"""Characters: a reply of up to this many is looked at as a whole for letters beside the last one."""
_THINGS = {
    "than", "to", "from", "of", "with", "and", "or", "nor", "not", "point", "box", "image", "picture", "near",
    "by", "for", "vs", "in", "on", "at", "region", "circle", "labeled", "labelled", "object", "area", "spot",
}  # fmt: skip
"""Words before a last letter that make it a thing spoken of ("closer than A"), not a verdict."""
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|conclusion|overall|in summary|conclude|consequently|accordingly|given"
    r"|considering|based on (?:this|these|that|those)|between the|of the two|i believe|i think|i would"
    r"|i judge|select|best guess|my judgment)\b|\u56e0\u6b64|\u6240\u4ee5",
    re.IGNORECASE,
)
_OPINION = re.compile(r"\b(?:appears|seems|likely|suggest(?:s|ing)?|based on)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:while|whereas|compared (?:to|with)|in contrast|but|although|unlike|rather than|instead of|than"
    r"|as it|because|since)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\W{0,8}(?:in contrast|on the other hand|conversely|the other)\b|[^.\n]*\bless\b", re.IGNORECASE
)
"""A sentence about what was not chosen."""


@lru_cache(maxsize=1)
def sentences(text: str) -> tuple[Span, ...]:
    """Where the sentences of a text are; what a colon introduces belongs to its sentence."""
    return tuple(match.span() for match in _SENTENCE.finditer(text) if match[0].strip())


def mentioned(text: str, options: Options) -> list[Mention]:
    """Every mention of an option by text, bracketed letter or name, in order.

    A bracketed letter right behind other words may be the author's own label ("the first image (A)"): in a
    sentence that names options by their texts, such a letter counts only behind an option's text.
    """
    low = lower(text)
    denying = any(word in low for word in DENYING)
    texts = [] if options.yes_no else options.mentions(text) or options.statements(text)
    ends = {mention.end for mention in texts}
    starts = [mention.start for mention in texts]
    letters: dict[int, Mention] = {}

    def add(letter: str, at: int, start: int, end: int, *, label: bool) -> None:
        before = bisect_right(starts, at) - 1
        inside = before >= 0 and at < texts[before].end
        if letter not in options.letters or inside:
            return
        if label and texts and start not in ends and start - 1 not in ends:
            low, high = _sentence_of(text, start)
            if bisect_left(starts, low) < bisect_left(starts, high):
                return
        letters.setdefault(at, Mention(letter, start, end, denying and denied_at(text, start, end)))

    for match in SIDE_BY_SIDE.finditer(text):
        if match[1] != match[2] and {match[1], match[2]} <= options.letters:
            for side in (1, 2):
                add(match[side], match.start(side), *match.span(side), label=False)
    for match in BRACKETED.finditer(text) if "(" in low or "[" in low else ():
        behind_words = text[max(0, match.start() - 2) : match.start()].rstrip(" ")[-1:].isalnum()
        add(match[1], match.start(1), *match.span(), label=behind_words)
    for match in NAMED.finditer(text) if "option" in low or "choice" in low or "answer" in low else ():
        if match[1].isupper() or not AFTER_ARTICLE.match(text, match.end()):
            add(match[1].upper(), match.start(1), *match.span(), label=False)
    for match in _LABEL.finditer(text) if "label" in low or "letter" in low or "marked" in low else ():
        add(match[1], match.start(1), *match.span(), label=True)
    found = sorted([*texts, *letters.values()], key=lambda mention: mention.start)
    return _with_those_beside(text, found) if denying else found


def _with_those_beside(text: str, mentions: list[Mention]) -> list[Mention]:
    """With a denial held for what is joined to it, "not option A or option B", and for the letter that
    stands behind its option's text, "not the red mug (A)"."""
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found and found[-1].negated else None
        own = last is not None and mention.letter == last.letter and mention.start - last.end <= 1
        joins = last is not None and spread(text, last.end, mention.start)
        found.append(replace(mention, negated=mention.negated or own or joins))
    return found


def left_over(text: str, options: Options) -> str | None:
    """The only letter of a short reply beside those that it denies: "not A but B", "A is wrong. B"."""
    if len(text) > _SHORT:
        return None
    denied, stated = denied_letters(text, options.letters)
    return stated.pop() if denied and len(stated) == 1 else None


def only_letter(text: str, options: Options) -> str | None:
    """The only letter that a short reply names ("Picture B."), where options have no texts to go by."""
    if options.longest or len(text) > _SHORT:
        return None
    named = {
        match[1]
        for match in SINGLE.finditer(text)
        if match[1] in options.letters and not (match[1] in "AI" and AFTER_ARTICLE.match(text, match.end()))
    }
    denied, _ = denied_letters(text, options.letters)
    return named.pop() if len(named) == 1 and not named & denied else None


def _sentence_of(text: str, at: int) -> Span:
    spans = sentences(text)
    return spans[bisect_right(spans, (at, len(text))) - 1]


def concluded(text: str, mentions: list[Mention], spans: tuple[Span, ...]) -> str | None:
    """The one option of the sentence that draws the conclusion.

    Tried in order: conclusions, last first; sentences that end in an option ("the matching one is Point A"),
    last first; the first sentence; opinions, last first. The first of them that names an option decides, or
    leaves the reply ambiguous. Of a sentence that weighs options ("X fits, while Y does not") only the part
    before the contrast counts.
    """
    starts = [mention.start for mention in mentions]
    said = {
        first.start
        for first, second in pairwise([*mentions, Mention("", len(text) + 9, len(text) + 9, False)])
        if _PREDICATE.search(text, max(0, first.start - 40), first.start)
        and not (second.letter and second.letter != first.letter and joined(text, first, second))
    }
    told = [span for span in spans if bisect_left(starts, span[0]) < bisect_left(starts, span[1])]
    told = [span for span in told if not _ASIDE.match(text, *span)]
    backwards = told[::-1]
    lead = [(start, _before_colon(text, start, end)) for start, end in spans[:1] if (start, end) in told]
    for start, end in (
        *(span for span in backwards if _CONCLUSION.search(text, *span)),
        *(span for span in backwards if any(at in said for at in _within(starts, *span))),
        *lead,
        *(span for span in backwards if _OPINION.search(text, *span)),
    ):
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        inside = [mention for mention in mentions[low:high] if not mention.negated]
        contrast = _CONTRAST.search(text, start + 12, end)
        limit = contrast.start() if contrast else end
        for chosen in (
            inside,
            [mention for mention in inside if mention.start < limit],
            [mention for mention in inside if mention.start in said],
        ):
            if len({mention.letter for mention in chosen}) == 1:
                return chosen[0].letter
        if inside:
            return None
    return None


def leading_letter(text: str, options: Options) -> str | None:
    """The capital that a reply begins with ("C, because ..."), if no other one stands in it."""
    match = _LEADING.match(text)
    return match[1] if match and bare_letters(text, options) == {match[1]} else None


def last_letter(text: str, spans: tuple[Span, ...], mentions: list[Mention], options: Options) -> str | None:
    """The capital that ends a reply ("Based on the image, D"), if its sentence names no other option."""
    start = spans[-1][0] if spans else 0
    last = _LAST_CAPITAL.search(text, max(start, len(text) - 60))
    if last is None or last[2] not in options.letters or (last[1] or "").lower() in _THINGS:
        return None
    named = {mention.letter for mention in mentions if mention.start >= start and not mention.negated}
    named |= bare_letters(text[start if len(text) > _SHORT else 0 :], options)
    denied, _ = denied_letters(text[start:], options.letters)
    return last[2] if named == {last[2]} and last[2] not in denied else None


def bare_letters(text: str, options: Options) -> set[str]:
    """The options' letters that stand alone as capitals, the article aside."""
    found = {match[1] for match in SINGLE.finditer(text) if not _WORD_NEXT.match(text, match.end())}
    return found & options.letters


def _within(starts: list[int], low: int, high: int) -> list[int]:
    return starts[bisect_left(starts, low) : bisect_left(starts, high)]


def _before_colon(text: str, start: int, end: int) -> int:
    colon = text.find(":", start, end)
    return end if colon < 0 else colon
