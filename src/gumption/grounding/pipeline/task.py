"""One grounding task: what is shown, what is known, what is right, and how it is to be asked.

An item carries all of it, so that a run can be scored again from its own folder:

    parts    the examples' pictures, the scene's picture, the instruction; no pictures where they are drawn
    answer   kind "problem", gold the PDDL text
    meta     domain: PDDL text; options: see `Options`; examples: [{"instruction", "problem"}, ...]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from gumption.grounding.domain import read_domain
from gumption.grounding.pddl import Domain, Problem
from gumption.grounding.problem import read_problem
from gumption.records import Answer, GumptionError, Image, Item, Part, Text

__all__ = ["Example", "Options", "Task", "options_of", "task_of"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a task is asked. Every field is part of the protocol."""

    mode: Literal["staged", "direct", "loop"] = "staged"
    """Three stages; the whole PDDL problem at once; or the model inside the search."""
    shots: Annotated[int, msgspec.Meta(ge=0, le=20)] = 5
    """Examples shown, fewer where there are not as many."""
    oracle: Literal["none", "objects", "objects_predicates"] = "none"
    """Stages that gold stands in for."""
    schema: bool = True
    """Whether a JSON schema is sent for the server to hold the reply to."""
    retries: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    """How often the model is told that its problem has no plan and asked to mend it."""
    retry_image: bool = True
    """Whether it is shown the picture again then."""
    planner: Literal["astar"] = "astar"
    expansions: Annotated[int, msgspec.Meta(ge=1)] = 50_000
    """States that one search may expand; SYMBOLIZER's release has the same limit."""
    observations: Annotated[int, msgspec.Meta(ge=1)] = 500
    """States that a model in the loop may be shown."""
    seed: int = 0
    """Chooses the examples, and how drawn scenes look."""


def options_of(told: Mapping[str, Any]) -> Options:
    """Options by name, with values as they are typed ("3", "true"). Raises GumptionError."""
    try:
        options = msgspec.convert(dict(told), Options, strict=False)
    except msgspec.ValidationError as error:
        raise GumptionError(
            f"no such protocol: {error}",
            where=", ".join(f"{name}={value}" for name, value in told.items()),
            remedy=f"the options are {', '.join(Options.__struct_fields__)}",
        ) from error
    if options.mode != "staged" and options.oracle != "none":
        raise GumptionError("oracle is for mode=staged", remedy="leave one of the two out")
    if options.mode == "loop" and options.retries:
        raise GumptionError("retries are for mode=staged and mode=direct", remedy="leave one of the two out")
    return options


class Example(msgspec.Struct, frozen=True):
    """A solved task that is shown before the question."""

    picture: Image | None
    """None where it is to be drawn."""
    instruction: str
    problem: Problem
    text: str
    """The problem as PDDL."""


@dataclass(frozen=True)
class Task:
    """A task taken out of its item."""

    item: Item
    domain: Domain
    domain_text: str
    gold: Problem
    instruction: str
    picture: Image | None
    examples: tuple[Example, ...]
    options: Options

    def question(
        self, call: str, parts: Iterable[Part | str], answer: Answer, schema: dict[str, Any] | None = None
    ) -> Item:
        """A question of this task's episode. schema: what the reply has to fit, where options allow it."""
        return Item(
            id=f"{self.item.id}/{call}",
            benchmark=self.item.benchmark,
            parts=tuple(Text(part) if isinstance(part, str) else part for part in parts),
            answer=answer,
            cluster=self.item.cluster,
            category=self.item.category,
            meta={"json_schema": schema} if schema and self.options.schema else {},
        )


def task_of(item: Item) -> Task:
    """The task of an item, see above. Raises GumptionError for an item that is none."""
    try:
        domain_text, told = item.meta["domain"], item.meta["examples"]
        domain = read_domain(domain_text)
        gold = _read(item.answer.gold, domain)
        examples = [(one["instruction"], one["problem"]) for one in told]
        problems = [_read(text, domain) for _, text in examples]
        instruction = "\n".join(part.text for part in item.parts if isinstance(part, Text))
    except (KeyError, TypeError, ValueError) as error:
        raise GumptionError(
            f"not a grounding task: {error!r}", where=f"item {item.id!r}", remedy="load the benchmark again"
        ) from error
    shown = [part for part in item.parts if isinstance(part, Image)]
    pictures: list[Image | None] = [*shown[:-1]] if shown else [None] * len(examples)
    if len(pictures) != len(examples):
        raise GumptionError(
            f"{len(examples)} examples and {len(pictures)} pictures of examples",
            where=f"item {item.id!r}",
            remedy="load the benchmark again",
        )
    return Task(
        item=item,
        domain=domain,
        domain_text=domain_text,
        gold=gold,
        instruction=instruction,
        picture=shown[-1] if shown else None,
        examples=tuple(
            Example(picture, words, problem, text)
            for picture, (words, text), problem in zip(pictures, examples, problems, strict=True)
        ),
        options=options_of(item.meta.get("options", {})),
    )


def _read(text: Any, domain: Domain) -> Problem:
    problem = read_problem(str(text), domain).problem
    if problem is None:
        raise ValueError("a problem that cannot be read")
    return problem
