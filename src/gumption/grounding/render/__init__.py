"""Pictures and texts of PDDL states, so that a model can be shown a state that no camera saw."""

from gumption.grounding.render.household import describe, visible
from gumption.grounding.render.scene import SIZE, Style, can_render, render

__all__ = ["SIZE", "Style", "can_render", "describe", "render", "visible"]
