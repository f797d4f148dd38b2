"""Worlds that plans are executed in, behind one protocol, and the rooms that they begin with."""

from gumption.planning.worlds.household import Household, Options
from gumption.planning.worlds.scenes import Scene, SceneObject, load_scene, own_rooms
from gumption.planning.worlds.world import Action, Fault, Outcome, Thing, World, require

__all__ = [
    "Action",
    "Fault",
    "Household",
    "Options",
    "Outcome",
    "Scene",
    "SceneObject",
    "Thing",
    "World",
    "load_scene",
    "own_rooms",
    "require",
]
