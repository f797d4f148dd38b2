"""Object resolution: what the words of a plan stand for in a room, in four layers, each of which says so."""

from gumption.planning.resolve.affordances import Affordances, Role, plain_verb
from gumption.planning.resolve.context import Context
from gumption.planning.resolve.parse import Phrase, read_phrase, read_step
from gumption.planning.resolve.plans import ResolvedStep, follow, resolve_plan
from gumption.planning.resolve.resolution import Layer, Resolution, ResolutionOutcome
from gumption.planning.resolve.resolver import Resolver
from gumption.planning.resolve.similarity import THRESHOLD, Likeness, spelling
from gumption.planning.resolve.static import Naming, name

__all__ = [
    "THRESHOLD",
    "Affordances",
    "Context",
    "Layer",
    "Likeness",
    "Naming",
    "Phrase",
    "Resolution",
    "ResolutionOutcome",
    "ResolvedStep",
    "Resolver",
    "Role",
    "follow",
    "name",
    "plain_verb",
    "read_phrase",
    "read_step",
    "resolve_plan",
    "spelling",
]
