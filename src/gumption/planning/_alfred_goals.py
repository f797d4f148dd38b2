"""ALFRED's seven task types as goals."""

from __future__ import annotations

from gumption.planning.goals import Goal, Proposition, Slot
from gumption.planning.worlds.household.facts import SLICES
from gumption.records import GumptionError

__all__ = ["ALFRED_TASKS", "alfred_goal"]

_TREATED = {
    "pick_heat_then_place_in_recep": "heated",
    "pick_cool_then_place_in_recep": "cooled",
    "pick_clean_then_place_in_recep": "clean",
}
ALFRED_TASKS = (
    "pick_and_place_simple",
    "pick_two_obj_and_place",
    "look_at_obj_in_light",
    *_TREATED,
    "pick_and_place_with_movable_recep",
)
"""The names of the task types."""


def alfred_goal(
    task_type: str,
    *,
    object_target: str,
    parent_target: str = "",
    mrecep_target: str = "",
    toggle_target: str = "",
    object_sliced: bool = False,
) -> Goal:
    """The goal of an ALFRED task; the parameters are those of `pddl_params` in its trajectories.

    Conditions are counted as `env/tasks.py` of askforalfred/alfred counts them: 1 to 4, and one more for
    every slice that is asked for. Objects are told by type; that file looks for a word in the objectId, so
    that a potato counts as a pot. A slice of a thing counts as the thing, as there.
    Raises GumptionError for another task type or a parameter that is missing.
    """
    slices = SLICES.get(object_target, f"{object_target}Sliced")
    objects = (slices,) if object_sliced else (object_target, slices)
    number = 2 if task_type == "pick_two_obj_and_place" else 1
    placed = Proposition("in", objects, (parent_target,), number=number, together=number > 1)
    wanted = {"object_target": object_target, "parent_target": parent_target}
    same: tuple[tuple[Slot, ...], ...] = ()
    match task_type:
        case "pick_and_place_simple" | "pick_two_obj_and_place":
            propositions = [placed]
        case "look_at_obj_in_light":
            wanted = {"object_target": object_target, "toggle_target": toggle_target}
            propositions = [Proposition("held", objects), Proposition("on", (toggle_target,))]
        case "pick_and_place_with_movable_recep":
            wanted["mrecep_target"] = mrecep_target
            propositions = [
                Proposition("in", objects, (mrecep_target,)),
                Proposition("in", (mrecep_target,), (parent_target,)),
            ]
            same = ((Slot(0, "target"), Slot(1)),)
        case _ if task_type in _TREATED:
            propositions = [placed, Proposition(_TREATED[task_type], objects)]
            same = ((Slot(0), Slot(1)),)
        case _:
            raise GumptionError(
                f"ALFRED has no task type {task_type!r}", remedy=f"one of {', '.join(ALFRED_TASKS)}"
            )
    missing = [name for name, value in wanted.items() if not value]
    if missing:
        raise GumptionError(
            f"{task_type} needs {', '.join(missing)}", remedy="see pddl_params of the trajectory"
        )
    if object_sliced:
        propositions.append(Proposition("exists", objects, number=number))
    return Goal(tuple(propositions), same)
