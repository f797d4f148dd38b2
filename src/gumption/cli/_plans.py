"""What the verbs of `gumption plan` share: plans, goals and judges by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.planning.goals import Goal
    from gumption.planning.judges import Judge
    from gumption.planning.worlds.household import Household

__all__ = ["load_goal", "load_plan", "open_judge", "print_json", "read_text"]

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
    from gumption.planning import read_plan

    reading = read_plan(read_text(path))
    if reading.actions is None:
        raise GumptionError(
            f"no plan can be read: {reading.error}",
            where=str(path),
            remedy=f"see what is there with: gumption plan read {path}",
        )
    return reading.actions


def load_goal(goal: Path | None, gold: Path | None, world: Household) -> Goal | None:
    """The goal in a file, or the one that a gold plan reaches in a world; None where neither is named."""
    from gumption.planning._derive import derive
    from gumption.planning.goals import Goal
    from gumption.planning.plansim import instructions, resolve_steps
    from gumption.records import Mistake

    if goal is not None and gold is not None:
        raise GumptionError("a goal and a gold plan", remedy="give --goal or --gold")
    if goal is not None:
        import msgspec

        try:
            return msgspec.json.decode(read_text(goal), type=Goal)
        except msgspec.MsgspecError as error:
            raise GumptionError(
                f"not a goal: {error}",
                where=str(goal),
                remedy='such as {"propositions": [{"predicate": "in", "objects": ["Apple"], '
                '"targets": ["Fridge"]}]}',
            ) from error
    if gold is None:
        return None
    steps = instructions(resolve_steps(load_plan(gold), world.scene))
    missed = [step for step in steps if isinstance(step, Mistake)]
    if missed:
        raise GumptionError(
            f"step {(missed[0].step or 0) + 1}: {missed[0].detail}",
            where=str(gold),
            remedy="a gold plan names things that the room has",
        )
    return derive(world, [step for step in steps if not isinstance(step, Mistake)])


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
