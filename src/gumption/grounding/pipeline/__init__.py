"""From a picture and an instruction to a plan, stage by stage or at once; every question an episode asks."""

from gumption.grounding.pipeline.atoms import read_literals
from gumption.grounding.pipeline.attempt import Attempt, attempt
from gumption.grounding.pipeline.episode import direct, staged
from gumption.grounding.pipeline.examples import Candidate, choose
from gumption.grounding.pipeline.goals import ask_goal, read_goal
from gumption.grounding.pipeline.objects import ask_objects, read_objects
from gumption.grounding.pipeline.predicates import ask_predicates, read_predicates
from gumption.grounding.pipeline.schema import atoms_schema, objects_schema
from gumption.grounding.pipeline.task import Example, Options, Task, options_of, task_of
from gumption.grounding.pipeline.to_pddl import write_problem

__all__ = [
    "Attempt",
    "Candidate",
    "Example",
    "Options",
    "Task",
    "ask_goal",
    "ask_objects",
    "ask_predicates",
    "atoms_schema",
    "attempt",
    "choose",
    "direct",
    "objects_schema",
    "options_of",
    "read_goal",
    "read_literals",
    "read_objects",
    "read_predicates",
    "staged",
    "task_of",
    "write_problem",
]
