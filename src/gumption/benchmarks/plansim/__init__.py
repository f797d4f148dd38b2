"""Household tasks: asked for as a plan, read, resolved and executed. Shared by several benchmarks."""

from gumption.benchmarks.plansim.asking import SHOWN, Asked, Form, Shown
from gumption.benchmarks.plansim.episode import episode
from gumption.benchmarks.plansim.item import SceneSource, suite_of
from gumption.benchmarks.plansim.loop import loop_episode
from gumption.benchmarks.plansim.task import Task, read_tasks

__all__ = [
    "SHOWN",
    "Asked",
    "Form",
    "SceneSource",
    "Shown",
    "Task",
    "episode",
    "loop_episode",
    "read_tasks",
    "suite_of",
]
