"""ViPlan's Household in words: tasks for which no pictures can be had are told instead.

The release runs them in iGibson, whose scenes need a licence key. Here the PDDL alone is the world and what
would be seen is told as a text, so this is another and easier task: its rates stand beside nobody's.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks.viplan.blocksworld import HOME, SPLITS
from gumption.benchmarks.viplan.options import Options
from gumption.benchmarks.viplan.planning import in_turn
from gumption.benchmarks.viplan.scene import Scene
from gumption.benchmarks.viplan.world import World
from gumption.grounding.pddl import Atom
from gumption.grounding.render import Style, describe, visible
from gumption.records import Answer, GumptionError, Item, Part, Text
from gumption.suites import Suite

__all__ = ["HOUSEHOLD", "load_household"]

_FOLDER = "viplan/planning/igibson"
_SENTENCES = {
    "reachable": "{} is within the robot's reach.",
    "holding": "The robot is holding {}.",
    "open": "{} is open.",
    "ontop": "{} is on top of {}.",
    "inside": "{} is inside {}.",
    "nextto": "{} is next to {}.",
    "sliced": "{} is sliced.",
}


def _sentence(atom: Atom) -> str:
    words = _SENTENCES.get(atom[0])
    return words.format(*atom[1:]) if words else f"{atom[0]}({', '.join(atom[1:])})."


def _shown(world: World, _: Style) -> Part:
    return Text(describe(world.domain, world.problem.objects, world.state))


HOUSEHOLD = Scene(
    intro="This is what a robot in a house sees. What is not told is not so, or is out of sight.",
    shown=_shown,
    sentence=_sentence,
    in_sight=lambda world: visible(world.problem.objects, world.state),
    enumerates_first=False,
    plan=in_turn,
    actions="""\
navigate-to(object): go to something; it and what lies in it, if it is open, is then within reach, and nothing
else is. What is in a closed container cannot be gone to.
grasp(object): take something within reach with an empty hand.
place-on(held, object), place-next-to(held, object): put what is held on or beside something within reach.
place-inside(held, container): put what is held into an open container within reach.
open-container(container): open a closed container within reach with an empty hand.
close-container(container): close an open container within reach.
slice(object, tool): cut something within reach with a tool that is held.""",
    example='{"plan": [{"action": "place-on", "parameters": ["cup_1", "table_1"]}]}',
    named_parameters=False,
)


class _Activity(msgspec.Struct):
    activity_name: str
    scene_instance_pairs: list[tuple[str, int]]


def load_household(data: Path | None, name: str, options: Options) -> Suite:
    """The 75 tasks under a benchmark's name: 16 problems, each in the scenes that the release has it in.

    In words the scenes of a problem are one and the same, so the problem is the cluster.
    Raises GumptionError where the data are not found or not those of ViPlan.
    """
    folder = find(f"{_FOLDER}/domain.pddl", data, get_from=HOME).parent
    domain = (folder / "domain.pddl").read_text("utf-8")
    items = []
    for split, budget in SPLITS.items():
        file = folder / split / "metadata.json"
        try:
            activities = msgspec.json.decode(file.read_bytes(), type=dict[str, _Activity])
            texts = {one: (file.parent / one).read_text("utf-8") for one in activities}
        except (OSError, msgspec.MsgspecError) as error:
            raise GumptionError(
                f"not ViPlan's Household: {error}", where=str(file), remedy=f"fetch it from {HOME}"
            ) from error
        for one, activity in activities.items():
            problem = one.removesuffix(".pddl")
            for place, instance in activity.scene_instance_pairs:
                items.append(
                    Item(
                        id=f"{problem}/{place}_{instance}",
                        benchmark=name,
                        parts=(Text(f"Household task: {activity.activity_name.replace('_', ' ')}."),),
                        answer=Answer("actions"),
                        cluster=problem,
                        category=split,
                        meta={
                            "domain": domain,
                            "problem": texts[one],
                            "budget": budget,
                            "yes_no": options.yes_no,
                            "style": "text",
                            "protocol": options.changed,
                        },
                    )
                )
    return Suite(
        name=name,
        version="1",
        items=tuple(items),
        provenance={"homepage": HOME, "folder": _FOLDER, "shown": "text"},
        licences={name: "MIT"},
    )
