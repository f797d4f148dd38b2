"""What a model is shown of a room, and the question about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from gumption.benchmarks.plansim.words import WORLD_VERBS, Form, form_words
from gumption.planning.view import described
from gumption.planning.worlds.household import Household
from gumption.records import Part, Text

__all__ = ["SHOWN", "VIEWS", "Asked", "Shown", "question_of"]

Shown = Literal["picture", "text", "nothing"]
"""How the room is shown: as pictures; as a text, the control without sight; not at all."""
SHOWN: tuple[Shown, ...] = ("picture", "text", "nothing")
_ROBOT = (
    "You plan for a robot with one arm, which holds one thing at a time. Closed containers have to be opened "
    "before something is taken out or put in."
)
VIEWS = ("front", "rear", "left", "right")


class Asked(Struct, frozen=True):
    """How tasks are asked."""

    form: Form = "actions"
    shown: Shown = "picture"


def question_of(
    world: Household, instruction: str, asked: Asked, pictures: Sequence[Part], *, so_far: str = ""
) -> tuple[Part, ...]:
    """The parts of a question: the task, the room as it is shown, what was done so far, the answer's form.

    Names of things with their numbers are told with pictures too, so that a plan can tell the second cabinet
    from the third; what they hold is told only where the text stands for the picture.
    """
    room = {
        "text": f"What is in sight in the room:\n{described(world)}",
        "picture": f"The fixtures of the room, by name:\n{described(world, contents=False)}",
        "nothing": "You do not see the room.",
    }[asked.shown]
    named: Sequence[Part] = pictures
    if len(pictures) == len(VIEWS):
        pairs = zip(VIEWS, pictures, strict=True)
        named = [part for view, one in pairs for part in (Text(f"{view.capitalize()} view:"), one)]
    return (
        Text(f"{_ROBOT} Task: {instruction}"),
        *named,
        Text(f"{room}\n\n{so_far}{form_words(asked.form, WORLD_VERBS)}"),
    )
