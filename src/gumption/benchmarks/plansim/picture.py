"""The picture of a room that a model is shown: from above, with a list of what lies where in sight."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

from gumption.planning.view import described, seen
from gumption.planning.worlds.household import Household, State
from gumption.planning.worlds.top_view import top_view

__all__ = ["picture_of"]

_WIDTH, _MARGIN, _LINE = 1100, 26, 18
_LONGEST = 150
"""Characters of a line of the list."""


def picture_of(world: Household) -> tuple[bytes, tuple[int, int]]:
    """The room as it is now as PNG, without what closed containers hide; and its size in pixels.

    Names that would cover each other are left out of a view from above, so the list below names all.
    """
    view = top_view(_in_sight(world), note=world.name, width=_WIDTH)
    lines = [line[:_LONGEST] for line in described(world).splitlines() if "holds" in line or "about" in line]
    whole = Image.new("RGB", (view.width, view.height + _LINE * len(lines) + _MARGIN), "white")
    whole.paste(view)
    draw, font = ImageDraw.Draw(whole), ImageFont.load_default(13)
    for number, line in enumerate(lines):
        draw.text((_MARGIN, view.height + number * _LINE), line, "#222222", font)
    buffer = io.BytesIO()
    whole.save(buffer, "PNG")
    return buffer.getvalue(), whole.size


def _in_sight(world: Household) -> Household:
    """The same room with the same agent, and nothing in it that cannot be seen."""
    other = Household(seen(world))
    state = world.state()
    things = {name: thing for name, thing in state.things.items() if name in other.objects()}
    other.restore(State(state.scene, things, state.agent))
    return other
