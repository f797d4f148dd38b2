"""The first stage: which objects there are, from the picture."""

from __future__ import annotations

from collections.abc import Mapping

from gumption.grounding.pddl import Domain
from gumption.grounding.pipeline.prompt import put, written_list
from gumption.grounding.pipeline.reading import Found, entries_of, listed, pddl_name
from gumption.grounding.pipeline.schema import OBJECTS, object_entry, objects_schema, types_of
from gumption.grounding.pipeline.task import Task
from gumption.records import Answer, ErrorKind, Item, Mistake, Reply

__all__ = ["ask_objects", "object_list", "read_objects"]

_ASK = """\
The picture shows a scene of the planning domain "{domain}". Name every object in it that the domain \
deals with, each once, robots and places included.
Types: {types}.
Names are in lower case, with _ between words, as short as tells the objects apart{like}.
Answer with JSON alone: {{"objects": [{{"name": "...", "type": "..."}}, ...]}}"""


def ask_objects(task: Task) -> Item:
    """The question of this stage."""
    words = _ASK.format(
        domain=task.domain.name,
        types=", ".join(types_of(task.domain)),
        like=", formed as in the examples" if task.examples else "",
    )
    examples = [
        ([example.picture], written_list(OBJECTS, _entries(example.problem.objects)))
        for example in task.examples
    ]
    gold = {OBJECTS: _entries(task.gold.objects)}
    return task.question(
        "objects", put(words, examples, [task.picture]), Answer("atoms", gold), objects_schema(task.domain)
    )


def _entries(objects: dict[str, str]) -> list[dict[str, str]]:
    return [object_entry(name, kind) for name, kind in objects.items()]


def object_list(objects: Mapping[str, str]) -> str:
    """The objects as later stages are told them."""
    return f"Objects: {', '.join(f'{name} ({kind})' for name, kind in objects.items())}"


def read_objects(reply: Reply, domain: Domain) -> Found[dict[str, str]]:
    """Name to type, in lower case. An unreadable reply names nothing.

    Where a name comes twice the first type stands. In a domain without types all objects are of type
    "object", whatever the reply says.
    """
    reading = listed(reply, OBJECTS)
    entries, mistakes = entries_of(reading, "objects")
    found: dict[str, str] = {}
    for entry in entries:
        name = pddl_name(entry)
        if not name:
            mistakes.append(Mistake(ErrorKind.UNREADABLE, f"not an object: {str(entry)[:80]}"))
            continue
        kind = pddl_name(entry.get("type")) if isinstance(entry, dict) and domain.types else ""
        kind = kind or "object"
        if found.setdefault(name, kind) != kind:
            mistakes.append(Mistake(ErrorKind.AMBIGUOUS, f"{name} is said to be {found[name]} and {kind}"))
    return Found(found, reading, tuple(mistakes))
