"""What the verbs of `gumption plan` share: plans, goals and judges by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.planning.goals import Goal
    from gumption.planning.judges import Judge
    from gumption.planning.reader import PlanReading
    from gumption.planning.tasks import Task

__all__ = ["load_plan", "load_task", "open_judge", "print_json", "read_text"]

_MOST = 4 * 2**20
"""Bytes of a file with one plan."""


def read_text(path: Path) -> str:
    """A file's text, or that of the input for "-". Bytes that are no UTF-8 are replaced."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(_MOST + 1)
        else:
            with path.open("rb") as file:
                data = file.read(_MOST + 1)
    except OSError as error:
        raise GumptionError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="name a file with one plan"
        ) from error
    if len(data) > _MOST:
        raise GumptionError(
            f"longer than {_MOST // 2**20} MiB", where=str(path), remedy="name a file with one plan"
        )
    return data.decode(errors="replace")


def load_plan(path: Path) -> list[list[str]]:
    """The actions in a file. Raises GumptionError where there are none to be read."""
    return _read_plan(read_text(path), path).actions or []


def load_task(plan: Path, room: str, goal: Path | None, gold: Path | None) -> Task:
    """A plan with its goal, of a file; or with the gold plan that reaches it.

    Raises GumptionError for a plan that cannot be read and for what is no goal.
    """
    from gumption.planning.tasks import Row, task_of

    if goal is not None and gold is not None:
        raise GumptionError("a goal and a gold plan", remedy="give --goal or --gold")
    text = read_text(plan)
    _read_plan(text, plan)
    wanted = None if goal is None else _load_goal(goal)
    row = Row(text, goal=wanted, gold=None if gold is None else load_plan(gold))
    return task_of(row, room, where=str(gold or plan), id=plan.name)


def _read_plan(text: str, path: Path) -> PlanReading:
    from gumption.planning import read_plan

    reading = read_plan(text)
    if reading.actions is None and not reading.refused:
        raise GumptionError(
            f"no plan can be read: {reading.error}",
            where=str(path),
            remedy=f"see what is there with: gumption plan read {path}",
        )
    return reading


def _load_goal(path: Path) -> Goal:
    import msgspec

    from gumption.planning.goals import Goal

    try:
        return msgspec.json.decode(read_text(path), type=Goal)
    except msgspec.MsgspecError as error:
        raise GumptionError(
            f"not a goal: {error}",
            where=str(path),
            remedy='such as {"propositions": [{"predicate": "in", "objects": ["Apple"], '
            '"targets": ["Fridge"]}]}',
        ) from error


def open_judge(name: str) -> Judge:
    """rule, exact, embedding, embedding@THRESHOLD, recorded/FILE.jsonl.

    Raises GumptionError for another name, and where a file or the encoder is missing.
    """
    from gumption.planning.agreement import read_judgements
    from gumption.planning.judges import EmbeddingJudge, ExactJudge
    from gumption.planning.rules import RuleJudge

    kind, _, threshold = name.partition("@")
    if name == "rule":
        return RuleJudge()
    if name == "exact":
        return ExactJudge()
    if name.startswith("recorded/"):
        return read_judgements(Path(name.removeprefix("recorded/")))
    if kind == "embedding":
        from gumption.models.encoder import Encoder

        encoder = Encoder()
        least = _share(threshold or "0.8")
        return EmbeddingJudge(lambda texts: encoder.encode(texts).tolist(), least, encoder.id)
    raise GumptionError(
        f"there is no judge {name!r}", remedy="rule, exact, embedding[@THRESHOLD] or recorded/FILE.jsonl"
    )


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise GumptionError(f"{text!r} is no threshold", where="judge", remedy="a number from 0 to 1")
    return value


def print_json(value: Any) -> None:
    """One JSON object on one line."""
    import msgspec

    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
