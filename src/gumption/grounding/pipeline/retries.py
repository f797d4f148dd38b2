"""Telling the model that its problem has no plan, and asking it to mend it.

ViLaIn's corrective re-prompting (arXiv 2311.00967): a problem that has a plan is kept as it is. Planability
and truth are judged after every round, since on ViLaIn's own published outputs the first rises and the
second hardly does.
"""

from __future__ import annotations

from collections.abc import Generator

from gumption.grounding.pipeline.attempt import Attempt, attempt
from gumption.grounding.pipeline.direct import read_reply
from gumption.grounding.pipeline.task import Task
from gumption.records import Answer, Item, Part, Reading, Reply, Text

__all__ = ["feedback", "refine"]

_MOST = 20
"""Findings that are told."""
_LONGEST = 20_000
"""Characters of a problem that are shown again."""
_ASK = """\
A planner found no plan for a planning problem in PDDL that was written for {shown}this instruction:
{instruction}
The domain:
{domain}
The problem:
{problem}
What the planner says:
{feedback}
Mend the problem so that it describes the scene and the instruction rightly and has a plan. Answer with the \
whole PDDL problem alone, from (define (problem to its last parenthesis."""


def refine(
    task: Task, first: Attempt
) -> Generator[tuple[Item, ...], tuple[Reply, ...], tuple[list[Attempt], Reading | None]]:
    """The attempts after each of the rounds that the options allow, and the last reply's reading.

    A round that needs no asking, because there is a plan, repeats the attempt before it. A reply that cannot
    be read is an attempt without a problem.
    """
    attempts: list[Attempt] = []
    last, shown, reading = first, first.text, None
    for number in range(1, task.options.retries + 1):
        if not last.planned:
            (reply,) = yield (_question(task, last, shown, number),)
            reading = read_reply(reply, task)
            last = attempt(task, reading.value or "")
            shown = last.text or shown
        attempts.append(last)
    return attempts, reading


def _question(task: Task, last: Attempt, problem: str, number: int) -> Item:
    """problem: the last that could be read."""
    picture = task.picture if task.options.retry_image else None
    words = _ASK.format(
        shown="the scene in the picture and " if picture else "",
        instruction=task.instruction,
        domain=task.domain_text.strip(),
        problem=problem.strip()[:_LONGEST] or "(none that could be read)",
        feedback=feedback(last),
    )
    parts: list[Part] = [Text(words)]
    if picture:
        parts.insert(0, picture)
    return task.question(f"retry/{number}", parts, Answer("problem", task.item.answer.gold))


def feedback(last: Attempt) -> str:
    """What a planner has to say, as a person would be told: why there is no plan, and what is odd."""
    why = {
        "unsolvable": "No plan exists: the goal cannot be reached from the initial state.",
        "gave_up": f"The search was given up: {last.plan.detail}.",
        "malformed": f"The problem was not accepted: {last.plan.detail}.",
        "unsupported": f"The problem was not accepted: {last.plan.detail}.",
    }
    lines = [why.get(last.plan.status, last.plan.detail or last.plan.status)]
    for error in last.reading.errors[:_MOST]:
        where = f"{error.section or 'the problem'}, line {error.line}"
        lines.append(f"{error.kind.replace('_', ' ')} in {where}: {error.symbol}")
    return "\n".join(lines)
