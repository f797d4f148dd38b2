"""EmbodiedBrain's public planning tasks: four views of a room, an instruction, a plan in three tagged blocks.

ArXiv 2510.20578; github.com/ZTERobot/EmbodiedBrain1.0, `evaluation/src/InternalBench`: 69 tasks in eleven
rooms of AI2-THOR, each with a gold plan. Two things are measured: how much of the gold plan the reply has
(action pair match, the release's score), and whether the plan can be executed and reaches what the gold plan
reaches, in the symbolic household. The prompt is ours; who judges actions is up to the options:

    gumption run embodiedbrain-planning --data DATA                       the rule judge
    gumption run embodiedbrain-planning:judge=model --judge openai/NAME   a model, one call an action
    gumption run embodiedbrain-planning:judge=model-plan --judge ...      a model, one call a plan
    gumption run embodiedbrain-planning:judge=exact                       the same words
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from gumption.benchmarks._data import find
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.plansim.outcome import (
    asked_gold,
    goal_of,
    parts,
    plan_of,
    reading_of,
    scene_meta,
    scene_of,
    unreadable,
)
from gumption.benchmarks.plansim.rooms import Rooms
from gumption.benchmarks.plansim.words import ATOMIC_VERBS, form_words
from gumption.planning import derive
from gumption.planning.goals import Goal
from gumption.planning.judges import ExactJudge
from gumption.planning.judging import ask_judge
from gumption.planning.match import ActionPairScore, canonical, match
from gumption.planning.plansim import carry_out, instructions, resolve_steps
from gumption.planning.reader import read_plan
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene
from gumption.records import (
    Aggregate,
    Answer,
    Episode,
    ErrorKind,
    GumptionError,
    Item,
    Mistake,
    Reply,
    Score,
    Text,
)
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

_HOME = "https://github.com/ZTERobot/EmbodiedBrain1.0"
_FILE = "embodiedbrain/simulation_benchmark_set.json"
_JUDGES = ("rule", "exact", "model", "model-plan")
_VIEWS = ("Front", "Rear", "Left", "Right")
_ROOM = re.compile(r"simulation/(\d{1,3})/")
_TASK = re.compile(r"Can you.*", re.DOTALL)
_KINDS = {0: "kitchen", 2: "living room", 3: "bedroom", 4: "bathroom"}


class _Turn(msgspec.Struct):
    role: str
    content: str


class _Row(msgspec.Struct):
    conversations: list[_Turn]
    images: list[str]


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, options: Mapping[str, str]) -> Suite:
    """The tasks. Raises GumptionError for an unknown option, and where the data are not found."""
    judge = options.get("judge", "rule")
    if judge not in _JUDGES or options.keys() - {"judge"}:
        raise GumptionError(
            f"no such option: {', '.join(f'{name}={value}' for name, value in options.items())}",
            where="embodiedbrain-planning",
            remedy=f"judge={{{','.join(_JUDGES)}}}",
        )
    path = find(_FILE, data, get_from=_HOME)
    rooms = Rooms(data)
    try:
        rows = msgspec.json.decode(path.read_bytes(), type=list[_Row])
        items = [_item(number, row, path.parent, rooms, judge) for number, row in enumerate(rows)]
    except (msgspec.MsgspecError, RecursionError, OSError, ValueError) as error:
        raise GumptionError(
            f"not EmbodiedBrain's tasks: {error}", where=str(path), remedy=f"fetch it from {_HOME}"
        ) from error
    return Suite(
        name="embodiedbrain-planning",
        version="1",
        items=tuple(items),
        media=rooms.media,
        provenance={"homepage": _HOME, "file": path.name},
        licences={"embodiedbrain-planning": BENCHMARK.licence},
    )


def _item(number: int, row: _Row, folder: Path, rooms: Rooms, judge: str) -> Item:
    ask, answer = (turn.content for turn in row.conversations)
    room, task = _ROOM.search(row.images[0]), _TASK.search(ask)
    gold = read_plan(answer).actions
    if room is None or task is None or not gold:
        raise ValueError(f"task {number} has no room, no instruction or no plan")
    scene = rooms.scene(f"FloorPlan{room[1]}")
    pictures = [rooms.file(folder / name) for name in row.images]
    views = [
        part for view, one in zip(_VIEWS, pictures, strict=True) for part in (Text(f"{view} view:"), one)
    ]
    return Item(
        id=f"{number:02d}",
        benchmark="embodiedbrain-planning",
        # The task first: who reads the page should not have to look for it below four pictures.
        parts=(
            Text(f"You plan for a robot with one arm in this room. Task: {task[0].strip()}"),
            *views,
            Text(form_words("actions", ATOMIC_VERBS)),
        ),
        answer=Answer("actions", gold={"actions": gold}),
        cluster=scene.name,
        category=_KINDS[int(room[1]) // 100],
        meta={
            "instruction": task[0].strip(),
            "judge": judge,
            "protocol": "" if judge == "rule" else f"judge={judge}",
            "goal": msgspec.to_builtins(_goal(scene, gold)),
            "scene": scene_meta(scene),
        },
    )


def _goal(scene: Scene, gold: list[list[str]]) -> Goal:
    """What the gold plan reaches: the release has no goals."""
    steps = instructions(resolve_steps(gold, scene))
    return derive(Household(scene), [step for step in steps if not isinstance(step, Mistake)])


def _episode(item: Item) -> Episode:
    """Ask for the plan, compare it with the gold plan, and carry it out.

    The value is the F1 of the quantity match, over the actions that the release compares. The paper's table
    does not say which of its two F1 it shows; quantity is what the release's summary names first, and order
    is at most that. Order and all of the execution are parts.
    """
    gold: list[list[str]] = item.answer.gold["actions"]
    (reply,) = yield (replace(item, answer=asked_gold(gold)),)
    plan = plan_of(reply)
    reading = reading_of(reply, plan)
    matched = yield from _matched(item, plan.actions or [], gold)
    if matched is None:
        return Score(None, reading=reading)
    scene = scene_of(item)
    done = carry_out(Household(scene), scene, plan.actions or [], goal_of(item), refused=plan.refused)
    return Score(
        matched.quantity.f1,
        _pairs(matched) | parts(plan, done),
        (*unreadable(plan), *done.errors, *_left_out(matched)),
        reading,
    )


def _matched(
    item: Item, predicted: list[list[str]], gold: list[list[str]]
) -> Generator[tuple[Item, ...], tuple[Reply, ...], ActionPairScore | None]:
    """The action pair match, with the judge that the item names; None where that could not be read."""
    judge: str = item.meta["judge"]
    if not judge.startswith("model"):
        return match(predicted, gold, ExactJudge() if judge == "exact" else None)
    per: Literal["action", "plan"] = "plan" if judge == "model-plan" else "action"
    matrix = yield from ask_judge(item, canonical(predicted), canonical(gold), per)
    return None if matrix is None else match(predicted, gold, matrix=matrix)


def _pairs(matched: ActionPairScore) -> dict[str, float]:
    """Both matches; the counts are there to be added up over tasks (micro)."""
    found = {"predicted": float(len(matched.predicted)), "gold": float(len(matched.gold))}
    for name, one in (("quantity", matched.quantity), ("order", matched.order)):
        found |= {
            f"{name}_f1": one.f1 or 0.0,
            f"{name}_precision": one.precision or 0.0,
            f"{name}_recall": one.recall or 0.0,
            f"{name}_matched": float(one.count),
        }
    return found


def _left_out(matched: ActionPairScore) -> list[Mistake]:
    """The gold actions that nothing in the plan does."""
    return [
        Mistake(ErrorKind.MISSING_STEP, f"in the gold plan and not in this one: {' '.join(action)}")
        for place, action in enumerate(matched.gold)
        if not any(row[place] for row in matched.matrix)
    ]


BENCHMARK = Benchmark(
    name="embodiedbrain-planning",
    title="EmbodiedBrain, planning",
    homepage=_HOME,
    licence="MIT",
    rule="F1 of the largest matching of predicted and gold actions; mean over the tasks",
    official=Aggregate("mean quantity F1 over the tasks"),
    further=(
        Aggregate("mean order F1", part="order_f1"),
        Aggregate("executed to completion", part="executes"),
        Aggregate("goal reached at the end", part="goal_reached"),
        Aggregate("success: both", part="success"),
    ),
    load=_load,
    configure=_configured,
    episode=_episode,
    n="69 tasks in 44 pictures",
    chance="0 % (a plan is written, nothing is chosen)",
    checked="all 69 gold plans: F1 1, and 2 (n - 1) / (2 n - 1) without the first of n actions; the seven "
    "that do not execute, each by hand",
)
