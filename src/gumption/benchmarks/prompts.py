"""How a question is put where its benchmark has no words of its own: the prompt named gumption-v1.

The parts as the item has them, then the options, then one line that says what form the answer should take.
A run may ask in another way, which `meta["asking"]` of its items says: `prompt`, a name of `PROMPTS`, or
`template`, the authors' own words with {question}, {options} and {letters} in them.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gumption.records import Answer, Item, Part, Text

__all__ = ["ASKING", "PROMPTS", "PROMPT_VERSION", "prompted"]

PROMPT_VERSION = "gumption-v1"
"""A new name with every change to a word that a model sees."""
PROMPTS = (PROMPT_VERSION, "direct", "cot")
"""The prompts there are: ours, the answer at once, and reasoning before it."""
ASKING = "asking"
"""Key of an item's `meta`: how this run asks it, where that is not the usual way."""

_FORM = {
    "yes_no": "Answer yes or no.",
    "number": "Answer with a number and nothing else.",
    "text": "Answer in as few words as you can.",
}
_DIRECT = "Give the answer at once and explain nothing."
_COT = "Think step by step. Then end with a line of its own that says 'Answer:' and {wanted}."
_WANTED = {"yes_no": "yes or no", "number": "a number", "text": "as few words as you can"}
_SCALE = {
    "unit_xy": "x and y from 0 to 1",
    "percent_xy": "x and y from 0 to 100",
    "per_mille_xy": "x and y from 0 to 1000",
    "per_mille_yx": "y first, both from 0 to 1000",
    "pixel_xy": "x and y in pixels",
}
_FIELD = re.compile(r"\{(question|options|letters)\}")


def prompted(item: Item) -> Item:
    """The item as a model is shown it. A kind of answer that has no form here is shown as it is."""
    asking = item.meta.get(ASKING, {})
    if "template" in asking:
        return replace(item, parts=_filled(asking["template"], item))
    words = _words(item.answer, asking.get("prompt", PROMPT_VERSION))
    return replace(item, parts=(*item.parts, Text(words))) if words else item


def _words(answer: Answer, prompt: str) -> str:
    """What stands below the question: the options, and a line that says what form the answer should take."""
    form, wanted = _form(answer)
    if not form:
        return ""
    asks = {"direct": f"{form} {_DIRECT}", "cot": _COT.format(wanted=wanted)}
    return "\n".join([*_told(answer), asks.get(prompt, form)])


def _told(answer: Answer) -> list[str]:
    told = [f"{letter}. {text}" for letter, text in (answer.choices or {}).items() if text]
    return ["Options:", *told] if told else []


def _form(answer: Answer) -> tuple[str, str]:
    """The form of the answer as a sentence, and as what a line may end in."""
    if answer.kind == "choice":
        wanted = f"the letter of one option{_letters(answer, ': ')}"
        return f"Answer with {wanted}.", wanted
    if answer.kind == "point" and answer.convention:
        order = "(y, x)" if answer.convention == "per_mille_yx" else "(x, y)"
        wanted = f"a list of points [{order}, ...], {_SCALE[answer.convention]}"
        return f"Answer with {wanted}.", wanted
    return _FORM.get(answer.kind, ""), _WANTED.get(answer.kind, "")


def _letters(answer: Answer, before: str = "") -> str:
    return before + ", ".join(answer.choices) if answer.choices else ""


def _filled(template: str, item: Item) -> tuple[Part, ...]:
    """The template around the item's parts.

    What stands in it before {question} comes before the item's first words, so that pictures which precede
    those still do; what stands after it comes last. Nothing in the item's own text is looked at for fields.
    """
    fields = {"options": "\n".join(_told(item.answer)[1:]), "letters": _letters(item.answer)}
    before, _, after = template.partition("{question}")
    first = next((place for place, part in enumerate(item.parts) if isinstance(part, Text)), len(item.parts))
    head, tail = (_FIELD.sub(lambda field: fields.get(field[1], ""), text) for text in (before, after))
    words = [Text(text) if text.strip() else None for text in (head, tail)]
    parts = (*item.parts[:first], words[0], *item.parts[first:], words[1])
    return tuple(part for part in parts if part is not None)
