"""VLM-PlanSim-99's pipeline: a model plans, the plan is read and resolved, and is executed in a room.

EmbodiedBrain (arXiv 2510.20578): success is the share of 99 hand-written tasks whose plan executes to
completion in AI2-THOR. Neither tasks nor code are public. The pipeline is built from the paper's description;
the 99 tasks that come with it are **our own**, in the rooms of the package, and the world is the symbolic
household: rates stand beside nobody's.

    gumption run vlm-plansim                                 our 99 tasks, seen from above
    gumption run vlm-plansim:form=prose                      plans in sentences in place of <actions>
    gumption run vlm-plansim:form=both                       each task asked in both forms, told apart
    gumption run vlm-plansim:shown=text                      the control without pictures
    gumption run vlm-plansim:tasks=FILE.jsonl --data DATA    other tasks, written as docs/formats.md says
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path

from msgspec.structs import replace

from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.plansim import EXECUTED, Asked, Rooms, Task, episode, item_of, read_tasks
from gumption.benchmarks.plansim.options import asked_of, known_options, protocol_of
from gumption.records import Aggregate, GumptionError, Item
from gumption.suites import Rejected, Suite

__all__ = ["BENCHMARK"]

_NAME = "vlm-plansim"


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, options: Mapping[str, str]) -> Suite:
    """The tasks of a file, ours where none is named. Raises GumptionError for a file that is none."""
    known_options(_NAME, options, ("tasks", "form", "shown"))
    both = options.get("form") == "both"
    forms = ("actions", "prose") if both else (options.get("form", "actions"),)
    asked = [asked_of(_NAME, {**options, "form": form}) for form in forms]
    rooms = Rooms(data)
    rows = _rows(options.get("tasks", ""), rooms)
    tasks = [row for row in rows if isinstance(row, Task)]
    protocol = protocol_of(options, asking=("form", "shown"))
    return Suite(
        name=_NAME,
        version="ours-1" if "tasks" not in options else Path(options["tasks"]).stem,
        items=tuple(_item(task, one, rooms, protocol, both=both) for one in asked for task in tasks),
        media=rooms.media,
        provenance={"tasks": options.get("tasks", "ours")},
        licences={_NAME: BENCHMARK.licence},
        rejected=tuple(row for row in rows if isinstance(row, Rejected)),
    )


def _rows(tasks: str, rooms: Rooms) -> list[Task | Rejected]:
    if tasks:
        if not Path(tasks).is_file():
            raise GumptionError(
                f"no file {tasks}", where=_NAME, remedy="name a file of tasks: tasks=FILE.jsonl"
            )
        return list(read_tasks(Path(tasks), rooms.scene))
    with as_file(files("gumption.benchmarks.plansim").joinpath("ours.jsonl")) as path:
        return list(read_tasks(path, rooms.scene))


def _item(task: Task, asked: Asked, rooms: Rooms, protocol: str, *, both: bool) -> Item:
    if both:
        # The same task twice: one cluster, two items.
        named = replace(task, id=f"{task.id}/{asked.form}")
        return item_of(named, rooms.scene(task.scene), asked, benchmark=_NAME, rooms=rooms, protocol=protocol)
    return item_of(task, rooms.scene(task.scene), asked, benchmark=_NAME, rooms=rooms, protocol=protocol)


BENCHMARK = Benchmark(
    name=_NAME,
    title="VLM-PlanSim, with tasks of our own",
    homepage="https://github.com/ZTERobot/EmbodiedBrain1.0",
    licence="Apache-2.0",
    rule="share of all tasks whose plan executes to completion, or which is rightly refused",
    official=Aggregate("executed to completion, of all tasks"),
    further=(*EXECUTED, Aggregate("infeasible tasks refused", part="refusal_right")),
    load=_load,
    configure=_configured,
    episode=episode,
    n="99 of our own: 94 that can be done, 5 that cannot",
    chance="0 % (a plan is written, nothing is chosen)",
    checked="every plan of ours executes and reaches its goal; without their first step 4 plans execute, "
    "each accounted for",
)
