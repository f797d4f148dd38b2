"""Replies that a README quotes with what they are worth: a reading of its rules has to agree with them.

Sentences leave much open; an example does not. Of the few readings that the sentences allow, the first that
agrees with all examples is taken, and an example that none agrees with is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._verdicts import refused
from gumption.synthesis.recipes import metrics, reading
from gumption.synthesis.spec import Scoring

__all__ = ["Sample", "agreed", "samples_of"]

_Q = r"[\"\u201c]([^\"\u201c\u201d\n]{1,80})[\"\u201d]"
_LIST = rf"(?:{_Q}(?:,? (?:and|or|as well as) |, |/))*{_Q}(?: and so on)?"
_QUOTED = re.compile(_Q)
_READS = re.compile(
    rf"({_LIST}) (?:is|are|means?|counts? as|(?:is|are) (?:all |both |just )?(?:read|taken|counted) as)"
    r" (?:all |both |just )?[`*\"\u201c]?(?P<value>[A-J]|\d{1,4}(?:\.\d+)?|(?:yes|no)(?=\W*$"
    r"|[`*\"\u201d]|[.,;:)]))"
    r"[`*\"\u201d]?(?![\w%]|\.\d)"
)
_WORTH = re.compile(
    rf"({_LIST}),? (?:would |will |also |still )?(?:is|are|be|gets?|earns?|scores?|has|counts?(?: as"
    rf"| for)?|is worth)"
    r" (?:(?:also |still |a |an )?(?P<worth>right|correct|fine|ok\b|wrong|incorrect|zero|nothing|full"
    r"|[01](?:\.\d+)?|half)(?![\w%])"
    r"|(?P<not>not)\b(?=\W*$| (?:right|correct|fine|ok|accepted|enough)\b))"
)
_ACCEPTED = re.compile(
    rf"(?i)\b(?:if|when|where|with) (?:the )?(?:accepted |right )?(?:answer )?(?:is )?{_Q}(?: is"
    rf"| are)?(?: accepted| right)?\b"
)
_BECOMES = re.compile(rf"{_Q} (?:becomes|turns into|is turned into|ends up as) {_Q}")
_LACKS = re.compile(rf"{_Q} (?:does not|doesn't|do not) contain {_Q}")
_ONLY = re.compile(
    rf"{_Q} (?:is|are|would be) (?:wrong|incorrect|not right|not correct|0)\b[^.\"]{{0,60}}\bonly {_Q}"
)
_EXAMPLE = re.compile(rf"\b(?:accept\w*)\b[^.]*\b(?:example|e\.g\.|as in|such as|like)\b[^.]*?{_Q}")
_WORTHS = {"right": 1.0, "correct": 1.0, "fine": 1.0, "ok": 1.0, "full": 1.0, "half": 0.5}


@dataclass(frozen=True, slots=True)
class Sample:
    """A quoted reply with what is said of it."""

    said: Statement
    reply: str
    value: str = ""
    """What it is read as, where that is told."""
    worth: float | None = None
    """What it is worth, where that is told: 0 for what is no answer."""
    accepted: tuple[str, ...] = ()
    becomes: str = ""
    """What it is turned into before it is compared."""


def samples_of(readme: Statements) -> list[Sample]:
    """All of a README's, in its order."""
    example = [match[1] for one in readme.all if (match := _EXAMPLE.search(one.text))]
    accepted = tuple(part.strip() for text in example for part in re.split(r"[|;/]", text))
    found: list[Sample] = []
    for one in readme:
        text = " ".join(one.text.split()).replace("\u2019", "'")
        found += [Sample(one, match[1], becomes=match[2]) for match in _BECOMES.finditer(text)]
        lacking = [*_LACKS.finditer(text), *_ONLY.finditer(text)]
        found += [Sample(one, match[1], worth=0.0, accepted=(match[2],)) for match in lacking]
        told = _ACCEPTED.search(text)
        own = (told[1],) if told else accepted
        for match in _READS.finditer(text):
            found += [Sample(one, reply, value=match["value"]) for reply in _QUOTED.findall(match[1])]
        for match in _WORTH.finditer(text):
            worth = 0.0 if match["not"] else _worth(match["worth"])
            found += [
                Sample(one, reply, worth=worth, accepted=own)
                for reply in _QUOTED.findall(match[1])
                if reply
                not in (told[1] if told else "", *(sample.reply for sample in found if sample.said is one))
            ]
    return [*found, *_bad(readme, found, accepted)]


def _worth(said: str) -> float:
    return _WORTHS[said] if said in _WORTHS else float(said) if said[0].isdigit() else 0.0


def _bad(readme: Statements, known: Sequence[Sample], accepted: tuple[str, ...]) -> Iterator[Sample]:
    """What is quoted as worth nothing, in a list or in brackets behind what it is an example of."""
    seen = {one.reply.lower() for one in known}
    for one, phrase in refused(readme):
        alone = re.fullmatch(rf"(?:and |or |such as )*{_Q}", phrase)
        listed = re.search(rf"{re.escape(phrase)} \(({_LIST})\)", one.low)
        for low in [alone[1]] if alone else _QUOTED.findall(listed[1]) if listed else []:
            at = one.text.lower().find(low)
            if low not in seen and at >= 0:
                seen.add(low)
                yield Sample(one, one.text[at : at + len(low)], worth=0.0, accepted=accepted)


# ── which reading agrees ─────────────────────────────────────────────────────────────────────────────


def agreed(
    scoring: Scoring,
    candidates: Sequence[Scoring],
    samples: Sequence[Sample],
    choices: Sequence[Mapping[str, str]],
) -> tuple[Scoring, list[str]]:
    """The first of the readings that agrees with most samples, the proposed one first; and doubts.

    `choices`: the options of the rows.
    """
    best, left = scoring, _against(scoring, samples, choices)
    for other in candidates if left else ():
        failing = _against(other, samples, choices)
        if len(failing) < len(left):
            best, left = other, failing
    return best, [
        f"a reply that the README quotes is read otherwise: {one.reply!r} in {one.said.text}" for one in left
    ]


def _against(
    scoring: Scoring, samples: Sequence[Sample], choices: Sequence[Mapping[str, str]]
) -> list[Sample]:
    return [one for one in samples if _agrees(scoring, one, choices) is False]


def _agrees(scoring: Scoring, sample: Sample, choices: Sequence[Mapping[str, str]]) -> bool | None:
    """Whether a reading agrees with a sample; None where that cannot be told."""
    part = reading.region(sample.reply, scoring.region)
    given = scoring.parameters
    if scoring.kind == "text":
        return _text_agrees(scoring, part, sample)
    if (
        sample.becomes
        or scoring.kind == "point"
        or scoring.metric not in ("exact", "tolerance", "mra", "bands", "linear")
    ):
        return None
    told: dict[str, Any]
    wanted: Any
    if scoring.kind == "choice":
        told = {
            name: given[name]
            for name in ("letters", "texts", "several", "whole", "positions", "bracketed", "occurs")
            if name in given
        }
        shown = [one for one in choices if not sample.value or _place(sample.value, one, given) is not None]
        if not shown:
            return None
        read = reading.choice(part, shown[0], **told)
        wanted = _place(sample.value, shown[0], given)
    elif scoring.kind == "yes_no":
        told = {name: given[name] for name in ("words", "several", "whole", "occurs") if name in given}
        read = reading.yes_no(part, **told)
        wanted = sample.value.lower() if sample.value.lower() in ("yes", "no") else None
    else:
        told = {
            name: given[name] for name in ("several", "words", "ranges", "whole", "decimal") if name in given
        }
        read = reading.number(part, **told)
        wanted = float(sample.value) if re.fullmatch(r"[\d.]+", sample.value) else None
    if sample.value:
        return None if wanted is None else read.value == wanted
    return (read.outcome == "answered") is bool(sample.worth)


def _place(value: str, shown: Mapping[str, str], given: Mapping[str, Any]) -> str | None:
    """The letter of the option that a sample is said to be."""
    if value.isdigit() and "positions" in given:
        at = int(value) - int(given["positions"])
        return list(shown)[at] if 0 <= at < len(shown) else None
    return value if value in shown else None


def _text_agrees(scoring: Scoring, part: reading.Region, sample: Sample) -> bool | None:
    steps = scoring.normalise
    if sample.becomes:
        return metrics.normal(sample.reply, steps) == metrics.normal(sample.becomes, steps) and (
            metrics.normal(sample.reply, steps) == sample.becomes
        )
    if scoring.metric == "label":
        labels = scoring.parameters["labels"]
        return (
            (reading.label(part, labels=labels).outcome == "answered") is bool(sample.worth)
            if sample.worth == 0
            else None
        )
    if not sample.accepted or sample.worth is None:
        return None
    told = scoring.parameters
    if scoring.metric == "f1":
        worth = metrics.f1(part.text, sample.accepted, steps)
    elif scoring.metric == "contains":
        worth = metrics.mentioned(
            part.text, sample.accepted, steps, how=told.get("how", "any"), words=told.get("words", True)
        )
    else:
        worth = metrics.matches(part.text, sample.accepted, steps)
        if "contained" in told:
            worth = max(worth, told["contained"] * metrics.mentioned(part.text, sample.accepted, steps))
    return abs(worth - sample.worth) < 1e-3
