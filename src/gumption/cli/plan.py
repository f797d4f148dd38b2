"""`gumption plan`: read, match, resolve and execute plans, compare judges of them, and draw fresh tasks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from gumption.cli._console import bar
from gumption.cli._executors import On, Workers
from gumption.cli._plan_tables import (
    say_failed,
    show_agreement,
    show_execution,
    show_executions,
    show_match,
    show_matches,
)
from gumption.cli._plans import load_plan, load_task, open_judge, print_json, read_text
from gumption.records import GumptionError

__all__ = ["app"]

app = typer.Typer(help="Read, match, resolve and execute plans of household tasks.", no_args_is_help=True)

Plan = Annotated[Path, typer.Argument(help="A file with a reply or a list of actions, or - for the input.")]
Room = Annotated[
    str, typer.Option(help="kitchen, living_room, bedroom or bathroom of the package, or FloorPlan9.")
]
Data = Annotated[
    Path | None, typer.Option(help="File of object metadata: of all rooms of iTHOR, or of one room.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_JUDGES = "rule, exact, embedding[@THRESHOLD] or recorded/FILE.jsonl."


class WorldName(StrEnum):
    """Where a plan is executed."""

    HOUSEHOLD = "household"
    AI2THOR = "ai2thor"


@app.command()
def read(reply: Plan, as_json: Json = False) -> None:
    """Read the plan out of a model's reply, and say what had to be repaired.

    Example:  gumption plan read reply.txt

    Nothing in the reply is ever run. A reply that cannot be read or that refuses ends with code 0 too.
    """
    from gumption.planning import read_plan

    reading = read_plan(read_text(reply))
    if as_json:
        print_json(reading)
        return
    for number, action in enumerate(reading.actions or (), start=1):
        print(f"{number:>3}. {', '.join(action)}")
    if reading.actions is None:
        print(f"Unreadable: {reading.error}.")
    elif reading.refused:
        print("Refused: the reply says that the task cannot be done.")
    elif not reading.actions:
        print("An empty plan.")
    print(f"Format score {reading.format_score:.3f}; repairs: {', '.join(reading.repairs) or 'none'}.")


@app.command()
def match(
    predicted: Annotated[Path, typer.Argument(help="A plan; or a .jsonl file of pairs, without GOLD.")],
    gold: Annotated[Path | None, typer.Argument(help="The plan it is to be like.")] = None,
    judge: Annotated[str, typer.Option(help=_JUDGES)] = "rule",
    official: Annotated[
        bool, typer.Option(help="As the published scorer: a reply that needs repair is an empty plan.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Score a plan by the actions it has in common with a gold plan, and with those in order.

    Example:  gumption plan match reply.txt gold.txt --judge exact

    A file of pairs has lines with `predicted` and `gold`, each a reply or a list of actions. Ends with code 1
    where the judge could not say of some pair.
    """
    from gumption.planning.agreement import read_pairs
    from gumption.planning.match import match as score

    chosen = open_judge(judge)
    preset: Literal["official"] | None = "official" if official else None
    if gold is None:
        pairs = read_pairs(predicted)
        scores = [score(one.reply or one.predicted, one.gold, chosen, preset=preset) for one in pairs]
        show_matches(scores, chosen.name, as_json=as_json)
    else:
        scores = [score(read_text(predicted), load_plan(gold), chosen, preset=preset)]
        show_match(scores[0], as_json=as_json)
    if any(one.flags.judge_failed for one in scores):
        raise typer.Exit(1)


@app.command()
def resolve(plan: Plan, room: Room = "kitchen", data: Data = None, as_json: Json = False) -> None:
    """Find the objects of a room that a plan's words stand for, and say which layer found each.

    Example:  gumption plan resolve plan.txt --room kitchen
    """
    from gumption.planning.plansim import resolve_steps
    from gumption.planning.worlds.scenes import load_scene

    steps = resolve_steps(load_plan(plan), load_scene(room, data))
    if as_json:
        print_json(steps)
        return
    for number, step in enumerate(steps, start=1):
        print(f"{number:>3}. {step.verb}")
        for one in step.arguments:
            how = ", ".join(part for part in (one.layer, one.rule, one.tie) if part)
            print(f"       {one.phrase!r}: {one.object_id or one.outcome}{f'  ({how})' if how else ''}")
    missed = sum(one.object_id is None for step in steps for one in step.arguments)
    print(f"{sum(len(step.arguments) for step in steps)} arguments, {missed} without an object.")


@app.command()
def execute(
    plan: Annotated[
        Path,
        typer.Argument(
            help="A file with a reply or a list of actions, or - for the input; or a .jsonl file of tasks."
        ),
    ],
    room: Room = "kitchen",
    data: Data = None,
    goal: Annotated[Path | None, typer.Option(help="JSON file with the goal of the task.")] = None,
    gold: Annotated[Path | None, typer.Option(help="Plan whose effects are the goal.")] = None,
    world: Annotated[WorldName, typer.Option(help="ai2thor needs the extra thor and a Unity build.")] = (
        WorldName.HOUSEHOLD
    ),
    unity: Annotated[Path | None, typer.Option(help="Of ai2thor: a Unity build to run.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File for what became of each task, a line of JSON a task."),
    ] = None,
    on: On = "local",
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Resolve a plan in a room and execute it there: how far it gets, what it reaches, what is wrong with it.

    Example:  gumption plan execute plan.txt --room kitchen --gold gold.txt

    Many:  gumption plan execute tasks.jsonl --out executed.jsonl --on ray

    A line of such a file has `plan` and may have `id`, `room` or `scene`, `goal` or `gold`, and `feasible`.
    The same command after a crash executes only what is not yet in the file of --out. A plan that fails ends
    with code 0: that is a result. Code 1 means that the simulator failed.
    """
    from gumption.executors import open_executor
    from gumption.planning.simulating import execute_tasks
    from gumption.planning.tasks import read_tasks
    from gumption.planning.worlds.ai2thor import SimulatorError

    many = ".jsonl" in plan.suffixes
    if many and (goal or gold):
        raise GumptionError(
            "a goal for many tasks", where=str(plan), remedy="give each line its goal or gold"
        )
    tasks = read_tasks(plan, room) if many else [load_task(plan, room, goal, gold)]
    try:
        with open_executor(on, workers=workers) as executor, bar("Executing") as progress:
            done = execute_tasks(
                tasks, executor, world=world.value, data=data, unity=unity, out=out, progress=progress
            )
    except SimulatorError as error:
        say_failed(str(error), error.remedy)
        raise typer.Exit(1) from error
    if many:
        show_executions(done, as_json=as_json)
    else:
        show_execution(done[0], as_json=as_json)
    failed = next((one for one in done if one.status == "infra_error"), None)
    if failed is not None:
        say_failed(failed.error, failed.remedy)
        raise typer.Exit(1)


@app.command("judge-agreement")
def judge_agreement(
    pairs: Annotated[Path, typer.Argument(help="A .jsonl file of pairs: `predicted`, `gold`, `model`.")],
    first: Annotated[str, typer.Option(help=_JUDGES)] = "rule",
    second: Annotated[str, typer.Option(help=_JUDGES)] = "exact",
    as_json: Json = False,
) -> None:
    """Compare two judges: agreement, kappa, and what the choice changes in F1 and in the ranking of models.

    Example:  gumption plan judge-agreement pairs.jsonl --first rule --second recorded/people.jsonl

    Recorded verdicts are lines with `predicted` and `gold`, two actions as lists, and `match`, true or false.
    Ends with code 1 where a judge could not say of some pair of plans.
    """
    from gumption.planning.agreement import judge_agreement as compare
    from gumption.planning.agreement import read_pairs

    found = compare(open_judge(first), open_judge(second), read_pairs(pairs))
    show_agreement(found, as_json=as_json)
    if found.unscored:
        raise typer.Exit(1)


@app.command()
def generate(
    tasks: Annotated[int, typer.Option(min=1, max=100_000, help="How many.")] = 1,
    seed: Annotated[int, typer.Option(help="Other tasks for another number.")] = 0,
    steps: Annotated[int, typer.Option(help="Parts that a task asks for, 1 to 6.")] = 1,
    distractors: Annotated[int, typer.Option(help="Things that the task has nothing to do with.")] = 6,
    closed: Annotated[int, typer.Option(help="Things in closed containers that it names.")] = 0,
    hidden: Annotated[int, typer.Option(help="Things in closed containers that it does not name.")] = 0,
    room: Annotated[str, typer.Option(help="kitchen, living_room, bedroom or bathroom; else any.")] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a task, with its room and goal.")
    ] = False,
) -> None:
    """Draw household tasks that stand in no training data, each with a plan that does it.

    Example:  gumption plan generate --tasks 5 --steps 3 --closed 1

    The same arguments give the same tasks. To ask a model:  gumption run household-fresh --model ...
    """
    from gumption.planning.generate import Difficulty
    from gumption.planning.generate import generate as draw

    difficulty = Difficulty(steps, distractors, closed, hidden)
    for number in range(tasks):
        # As the benchmark household-fresh names its tasks.
        task = draw(f"{seed}-{number:04d}", difficulty, room=room)
        if as_json:
            print_json(task)
            continue
        print(f"{task.seed}, {task.scene.name}: {task.instruction}")
        for action in task.plan:
            print(f"       {', '.join(action)}")
