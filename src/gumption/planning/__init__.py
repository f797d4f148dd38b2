"""EmbodiedBrain: plans read, matched action by action, resolved to objects, and carried out in a world."""

from gumption.planning.reader import PlanReading, read_plan

__all__ = ["PlanReading", "read_plan"]
