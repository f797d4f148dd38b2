"""Household tasks: asked for as a plan, read, resolved and executed. Shared by several benchmarks."""

from gumption.benchmarks.plansim.asking import SHOWN, Asked, Shown
from gumption.benchmarks.plansim.episode import EXECUTED, episode
from gumption.benchmarks.plansim.item import item_of
from gumption.benchmarks.plansim.loop import loop
from gumption.benchmarks.plansim.rooms import Rooms
from gumption.benchmarks.plansim.task import Task, read_tasks, verify
from gumption.benchmarks.plansim.words import Form

__all__ = [
    "EXECUTED",
    "SHOWN",
    "Asked",
    "Form",
    "Rooms",
    "Shown",
    "Task",
    "episode",
    "item_of",
    "loop",
    "read_tasks",
    "verify",
]
