"""ViPlan's Blocksworld: coloured blocks in labelled columns, drawn anew from the state.

The release renders its pictures with Blender; ours are sprites, so rates are not those of the paper.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks.viplan.options import Options
from gumption.benchmarks.viplan.planning import at_once
from gumption.benchmarks.viplan.scene import Scene
from gumption.benchmarks.viplan.world import World
from gumption.grounding import read_actions
from gumption.grounding.pddl import Atom
from gumption.grounding.render import SIZE, Style, render
from gumption.models.drawn import drawn
from gumption.records import Answer, GumptionError, Item, Part, Text
from gumption.suites import Suite

__all__ = ["BLOCKSWORLD", "HOME", "SPLITS", "load_blocksworld", "problem_file"]

HOME = "https://github.com/merlerm/ViPlan"
SPLITS = {"simple": 10, "medium": 20, "hard": 30}
"""The splits, with the steps that a model as planner has in each."""
_FOLDER = "viplan/planning/blocksworld"
_COLOURS = {"r": "red", "g": "green", "b": "blue", "y": "yellow", "o": "orange", "p": "purple"}


def _sentence(atom: Atom) -> str:
    names = [_COLOURS.get(word, word) for word in atom[1:]]
    match atom[0], names:
        case "on", [upper, lower]:
            return f"The {upper} block is directly on top of the {lower} block."
        case "incolumn", [block, column]:
            return f"The {block} block is in column {column}."
        case "clear", [block]:
            return f"Nothing is on top of the {block} block."
        case "leftof", [first, second]:
            return f"Column {first} is to the left of column {second}."
        case "rightof", [first, second]:
            return f"Column {first} is to the right of column {second}."
        case _:
            return f"{atom[0]}({', '.join(names)})."


def _shown(world: World, style: Style) -> Part:
    return drawn(render(world.domain, world.problem.objects, world.state, style=style), size=SIZE)


BLOCKSWORLD = Scene(
    intro="The picture shows coloured blocks that stand in columns. Each column has its label below it.",
    shown=_shown,
    sentence=_sentence,
    in_sight=lambda world: world.dynamics.objects,
    enumerates_first=True,
    plan=at_once,
    actions="moveblock(block, column): put a block that has nothing on top of it onto another column: on the "
    "block that is topmost there, or on the floor. Blocks are called by the first letter of their colour "
    f"({', '.join(f'{letter} is {colour}' for letter, colour in _COLOURS.items())}), columns by their label.",
    example='{"plan": [{"action": "moveblock", "parameters": {"block": "r", "column": "c2"}}]}',
    named_parameters=True,
)


def load_blocksworld(data: Path | None, name: str, options: Options) -> Suite:
    """The 75 tasks under a benchmark's name.

    Raises GumptionError where the data are not found or not those of ViPlan.
    """
    folder = find(f"{_FOLDER}/domain.pddl", data, get_from=HOME).parent
    domain = (folder / "domain.pddl").read_text("utf-8")
    items: list[Item] = []
    for split, budget in SPLITS.items():
        file = folder / "problems" / split / "metadata.json"
        try:
            about = msgspec.json.decode(file.read_bytes(), type=dict[str, _About])
            texts = {one: (file.parent / f"{one}.pddl").read_text("utf-8") for one in about}
        except (OSError, msgspec.MsgspecError) as error:
            raise GumptionError(
                f"not ViPlan's Blocksworld: {error}", where=str(file), remedy=f"fetch it from {HOME}"
            ) from error
        items += [
            Item(
                id=one,
                benchmark=name,
                parts=(Text("Move the blocks to where the goal wants them."),),
                answer=Answer("actions", gold=[list(step) for step in about[one].plan]),
                category=split,
                meta={
                    "domain": domain,
                    "problem": texts[one],
                    "budget": budget,
                    "yes_no": options.yes_no,
                    "style": options.style,
                    "protocol": options.changed,
                },
            )
            for one in sorted(about, key=lambda task: (len(task), task))
        ]
    return Suite(
        name=name,
        version="1",
        items=tuple(items),
        provenance={"homepage": HOME, "folder": _FOLDER},
        licences={name: "MIT"},
    )


def problem_file(logged: str, data: Path | None) -> Path:
    """The problem file that a log names by its path in the release."""
    path = Path(logged)
    return find(f"{_FOLDER}/problems/{path.parent.name}/{path.name}", data, get_from=HOME)


class _About(msgspec.Struct):
    reference_plan: list[str]

    @property
    def plan(self) -> list[tuple[str, ...]]:
        return read_actions("\n".join(self.reference_plan))
