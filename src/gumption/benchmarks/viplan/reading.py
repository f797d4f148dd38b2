"""Reading replies: yes or no, strictly or as ViPlan does, and plans in JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gumption.answers import read, visible
from gumption.records import Answer, Reading, Reply

__all__ = ["read_plan", "read_viplan", "read_yes_no_reply"]

_LONGEST = 64 * 1024
"""Characters of a plan that are looked at; no plan is near as long."""
_FENCE = re.compile(r"```[a-zA-Z]*")


def read_yes_no_reply(reply: Reply, rule: str) -> Reading:
    """Read an answer to a yes/no question. rule: "strict" (`answers.read`) or "viplan" (`read_viplan`)."""
    if reply.status == "refused":
        return Reading("refused", rule="status")
    return read_viplan(reply.text) if rule == "viplan" else read(reply.text, Answer("yes_no"))


def read_viplan(text: str) -> Reading:
    """ViPlan's own reading (arXiv 2505.13180; merlerm/ViPlan), for comparison with its figures.

    What stands in <answer> tags, else all; the first of it, else the first word of it, that begins with yes
    or no. So "not sure", "nothing" and "north" are a no. The release fails the whole task where there is
    neither; here the answer is unread.
    """
    start = text.find("<answer>")
    end = text.find("</answer>", start)
    said = text[start + len("<answer>") : end] if 0 <= start < end else text
    for word in said.lower().split():
        for value in ("yes", "no"):
            if word.startswith(value):
                return Reading("answered", value, rule="viplan")
    return Reading("unanswered", rule="viplan")


def read_plan(reply: Reply, names: Mapping[str, Sequence[str]]) -> Reading:
    """Read a plan written as JSON: {"plan": [{"action": "...", "parameters": [...] or {...}}, ...]}.

    The value is a list of steps [action, argument, ...] in lower case. names: each action's parameters;
    where a step gives them by these names they are put in this order, else they stay as written. Code
    fences, prose around the JSON and a bare list of steps are taken. A step that is no object with an action
    is [""], an action that nobody has. Unanswered: no JSON, or no plan in it.
    """
    if reply.status == "refused":
        return Reading("refused", rule="status")
    text, repairs = visible(reply.text)
    text = text[:_LONGEST]
    bare = _FENCE.sub("", text)
    if bare != text:
        repairs = (*repairs, "fence")
    # What opens first is the whole: the list inside an object is not the reply's own.
    for first, last in sorted((("{", "}"), ("[", "]")), key=lambda pair: len(bare.partition(pair[0])[0])):
        start, end = bare.find(first), bare.rfind(last)
        if not 0 <= start < end:
            continue
        try:
            found = msgspec.json.decode(bare[start : end + 1])
        except (msgspec.MsgspecError, RecursionError):
            continue
        if bare[:start].strip() or bare[end + 1 :].strip():
            repairs = (*repairs, "prose")
        steps = found.get("plan") if isinstance(found, dict) else found
        if isinstance(steps, list):
            value = [_step(step, names) for step in steps]
            return Reading("answered", value, rule="json", repairs=repairs)
        break
    return Reading("unanswered", rule="json", repairs=repairs)


def _step(step: Any, names: Mapping[str, Sequence[str]]) -> list[str]:
    given = step if isinstance(step, dict) else {}
    action, parameters = given.get("action"), given.get("parameters", [])
    if not isinstance(action, str):
        return [""]
    if isinstance(parameters, dict):
        wanted = names.get(action.lower(), ())
        ordered = wanted if set(wanted) == set(parameters) else parameters
        parameters = [parameters[name] for name in ordered]
    words = parameters if isinstance(parameters, list) else [parameters]
    return [action.lower(), *(word.lower() if isinstance(word, str) else "" for word in words)]
