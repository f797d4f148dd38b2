"""How a question is put where its benchmark has no words of its own: the prompt named gumption-v1.

The parts as the item has them, then the options, then one line that says what form the answer should take.
"""

from __future__ import annotations

from msgspec.structs import replace

from gumption.records import Answer, Item, Text

__all__ = ["PROMPT_VERSION", "prompted"]

PROMPT_VERSION = "gumption-v1"
"""A new name with every change to a word that a model sees."""

_FORM = {
    "yes_no": "Answer yes or no.",
    "number": "Answer with a number and nothing else.",
    "text": "Answer in as few words as you can.",
}
_SCALE = {
    "unit_xy": "x and y from 0 to 1",
    "percent_xy": "x and y from 0 to 100",
    "per_mille_xy": "x and y from 0 to 1000",
    "per_mille_yx": "y first, both from 0 to 1000",
    "pixel_xy": "x and y in pixels",
}


def prompted(item: Item) -> Item:
    """The item as a model is shown it. A kind of answer that has no form here is shown as it is."""
    words = _form(item.answer)
    return replace(item, parts=(*item.parts, Text(words))) if words else item


def _form(answer: Answer) -> str:
    if answer.kind == "choice" and answer.choices:
        told = [f"{letter}. {text}" for letter, text in answer.choices.items() if text]
        letters = ", ".join(answer.choices)
        ask = f"Answer with the letter of one option: {letters}."
        return "\n".join(["Options:", *told, ask]) if told else ask
    if answer.kind == "choice":
        return "Answer with the letter of one option."
    if answer.kind == "point" and answer.convention:
        order = "(y, x)" if answer.convention == "per_mille_yx" else "(x, y)"
        return f"Answer with a list of points [{order}, ...], {_SCALE[answer.convention]}."
    return _FORM.get(answer.kind, "")
