"""ALFRED: trajectories of household tasks, executed in the symbolic household.

Shridhar et al., "ALFRED: A Benchmark for Interpreting Grounded Instructions for Everyday Tasks", 2020,
arXiv 1912.01734; github.com/askforalfred/alfred. Read of a `traj_data.json`: `task_id`, `task_type`,
`pddl_params` (the goal), `scene.floor_plan`, `plan.high_pddl` (the gold plan), and the `task_desc` of each
entry in `turk_annotations.anns`, each of which is an item. Not read: `scene.object_poses` and the low-level
actions. Rooms are as iTHOR's metadata have them, so where a trajectory had its objects elsewhere its gold
plan may fail here (`meta["gold_fails"]`); the goal stands all the same. Official success is that of the final
state (s = ts); the share of goal conditions is the part `progress`.

    gumption run alfred --data DATA                  DATA/alfred/**/traj_data.json
    gumption run alfred:folder=json_2.1.0/valid_seen
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct, field

from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.plansim import EXECUTED, Asked, Rooms, Task, episode, item_of, verify
from gumption.benchmarks.plansim.options import asked_of, known_options, protocol_of
from gumption.lines import read_whole
from gumption.planning import alfred_goal
from gumption.planning.goals import Goal
from gumption.planning.worlds.household.facts import ENCLOSING, SLICES
from gumption.planning.worlds.scenes import Scene
from gumption.records import Aggregate, GumptionError, Item
from gumption.suites import Rejected, Suite

__all__ = ["BENCHMARK"]

_HOME = "https://github.com/askforalfred/alfred"
_FILE = "traj_data.json"
_LONGEST = 20_000_000
"""Bytes of a file; those of ALFRED have up to about 1 MB."""
_SHUT = {kind.lower(): kind for kind in ENCLOSING}


class _Params(Struct):
    object_target: str = ""
    parent_target: str = ""
    mrecep_target: str = ""
    toggle_target: str = ""
    object_sliced: bool = False


class _Discrete(Struct):
    action: str
    args: list[str] = field(default_factory=list)


class _High(Struct):
    discrete_action: _Discrete


class _Plan(Struct):
    high_pddl: list[_High] = field(default_factory=list)


class _Room(Struct):
    floor_plan: str


class _Annotation(Struct):
    task_desc: str


class _Annotations(Struct):
    anns: list[_Annotation] = field(default_factory=list)


class _Trajectory(Struct):
    task_id: str
    task_type: str
    scene: _Room
    pddl_params: _Params
    plan: _Plan = field(default_factory=_Plan)
    turk_annotations: _Annotations = field(default_factory=_Annotations)


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, options: Mapping[str, str]) -> Suite:
    """The tasks. Raises GumptionError where there are no trajectories or the rooms are not installed."""
    known_options("alfred", options, ("folder", "form", "shown"))
    asked = asked_of("alfred", options)
    folder = Path(options["folder"]) if "folder" in options else (data or Path("data")) / "alfred"
    files = sorted(folder.rglob(_FILE))
    if not files:
        raise GumptionError(
            f"no {_FILE} in {folder}",
            where="alfred",
            remedy=f"get ALFRED's json files from {_HOME} and name their folder: alfred:folder=FOLDER",
        )
    rooms = Rooms(data)
    protocol = protocol_of(options, asking=("form", "shown"))
    rows = [row for path in files for row in _items(path, rooms, asked, protocol)]
    return Suite(
        name="alfred",
        version="1",
        items=tuple(row for row in rows if isinstance(row, Item)),
        media=rooms.media,
        provenance={"homepage": _HOME, "folder": folder.name},
        licences={"alfred": BENCHMARK.licence},
        rejected=tuple(row for row in rows if isinstance(row, Rejected)),
    )


def _items(path: Path, rooms: Rooms, asked: Asked, protocol: str) -> Iterator[Item | Rejected]:
    """One item for each annotation of a trajectory; or why there is none."""
    try:
        told = msgspec.json.decode(read_whole(path, _LONGEST, "leave it out"), type=_Trajectory)
        goal = alfred_goal(told.task_type, **msgspec.structs.asdict(told.pddl_params))
    except (msgspec.MsgspecError, RecursionError, GumptionError) as error:
        yield Rejected(str(path), 1, "", f"not a trajectory of ALFRED: {error}", "leave it out")
        return
    scene = rooms.scene(told.scene.floor_plan)
    missing = _missing(goal, scene)
    if missing:
        yield Rejected(str(path), 1, told.task_id, f"{scene.name} has no {missing}", "leave it out")
        return
    plan = tuple(gold_plan(told.plan.high_pddl))
    for number, annotation in enumerate(told.turk_annotations.anns):
        task = Task(
            id=f"{told.task_id}/{number}",
            scene=scene.name,
            instruction=annotation.task_desc.strip(),
            goal=goal,
            plan=plan,
            category=told.task_type,
        )
        more = {"gold_fails": _why(task, scene)}
        yield item_of(task, scene, asked, benchmark="alfred", rooms=rooms, protocol=protocol, more=more)


def _why(task: Task, scene: Scene) -> str:
    """Why the gold plan does not serve in this room; "" where it does."""
    try:
        verify(task, scene)
    except GumptionError as error:
        return error.problem
    return ""


def _missing(goal: Goal, scene: Scene) -> str:
    """What the goal asks for and the room can never hold: a task that cannot be done, by nobody's fault."""
    kinds = {one.object_type for one in scene.objects}
    kinds |= {SLICES[kind] for kind in kinds if kind in SLICES}
    for one in goal.propositions:
        for names in (one.objects, one.targets):
            if names and not kinds & set(names):
                return " or ".join(names)
    return ""


def gold_plan(steps: list[_High]) -> Iterator[tuple[str, ...]]:
    """The high-level actions as verbs of plans. What they leave to the low-level ones is put in: containers
    are opened and closed, and washing, heating and cooling are done step by step."""
    at = ""
    for step in steps:
        action, args = step.discrete_action.action, step.discrete_action.args
        match action, args:
            case "GotoLocation", [at]:
                yield "Navigate", at
            case "PickupObject", [thing, *_]:
                yield from _opened(at, ("Pick", thing))
            case "PutObject", [thing, place, *_]:
                yield from _opened(place, ("Place", thing, place))
            case "SliceObject", [thing, *_]:
                yield from _opened(at, ("Cut", thing))
            case "ToggleObject", [thing, *_]:
                yield "Turn on", thing
            case "CleanObject", [thing, *_]:
                yield "Place", thing, "SinkBasin"
                yield from (("Turn on", "Faucet"), ("Turn off", "Faucet"), ("Pick", thing))
            case "HeatObject", [thing, *_]:
                yield from _opened("microwave", ("Place", thing, "Microwave"))
                yield from (("Turn on", "Microwave"), ("Turn off", "Microwave"))
                yield from _opened("microwave", ("Pick", thing))
            case "CoolObject", [thing, *_]:
                yield from _opened("fridge", ("Place", thing, "Fridge"))
                yield from _opened("fridge", ("Pick", thing))


def _opened(place: str, step: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A step in or at a container, with its door opened before and closed behind."""
    kind = _SHUT.get(place.lower())
    if kind is None:
        yield step
    else:
        yield from (("Open", kind), step, ("Close", kind))


BENCHMARK = Benchmark(
    name="alfred",
    title="ALFRED, in the symbolic household",
    homepage=_HOME,
    licence="MIT",
    rule="share of tasks whose goal conditions all hold at the end",
    official=Aggregate("mean over the tasks"),
    further=(Aggregate("goal conditions, of each task", part="progress"), *EXECUTED),
    load=_load,
    configure=_configured,
    episode=partial(episode, worth="goal"),
    n="each instruction of each trajectory in the folder that is named",
    chance="0 % (a plan is written, nothing is chosen)",
    checked="trajectories in the published layout, written by the tests: gold plans of the seven task types "
    "reach their goals, and without their first step none; not on the published files",
)
