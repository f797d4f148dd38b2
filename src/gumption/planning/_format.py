"""How far a reply keeps to EmbodiedBrain's format: the reward of its training, as a diagnostic."""

from __future__ import annotations

import re

from gumption.planning._literal import Unreadable, read_literal
from gumption.planning.verbs import ATOMIC

__all__ = ["format_score"]

_STEP = re.compile(r"^[^\S\n]*\d{1,3}\s*\.\s*(?:\[([^\]\n]{0,40})\])?", re.MULTILINE)
_REWARDED = ATOMIC - {"find"}
"""The reward knows the verbs of the prompt but not `find`."""


def format_score(text: str) -> float:
    """.2 for a response, .3 for the share of numbered steps tagged `[Navigate]` or `[Manipulate]`, .5 for the
    mean worth of the actions: 1 for a known verb with an argument, .5 for a verb alone, else 0.

    Where the numbers of steps and of actions differ and both are positive, the last two count half. A pair of
    tags that is missing is worth 0. In [0, 1]. Source: ZTERobot/EmbodiedBrain1.0, as the reference gives it.
    """
    response = -1 < text.find("<response>") < text.rfind("</response>")
    steps = _STEP.findall(_inside(text, "plans"))
    tagged = sum(step in ("Navigate", "Manipulate") for step in steps) / len(steps) if steps else 0.0
    worths = _worths(_inside(text, "actions"))
    acted = sum(worths) / len(worths) if worths else 0.0
    half = 0.5 if steps and worths and len(steps) != len(worths) else 1.0
    return 0.2 * response + half * (0.3 * tagged + 0.5 * acted)


def _inside(text: str, tag: str) -> str:
    start = text.find(f"<{tag}>")
    end = text.find(f"</{tag}>", start)
    return text[start + len(tag) + 2 : end] if -1 < start < end else ""


def _worths(text: str) -> list[float]:
    try:
        value = read_literal(text, set())
    except Unreadable:
        return []
    return [_worth(action) for action in value] if isinstance(value, list) else []


def _worth(action: object) -> float:
    if not isinstance(action, list) or not action or not isinstance(action[0], str):
        return 0.0
    if len(action) == 1:
        return 0.5
    return float(action[0].strip().lower() in _REWARDED)
