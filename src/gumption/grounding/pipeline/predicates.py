"""The second stage: which atoms are true, from the picture, given the objects."""

from __future__ import annotations

from collections.abc import Mapping

from gumption.grounding.pddl import Atom
from gumption.grounding.pipeline.atoms import read_literals
from gumption.grounding.pipeline.objects import object_list
from gumption.grounding.pipeline.prompt import put, signatures, written_list
from gumption.grounding.pipeline.reading import Found
from gumption.grounding.pipeline.schema import ATOMS, atom_entry, atoms_schema, expressible
from gumption.grounding.pipeline.task import Task
from gumption.grounding.states import State
from gumption.records import Answer, Image, Item, Reply

__all__ = ["ask_predicates", "read_predicates"]

_ASK = """\
The picture shows a scene of the planning domain "{domain}". Say every fact that is true in it, over exactly \
the objects given and these predicates:
{predicates}
Leave none out, invent none, say none twice, and say nothing that contradicts another.
Answer with JSON alone, the arguments under x, y, z in their order: {{"grounded_predicates": \
[{{"predicate_type": "...", "x": {{"name": "..."}}, "y": {{"name": "..."}}}}, ...]}}"""


def ask_predicates(
    task: Task,
    objects: Mapping[str, str],
    *,
    call: str = "predicates",
    picture: Image | None = None,
    state: State | None = None,
) -> Item | None:
    """The question of this stage; None where no atom can be said over these objects.

    picture, state: what is shown and what is true there, where it is not the task's own.
    """
    schema = atoms_schema(task.domain, objects, signed=False)
    if schema is None:
        return None
    true = task.gold.init if state is None else state
    gold = {ATOMS: [atom_entry(atom) for atom in expressible(task.domain, objects, true)]}
    examples = [
        (
            [example.picture, object_list(example.problem.objects)],
            written_list(ATOMS, [atom_entry(atom) for atom in sorted(example.problem.init)]),
        )
        for example in task.examples
    ]
    words = _ASK.format(domain=task.domain.name, predicates=signatures(task.domain))
    case = [picture or task.picture, object_list(objects)]
    return task.question(call, put(words, examples, case), Answer("atoms", gold), schema)


def read_predicates(reply: Reply) -> Found[frozenset[Atom]]:
    """The atoms that are said to be true; the world is closed, so that a negated one says nothing."""
    found = read_literals(reply)
    return Found(frozenset(atom for positive, atom in found.value if positive), found.reading, found.mistakes)
