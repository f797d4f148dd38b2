"""The third stage: what is to be achieved, from the instruction alone, given the objects."""

from __future__ import annotations

from collections.abc import Mapping

from gumption.grounding.pddl import Problem
from gumption.grounding.pipeline.atoms import read_literals
from gumption.grounding.pipeline.objects import object_list
from gumption.grounding.pipeline.prompt import put, signatures, written_list
from gumption.grounding.pipeline.reading import Found
from gumption.grounding.pipeline.schema import ATOMS, Literal, atom_entry, atoms_schema, expressible
from gumption.grounding.pipeline.task import Task
from gumption.records import Answer, GumptionError, Item, Reply

__all__ = ["ask_goal", "read_goal"]

_ASK = """\
A robot is given an instruction in the planning domain "{domain}". Turn it into the facts that must hold \
when it is done, over exactly the objects given and these predicates:
{predicates}
is_negated is true for a fact that must not hold then.
Answer with JSON alone, the arguments under x, y, z in their order: {{"grounded_predicates": \
[{{"predicate_type": "...", "is_negated": false, "x": {{"name": "..."}}, "y": {{"name": "..."}}}}, ...]}}"""


def ask_goal(task: Task, objects: Mapping[str, str]) -> Item | None:
    """The question of this stage; None where no atom can be said over these objects.

    Raises GumptionError where a gold goal is no conjunction of literals, which this form cannot say.
    """
    schema = atoms_schema(task.domain, objects, signed=True)
    if schema is None:
        return None
    literals = _literals(task, task.gold)
    kept = set(expressible(task.domain, objects, [atom for _, atom in literals]))
    gold = {ATOMS: [atom_entry(atom, positive) for positive, atom in literals if atom in kept]}
    examples = [
        (
            [_case(example.instruction, example.problem.objects)],
            written_list(
                ATOMS, [atom_entry(atom, positive) for positive, atom in _literals(task, example.problem)]
            ),
        )
        for example in task.examples
    ]
    words = _ASK.format(domain=task.domain.name, predicates=signatures(task.domain))
    case = [_case(task.instruction, objects)]
    return task.question("goal", put(words, examples, case), Answer("atoms", gold), schema)


def _case(instruction: str, objects: Mapping[str, str]) -> str:
    return f"{object_list(objects)}\nInstruction: {instruction}"


def _literals(task: Task, problem: Problem) -> list[Literal]:
    if problem.goal_literals is None:
        raise GumptionError(
            f"the goal of {problem.name} is no conjunction of literals",
            where=f"item {task.item.id!r}",
            remedy="ask for it with mode=direct",
        )
    return sorted(problem.goal_literals, key=lambda literal: literal[1])


def read_goal(reply: Reply) -> Found[frozenset[Literal]]:
    """The (positive, atom) that are to hold. An unreadable reply is an empty goal, never the gold one."""
    return read_literals(reply)
