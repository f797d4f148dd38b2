"""Household tasks that nobody has seen before: drawn by seed, with the difficulty as a parameter.

    gumption run household-fresh                                    60 tasks of seed 0, from easy to hard
    gumption run household-fresh:seed=7,tasks=200                   others
    gumption run household-fresh:steps=4,distractors=20,closed=2    all of one difficulty
    gumption run household-fresh:form=prose,shown=text              sentences for actions, words for pictures
    gumption run household-fresh-loop                               the closed loop, with things to be found

The rooms are those of the package with their contents drawn anew (`planning.generate`). In the loop a plan is
carried out up to its first step that fails, the room is shown again, and the model may plan again, `turns`
times at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.plansim import EXECUTED, Asked, Rooms, Task, episode, item_of, loop
from gumption.benchmarks.plansim.loop import Budget
from gumption.benchmarks.plansim.options import asked_of, count_of, known_options, protocol_of
from gumption.planning.generate import Difficulty, generate
from gumption.records import Aggregate, GumptionError, Item
from gumption.suites import Suite

__all__ = ["BENCHMARK", "LOOP", "draw_suite"]

_LEVELS = (
    Difficulty(steps=1, distractors=4),
    Difficulty(steps=1, distractors=12, closed=1),
    Difficulty(steps=2, distractors=8),
    Difficulty(steps=2, distractors=16, closed=1),
    Difficulty(steps=3, distractors=16, closed=1),
    Difficulty(steps=4, distractors=24, closed=2),
)
"""Taken in turn where no difficulty is given."""
_SEARCHING = (
    Difficulty(steps=1, distractors=8, hidden=1),
    Difficulty(steps=2, distractors=8, hidden=1),
    Difficulty(steps=2, distractors=16, closed=1, hidden=1),
    Difficulty(steps=3, distractors=16, closed=1, hidden=1),
)
"""In the loop, where it is possible to look for things."""
_DIFFICULTY = ("steps", "distractors", "closed", "hidden")
_ASKING = ("form", "shown", "turns")


def draw_suite(
    *,
    tasks: int = 60,
    seed: int = 0,
    difficulty: Difficulty | None = None,
    asked: Asked | None = None,
    budget: Budget | None = None,
    protocol: str = "",
) -> Suite:
    """Draw `tasks` tasks; they depend on the seed and the difficulty alone.

    difficulty: of all of them; None goes through several in turn. budget: of the closed loop; None asks for
    one plan. Raises GumptionError where no such tasks can be drawn.
    """
    if tasks < 1:
        raise GumptionError("no tasks", where="household-fresh", remedy="draw at least one")
    name = "household-fresh" if budget is None else "household-fresh-loop"
    rooms = Rooms(None)
    levels = (difficulty,) if difficulty else _LEVELS if budget is None else _SEARCHING
    items = tuple(
        _item(f"{seed}-{number:04d}", levels[number % len(levels)], name, rooms, asked, budget, protocol)
        for number in range(tasks)
    )
    return Suite(
        name=name,
        version=f"seed-{seed}",
        items=items,
        media=rooms.media,
        provenance={"made_by": "gumption", "seed": seed, "tasks": tasks},
        licences={name: "Apache-2.0"},
    )


def _item(
    name: str,
    difficulty: Difficulty,
    benchmark: str,
    rooms: Rooms,
    asked: Asked | None,
    budget: Budget | None,
    protocol: str,
) -> Item:
    drawn = generate(name, difficulty)
    parts = f"{difficulty.steps} part{'s' if difficulty.steps > 1 else ''}"
    task = Task(
        id=name,
        # Not the room as it comes: the picture is drawn of this one.
        scene=f"{drawn.scene.name} of {name}",
        instruction=drawn.instruction,
        goal=drawn.goal,
        plan=drawn.plan,
        category=f"{parts}, something hidden" if difficulty.hidden else parts,
    )
    about = {"difficulty": asdict(difficulty), "skills": list(drawn.skills)}
    more = about if budget is None else about | {"budget": asdict(budget)}
    return item_of(
        task, drawn.scene, asked or Asked(), benchmark=benchmark, rooms=rooms, protocol=protocol, more=more
    )


def _configured(_: Path | None, options: Mapping[str, str]) -> Suite:
    return _draw("household-fresh", options, None)


def _loop_configured(_: Path | None, options: Mapping[str, str]) -> Suite:
    turns = count_of("household-fresh-loop", options, "turns", Budget().turns)
    return _draw("household-fresh-loop", options, Budget(turns=turns))


def _draw(benchmark: str, options: Mapping[str, str], budget: Budget | None) -> Suite:
    asking = _ASKING if budget else _ASKING[:-1]
    known_options(benchmark, options, ("tasks", "seed", *_DIFFICULTY, *asking))
    given = {
        name: count_of(benchmark, options, name, getattr(Difficulty(), name))
        for name in _DIFFICULTY
        if name in options
    }
    return draw_suite(
        tasks=count_of(benchmark, options, "tasks", 60),
        seed=count_of(benchmark, options, "seed", 0),
        difficulty=Difficulty(**given) if given else None,
        asked=asked_of(benchmark, options),
        budget=budget,
        protocol=protocol_of(options, asking=asking),
    )


BENCHMARK = Benchmark(
    name="household-fresh",
    title="Household tasks, fresh",
    homepage="",
    licence="Apache-2.0",
    rule="share of tasks whose plan executes to completion and reaches the goal",
    official=Aggregate("mean over the tasks"),
    further=EXECUTED,
    load=lambda data: _configured(data, {}),
    configure=_configured,
    episode=partial(episode, worth="success"),
    n="drawn by seed; 60 where no number is given",
    chance="0 % (a plan is written, nothing is chosen)",
    checked="forty drawn plans step by step; oracles, random (0 %) and the plan of another task (3 %)",
)
LOOP = Benchmark(
    name="household-fresh-loop",
    title="Household tasks, fresh, in a closed loop",
    homepage="",
    licence="Apache-2.0",
    rule="share of tasks whose goal is reached within the budget",
    official=Aggregate("mean over the tasks"),
    load=lambda data: _loop_configured(data, {}),
    configure=_loop_configured,
    episode=loop,
    n="drawn by seed; 60 where no number is given",
    chance="0 % (a plan is written, nothing is chosen)",
    checked="loops worked by hand; oracles, random (0 %) and the plan of another task (3 %)",
)
