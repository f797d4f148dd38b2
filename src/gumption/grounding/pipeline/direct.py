"""The whole problem at once: picture and instruction to PDDL."""

from __future__ import annotations

from gumption.answers import refuses, visible
from gumption.grounding.pipeline.prompt import put
from gumption.grounding.pipeline.task import Task
from gumption.grounding.problem import read_problem
from gumption.records import Answer, Item, Reading, Reply

__all__ = ["ask_problem", "read_reply"]

_ASK = """\
The picture shows a scene, and a robot is given an instruction. Write the planning problem in PDDL for this \
domain: every object, every fact that is true in the picture, and the goal that the instruction sets.
{domain}
Answer with the PDDL problem alone, from (define (problem to its last parenthesis."""


def ask_problem(task: Task) -> Item:
    """The one question."""
    examples = [
        ([example.picture, f"Instruction: {example.instruction}"], example.text.strip())
        for example in task.examples
    ]
    case = [task.picture, f"Instruction: {task.instruction}"]
    words = _ASK.format(domain=task.domain_text.strip())
    return task.question("problem", put(words, examples, case), Answer("problem", task.item.answer.gold))


def read_reply(reply: Reply, task: Task) -> Reading:
    """The problem's text outside any reasoning; how it is read from there, `grounding.read_problem` says."""
    if reply.status == "refused":
        return Reading("refused", rule="status")
    text, repairs = visible(reply.text)
    reading = read_problem(text, task.domain)
    if reading.problem is None:
        return Reading("refused" if refuses(text) else "unanswered", repairs=repairs)
    return Reading("answered", text, "pddl", (*repairs, *reading.repairs))
