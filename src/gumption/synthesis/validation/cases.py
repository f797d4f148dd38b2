"""The gates `cases` and `properties`: made replies of which the record says what they are worth."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.contract import Row, verdicts_of
from gumption.synthesis.spec import Scoring, Spec
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._framing import bare, frames
from gumption.synthesis.validation._made import HOSTILE, HUGE, Made, Read, unreadable
from gumption.synthesis.validation._made_choice import choice, yes_no
from gumption.synthesis.validation._made_number import number, with_own_limit, written
from gumption.synthesis.validation._made_point import point
from gumption.synthesis.validation._made_text import text
from gumption.synthesis.validation._worth import breakpoints
from gumption.synthesis.validation.contracts import with_other_gold
from gumption.synthesis.validation.report import Finding, Gate, GateName, gate, quoted
from gumption.synthesis.validation.running import Call, Pipeline, StoppedError, scored_of

__all__ = ["Try", "check_replies", "tries_of"]

_FOR_HUGE = 3
"""Items that get the long replies."""


@dataclass(frozen=True, slots=True)
class Try:
    """Replies to one row, and the gate that they are for."""

    gate: GateName
    row: Row
    made: tuple[Made, ...]
    rising: str = ""
    """Where their scores must not fall from one reply to the next: what that means."""


def tries_of(
    rows: Sequence[Row], spec: Spec | None, items: Sequence[Declared], most: int, seed: int
) -> list[Try]:
    """Replies to `most` of the rows, drawn by the seed; without a record those that hold for any scorer."""
    by_id = {item.id: item for item in items}
    known = [row for row in rows if str(row["id"]) in by_id] if spec else list(rows)
    chosen = sorted(random.Random(seed).sample(range(len(known)), min(most, len(known))))
    picked = [known[at] for at in chosen]
    if spec is None:
        empty = [
            Made(reply, 0.0, "not", "an empty reply is unanswered and scores 0")
            for reply in ("", " ", "\n\t\n")
        ]
        found = [Try("properties", row, (*empty, *_odd(None))) for row in picked]
        return [*found, *(one for row in picked[:_FOR_HUGE] for one in _huge(row, None))]
    found = []
    for turn, row in enumerate(picked):
        item = by_id[str(row["id"])]
        made = tuple(_distinct(_cases(item, spec.scoring, items, turn)))
        if len(made) > 2:
            found.append(Try("cases", row, made))
    for turn, row in enumerate(picked):
        found += _properties(by_id[str(row["id"])], row, spec, items, turn)
    return [*found, *(one for row in picked[:_FOR_HUGE] for one in _huge(row, spec.scoring))]


def check_replies(pipeline: Pipeline, tries: Sequence[Try]) -> tuple[Gate, Gate]:
    """Both gates, by one call of the sandbox."""
    findings: dict[str, list[Finding]] = {"cases": [], "properties": []}
    called: list[list[Call]] = []
    try:
        called = pipeline.score([(one.row, [made.reply for made in one.made]) for one in tries])
    except StoppedError as stopped:
        called = scored_of(stopped.result.output)
        at = tries[min(stopped.done, len(tries) - 1)]
        told = stopped.finding
        findings[at.gate].append(Finding(told.check, str(at.row["id"]), got=told.got, said=told.said))
    for one, calls in zip(tries, called, strict=False):
        for made, call in zip(one.made, calls, strict=True):
            findings[one.gate] += _judged(one, made, call)
            findings["properties"] += _behaved(one, made, call)
        findings[one.gate] += _fallen(one, calls)
    counts = {name: sum(len(one.made) for one in tries if one.gate == name) for name in findings}
    return (
        gate("cases", counts["cases"], findings["cases"]),
        gate("properties", counts["properties"], findings["properties"]),
    )


def _judged(one: Try, made: Made, call: Call) -> Iterator[Finding]:
    item, reply = str(one.row["id"]), quoted(made.reply)
    if call.raised:
        yield Finding(f"score never raises: {made.why}", item, reply, _wanted(made), said=call.raised)
        return
    try:
        verdict = verdicts_of([call.value])[0]
    except GumptionError as error:
        yield Finding("score gives a verdict", item, reply, error.remedy, quoted(error.problem))
        return
    if not made.met(verdict.score, verdict.outcome):
        yield Finding(made.why, item, reply, _wanted(made), f"score {verdict.score}, {verdict.outcome}")


def _behaved(one: Try, made: Made, call: Call) -> Iterator[Finding]:
    item, reply = str(one.row["id"]), quoted(made.reply)
    if not call.untouched:
        yield Finding("score leaves its row as it is", item, reply)
    if not call.repeated:
        yield Finding("score gives the same a second time", item, reply)


def _wanted(made: Made) -> str:
    worth = "a score in [0, 1]" if made.worth is None else f"score {made.worth:.6g}"
    return (
        worth + {"answered": ", answered", "not": ", unanswered, ambiguous or refused", "any": ""}[made.read]
    )


def _fallen(one: Try, calls: Sequence[Call]) -> Iterator[Finding]:
    if not one.rising:
        return
    scores = [call.value.get("score") if isinstance(call.value, dict) else None for call in calls]
    for made, before, score in zip(one.made[1:], scores, scores[1:], strict=False):
        if isinstance(before, int | float) and isinstance(score, int | float) and score < before - 1e-9:
            yield Finding(
                one.rising, str(one.row["id"]), quoted(made.reply), f"at least {before}", str(score)
            )


# ── what is made for an item ─────────────────────────────────────────────────────────────────────────


def _cases(item: Declared, scoring: Scoring, items: Sequence[Declared], turn: int) -> Iterator[Made]:
    forms = _forms(item, scoring, items, turn)
    plain = bare(scoring)
    for one in forms:
        reply = plain(one.reply, "")
        if reply is not None:
            yield Made(reply, one.worth, one.read, one.why)
    if len(forms) > 1:
        right, wrong = forms[:2]
        for frame in frames(scoring):
            for one, decoy in ((right, wrong.reply), (wrong, right.reply)):
                reply = frame.wrap(one.reply, decoy)
                if reply is not None:
                    yield Made(reply, one.worth, one.read, f"{one.why}, {frame.name}")
            nothing = (
                frame.wrap("unclear", right.reply) if frame.name.endswith("behind something else") else None
            )
            if nothing is not None and right.reply in nothing:
                read: Read = "any" if scoring.kind == "text" else "not"
                yield Made(nothing, 0.0, read, f"an answer elsewhere does not count, {frame.name}")
        yield from _unframed(right, scoring)
    yield from unreadable(scoring)
    if len(forms) > 1:
        yield Made(f"<think>It must be {forms[0].reply}", 0.0, "not", "reasoning without an end is no answer")


def _unframed(right: Made, scoring: Scoring) -> Iterator[Made]:
    """An answer outside of all declared regions."""
    apart = ("answer_tag", "answer_mark", "boxed")
    kinds = {name.partition(":")[0] for name in scoring.region}
    if kinds <= {*apart, "tag", "mark", "after", "between", "json"}:
        if _demanded(scoring.evidence):
            yield Made(right.reply, 0.0, "not", "an answer outside of what is read does not count")
        else:
            yield Made(
                right.reply, right.worth, right.read, "a bare right answer scores: no mark is demanded"
            )
        return
    strict = scoring.kind == "text" and scoring.metric == "exact" and "contained" not in scoring.parameters
    if strict and not kinds & {"answer_mark", "mark", "last_word"}:
        yield Made(
            f"Answer: {right.reply}", 0.0, "any", "words around an answer are not ignored unless declared"
        )


_DEMANDS = re.compile(
    r"(?i)\b(?:must|only|just|without|no|not|never|missing|absent|lack\w*|omit\w*|outside|forgotten|required?s?"
    r"|ha(?:s|ve) to|needs?|else|otherwise|nothing|fails?)\b"
)
_OR_ALL = re.compile(
    r"(?i)\b(?:from|is|else|otherwise|then|take|read|of|use)\b[^.;]{0,20}\b(?:(?:whole|entire|complete|full)"
    r" (?:reply|response|answer|output|text)\b"
    r"|(?:reply|response|answer|output|text) (?:from \w+ to \w+|itself|as it is))"
)


def _demanded(evidence: Sequence[str]) -> bool:
    """Whether the quoted README demands a mark; a record without quotations is taken at its word."""
    if not evidence:
        return True
    return any(_DEMANDS.search(one) for one in evidence) and not any(_OR_ALL.search(one) for one in evidence)


def _forms(item: Declared, scoring: Scoring, items: Sequence[Declared], turn: int) -> list[Made]:
    match scoring.kind:
        case "choice":
            return list(choice(item, scoring))
        case "yes_no":
            return list(yes_no(item, scoring))
        case "number":
            return list(number(item, scoring, turn))
        case "point":
            return list(point(item, scoring, turn))
    others = [one.gold[0] for one in items if one.id != item.id and "\n" not in one.gold[0]]
    return list(text(item, scoring, others[turn % len(others)] if others else "zebra crossing"))


def _properties(item: Declared, row: Row, spec: Spec, items: Sequence[Declared], turn: int) -> Iterator[Try]:
    scoring = spec.scoring
    yield Try("properties", row, _odd(scoring))
    wrap = bare(scoring)

    def pair(of: Declared, why: str) -> tuple[Made, ...]:
        forms = _forms(of, scoring, items, turn)[:2]
        told = ((wrap(one.reply, ""), one) for one in forms)
        return tuple(Made(reply, one.worth, one.read, why) for reply, one in told if reply is not None)

    why = "the score rests on the right answer in the row, not on its id or question"
    yield Try("properties", _renamed(item, row, spec), pair(item, why))
    other = with_other_gold(row, item, items, spec)
    if other is not None:
        swapped = _with_gold(item, other, items, spec)
        if swapped is not None:
            yield Try(
                "properties", other, pair(swapped, "another right answer in the row is the one that scores")
            )
    if scoring.kind == "number":
        yield Try(
            "properties",
            row,
            tuple(_nearer(item, scoring)),
            "a number nearer to the right one scores no less",
        )


def _renamed(item: Declared, row: Row, spec: Spec) -> Row:
    """The row under another id, with other words in its question."""
    asked = item.row.get(spec.asking.question)
    other = {
        name: f"Once more. {cell}" for name, cell in row.items() if isinstance(cell, str) and cell == asked
    }
    return {
        **row,
        **other,
        "id": row["id"] + 1_000_003 if isinstance(row["id"], int) else f"{row['id']}-renamed",
    }


def _with_gold(
    item: Declared, row: Mapping[str, Any], items: Sequence[Declared], spec: Spec
) -> Declared | None:
    column = spec.scoring.gold.column
    if spec.scoring.gold.form == "option_text":
        letters = [letter for letter, option in item.options.items() if option == row[column]]
        return Declared(item.id, item.row, item.options, (letters[0],), item.unit) if letters else None
    gold = next(one.gold for one in items if one.row[column] == row[column])
    return Declared(item.id, item.row, item.options, gold, item.unit)


def _nearer(item: Declared, scoring: Scoring) -> Iterator[Made]:
    scoring = with_own_limit(scoring, item)
    limits, relative = breakpoints(scoring)
    size = (abs(item.gold) or 1) if relative else 1
    for tenths in (40, 20, 15, 12, 9, 7, 5, 3, 1, 0):
        value = item.gold + max(limits) * size * tenths / 10
        yield Made(bare(scoring)(written(value, scoring), "") or "", None, "any", "a number")


def _odd(scoring: Scoring | None) -> tuple[Made, ...]:
    worth = _nothing(scoring)
    return tuple(
        Made(one, worth, "any", "an odd reply is worth nothing and stops nothing") for one in HOSTILE
    )


def _huge(row: Row, scoring: Scoring | None) -> Iterator[Try]:
    """One by one, so that the one which stops a scorer is known."""
    worth = _nothing(scoring)
    for reply in HUGE:
        why = "a long reply is worth nothing and stops nothing"
        yield Try("properties", row, (Made(reply, worth, "any", why),))


def _nothing(scoring: Scoring | None) -> float | None:
    """What a reply is worth that says nothing; None where a text may be worth something by accident."""
    return None if scoring is None or (scoring.kind == "text" and scoring.metric != "exact") else 0.0


def _distinct(made: Iterator[Made]) -> Iterator[Made]:
    seen: set[str] = set()
    for one in made:
        if one.reply not in seen:
            seen.add(one.reply)
            yield one
