"""In which order things are shown, and how a model is told what form of answer is wanted."""

from __future__ import annotations

import re

from gumption.records import Convention
from gumption.synthesis.offline._gold import Kind
from gumption.synthesis.offline._regions import COORDINATES
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.recipes._cells import is_messages

__all__ = ["ASKS_FOR_FORM", "instruction_of", "order_of"]

_PARTS = {
    "images": r"\b(?:pictures?|images?|photos?|frames?|stills?|shots?|screenshots?|views?)\b",
    "context": r"\b(?:passages?|context|background|story|situation|hints?)\b",
    "question": r"\b(?:questions?|prompts?|query|statement|sentence|instruction)\b",
    "options": r"\b(?:options|choices|choice per line|answers|alternatives|candidates)\b",
}
_ORDERING = re.compile(
    r"(?i)\bthen\b|\bfirst\b|\bbefore\b|\bfollowed by\b|\bafter\b|\bbelow\b|\bprecede|\blast\b|\band ask\b"
)
_SCORING = re.compile(
    r"(?i)\bscor(?:e|es|ed|ing)\b|\brepl(?:y|ies)\b.{0,20}\b(?:is|has|if)\b|\bcount(?:s|ed)?\b"
)
ASKS_FOR_FORM = re.compile(
    r"(?i)\b(?:answer|reply|respond|response)(?: should be| must be)? "
    r"(?:with|by|using|in|only|yes|formatted|given)\b|\bonly the letter\b|\byes or no\b.{0,3}$"
)
"""A text that says itself what form of answer is wanted."""


def order_of(view: View, has_context: bool) -> tuple[str, ...]:
    """The parts as the README puts them; pictures, context, question and options where it does not say."""
    default = ("images", "context", "question", "options")
    for sentence in view.sentences:
        if not _ORDERING.search(sentence) or _SCORING.search(sentence):
            continue
        # What a model is asked for comes last anyway, and a heading is no part.
        told = re.sub(r"^\W*\w+(?: \w+)?\W*:\s", "", sentence)
        told = re.split(r"(?i)(?<=\w)\W+(?:and |then )?(?:finally )?(?:ask|request|tell)\b", told)[0]
        places = {
            part: match.start()
            for part in default
            if (part != "context" or has_context) and (match := _part(view, part).search(told))
        }
        if len(places) < 2:
            continue
        said = sorted(places, key=lambda part: places[part])
        turned = re.search(r"(?i)\b(?:after|below|behind|under)\b", told)
        if turned and len(said) == 2 and places[said[0]] < turned.start() < places[said[1]]:
            said.reverse()
        return (*_with_rest(said, default), "instruction")
    return (*default, "instruction")


def _part(view: View, part: str) -> re.Pattern[str]:
    """How a README speaks of a part; of the question also by its column's name."""
    name = re.escape(view.question.rpartition(".")[2])
    words = rf"{_PARTS[part]}|(?<![\w.]){name}(?!\w)(?! of\b)" if part == "question" else _PARTS[part]
    return re.compile(words, re.IGNORECASE)


def _with_rest(said: list[str], default: tuple[str, ...]) -> list[str]:
    """Parts that the README leaves out go where they usually stand: behind the one they usually follow."""
    out = list(said)
    for n, part in enumerate(default):
        if part not in out:
            before = [one for one in default[:n] if one in out]
            out.insert(out.index(before[-1]) + 1 if before else 0, part)
    return out


def instruction_of(view: View, kind: Kind, convention: Convention | None) -> str:
    """The request for a form of answer, "" where the questions make it themselves."""
    if any(is_messages(cell) for cell in view.cells(view.question)):
        return ""
    asked = texts(view, view.question)
    if sum(bool(ASKS_FOR_FORM.search(text)) for text in asked) >= 0.9 * len(asked):
        return ""
    if kind == "choice":
        return "Answer with the letter of the right option only."
    if kind == "yes_no":
        return "Answer yes or no."
    if kind == "number":
        return "Answer with one number only."
    if kind == "point":
        how, where = COORDINATES[convention] if convention else ("(x, y)", "")
        many = how if _one_point(view) else f"[{how}, ...]"
        return f"Answer with {'one point' if _one_point(view) else 'a list of points'} as {many}{where}."
    return "Give the answer only, without a sentence around it."


def _one_point(view: View) -> bool:
    return bool(
        re.search(r"(?i)\b(?:one|single|exactly one|the predicted) point\b", view.readme)
    ) and not re.search(r"(?i)\b(?:one or more|up to \w+|list of|more) points\b", view.readme)
