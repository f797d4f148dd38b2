"""How a model is asked for a plan, in our own words."""

from __future__ import annotations

from typing import Literal

from gumption.planning.verbs import ATOMIC

__all__ = ["ATOMIC_VERBS", "FORMS", "WORLD_VERBS", "Form", "form_words"]

Form = Literal["actions", "prose"]
"""How the plan is to be written: three tagged blocks, or numbered sentences."""
FORMS: tuple[Form, ...] = ("actions", "prose")

ATOMIC_VERBS = ", ".join(sorted((*(verb.capitalize() for verb in ATOMIC), "Turn on", "Turn off")))
"""EmbodiedBrain's, with the two that its gold plans have beside them."""
WORLD_VERBS = "Find, Navigate, Pick, Place, Open, Close, Turn on, Turn off, Wash, Cut, Pour"
"""Those that change something in a household, and two that do not."""

_TAGGED = """\
Answer with three blocks and nothing else:
<response>One sentence that says what you will do.</response>
<plans>The steps, numbered, one a line, each with [Navigate] or [Manipulate] in front:
1.[Navigate] Go to the shelf
2.[Manipulate] Take the vase</plans>
<actions>[['Navigate', 'Shelf'], ['Pick', 'Vase'], ['Place', 'Vase', 'Dining Table']]</actions>
In the actions block stands one list for each step: a verb, the object, and the place where there is one.
Verbs: {verbs}.
If the task cannot be done, begin the response with "Error:", say why, and leave the other blocks empty."""
_PROSE = """\
Answer with numbered steps and nothing else, one action a line, each a short sentence that begins with a verb
and names the object, and the place where there is one:
1. Go to the shelf
2. Pick up the vase
3. Place the vase on the dining table
Verbs: {verbs}.
If the task cannot be done, write one line that begins with "Error:" and says why."""


def form_words(form: Form, verbs: str) -> str:
    """The end of the question: in which form the plan is to be written, and with which verbs."""
    return (_TAGGED if form == "actions" else _PROSE).format(verbs=verbs)
