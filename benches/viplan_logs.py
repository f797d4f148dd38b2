"""The logs of the ViPlan release, scored anew: each figure beside the one that the log states.

`plan` and `plan valid in gold` are of our own planner on the states that the models stated: how many have a
plan, and of how many that plan is valid from the true state.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benches._table import show
from gumption.benchmarks.viplan.blocksworld import BLOCKSWORLD
from gumption.benchmarks.viplan.figures import figures
from gumption.benchmarks.viplan.world import read_world
from gumption.exchange import Converted, convert
from gumption.grounding import validate
from gumption.models.replay import open_replay
from gumption.running import Run, run
from gumption.suites import read_folder

SPLITS = ("simple", "medium", "hard")


GROUNDER = {
    name: name
    for name in (
        "predicate_accuracy", "macro_predicate_accuracy", "action_accuracy", "task_accuracy", "fail_ratio",
    )
}  # fmt: skip
FIGURES = {
    "vlm_answers": GROUNDER,
    "household_grounder": GROUNDER,
    "blocksworld_planner": {"task_accuracy": "task_completion_rate"},
    "household_planner": {"task_accuracy": "task_completion_rate"},
}
"""Of each kind of log: our names of the figures, and the log's."""


def scored(data: Path, kind: str, folder: Path) -> Iterator[tuple[Converted, Run]]:
    """Every log of a kind, converted and scored by the engine."""
    for split in SPLITS:
        for log in sorted((data / "viplan" / kind / split).glob("*/*.json.gz")):
            out = folder / f"{kind}-{split}-{log.parent.name}"
            made = convert(log, out, data=data)
            (model,) = open_replay(str(made.replies))
            yield made, run(read_folder(made.suite), model, out / "run")


def rows_of(done: Run) -> list[tuple[float | None, dict[str, float]]]:
    """Value and parts of each task."""
    table = done.scores()
    values, parts = table.column("value").to_pylist(), table.column("parts").to_pylist()
    return [(value, dict(pairs)) for value, pairs in zip(values, parts, strict=True)]


def plans(done: Run) -> tuple[int, int]:
    """Of the states first stated: how many our planner solves, how many of its plans hold from the truth."""
    said: dict[str, set[tuple[str, ...]]] = {}
    for reply in done.replies():
        if reply.call.startswith("enum/0/"):
            atom = reply.call.removeprefix("enum/0/")
            predicate, _, words = atom.partition(" ")
            true = said.setdefault(reply.item_id, set())
            if reply.text == "yes":
                true.add((predicate, *words.split(",")))
    planned = valid = 0
    for item in done.items():
        world = read_world(item)
        stated = said.get(item.id)
        plan = None if stated is None else BLOCKSWORLD.plan(world.domain, world.problem_from(stated))
        planned += plan is not None
        valid += plan is not None and validate(world.domain, world.problem, plan, faults="first").valid
    return planned, valid


def main() -> None:
    data = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
    with tempfile.TemporaryDirectory() as folder:
        for kind, pairs in FIGURES.items():
            table = []
            for made, done in scored(data, kind, Path(folder)):
                found = figures(rows_of(done))
                row = [made.split, made.model, f"{found['tasks']:.0f}"]
                for ours, theirs in pairs.items():
                    row.append(f"{found[ours]:.4f} ({made.logged[theirs]:.4f})")
                if kind == "vlm_answers":
                    row += [
                        f"{found['initial_accuracy']:.4f} ({made.logged['enumeration_accuracy']:.4f})",
                        f"{found['f1']:.3f}",
                        f"{found['f1_without_static']:.3f}",
                        f"{found['exact_states']:.0f} of {found['enumerated']:.0f}",
                        *map(str, plans(done)),
                    ]
                row.append(f"{found['unread']:.0f}")
                table.append(row)
            header = ["split", "model", "tasks", *(ours.replace("_", " ") for ours in pairs)]
            if kind == "vlm_answers":
                header += ["initial", "F1", "F1 without static", "exact", "plan", "plan valid in gold"]
            show(f"{kind}: ours (as logged)", (*header, "unread"), table)
            print()


if __name__ == "__main__":
    main()
