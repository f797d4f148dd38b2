"""Where a passage states its answer, and what it takes back: shared by the readers of free values.

`committed`, `abstains`, `denied` and `rejected` expect text in lower case.
"""

from __future__ import annotations

import itertools
import re

from gumption.answers._refusal import refuses
from gumption.answers._reply import Passage, boxes, marks
from gumption.records import Reading

__all__ = [
    "abstains",
    "committed",
    "denied",
    "explicit",
    "first_line",
    "plain",
    "rejected",
    "sentences",
    "unread",
]

_EMPHASIS = re.compile(r"(?<![\d*])\*++(?!\s)|(?<![\s*])\*++(?!\d)|`++|__")
"""Markdown marks; a star between digits or between blanks may be a product."""
_SAYS = re.compile(r"\w")
_SENTENCE_END = re.compile(
    r"[.!?\n](?<!\bca.)(?<!\bapprox.)(?<!\be\.g.)(?<!\bi\.e.)"
    r"(?:(?<=\n)\n*+|[.!?]*+[\"')\]]{0,3}(?=\s|$|[\u4e00-\u9fff]))"
)
_TURN = re.compile(
    r"(?:[.!?,;\n]\s?|\s)\b(?:but|however|although|though|still|so|therefore|thus|hence|nevertheless)\b"
    r"|,\s(?=(?:there|it\sis|it's|i\ssee|i\scount|i'd|i\swould)\b)|[.!?](?=\s)|\n"
)
_REQUEST = re.compile(r"\W*(?:please|if you|could you|can you)\b")
_ABSTENTION = re.compile(
    r"\W*(?:(?:it|the answer) is |it's |i am |i'm )?"
    r"(?:unknown|n/a|none|unclear|uncertain|undetermined|impossible to"
    r"|not (?:sure|certain|known|clear|enough|given|stated|specified|possible|applicable|visible|determin\w+)"
    r"|(?:i )?(?:cannot|can't|can not|could not|don't|do not) (?:be )?"
    r"(?:determin|tell|know|say|answer|see)\w*)(?!\w).*",
    re.DOTALL,
)
_DENYING = (
    "not", "n't", "never", "nor", "rather", "instead", "opposed", "excluding", "avoid", "wrong", "incorrect",
    "false", "不", "非",
)  # fmt: skip
_DENIAL = re.compile(
    r"(?:\b(?:not|cannot|never|neither|nor|rather\s+than|instead\s+of|as\s+opposed\s+to|excluding|avoid)|n't)\s+"
    r"(?:(?:just|only|exactly|really|be|equal|to|a|the|at|in|on|near|around|about|from|with|of|is|it|one|point"
    r"|answer|value|number|located|placed|position|pixel|coordinates?|correct|right|total)\s+){0,5}"
    r"[\[({$\"'*-]{0,4}$"
    r"|(?:不是|并非|而非|不在)\s?[\[({]{0,3}$"
)
_REJECTION = re.compile(
    r"[\])}\s\"'.*\u00b0]{0,4}(?:[\w\u00b2\u00b3]{1,12}\s?){0,2}?,?\s?"
    r"(?:which\s|that\s|\b)(?:(?:is|was|are|would\sbe|seems|looks|must\sbe)\s(?:clearly\s|obviously\s)?"
    r"(?:wrong|incorrect|false"
    r"|not\s(?:right|correct|it|true|possible|the\s(?:answer|target|point|object|right|correct)))"
    r"|(?:cannot|can't|could\snot|couldn't|can\snot)\sbe\s(?:right|correct|true|it))(?!\w)"
)


def words_of(*words: str) -> str:
    """Pattern source for whole words in lower case, grouped by first letter: the search skips the others."""
    groups = itertools.groupby(sorted(words), key=lambda word: word[0])
    return "|".join(
        rf"{first}(?<![a-z\d_].)(?:{'|'.join(word[1:] for word in group)})\b" for first, group in groups
    )


def plain(text: str) -> str:
    """The text without Markdown emphasis and code marks."""
    return _EMPHASIS.sub("", text) if "*" in text or "`" in text or "__" in text else text


def explicit(text: str) -> list[str]:
    """What follows each answer mark, up to the next one, and what each box holds; the last one first."""
    found = list(boxes(text)) if "boxed" in text else []
    announced = marks(text)
    starts = sorted({at for at, _ in (*found, *announced)})
    stops = dict(itertools.pairwise([*starts, len(text)]))
    found += [(start, text[end : stops[start]]) for start, end in announced]
    return [content for _, content in sorted(found, reverse=True)]


def first_line(text: str) -> str:
    """The first line that says something."""
    said = _SAYS.search(text)
    if said is None:
        return ""
    end = text.find("\n", said.start())
    return text[text.rfind("\n", 0, said.start()) + 1 : end if end >= 0 else None].strip()


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence or line, in order."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        spans.append((start, match.end()))
        start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def committed(text: str) -> str:
    """What a reply still says where it declines: its parts, cut at turns of thought, that do not decline."""
    if not refuses(text):
        return text
    cuts = [0, *(match.end() for match in _TURN.finditer(text)), len(text)]
    parts = [text[start:end] for start, end in itertools.pairwise(cuts)]
    return "\n".join(part for part in parts if not refuses(part) and not _REQUEST.match(part))


def abstains(text: str) -> bool:
    """True where an announced answer is that there is none ("unknown", "cannot be determined")."""
    return bool(_ABSTENTION.fullmatch(text))


def takes_back(text: str) -> bool:
    """Whether `denied` or `rejected` can hold anywhere in a text: one cheap look before many."""
    return any(word in text for word in _DENYING)


def denied(text: str, start: int) -> bool:
    """True where the words before `start` deny what stands there: "not 3", "rather than at (1, 2)"."""
    return bool(_DENIAL.search(text, max(0, start - 60), start))


def rejected(text: str, end: int) -> bool:
    """True where the words after `end` reject what stands before: "91 cm, which cannot be right"."""
    return bool(_REJECTION.match(text, end))


def unread(passage: Passage, *, several: bool, value: object = None) -> Reading:
    """The reading of a passage without one answer: it declines, it names several, or it says nothing."""
    if refuses(passage.text):
        return Reading("refused", value, "refusal", passage.repairs)
    if several:
        return Reading("ambiguous", value, "several", passage.repairs)
    return Reading("unanswered", value, "", passage.repairs)
