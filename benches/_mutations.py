"""Gold problems of ProDG and ViPlan with plans that solve them, and those plans broken in small ways.

Every mutated plan is well typed, so that it is a question of semantics alone whether it is valid. The
public data is at GUMPTION_PUBLIC_DATA or in ../shared/data.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gumption.grounding import Domain, Problem, read_actions, read_domain, read_problem, validate
from gumption.grounding.planners import solve
from gumption.grounding.states import Dynamics

__all__ = ["DOMAINS", "PUBLIC", "Plan", "Task", "gold_tasks", "mutated"]

PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
DOMAINS = ("blocksworld", "cooking", "hanoi", "viplan blocksworld", "viplan household")

Plan = list[tuple[str, ...]]


@dataclass(frozen=True)
class Task:
    """A gold problem as text."""

    domain_name: str
    domain_text: str
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def read(self) -> tuple[Domain, Problem]:
        domain = read_domain(self.domain_text)
        problem = read_problem(self.text, domain).problem
        assert problem is not None
        return domain, problem

    def plans(self) -> list[Plan]:
        """Plans for it: the benchmark's own where it has some, else one that is searched for."""
        domain, problem = self.read()
        if self.domain_name == "viplan blocksworld":
            metadata = json.loads((self.path.parent / "metadata.json").read_text(encoding="utf-8"))
            return [read_actions("\n".join(metadata[self.path.stem]["reference_plan"]))]
        if self.domain_name in ("blocksworld", "cooking"):
            shipped = [plan for plan in self._shipped_plans() if validate(domain, problem, plan).valid]
            if shipped:
                return shipped
        result = solve(domain, problem, planner="astar", timeout_s=None, memory_mb=None)
        assert result.plan is not None
        return [list(result.plan)]

    def _shipped_plans(self) -> list[Plan]:
        """Of the ten outputs that GPT-4 wrote for it; many are no plans for the gold problem."""
        number = int(self.path.stem.removeprefix("problem"))
        folder = self.path.parents[3] / "gpt4_outputs" / self.domain_name / "refine_twice" / "plans"
        files = [folder / f"problem{10 * (number - 1) + output}.1" for output in range(1, 11)]
        plans = [read_actions(file.read_text(encoding="utf-8")) for file in files if file.exists()]
        return [list(plan) for plan in dict.fromkeys(map(tuple, plans))]


def gold_tasks(public: Path = PUBLIC) -> Iterator[Task]:
    """All 151 gold problems."""
    for name in ("blocksworld", "cooking", "hanoi"):
        folder = public / "prodg" / "data" / name
        yield from _tasks(name, folder / "domain.pddl", folder / "problems")
    planning = public / "viplan" / "planning"
    for split in ("simple", "medium", "hard"):
        blocksworld = planning / "blocksworld"
        for name in (split, f"{split}_10"):
            problems = blocksworld / "problems" / name
            yield from _tasks("viplan blocksworld", blocksworld / "domain.pddl", problems)
        household = planning / "igibson"
        yield from _tasks("viplan household", household / "domain.pddl", household / split)


def _tasks(name: str, domain: Path, folder: Path) -> Iterator[Task]:
    text = domain.read_text(encoding="utf-8")
    for path in sorted(folder.glob("*.pddl")):
        yield Task(name, text, path)


def mutated(plan: Plan, domain: Domain, problem: Problem, seed: str) -> Plan:
    """The plan with one to three changes: a step dropped, doubled, moved, with another object, or new."""
    rng = random.Random(seed)
    dynamics = Dynamics(domain, problem)
    changed = list(plan)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(changed) + 1)
        kind = rng.choice(("drop", "double", "move", "object", "object", "new", "cut"))
        if kind == "new" or at == len(changed):
            changed.insert(at, _step(rng, dynamics))
        elif kind == "drop":
            del changed[at]
        elif kind == "double":
            changed.insert(at, changed[at])
        elif kind == "move":
            changed.insert(rng.randrange(len(changed)), changed.pop(at))
        elif kind == "cut":
            del changed[max(at, len(changed) - 3) :]
        elif len(changed[at]) > 1:
            step = list(changed[at])
            place = rng.randrange(1, len(step))
            parameter = domain.actions[step[0]].parameters[place - 1]
            step[place] = rng.choice(dynamics.of_types(parameter.types))
            changed[at] = tuple(step)
    return changed


def _step(rng: random.Random, dynamics: Dynamics) -> tuple[str, ...]:
    """Any action on any objects of the right types."""
    ranges = {
        action.name: [dynamics.of_types(one.types) for one in action.parameters]
        for action in dynamics.domain.actions.values()
    }
    name = rng.choice([name for name, objects in ranges.items() if all(objects)])
    return (name, *map(rng.choice, ranges[name]))
