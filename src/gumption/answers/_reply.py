"""From the raw reply to the passage that may hold an answer.

Reasoning is cut out, answer tags and JSON answer fields narrow the passage, full-width signs become plain
ones, special tokens go. Every pattern here is bounded, so that the cost grows linearly with the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from gumption.records import Reading

__all__ = ["MOST_ANNOUNCED", "Passage", "boxes", "lower", "marks", "passage_of", "visible"]

LIMIT = 256 * 1024
MOST_ANNOUNCED = 64
"""Announced answers that are looked at, counted from the end: the last one that reads stands."""
TAIL = 64 * 1024
"""Bytes: a reply over LIMIT is read at its last TAIL, after the last closing reasoning tag."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a reply that may hold the answer."""

    text: str
    whole: bool = True
    """False when the text is the inside of an answer tag or a JSON answer field: then all of it is answer."""
    repairs: tuple[str, ...] = ()

    def reading(self, value: object, rule: str, *repairs: str) -> Reading:
        """An answered reading of this passage, with the passage's repairs before the reader's own."""
        return Reading("answered", value, rule, (*self.repairs, *repairs))


# Full-width forms, CJK punctuation, typographic quotes, dashes and blanks; one character for one.
_PLAIN = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {
    ord(odd): plain
    for odd, plain in zip(
        "\u3000\u00a0\u2002\u2003\u2009\u202f。、【】〔〕《》「」『』‘’“”″′−‐‑‒﹣",
        "      .,[][]<>''''''\"\"\"'-----",
        strict=True,
    )
}
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"), None)
_TO_PLAIN = {**_PLAIN, **_INVISIBLE}

_TOKEN = re.compile(
    r"<\|(?:im_end|im_start|endoftext|eot_id|end|assistant|begin_of_box|end_of_box|return|eos|pad)\|>"
    r"|</?s>|<(?:eos|bos|pad|end_of_turn|end_of_utterance)>",
    re.IGNORECASE,
)
_REASONING = re.compile(
    r"<(?P<angle>/?)\s?(?:think(?:ing)?|thoughts?|reason(?:ing)?|rationale|explanation|explain|analysis"
    r"|reflection|scratchpad|cot)\s?>"
    r"|\u25c1(?P<triangle>/?)think\u25b7|\[(?P<square>/?)think\]",
    re.IGNORECASE,
)
_ANSWER_TAG = re.compile(r"<(?P<close>/?)\s?(?:final[_ ]?)?answer\s?>", re.IGNORECASE)
_JSON_FIELD = re.compile(
    r"""["'](?:(?:final|correct|my)?[_ ]?answer|choice|option|selected[_ ]?(?:option|choice|answer)
          |prediction)["']
        \s{0,8}:\s{0,8}
        (?: (?P<double>"(?:[^"\\]|\\.){0,2000}") | '(?P<single>(?:[^'\\]|\\.){0,2000})'
          | (?P<bare>[-+\w.]+) )""",
    re.IGNORECASE | re.VERBOSE,
)

# A mark is looked for only where its word stands: one cheap scan instead of a pattern tried at every place.
_MARK_WORD = re.compile("answer|conclusion|\u7b54")
_MARK = re.compile(
    r"""
    \b(?:answers?|conclusion)\b
    (?:\s{1,3}(?:(?:to|for|of|choice|option|letter)\b[^.:\n]{0,80}?|\([^()\n]{0,30}\)))?
    [\s"'*_`)\]]{0,6}
    (?: \b(?:is|are|was|(?:would|should|must|will|could|may|might)\s+be|(?:seems?|appears?)\s+to\s+be)\b
      | 's\b | [:=\u2192] | -{1,2}> | [-\u2013\u2014](?=\s) )
    [\s:*_"'`]{0,8}
    | (?:\u7b54\u6848|\u7b54)\s?(?:\u5e94\u8be5|\u5e94)?(?:(?:\u662f|\u4e3a|\u9009)\s?:?|:)[\s:*_"'`]{0,8}
    """,
    re.VERBOSE,
)
_HEADING = re.compile(r"^[#*\s]{1,8}(?:final\s|my\s|the\s)?answer[\s:*_]{1,8}$\n{1,3}", re.MULTILINE)
_BOX = re.compile(r"\\f?boxed\s?\{")


def passage_of(reply: str) -> Passage:
    """Cut a reply down to what may be read. Nothing inside an open reasoning block is an answer."""
    repairs: list[str] = []
    text = _bounded(reply, repairs)
    if not text.isascii():
        text = text.translate(_TO_PLAIN)
    if "<" in text or "[" in text or "\u25c1" in text:
        text = _without_reasoning(text, repairs)
        text = _TOKEN.sub(" ", text)
        tagged = _tagged(text, repairs)
        if tagged is not None:
            return Passage(tagged, whole=False, repairs=tuple(repairs))
    if "{" in text and (field := _json_field(text)) is not None:
        return Passage(field, whole=False, repairs=(*repairs, "json"))
    return Passage(text.strip(), repairs=tuple(repairs))


def visible(reply: str) -> tuple[str, tuple[str, ...]]:
    """What a reply says outside its reasoning, untouched but for that, and the repairs that it took."""
    repairs: list[str] = []
    return _without_reasoning(_bounded(reply, repairs), repairs), tuple(repairs)


def marks(text: str) -> list[tuple[int, int]]:
    """Start and end of each place where an answer is announced ("Answer:", "the answer is"), in order."""
    low = lower(text)
    found = [match.span() for word in _MARK_WORD.finditer(low) if (match := _MARK.match(low, word.start()))]
    if "answer" in low and ("#" in low or "*" in low):
        found += [match.span() for match in _HEADING.finditer(low)]
        found.sort()
    return found


def lower(text: str) -> str:
    """Lower case with every character at its place (a few letters would grow)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def boxes(text: str) -> Iterator[tuple[int, str]]:
    r"""Start and content of the last \boxed{...}s, braces balanced, at most 2,000 characters each."""
    for match in list(_BOX.finditer(text))[-MOST_ANNOUNCED:]:
        depth, start = 1, match.end()
        for at in range(start, min(len(text), start + 2000)):
            if text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                if not depth:
                    yield match.start(), text[start:at]
                    break


def _bounded(reply: str, repairs: list[str]) -> str:
    if len(reply) <= TAIL or len(reply.encode(errors="replace")) <= LIMIT:
        return reply
    repairs.append("truncated_input")
    closing = [match.end() for match in _REASONING.finditer(reply) if _closes(match)]
    tail = reply[closing[-1] :] if closing else reply
    return tail.encode(errors="replace")[-TAIL:].decode(errors="ignore")


def _closes(match: re.Match[str]) -> bool:
    return bool(match["angle"] or match["triangle"] or match["square"])


def _without_reasoning(text: str, repairs: list[str]) -> str:
    kept: list[str] = []
    depth = position = 0
    for match in _REASONING.finditer(text):
        if _closes(match):
            if depth == 0:
                # A chat template may open the block for the model: all before the closing tag is reasoning.
                kept.clear()
                repairs.append("unopened_reasoning")
            depth = max(0, depth - 1)
        else:
            if depth == 0:
                kept.append(text[position : match.start()])
            depth += 1
        position = match.end()
    if depth:
        repairs.append("open_reasoning")
    else:
        kept.append(text[position:])
    return " ".join(kept) if len(kept) > 1 else (kept[0] if kept else "")


def _tagged(text: str, repairs: list[str]) -> str | None:
    """The inside of the last answer tag that holds something; "" if there are only empty ones."""
    inside: str | None = None
    opened: int | None = None
    for match in _ANSWER_TAG.finditer(text):
        if match["close"]:
            if opened is not None:
                inside = text[opened : match.start()].strip() or inside or ""
                opened = None
        else:
            opened = match.end()
    if opened is not None:
        rest = text[opened:].strip()
        if rest or inside is None:
            repairs.append("unclosed_tag")
            inside = rest
    return inside


def _json_field(text: str) -> str | None:
    """The value of the last answer field; "" for null."""
    fields = list(_JSON_FIELD.finditer(text))
    if not fields:
        return None
    found = fields[-1]
    if found["double"] is not None:
        try:
            return str(msgspec.json.decode(found["double"], type=str)).strip()
        except (msgspec.DecodeError, UnicodeEncodeError):  # the second for a lone surrogate
            return found["double"].strip('"').strip()
    if found["single"] is not None:
        return found["single"].strip()
    bare = found["bare"]
    return "" if bare.lower() in {"null", "none"} else bare
