"""A made reply and what it must be worth; and the replies that nothing can be read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gumption.synthesis.spec import Scoring
from gumption.synthesis.validation._framing import frames

__all__ = ["HOSTILE", "Made", "Read", "unreadable"]

Read: TypeAlias = Literal["answered", "not", "any"]
"""Whether an answer must be read, must not be read, or may."""

_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Made:
    """One reply with what the declared protocol makes of it."""

    reply: str
    worth: float | None
    """None: anything in [0, 1]."""
    read: Read
    why: str
    """The check, in words."""

    def met(self, score: float | None, outcome: str) -> bool:
        """Whether a verdict is the right one."""
        if score is None or (self.worth is not None and abs(score - self.worth) > _TOLERANCE):
            return False
        return self.read == "any" or (outcome == "answered") is (self.read == "answered")


REFUSAL = "I'm sorry, but I cannot help with that."
HOSTILE = (
    "\x00\x07\x1b[2J\x1b]0;x\x07",
    "\u202e\u200b\ufeff\ud7ff \U0001f300 \u0627\u0644 \u4f60\u597d",
    '{"',
    '{"reply": [[[[[',
    "<think>",
    "<answer>",
    "</answer></think>" * 50,
    "\\boxed{" * 200,
    "((((" * 300,
    "**" * 500 + "\n" * 500,
)
"""Odd replies that say nothing, whatever is asked."""
HUGE = ("lorem ipsum, dolor sit. " * 4200, "(" * 100_000, "\n " * 50_000, "<answer>" * 1000, "1" * 100_000)
"""Long replies: they must be read, or not, in time."""


def unreadable(scoring: Scoring) -> list[Made]:
    """Replies without an answer: worth 0 and counted, not dropped."""
    # A text is its own answer, so it may count as one; only nothing at all is none.
    read: Read = "any" if scoring.kind == "text" else "not"
    found = [
        Made(one, 0.0, "not", "an empty reply is unanswered and scores 0") for one in ("", " ", "\n\t\n")
    ]
    found.append(Made(REFUSAL, 0.0, read, "a refusal scores 0 and gives no answer"))
    found.append(Made("Hm, let me look.", 0.0, read, "a reply without an answer scores 0 and is counted"))
    for frame in frames(scoring):
        nothing = frame.wrap("", "")
        if nothing and nothing.strip():
            found.append(Made(nothing, 0.0, read, f"an empty answer scores 0 and is counted, {frame.name}"))
    return found
