"""The model as planner: it is shown the state, the goal and what it did so far, and writes a plan in JSON.

ViPlan (arXiv 2505.13180, mode "vila"): only the first action of a plan is carried out, then the model is
asked again, at most 10, 20 or 30 times by split. An action that is not possible changes nothing and is told
in the history. Here a reply without a plan in it uses up one time and is told as well; its item has the
outcome of the reply unless the task is solved all the same. An empty plan says that nothing is left to do.
"""

from __future__ import annotations

from typing import Any

from gumption.benchmarks.viplan.planning import Plan, Step
from gumption.benchmarks.viplan.reading import read_plan
from gumption.benchmarks.viplan.scene import Scene, goal_words
from gumption.benchmarks.viplan.world import World, read_world
from gumption.grounding import validate
from gumption.records import Answer, Episode, ErrorKind, Item, Mistake, Part, Reading, Score, Text

__all__ = ["episode"]


def episode(item: Item, scene: Scene) -> Episode:
    """Ask for a plan, take its first action, and again until the goal holds or the budget is used up.

    `item.meta`: `domain` and `problem` (PDDL), `style` (see `options`), `budget` (how often it is asked at
    most). `recorded` is true for logs: nothing is shown there, and no gold is made.
    """
    world = read_world(item)
    recorded: bool = item.meta.get("recorded", False)
    tried: list[Step] = []
    history: list[str] = []
    unread: list[Reading] = []
    taken = asked = 0
    best = None if recorded else scene.plan(world.domain, world.problem)
    while asked < item.meta["budget"] and not world.solved:
        shown: tuple[Part, ...] = ()
        if not recorded:
            shown = (scene.shown(world, item.meta["style"]), _words(scene, world, history))
        gold = None if best is None else _written(scene, world, best)
        (reply,) = yield (
            Item(f"{item.id}/step/{asked}", item.benchmark, shown, Answer("actions", gold=gold)),
        )
        asked += 1
        reading = read_plan(reply, world.parameters)
        if reading.outcome != "answered":
            unread.append(reading)
            history.append("(no plan could be read in your reply, nothing was done)")
            continue
        if not reading.value:
            break
        step = tuple(reading.value[0])
        fault = world.act(step)
        tried.append(step)
        taken += not fault
        outcome = f"nothing changed, {fault}" if fault else "done"
        history.append(f"{step[0]}({', '.join(step[1:])}): {outcome}")
        if best is not None and not fault:
            followed = bool(best) and step == best[0]
            best = best[1:] if followed else scene.plan(world.domain, world.problem_from(world.state))
    faults = validate(world.domain, world.problem, tried).errors
    solved = world.solved
    return Score(
        float(solved),
        {
            "asked": float(asked),
            "unread": float(len(unread)),
            "actions": float(len(tried)),
            "action_correct": float(taken),
            "action_total": float(len(tried)),
        },
        (
            *(Mistake(ErrorKind.UNREADABLE) for _ in unread),
            *(Mistake(one.kind, one.detail, one.step, one.static, one.secondary) for one in faults),
        ),
        unread[0] if unread and not solved else Reading("answered", [list(step) for step in tried], "json"),
    )


def _words(scene: Scene, world: World, history: list[str]) -> Text:
    so_far = "\n".join(f"{number}. {line}" for number, line in enumerate(history, 1)) or "nothing yet"
    return Text(
        f"{scene.intro}\n\nThe goal is that all of this is so:\n{goal_words(scene, world)}\n\n"
        f"What can be done:\n{scene.actions}\n\nWhat was done so far:\n{so_far}\n\n"
        "Write the plan from here to the goal. Its first action is carried out, then you are asked again. "
        f"Reply with JSON and nothing else, in this form:\n{scene.example}"
    )


def _written(scene: Scene, world: World, plan: Plan) -> dict[str, Any]:
    """The plan in the form that the model is asked for."""
    return {"plan": [{"action": step[0], "parameters": _parameters(scene, world, step)} for step in plan]}


def _parameters(scene: Scene, world: World, step: Step) -> Any:
    if not scene.named_parameters:
        return list(step[1:])
    return dict(zip(world.parameters[step[0]], step[1:], strict=True))
