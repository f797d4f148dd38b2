"""Asking for JSON of a stated form, reading what comes, and asking again with the fault in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from gumption.answers import refuses, visible
from gumption.records import Answer, Item, Reply, Text
from gumption.running.budget import Budget, Event
from gumption.running.prompting import Prompts, cut, data
from gumption.running.talks import Talk

__all__ = ["FaultError", "Form", "Miss", "filled", "one_of", "record"]

T = TypeVar("T")

_FAILURES = 16
"""Places where an object of JSON begins and cannot be read, before a reply is given up."""
_OBJECT = re.compile(r'\{\s*"')
_LONGEST_FAULT = 500
_LONGEST_REPLY = 4_000
"""Characters of a faulty reply that are shown to its author."""
_AGAIN = "again-1"
_PROMPTS = Prompts("gumption.running")


class FaultError(Exception):
    """What is wrong with a reply, in words that its author can act on."""


@dataclass(frozen=True)
class Form(Generic[T]):
    """A question whose reply is an object of JSON."""

    who: str
    """Who is asked: the first segments of the call, such as "vote/3"."""
    about: str
    """What is asked about: the rest of the call."""
    prompt: str
    schema: dict[str, Any]
    """For servers that can hold a reply to one; no reply is trusted to keep to it."""
    read: Callable[[Any], T]
    """Makes the value out of the object; raises FaultError, or msgspec.ValidationError."""


class Miss(Struct, frozen=True):
    """Why a form was not filled."""

    kind: Literal["invalid", "refused", "failed", "budget"]
    """budget: it was not asked, since nothing was left."""
    detail: str


def filled(forms: Sequence[Form[T]], budget: Budget, retries: int) -> Talk[list[T | Miss]]:
    """The forms' values, or why there is none, in their order.

    Forms are asked side by side as far as the budget goes, the first ones first. A reply that does not fit is
    asked again with its fault, `retries` times; a refusal or a failed request is not. All that goes amiss is
    in the budget's log.
    """
    found: list[T | Miss] = [Miss("budget", "not asked")] * len(forms)
    texts = {place: form.prompt for place, form in enumerate(forms)}
    for attempt in range(retries + 1):
        places, begin, faulty = list(texts), 0, {}
        while begin < len(places):
            room = budget.room(len(places) - begin)
            if not room:
                budget.end(_call(forms[places[begin]], attempt))
                return found
            batch = places[begin : begin + room]
            begin += room
            questions = tuple([_question(forms[place], attempt, texts[place]) for place in batch])
            replies = yield questions
            for place, question, reply in zip(batch, questions, replies, strict=True):
                budget.spend(question, reply)
                value = found[place] = _value_of(forms[place], reply)
                if isinstance(value, Miss):
                    budget.log.append(Event(question.id, value.kind, value.detail))
                    if value.kind == "invalid":
                        faulty[place] = _again(forms[place], reply, value.detail)
        texts = faulty
    return found


def record(fields: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with just these fields."""
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def one_of(values: Sequence[str]) -> dict[str, Any]:
    """The schema of a text that is one of these."""
    return {"type": "string", "enum": [*values]}


def _call(form: Form[T], attempt: int) -> str:
    return f"{form.who}/again/{attempt}/{form.about}" if attempt else f"{form.who}/{form.about}"


def _question(form: Form[T], attempt: int, text: str) -> Item:
    return Item(
        _call(form, attempt),
        "talk",
        (Text(text),),
        Answer("text"),
        meta={"json_schema": {"name": form.who.partition("/")[0], "schema": form.schema}},
    )


def _again(form: Form[T], reply: Reply, fault: str) -> str:
    said = data([cut(reply.text, _LONGEST_REPLY)])
    return _PROMPTS.filled(_AGAIN, prompt=form.prompt, reply=said, fault=data([fault]))


def _value_of(form: Form[T], reply: Reply) -> T | Miss:
    if reply.status == "infra_error":
        return Miss("failed", cut(reply.error, _LONGEST_FAULT))
    if reply.status == "refused":
        return Miss("refused", cut(reply.text or reply.error, _LONGEST_FAULT))
    text = _said(reply.text)
    objects = _objects_in(text)
    if not objects and refuses(text):
        return Miss("refused", cut(text, _LONGEST_FAULT))
    fault = "there is no object of JSON in it that can be read"
    for value in reversed(objects):
        try:
            return form.read(value)
        except (FaultError, msgspec.ValidationError, UnicodeEncodeError) as error:
            # Of several objects the last is meant, so its fault is told.
            fault = fault if value is not objects[-1] else cut(str(error), _LONGEST_FAULT)
    if reply.status == "truncated":
        fault += " (it was cut off at the limit of its length: write less)"
    return Miss("invalid", fault)


def _said(text: str) -> str:
    """The reply without its reasoning. Marks of reasoning within an object are not the reply's own: written
    code may hold them in its strings."""
    first = _OBJECT.search(text)
    before = text[: first.start()] if first else text
    said, _ = visible(before)
    return text if first and said == before else visible(text)[0]


def _objects_in(text: str) -> list[Any]:
    """The outermost objects of JSON in a text, in their order, whatever stands around them.

    Linear: an object that is read is passed over whole, and only so many attempts may fail. Depth is bounded
    by the decoder, which gives up on what is nested a thousand deep.
    """
    found: list[Any] = []
    decoder = json.JSONDecoder()
    begin = failures = 0
    while failures < _FAILURES and (match := _OBJECT.search(text, begin)):
        try:
            value, begin = decoder.raw_decode(text, match.start())
            found.append(value)
        except (ValueError, RecursionError):
            failures += 1
            begin = match.start() + 1
    return found
