"""Choices whose reply must have a form that the authors' code looks for."""

from __future__ import annotations

from msgspec.structs import replace

from gumption.benchmarks.prompts import ASKING, prompted
from gumption.records import Item, Text

__all__ = ["shown_as"]


def shown_as(item: Item, form: str, ask: str, *, before: str = "") -> Item:
    """The item as a model is shown it: pictures, words before the question, question, options, the form.

    form: how an answer is written, with {} for the letter. The official rules take no bare letter for one,
    so the item's gold and choices are written that way for those who know them. ask: the sentence that asks
    for it, with {} for the letters. A run that has words of its own shows those.
    """
    choices = item.answer.choices or {}
    written = replace(
        item.answer,
        gold=form.format(item.answer.gold),
        choices={form.format(letter): text for letter, text in choices.items()},
    )
    if item.meta.get(ASKING, {}).keys() & {"prompt", "template"}:
        return replace(prompted(item), answer=written)
    *pictures, question = item.parts
    options = [f"{letter}. {text}" for letter, text in choices.items()]
    below = Text("\n".join([*options, ask.format(", ".join(choices))]))
    lead = (Text(before),) if before else ()
    return replace(item, parts=(*pictures, *lead, question, below), answer=written)
