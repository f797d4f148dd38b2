"""What a model is shown of a room, and the question about it."""

from __future__ import annotations

import io
from typing import Literal

from msgspec import Struct

from gumption.benchmarks.plansim.words import WORLD_VERBS, Form, form_words
from gumption.planning.view import described, seen
from gumption.planning.worlds.household import Household
from gumption.records import Part, Text

__all__ = ["SHOWN", "Asked", "Shown", "instruction_words", "picture_of"]

Shown = Literal["picture", "text", "nothing"]
"""How the room is shown: as pictures; as a text, the control without sight; not at all."""
SHOWN: tuple[Shown, ...] = ("picture", "text", "nothing")
VIEWS = ("front", "rear", "left", "right")


class Asked(Struct, frozen=True):
    """How tasks are asked."""

    form: Form = "actions"
    shown: Shown = "picture"


def picture_of(world: Household) -> tuple[bytes, tuple[int, int]]:
    """The room from above as PNG, without what closed containers hide; and its size in pixels."""
    from gumption.planning.worlds.top_view import top_view

    image = top_view(Household(seen(world)), note=world.name)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue(), image.size


def instruction_words(world: Household, instruction: str, asked: Asked, *, so_far: str = "") -> Text:
    """The text of a question: the room as far as it is told, the task, what was done, the form of the answer.

    The names of things with their numbers are told with pictures too, so that a plan can tell the second
    cabinet from the third; what they hold is told only where the text stands for the picture.
    """
    room = {
        "text": f"What is in sight in the room:\n{described(world)}",
        "picture": f"The fixtures of the room, by name:\n{described(world, contents=False)}",
        "nothing": "You do not see the room.",
    }[asked.shown]
    return Text(
        "You plan for a robot with one arm, which holds one thing at a time. Closed containers have to be "
        "opened before something is taken out or put in.\n\n"
        f"{room}\n\nTask: {instruction}\n\n{so_far}{form_words(asked.form, WORLD_VERBS)}"
    )


def parts_of(pictures: tuple[Part, ...], words: Text) -> tuple[Part, ...]:
    """Pictures first; four of them are named as views."""
    if len(pictures) == len(VIEWS):
        named = [part for view, one in zip(VIEWS, pictures, strict=True) for part in (Text(f"{view} view:"), one)]
        return (*named, words)
    return (*pictures, words)
